"""How fast updates come through: our client, the official SDK's, and the pipe alone, in one run.

    python tests/bench/bench_acp.py [NUMBER]

A program floods NUMBER agent_message_chunk of 40 bytes through a pipe; a client reads, decodes and
counts them. CPU is the client's own, the best of three runs. A ratio, not a time, can be compared
between machines.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NamedTuple, cast

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import acp
from fakes.acp_programs import connect
from fakes.scripts import agent_command, flood, on_prompt, script
from sidekicks.acp import PermissionAsked, TextContent, Update

RUNS = 3


class Cost(NamedTuple):
    """Seconds on the clock and of this process's CPU, for how many updates."""

    wall: float
    cpu: float
    updates: int


class Watch:
    """Measures from the prompt to its answer."""

    def __init__(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def stop(self, updates: int) -> Cost:
        wall, cpu = self._begun
        return Cost(time.perf_counter() - wall, time.process_time() - cpu, updates)


class Counter:
    """Our client's peer."""

    def __init__(self) -> None:
        self.updates = 0

    def on_update(self, session_id: str, update: Update) -> None:
        self.updates += 1

    def on_permission(self, asked: PermissionAsked) -> None:
        asked.cancel()

    def on_noise(self, text: str) -> None:
        raise ValueError(text)


class SdkCounter:
    """The SDK's peer."""

    def __init__(self) -> None:
        self.updates = 0

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates += 1


async def measure_ours(command: list[str]) -> Cost:
    counter = Counter()
    async with connect(command, counter) as client:
        await client.initialize("bench", "1")
        session = await client.new_session("/")
        watch = Watch()
        await client.prompt(session.session_id, [TextContent(text="go")])
        return watch.stop(counter.updates)


async def measure_sdk(command: list[str]) -> Cost:
    counter = SdkCounter()
    quiet = {"stderr": asyncio.subprocess.DEVNULL}
    client = cast("acp.Client", counter)
    async with acp.spawn_agent_process(client, *command, transport_kwargs=quiet) as (agent, _):
        await agent.initialize(protocol_version=1)
        session = await agent.new_session(cwd="/", mcp_servers=[])
        watch = Watch()
        await agent.prompt(session_id=session.session_id, prompt=[acp.text_block("go")])
        return watch.stop(counter.updates)


async def measure_pipe(command: list[str]) -> Cost:
    """Read and count lines: what no client can be faster than."""
    hello = b'{"id":1,"method":"session/new","params":{}}\n{"id":2,"method":"session/prompt"}\n'
    return await asyncio.to_thread(_read_lines, command, hello)


def _read_lines(command: list[str], hello: bytes) -> Cost:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as p:
        assert p.stdin is not None
        assert p.stdout is not None
        watch, lines, end = Watch(), 0, b""
        p.stdin.write(hello)
        while b'"id":2' not in end:
            data = p.stdout.read(65536)
            lines += data.count(b"\n")
            end = (end + data)[-200:]
        return watch.stop(lines - 2)


def best(measure: Callable[[list[str]], Coroutine[Any, Any, Cost]], command: list[str]) -> Cost:
    """Return the run that took the least CPU."""
    return min((asyncio.run(measure(command)) for _ in range(RUNS)), key=lambda cost: cost.cpu)


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    command = agent_command(script(on_prompt(flood(number))))
    found = {
        "the pipe alone": best(measure_pipe, command),
        "ours": best(measure_ours, command),
        "official SDK": best(measure_sdk, command),
    }
    ours = found["ours"]
    lines = [f"{number} updates of 40 bytes, a program -> on_update"]
    for name, cost in found.items():
        if cost.updates != number:
            raise SystemExit(f"{name}: {cost.updates} updates arrived of {number}")
        each = cost.cpu / number * 1e6
        ratio, wall = cost.cpu / ours.cpu, cost.wall / ours.wall
        lines.append(
            f"{name:16} {each:7.2f} us CPU each ({ratio:6.2f} x ours)"
            f"   {number / cost.wall:9.0f} a second ({wall:5.2f} x our time)"
        )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
