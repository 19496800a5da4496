"""Pieces of any size become lines: none lost, none too long, none copied over and over."""

import random
import tracemalloc

from sidekicks.acp.lines import LineReader


def reader(dropped: list[int] | None = None, limit: int = 1000) -> LineReader:
    return LineReader((dropped if dropped is not None else []).append, limit)


def test_a_line_is_returned_without_its_line_feed() -> None:
    assert reader().take(b"one\ntwo\n") == [b"one", b"two"]


def test_an_unfinished_line_waits_for_its_end() -> None:
    lines = reader()
    assert lines.take(b"one\ntw") == [b"one"]
    assert lines.take(b"o") == []
    assert lines.take(b"\nthree\n") == [b"two", b"three"]


def test_the_last_line_needs_no_line_feed() -> None:
    lines = reader()
    lines.take(b"one\ntwo")
    assert lines.end() == [b"two"]
    assert lines.end() == []


def test_any_cut_gives_the_same_lines() -> None:
    chance = random.Random(7)
    text = b"\n".join(b"x" * chance.randrange(40) for _ in range(300)) + b"\n"
    for _ in range(30):
        lines, found, at = reader(), list[bytes](), 0
        while at < len(text):
            step = chance.choice((1, 2, 3, 17, 64, 500))
            found += lines.take(text[at : at + step])
            at += step
        # An empty line that comes in two pieces is nothing to anybody.
        assert [line for line in found if line] == [line for line in text.split(b"\n") if line]


def test_a_line_that_is_too_long_is_dropped_and_the_next_arrives() -> None:
    dropped: list[int] = []
    lines = reader(dropped, limit=10)
    assert lines.take(b"x" * 8) == []
    assert lines.take(b"y" * 8) == []
    assert lines.take(b"z" * 8) == []
    assert dropped == []
    assert lines.take(b"!\nnext\nbeg") == [b"next"]
    assert dropped == [25]
    assert lines.take(b"un\n") == [b"begun"]


def test_a_line_of_exactly_the_limit_is_kept() -> None:
    lines = reader(limit=10)
    assert lines.take(b"x" * 5) == []
    assert lines.take(b"x" * 5 + b"\n") == [b"x" * 10]


def test_a_line_that_is_too_long_at_the_end_is_told() -> None:
    dropped: list[int] = []
    lines = reader(dropped, limit=10)
    lines.take(b"x" * 11)
    assert lines.end() == []
    assert dropped == [11]


def test_a_line_without_an_end_takes_no_more_memory_than_the_limit() -> None:
    lines = reader(limit=1 << 20)
    piece = b"x" * 65536
    tracemalloc.start()
    for _ in range(400):
        lines.take(piece)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 << 20


def test_a_long_line_in_small_pieces_is_not_copied_for_each_of_them() -> None:
    # 100,000 pieces of a line of 10 MB: copying what is there for each would be 500 GB.
    lines = reader(limit=64 << 20)
    for _ in range(100_000):
        lines.take(b"x" * 100)
    assert [len(line) for line in lines.take(b"\n")] == [10_000_000]
