"""How fast events reach a page, and how soon the server answers.

    python tests/bench/bench_events.py [NUMBER]

NUMBER events go from `hub.publish` through HTTP to a client that decodes them; beside it, in the
same run, the same events each in a frame of its own. CPU is the server's, the best of three runs in
turn. A ratio, not a time, can be compared between machines.

The second part takes the time from a program's start to its first answer: a plain application of
the web framework with forty routes, our server alone, and the whole app.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests" / "fakes" / "event_programs.py"
ROUNDS = 3
STARTS = 5
PATIENCE = 120.0


class Numbered(msgspec.Struct):
    """What the client looks at of an event."""

    type: str
    seq: int


class Cost(NamedTuple):
    """Seconds on the client's clock, and of the server's CPU."""

    wall: float
    cpu: float


def count_events(answer: http.client.HTTPResponse, number: int) -> None:
    """Read and decode until `number` events of a turn have come, in order."""
    decode = msgspec.json.Decoder(list[Numbered] | Numbered).decode
    seen, rest = 0, b""
    while data := answer.read1(1024 * 1024):
        *frames, rest = (rest + data).split(b"\n\n")
        for frame in frames:
            found = decode(frame.partition(b"data: ")[2] or b"[]")
            for event in found if isinstance(found, list) else [found]:
                if event.type == "turn.delta":
                    seen += 1
                    if event.seq != seen:
                        raise SystemExit(f"event {event.seq} came where {seen} was due")
        if seen == number:
            return
    raise SystemExit(f"{seen} events arrived of {number}")


def measure_stream(kind: str, number: int, folder: Path) -> Cost:
    """Start a program, be its page, and take what it says it cost."""
    command = [sys.executable, PROGRAM, kind, str(number), folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        hello = json.loads(program.stdout.readline())
        address = str(hello["origin"]).removeprefix("http://")
        client = http.client.HTTPConnection(address, timeout=PATIENCE)
        begun = time.perf_counter()
        client.request("GET", hello["path"], headers={"Authorization": f"Bearer {hello['secret']}"})
        count_events(client.getresponse(), number)
        wall = time.perf_counter() - begun
        cost = Cost(wall, json.loads(program.stdout.readline())["cpu"])
        client.close()
        program.wait(PATIENCE)
    return cost


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def running(command: list[str | Path], home: Path) -> Generator[None]:
    env = {**os.environ, "HOME": str(home)}
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        env[f"XDG_{name}_HOME"] = str(home / name.lower())
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env)
    try:
        yield
    finally:
        program.terminate()
        program.wait(PATIENCE)


def measure_start(command: list[str | Path], port: int, home: Path) -> float:
    """Return the seconds from the start of `command` to its first answer."""
    begun = time.perf_counter()
    with running(command, home):
        while time.perf_counter() - begun < PATIENCE:
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                client.request("GET", "/")
                if client.getresponse().status == http.HTTPStatus.OK:
                    return time.perf_counter() - begun
            except ConnectionRefusedError:
                time.sleep(0.002)
            finally:
                client.close()
    raise SystemExit(f"no answer from {command}")


def compare_streams(number: int, folder: Path) -> list[str]:
    runs: dict[str, list[Cost]] = {"single": [], "stream": []}
    for _ in range(ROUNDS):
        for kind, costs in runs.items():
            costs.append(measure_stream(kind, number, folder))
    best = {kind: min(costs, key=lambda cost: cost.cpu) for kind, costs in runs.items()}
    ours = best["stream"]
    lines = [f"{number} events, hub -> HTTP -> decoded by a client"]
    for kind, name in (("stream", "ours, in arrays"), ("single", "one in each frame")):
        cost = best[kind]
        lines.append(
            f"{name:18} {cost.cpu / number * 1e6:7.2f} us CPU each"
            f" ({cost.cpu / ours.cpu:5.2f} x ours)"
            f"   {number / cost.wall:9.0f} a second ({cost.wall / ours.wall:5.2f} x our time)"
        )
    return lines


def compare_starts(folder: Path) -> list[str]:
    def commands(port: int) -> dict[str, list[str | Path]]:
        own: list[str | Path] = [sys.executable, PROGRAM]
        app: list[str | Path] = [sys.executable, "-m", "sidekicks", "serve", "--json"]
        return {
            "plain, 40 routes": [*own, "plain", str(port), folder],
            "our server alone": [*own, "ours", str(port), folder],
            "the whole app": [*app, "--port", str(port), "--config", folder / "none.yaml"],
        }

    names = list(commands(0))
    if not (ROOT / "ui" / "dist" / "index.html").is_file():
        names.remove("the whole app")
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(STARTS):
        for name in names:
            port = free_port()
            times[name].append(measure_start(commands(port)[name], port, folder))
    plain = median(times["plain, 40 routes"])
    lines = ["", f"from the start of the program to its first answer, median of {STARTS}"]
    for name in names:
        found = median(times[name])
        lines.append(f"{name:18} {found * 1000:7.0f} ms ({found / plain:5.2f} x plain)")
    return lines


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "index.html").write_text("<!doctype html>")
        lines = compare_streams(number, folder) + compare_starts(folder)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
