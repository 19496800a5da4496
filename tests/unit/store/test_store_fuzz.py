"""Damage by chance, to a history made by real use: it is opened or recovered, whatever it meets.

A case has the damage of its number; `SIDEKICKS_FUZZ=1000:6000` runs these instead.
"""

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

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


class Known(NamedTuple):
    """What lies in the file of a history, without its log."""

    messages: dict[str, tuple[object, ...]]
    on_page: dict[int, set[str]]


@pytest.fixture(scope="module")
def known(histories: Histories, tmp_path_factory: pytest.TempPathFactory) -> list[Known]:
    found: list[Known] = []
    for history in histories:
        alone = history.copy_to(tmp_path_factory.mktemp("alone"))
        alone.log.unlink(missing_ok=True)
        pages = messages_by_page(alone, tmp_path_factory.mktemp("pages"))
        found.append(Known(messages_in(alone.file), pages))
    return found


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


async def run_case(number: int, histories: Histories, known: list[Known], folder: Path) -> None:
    """Damage, open, read all, write, close, and see what is left."""
    chance = random.Random(number)
    which = 0 if chance.random() < 0.6 else 1
    history = histories[which].copy_to(folder / str(number))
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
    sound = is_sound(history.file)
    recovered = "history:damaged" in opened.problems
    if recovered:
        assert sound
        assert any(folder.joinpath(str(number)).glob("*.damaged-*"))
    if sound:
        found = {str(row[1]): row for row in rows_of(history.file)["message"]}
        assert found.pop("m_new")
        whole, on_page = known[which]
        kept = whole.keys() - {key for page in pages for key in on_page.get(page, ())}
        assert kept <= found.keys(), pages
        if which == 0:
            # Of a killed app's, the log may hold something newer.
            assert all(found[key][1:8] == whole[key][1:8] for key in kept), pages


def is_sound(file: Path) -> bool:
    """Return whether SQLite finds nothing wrong; it does not look at what it is not asked for."""
    with closing(sqlite3.connect(file)) as connection:
        try:
            return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        except sqlite3.DatabaseError:
            return False


def numbers() -> list[int]:
    first, _, last = os.environ.get("SIDEKICKS_FUZZ", f"0:{CASES}").partition(":")
    return list(range(int(first), int(last)))


@pytest.mark.parametrize("first", numbers()[::AT_ONCE])
async def test_a_history_damaged_by_chance_is_opened_or_recovered(
    first: int, histories: Histories, known: list[Known], tmp_path: Path
) -> None:
    for number in range(first, min(first + AT_ONCE, numbers()[-1] + 1)):
        await run_case(number, histories, known, tmp_path)
