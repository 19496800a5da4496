"""A kill in the middle of writing: nothing that was stored is lost, and nothing is damaged."""

import os
import random
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from fakes import store_program
from fakes.histories import History, open_store, read_all
from fakes.program import Program
from fakes.store_program import WORD, message
from sidekicks.contract.ids import ChannelId
from sidekicks.contract.parts import TextPart
from sidekicks.contract.state import Message
from sidekicks.store import Channels, Messages

SEEDS = 30
AT_ONCE = 5


def kill_one_that_writes(file: Path, chance: random.Random, log: Path) -> tuple[int, int]:
    """Kill a program while it stores; return the last message it said was stored, and its words."""
    command = [sys.executable, store_program.__file__, "write", str(file)]
    with Program(command, env=dict(os.environ), log=log) as program:
        wanted = chance.randrange(1, 120)
        line = program.expect(lambda line: line["stored"] >= wanted)
        # Anywhere within a write, not just behind one.
        time.sleep(chance.random() * 0.01)
        program.stop(signal.SIGKILL)
    return line["stored"], line["length"]


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
async def test_a_kill_loses_nothing_that_was_stored_and_damages_nothing(
    first: int, tmp_path: Path
) -> None:
    for seed in range(first, first + AT_ONCE):
        history = History(tmp_path / str(seed) / "history.db")
        history.file.parent.mkdir()
        stored, length = kill_one_that_writes(history.file, random.Random(seed), tmp_path / "log")
        with closing(
            sqlite3.connect(history.copy_to(tmp_path / f"checked {seed}").file)
        ) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        opened = await open_store(history.file)
        rows = Messages(opened.store)
        found = await opened.store.read(lambda rows=rows: rows.last(ChannelId("c_1"), 1000))
        await opened.close()
        assert opened.said == []
        texts = {m.position: text_of(m) for m in found.messages}
        assert all(texts[n + 1] == WORD * (n % 900) for n in range(1, stored + 1))
        assert len(texts[1]) >= len(WORD) * length


def files_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


def text_of(message: Message) -> str:
    (part,) = message.parts
    assert isinstance(part, TextPart)
    return part.text


async def test_the_log_does_not_grow_under_constant_saving(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    opened = await open_store(history.file)
    store, rows = opened.store, Messages(opened.store)
    most = 0
    for number in range(400):
        one = message(number % 7, f"{number:06}" * 16_000)
        store.post(lambda one=one: rows.put(one))
        # Somebody reads all the while, and now and then waits for it.
        reading = store.read(lambda: rows.last(ChannelId("c_1"), 50))
        if number % 10 == 0:
            await store.write(lambda: None)
            most = max(most, history.log.stat().st_size)
        await reading
    # Four megabytes, and what is written while it is brought into the file.
    assert most < 12 * 1024 * 1024
    await opened.close()
    assert not history.log.exists()
    assert opened.said == []


async def test_a_reader_that_stays_does_not_keep_the_log_growing_for_ever(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    opened = await open_store(history.file)
    store, rows = opened.store, Messages(opened.store)
    await store.write(lambda: rows.put(message(0, "first")))
    with closing(sqlite3.connect(history.file, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT COUNT(*) FROM message").fetchone()
        for number in range(100):
            one = message(number % 7, f"{number:06}" * 16_000)
            await store.write(lambda one=one: rows.put(one))
        assert history.log.stat().st_size > 8 * 1024 * 1024
    for number in range(60):
        one = message(number % 7, f"{number:06}" * 16_000)
        await store.write(lambda one=one: rows.put(one))
    assert history.log.stat().st_size < 6 * 1024 * 1024
    await opened.close()


async def test_the_end_leaves_one_file(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    opened = await open_store(history.file)
    await opened.store.write(lambda: Messages(opened.store).put(message(1, "said")))
    await read_all(opened.store)
    await opened.store.read(Channels(opened.store).all)
    await opened.close()
    assert files_in(tmp_path) == ["history.db"]
