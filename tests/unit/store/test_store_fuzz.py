"""Damage by chance, to a history made by real use: it is opened or recovered, whatever it meets.

A case is known by its number; `SIDEKICKS_FUZZ=1000:6000` runs these instead.
"""

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fakes.histories import (
    PAGE,
    Histories,
    History,
    cut,
    flip,
    make_histories,
    messages_by_page,
    messages_in,
    open_store,
    overwrite,
    pages_of,
    read_all,
    rows_of,
)
from sidekicks.contract.ids import MessageId
from sidekicks.contract.state import Message
from sidekicks.store import Messages

CASES = 200
AT_ONCE = 10


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Histories:
    return asyncio.run(make_histories(tmp_path_factory.mktemp("used")))


@pytest.fixture(scope="module")
def lying_on(histories: Histories, tmp_path_factory: pytest.TempPathFactory) -> dict[int, set[str]]:
    return messages_by_page(histories.closed, tmp_path_factory.mktemp("pages"))


def damage_log(log: Path, chance: random.Random) -> None:
    match chance.randrange(5):
        case 0:
            flip(log, chance, chance.randrange(1, 5))
        case 1:
            flip(log, chance, 1)
        case 2:
            cut(log, chance.randrange(log.stat().st_size))
        case 3:
            overwrite(log, 0, chance.randbytes(chance.randrange(1, 64)))
        case _:
            log.unlink()


def damage(history: History, chance: random.Random) -> set[int]:
    """Damage the files; return the pages of the database's that were."""
    file = history.file
    if history.log.exists() and chance.random() < 0.6:
        damage_log(history.log, chance)
        return set()
    size = file.stat().st_size
    kind = chance.randrange(6)
    if kind < 3:
        places = flip(file, chance, (1, 3, 20)[kind])
        return {place // PAGE + 1 for place in places}
    if kind == 3:
        length = chance.randrange(size)
        cut(file, length)
        return set(range(length // PAGE + 1, size // PAGE + 1))
    if kind == 4:
        page = chance.choice(list(pages_of(file)))
        overwrite(file, (page - 1) * PAGE, chance.choice([bytes(PAGE), chance.randbytes(PAGE)]))
        return {page}
    start, length = chance.randrange(size), chance.randrange(1, 3 * PAGE)
    overwrite(file, start, chance.randbytes(min(length, size - start)))
    return set(range(start // PAGE + 1, min(start + length, size) // PAGE + 2))


async def run_case(
    number: int, histories: Histories, lying_on: dict[int, set[str]], folder: Path
) -> str:
    """Damage, open, read all, write, close and open again; return what came of it."""
    chance = random.Random(number)
    closed = chance.random() < 0.6
    whole = messages_in(histories.closed.file)
    history = (histories.closed if closed else histories.killed).copy_to(folder / str(number))
    pages = damage(history, chance)
    opened = await open_store(history.file)
    try:
        _, said = await read_all(opened.store)
        one = Message(
            message_id=MessageId("m_new"),
            channel_id=said[0].channel_id if said else "c_new",  # pyright: ignore[reportArgumentType]
            author="user",
            parts=(),
            created_at="2026-12-01T00:00:00.000Z",
            position=100_000,
        )
        await opened.store.write(lambda: Messages(opened.store).put(one))
        assert await opened.store.read(lambda: Messages(opened.store).get(one.message_id)) == one
    finally:
        await opened.close()
    assert opened.incidents == []
    assert "history:unsaved" not in opened.problems
    found = {str(row[1]): row for row in rows_of(history.file)["message"]}
    assert found.pop("m_new")
    with closing(sqlite3.connect(history.file)) as connection:
        sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    recovered = "history:damaged" in opened.problems
    if recovered:
        assert sound
        assert any(folder.joinpath(str(number)).glob("*.damaged-*"))
    if closed and (recovered or sound):
        lost = {key for page in pages for key in lying_on.get(page, ())}
        missing = {key for key in whole.keys() - lost if found.get(key, ())[1:8] != whole[key][1:8]}
        assert not missing, (pages, missing)
    return f"{'closed' if closed else 'killed'} {'recovered' if recovered else sound}"


def numbers() -> list[int]:
    first, _, last = os.environ.get("SIDEKICKS_FUZZ", f"0:{CASES}").partition(":")
    return list(range(int(first), int(last)))


@pytest.mark.parametrize("first", numbers()[::AT_ONCE])
async def test_a_history_damaged_by_chance_is_opened_or_recovered(
    first: int, histories: Histories, lying_on: dict[int, set[str]], tmp_path: Path
) -> None:
    for number in range(first, min(first + AT_ONCE, numbers()[-1] + 1)):
        await run_case(number, histories, lying_on, tmp_path)
