"""An agent's log: bounded, numbered, told of now and then, whole lines only."""

import asyncio
import itertools
from pathlib import Path
from typing import Final

import pytest

from fakes.clock import FakeClock
from fakes.loop import run_stepped
from fakes.scripts import crash, on_prompt, script
from fakes.stage import Stage
from sidekicks.agents import log as limits
from sidekicks.agents.log import AgentLog
from sidekicks.contract.state import LogEntry


class Heard:
    """A log, and what it told."""

    def __init__(self) -> None:
        self.told: Final[list[tuple[float, int]]] = []
        self.clock: Final = FakeClock()
        self.log: Final = AgentLog(self.clock, self._on_added)

    def _on_added(self, number: int) -> None:
        self.told.append((asyncio.get_running_loop().time(), number))

    def entries(self, after: int = 0, *, frames: bool = False) -> tuple[LogEntry, ...]:
        entries, _ = self.log.since(after, frames=frames)
        return entries

    def texts(self, *, frames: bool = False) -> list[str]:
        return [entry.text for entry in self.entries(frames=frames)]


@pytest.fixture
async def heard() -> Heard:
    return Heard()


async def test_entries_are_numbered_and_dated_as_they_come(heard: Heard) -> None:
    heard.log.add("life", "start")
    heard.clock.advance(1.5)
    heard.log.add_frame("to", b'{"method": "initialize"}\n')
    heard.log.add("noise", "not a frame")
    first, frame, noise = heard.entries(frames=True)
    assert (first.number, first.kind, first.text) == (1, "life", "start")
    assert first.at == "2026-11-30T12:00:00.000Z"
    assert (frame.number, frame.kind, frame.direction, frame.method) == (
        2,
        "frame",
        "to",
        "initialize",
    )
    assert frame.text == '{"method": "initialize"}'
    assert frame.at == "2026-11-30T12:00:01.500Z"
    assert (noise.number, noise.kind, noise.direction) == (3, "noise", None)


async def test_frames_are_told_only_to_who_asks_for_them(heard: Heard) -> None:
    heard.log.add_frame("from", b"{}\n")
    heard.log.add("life", "start")
    assert heard.texts() == ["start"]
    assert heard.texts(frames=True) == ["{}", "start"]


async def test_whoever_asks_again_with_the_number_told_gets_each_entry_once(heard: Heard) -> None:
    log, after = heard.log, 0
    seen: list[int] = []
    for number in range(50):
        log.add("life", f"line {number}")
        log.add_frame("to", b"{}\n")
        if number % 7 == 0:
            entries, after = log.since(after, frames=True)
            seen += [entry.number for entry in entries]
    entries, after = log.since(after, frames=True)
    seen += [entry.number for entry in entries]
    assert seen == list(range(1, 101))
    assert log.since(after, frames=True) == ((), 100)


async def test_the_oldest_lines_go_and_numbers_go_on(heard: Heard) -> None:
    for number in range(limits.KEPT_LINES + 10):
        heard.log.add("life", f"line {number}")
    entries = heard.entries()
    assert len(entries) == limits.KEPT_LINES
    assert (entries[0].number, entries[-1].number) == (11, limits.KEPT_LINES + 10)


async def test_a_flood_of_frames_does_not_push_out_why_the_agent_failed(heard: Heard) -> None:
    heard.log.add("stderr", "Traceback: boom")
    for _ in range(limits.KEPT_FRAMES * 2):
        heard.log.add_frame("from", b'{"method": "session/update"}\n')
    assert heard.texts() == ["Traceback: boom"]
    assert len(heard.entries(frames=True)) == limits.KEPT_FRAMES + 1


async def test_big_frames_are_bounded_in_bytes(heard: Heard) -> None:
    size = limits.KEPT_FRAME_BYTES // 4
    for number in range(10):
        heard.log.add_frame("from", b"%d" % number + b"x" * (size - 1))
    assert [text[:1] for text in heard.texts(frames=True)] == ["6", "7", "8", "9"]
    # What went must be taken off the count too, or soon nothing would be kept.
    for _ in range(limits.KEPT_FRAMES):
        heard.log.add_frame("to", b"{}")
    for number in range(4):
        heard.log.add_frame("from", b"%d" % number + b"y" * (size - 1))
    kept = [text[:1] for text in heard.texts(frames=True)]
    assert [text for text in kept if text != "{"] == ["0", "1", "2", "3"]


async def test_a_frame_bigger_than_all_that_is_kept_is_kept_alone(heard: Heard) -> None:
    heard.log.add_frame("from", b"{}")
    heard.log.add_frame("from", b"z" * (limits.KEPT_FRAME_BYTES + 1))
    (only,) = heard.entries(frames=True)
    assert only.number == 2
    assert len(only.text) == limits.SHOWN_CHARACTERS


@pytest.mark.parametrize(
    ("frame", "method"),
    [
        (b'{"method": "session/prompt", "id": 1}', "session/prompt"),
        (b'{"id": 1, "result": {}}', None),
        (b'{"method": 7}', None),
        (b"[1, 2]", None),
        (b"\xff\xfe", None),
        (b'{"method": "\xff"}', None),
        (b"", None),
        (b"[" * 100_000, None),
    ],
)
async def test_any_frame_can_be_shown(heard: Heard, frame: bytes, method: str | None) -> None:
    heard.log.add_frame("from", frame)
    (shown,) = heard.entries(frames=True)
    assert shown.method == method


async def test_stderr_becomes_lines_however_it_was_cut(heard: Heard) -> None:
    written = "first\r\nsecond é🎉\n\nthird".encode()
    for byte in written:
        heard.log.add_stderr(bytes([byte]))
    assert heard.texts() == ["first", "second é🎉", ""]
    heard.log.add_stderr(b" line\n")
    assert heard.texts() == ["first", "second é🎉", "", "third line"]


async def test_stderr_of_another_encoding_is_kept_as_far_as_it_can_be(heard: Heard) -> None:
    heard.log.add_stderr("café\n".encode("latin-1"))
    assert heard.texts() == ["caf\ufffd"]


async def test_stderr_without_a_line_end_is_bounded(heard: Heard) -> None:
    for _ in range(100):
        heard.log.add_stderr(b"x" * 10_000)
    texts = heard.texts()
    assert len(texts) > 10
    assert max(map(len, texts)) <= limits.SHOWN_CHARACTERS
    heard.log.add_stderr(b"\nthe end\n")
    assert heard.log.stderr_tail().endswith("\nthe end")


async def test_a_long_line_is_shown_cut(heard: Heard) -> None:
    heard.log.add("noise", "n" * (limits.SHOWN_CHARACTERS + 1))
    assert heard.texts() == ["n" * limits.SHOWN_CHARACTERS]


async def test_the_tail_is_the_last_lines_of_stderr_and_what_has_begun(heard: Heard) -> None:
    for number in range(limits.TAIL_LINES + 5):
        heard.log.add_stderr(b"line %d\n" % number)
        heard.log.add("life", "something else")
    heard.log.add_stderr(b"no line end")
    tail = heard.log.stderr_tail().split("\n")
    assert len(tail) == limits.TAIL_LINES
    assert tail[0] == "line 6"
    assert tail[-1] == "no line end"


async def test_last_words_without_a_line_end_are_no_part_of_the_next_run(heard: Heard) -> None:
    heard.log.add_stderr(b"fatal: no key")
    heard.log.end_stderr()
    heard.log.add_stderr(b"starting\n")
    assert heard.texts() == ["fatal: no key", "starting"]
    heard.log.end_stderr()
    assert heard.texts() == ["fatal: no key", "starting"]


async def test_nothing_on_stderr_is_no_tail(heard: Heard) -> None:
    heard.log.add("noise", "on stdout")
    assert heard.log.stderr_tail() == ""


def test_news_are_told_at_most_four_times_a_second() -> None:
    async def chatter() -> list[tuple[float, int]]:
        heard = Heard()
        for _ in range(100):
            heard.log.add("life", "word")
            heard.log.add_frame("to", b"{}")
            await asyncio.sleep(0.01)
        await asyncio.sleep(10)
        return heard.told

    told = run_stepped(chatter())
    times = [at for at, _ in told]
    assert 3 <= len(told) <= 5
    assert all(b - a >= limits.TELL_SECONDS for a, b in itertools.pairwise(times))
    assert told[-1][1] == 200


def test_a_closed_log_tells_nobody() -> None:
    async def close() -> list[tuple[float, int]]:
        heard = Heard()
        heard.log.add("life", "stop")
        heard.log.close()
        await asyncio.sleep(10)
        return heard.told

    assert run_stepped(close()) == []


async def test_the_last_words_of_a_crash_stand_in_the_log(tmp_path: Path) -> None:
    dies = on_prompt(*crash(3, "fatal: no key"), when="die")
    async with Stage(tmp_path, alice=script(dies)) as stage:
        await stage.say("alice", "die")
        assert (await stage.state("alice", "failed"))["failure"]["stderr"] == "fatal: no key"
        entries = (await stage.invoke("get_log", agentId="alice"))["entries"]
        assert [e["text"] for e in entries if e["kind"] == "stderr"] == ["fatal: no key"]
