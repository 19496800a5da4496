"""From an agent to a page's event stream: the whole app, beside the official SDK's client.

    python tests/bench/bench_stream.py [NUMBER]

A program floods NUMBER agent_message_chunk of 40 bytes in one turn. The app decodes, applies,
gathers, stores and sends them to a reader of `GET /events`; the SDK's client decodes and counts
them, and does nothing else. CPU is the process's own, the best of three turns; both in one run.
"""

import json
import os
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psutil

from bench.bench_acp import best, measure_sdk
from fakes.running_app import RunningApp, serving, write_config
from fakes.scripts import agent_command, flood, on_prompt, script
from fakes.waiting import wait_until

RUNS = 3


class Cost(NamedTuple):
    """Of one turn: seconds on the clock, of the app's CPU, and events sent."""

    wall: float
    cpu: float
    events: int


class Reader:
    """A page's event stream, read as fast as it comes."""

    def __init__(self, app: RunningApp) -> None:
        self.events = 0
        self.characters = 0
        self.ended = 0
        self._request = urllib.request.Request(
            f"{app.origin}/events", headers={"Authorization": f"Bearer {app.secret}"}
        )
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with urllib.request.urlopen(self._request) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    for event in json.loads(line[6:]):
                        self.events += 1
                        self.ended += event["type"] == "turn.ended"
                        if event["type"] == "turn.delta":
                            self.characters += len(event["text"])


def measure_app(number: int) -> tuple[Cost, int]:
    """Return the cheapest turn, and the app's resident memory after all of them."""
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory(prefix="sk-") as folder:
        os.environ["HOME"] = folder
        config = write_config(Path(folder), {"alice": script(on_prompt(flood(number)))})
        log = Path(folder) / "log"
        with serving(config, dict(os.environ), log) as app:
            process = psutil.Process(app.program.process.pid)
            reader = Reader(app)
            channel = app.invoke("open_direct", agentId="alice")["channelId"]
            app.invoke("start_agent", agentId="alice")
            for turn in range(RUNS):
                events, cpu, begun = reader.events, _cpu(process), time.perf_counter()
                app.invoke("send_message", channelId=channel, text="go")
                wait_until(lambda turn=turn: reader.ended > turn, 300)
                wall = time.perf_counter() - begun
                costs.append(Cost(wall, _cpu(process) - cpu, reader.events - events))
            memory: int = process.memory_info().rss
    return min(costs, key=lambda cost: cost.cpu), memory


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    ours, memory = measure_app(number)
    sdk = best(measure_sdk, agent_command(script(on_prompt(flood(number)))))
    sys.stdout.write(
        f"{number} updates of 40 bytes\n"
        f"ours, a program -> event stream  {ours.cpu / number * 1e6:7.2f} us CPU each,"
        f" {number / ours.wall:9.0f} a second, {ours.events} events,"
        f" {memory / 1e6:.0f} MB resident\n"
        f"official SDK, a program -> count {sdk.cpu / number * 1e6:7.2f} us CPU each,"
        f" {number / sdk.wall:9.0f} a second\n"
        f"ratio: CPU {sdk.cpu / ours.cpu:.1f}, time {sdk.wall / ours.wall:.1f}\n"
    )


if __name__ == "__main__":
    main()
