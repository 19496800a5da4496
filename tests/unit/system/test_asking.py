"""A program that is asked one thing: its answer, its limit, and nothing left of it."""

import sys
from pathlib import Path

import pytest

from sidekicks.contract.errors import SidekicksError
from sidekicks.system import ask_program, child_environment

ENV = child_environment()


async def test_it_answers() -> None:
    answer = await ask_program(["sh", "-c", "echo out; echo err >&2; exit 3"], env=ENV, seconds=20)
    assert (answer.code, answer.stdout, answer.stderr) == (3, "out", "err")


async def test_it_has_nothing_to_read() -> None:
    assert (await ask_program(["cat"], env=ENV, seconds=20)).stdout == ""


async def test_one_that_was_ended_has_no_code() -> None:
    assert (await ask_program(["sh", "-c", "kill -9 $$"], env=ENV, seconds=20)).code is None


async def test_one_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError):
        await ask_program(["sh", "-c", "sleep 600 & sleep 600"], env=ENV, seconds=0.3)


async def test_a_flood_is_cut() -> None:
    program = "import sys; sys.stdout.write('x' * 1_000_000)"
    answer = await ask_program([sys.executable, "-c", program], env=ENV, seconds=20)
    assert answer.stdout == "x" * 64 * 1024


async def test_one_that_is_not_there_is_said() -> None:
    with pytest.raises(SidekicksError, match="nosuch-program"):
        await ask_program(["nosuch-program"], env=ENV, seconds=20)
