"""What a history may have become: it is said, kept aside, and read as far as it goes."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fakes.histories import (
    PAGE,
    Histories,
    History,
    Opened,
    cut,
    make_histories,
    messages_by_page,
    open_store,
    overwrite,
    read_all,
    rows_of,
)
from sidekicks.base import words
from sidekicks.contract.parts import NotePart
from sidekicks.store import Channels, Messages
from sidekicks.store.pages import Pages
from sidekicks.store.recovery import beside
from sidekicks.store.store import RECOVERIES
from sidekicks.store.tables import TABLES
from sidekicks.store.wal import FRAME_BYTES, HEADER_BYTES, read_wal

MESSAGES = 38
CHANNELS = 2


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Histories:
    return asyncio.run(make_histories(tmp_path_factory.mktemp("used")))


@pytest.fixture
def closed(made: Histories, tmp_path: Path) -> History:
    return made.closed.copy_to(tmp_path / "closed")


@pytest.fixture
def killed(made: Histories, tmp_path: Path) -> History:
    return made.killed.copy_to(tmp_path / "killed")


def aside_of(file: Path) -> Path:
    """Return where a damaged history was moved, but for its companions."""
    (aside,) = file.parent.glob(f"{file.name}.damaged-*[0-9]")
    return aside


def sql(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


async def recovered(file: Path) -> tuple[int, int]:
    """Open a history that must be recovered; return how many messages and conversations it has."""
    opened = await open_store(file)
    try:
        channels, messages = await read_all(opened.store)
    finally:
        await opened.close()
    problem = opened.problems["history:damaged"]
    assert problem.code == "history"
    assert str(file) in problem.message
    assert aside_of(file).name in problem.message
    assert f"messages {len(messages)}, conversations {len(channels)}" in problem.message
    assert opened.incidents == []
    # Once is enough: what was made of it is sound.
    again = await open_store(file)
    await again.close()
    assert again.said == []
    return len(messages), len(channels)


def to_text(history: History) -> None:
    history.file.write_text("these are my notes, not a database, and they are long enough " * 20)


def to_folder(history: History) -> None:
    history.file.unlink()
    history.file.mkdir()
    (history.file / "kept.txt").write_text("mine")


def to_pipe(history: History) -> None:
    history.file.unlink()
    os.mkfifo(history.file)


def to_strangers_database(history: History) -> None:
    history.file.unlink()
    sql(history.file, "CREATE TABLE message (mine TEXT)", "INSERT INTO message VALUES ('hello')")


def to_nothing(history: History) -> None:
    cut(history.file, 0)


@pytest.mark.parametrize("damage", [to_text, to_folder, to_pipe, to_strangers_database, to_nothing])
async def test_what_is_no_history_is_moved_aside_as_it_is(
    closed: History, damage: Callable[[History], None]
) -> None:
    damage(closed)
    before = closed.file.read_bytes() if closed.file.is_file() else b""
    assert await recovered(closed.file) == (0, 0)
    aside = aside_of(closed.file)
    if aside.is_file():
        assert aside.read_bytes() == before
    elif aside.is_dir():
        assert (aside / "kept.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("start", "length"),
    [
        pytest.param(0, 100, id="the header"),
        pytest.param(0, 16, id="the magic"),
        pytest.param(16, 2, id="the page's size"),
        pytest.param(18, 2, id="the format's version"),
        pytest.param(44, 4, id="the schema's format"),
        pytest.param(56, 4, id="the encoding"),
        pytest.param(100, 8, id="the schema's page"),
        pytest.param(0, PAGE, id="the first page"),
        pytest.param(100, PAGE - 100, id="the schema"),
    ],
)
async def test_a_torn_beginning_costs_nothing(closed: History, start: int, length: int) -> None:
    before = rows_of(closed.file)
    overwrite(closed.file, start, b"\xaa" * length)
    assert await recovered(closed.file) == (MESSAGES, CHANNELS)
    assert rows_of(closed.file) == before


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param(["DROP TABLE session"], id="a table"),
        pytest.param(["DROP INDEX message_place"], id="an index"),
        pytest.param(["ALTER TABLE turn RENAME COLUMN state TO stage"], id="a column"),
        pytest.param(["PRAGMA user_version = 0"], id="the version"),
        pytest.param(["PRAGMA user_version = 123456"], id="a version that cannot be"),
        pytest.param(["UPDATE channel SET kind = x'00'"], id="a value"),
        pytest.param(["UPDATE setting SET value = '{'"], id="a setting"),
        pytest.param(["UPDATE turn SET state = 'queued', user_message_id = 'm_0'"], id="a message"),
    ],
)
async def test_what_we_need_and_miss_is_damage(closed: History, statements: list[str]) -> None:
    sql(closed.file, *statements)
    assert (await recovered(closed.file))[0] == MESSAGES


async def test_a_version_that_was_damaged_is_known_by_the_tables(closed: History) -> None:
    before = rows_of(closed.file)
    sql(closed.file, "PRAGMA user_version = 65")
    opened = await open_store(closed.file)
    await opened.close()
    assert opened.said == []
    assert rows_of(closed.file) == before


async def test_a_history_cut_anywhere_keeps_what_is_before(closed: History) -> None:
    size = closed.file.stat().st_size
    found: list[int] = []
    for number, length in enumerate((1, 99, PAGE, size * 3 // 4, size * 3 // 4 + 7, size - 1)):
        history = closed.copy_to(closed.file.parent / str(number))
        cut(history.file, length)
        found.append((await recovered(history.file))[0])
    assert found == sorted(found)
    assert found[0] == 0
    assert 0 < found[-3] < found[-1]


async def test_a_conversation_that_is_lost_is_made_again_of_its_messages(closed: History) -> None:
    (before,) = (r for r in rows_of(closed.file)["channel"] if "alice" in r[3])
    overwrite(closed.file, PAGE, bytes(PAGE))  # the page of the conversations
    overwrite(closed.file, 0, bytes(PAGE))
    assert await recovered(closed.file) == (MESSAGES, CHANNELS)
    (after,) = (r for r in rows_of(closed.file)["channel"] if "alice" in r[3])
    assert (after[0], after[1], after[3]) == (before[0], "direct", '["alice"]')


async def test_what_hung_together_is_tidied_when_a_part_is_lost(closed: History) -> None:
    sql(
        closed.file,
        "UPDATE turn SET state = 'running', user_message_id = 'm_0'"
        " WHERE rowid = (SELECT MAX(rowid) FROM turn)",
        "UPDATE message SET ending = NULL WHERE id = (SELECT MAX(id) FROM message)",
        "INSERT INTO message SELECT NULL, 'm_waits', channel_id, NULL, 'user', parts, created_at,"
        " NULL, NULL, NULL, 0 FROM message LIMIT 1",
    )
    assert (await recovered(closed.file))[0] == MESSAGES + 1
    rows = rows_of(closed.file)
    assert "running" not in {row[5] for row in rows["turn"]}
    assert all(row[8] for row in rows["message"] if row[4] != "user")
    assert all(row[3] for row in rows["message"])


async def test_the_log_of_a_killed_app_is_no_damage(killed: History) -> None:
    opened = await open_store(killed.file)
    _, messages = await read_all(opened.store)
    await opened.close()
    assert opened.said == []
    assert len(messages) == MESSAGES


@pytest.mark.parametrize("place", [0, 8, 20, HEADER_BYTES + 30, HEADER_BYTES + 5 * FRAME_BYTES])
async def test_a_damaged_log_is_said_and_the_rest_of_it_read(killed: History, place: int) -> None:
    data = bytearray(killed.log.read_bytes())
    data[place] ^= 0xFF
    killed.log.write_bytes(data)
    messages, _ = await recovered(killed.file)
    assert messages == MESSAGES
    assert beside(aside_of(killed.file), "-wal").read_bytes() == bytes(data)


async def test_a_log_that_ends_in_the_middle_is_what_a_crash_leaves(killed: History) -> None:
    frames = read_wal(killed.log).pages
    cut(killed.log, killed.log.stat().st_size - 100)
    assert read_wal(killed.log).whole
    cut(killed.log, HEADER_BYTES + 7 * FRAME_BYTES + 100)
    assert read_wal(killed.log).whole
    assert len(read_wal(killed.log).pages) < len(frames)
    opened = await open_store(killed.file)
    await read_all(opened.store)
    await opened.close()
    assert opened.said == []


async def test_a_log_without_its_file_is_read(killed: History) -> None:
    killed.file.unlink()
    messages, _ = await recovered_from_log(killed)
    assert 0 < messages < MESSAGES


async def recovered_from_log(history: History) -> tuple[int, int]:
    """As `recovered`, where there is no file to be moved."""
    opened = await open_store(history.file)
    channels, messages = await read_all(opened.store)
    await opened.close()
    assert "history:damaged" in opened.problems
    (log,) = history.file.parent.glob(f"{history.file.name}.damaged-*-wal")
    assert log.is_file()
    return len(messages), len(channels)


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
async def test_a_folder_in_place_of_a_companion_is_moved_with_it(
    closed: History, ending: str
) -> None:
    beside(closed.file, ending).mkdir()
    assert await recovered(closed.file) == (MESSAGES, CHANNELS)
    assert beside(aside_of(closed.file), ending).is_dir()


@pytest.mark.parametrize("content", [b"", b"\xff" * 32768])
async def test_an_index_of_the_log_that_is_damaged_is_made_again(
    killed: History, content: bytes
) -> None:
    beside(killed.file, "-shm").write_bytes(content)
    opened = await open_store(killed.file)
    _, messages = await read_all(opened.store)
    await opened.close()
    assert (opened.said, len(messages)) == ([], MESSAGES)


async def test_where_the_file_is_a_link_what_it_points_to_is_moved(
    closed: History, tmp_path: Path
) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(closed.file)
    overwrite(closed.file, 0, b"torn")
    opened = await open_store(link)
    await opened.close()
    assert link.is_symlink()
    assert aside_of(closed.file).read_bytes()[:4] == b"torn"
    assert len(rows_of(link)["message"]) == MESSAGES


async def test_a_recovery_that_was_cut_is_begun_again(closed: History) -> None:
    overwrite(closed.file, 0, b"torn")
    beside(closed.file, ".recovering").write_bytes(b"half of it")
    assert await recovered(closed.file) == (MESSAGES, CHANNELS)
    assert not beside(closed.file, ".recovering").exists()


@pytest.mark.parametrize("moved", [False, True], ids=["before the move", "in the middle of it"])
async def test_a_recovery_that_was_cut_at_its_end_is_finished(
    closed: History, killed: History, moved: bool
) -> None:
    done = beside(killed.file, ".recovered")
    shutil.copyfile(closed.file, done)
    overwrite(killed.file, 0, b"torn")
    if moved:
        killed.log.rename(killed.log.with_name(f"{killed.file.name}.damaged-20261130-101010-wal"))
    assert await recovered(killed.file) == (MESSAGES, CHANNELS)
    assert not done.exists()
    assert not killed.log.exists()


async def test_two_histories_damaged_in_one_second_are_both_kept(closed: History) -> None:
    for text in ("first", "second", "third"):
        closed.file.write_text(text)
        opened = await open_store(closed.file)
        await opened.close()
    kept = [file.read_text() for file in closed.file.parent.glob("*.damaged-*")]
    assert sorted(kept) == ["first", "second", "third"]


async def test_the_new_file_is_as_private_as_the_old(closed: History) -> None:
    closed.file.chmod(0o600)
    overwrite(closed.file, 0, b"torn")
    await recovered(closed.file)
    assert closed.file.stat().st_mode & 0o777 == 0o600


def tear_messages(history: History) -> None:
    """Damage the page with the most messages."""
    found = messages_by_page(history, history.file.parent / "pages")
    page = max(found, key=lambda page: len(found[page]))
    overwrite(history.file, (page - 1) * PAGE, b"\xaa" * 500)


async def opened_and_torn(history: History) -> Opened:
    opened = await open_store(history.file)
    assert opened.said == []
    tear_messages(history)
    return opened


async def test_a_read_that_meets_damage_while_the_app_runs_is_answered(closed: History) -> None:
    opened = await opened_and_torn(closed)
    _, messages = await read_all(opened.store)
    assert 0 < len(messages) < MESSAGES
    assert "history:damaged" in opened.open
    await opened.close()
    assert aside_of(closed.file).exists()


async def test_a_write_that_meets_damage_while_the_app_runs_is_done(closed: History) -> None:
    opened = await opened_and_torn(closed)
    store = opened.store
    last = (await store.read(Channels(store).all))[0]
    rows = Messages(store)
    statement = "UPDATE message SET as_text = 1"
    store.post(lambda: store.database.execute_sql(statement).fetchall())
    await store.write(lambda: Channels(store).save_draft(last.channel_id, "written after"))
    changed = await store.read(lambda: rows.last(last.channel_id, 5))
    assert all(message.as_text for message in changed.messages)
    await opened.close()
    assert "history:damaged" in opened.problems
    assert opened.incidents == []
    assert any(row[4] == "written after" for row in rows_of(closed.file)["channel"])


async def test_words_that_cannot_be_read_are_a_note_in_their_place(closed: History) -> None:
    sql(
        closed.file,
        "UPDATE message SET parts = x'5b7b', ending = '{' WHERE id = 2",
    )
    opened = await open_store(closed.file)
    _, messages = await read_all(opened.store)
    await opened.close()
    assert opened.said == []
    assert len(messages) == MESSAGES
    (odd,) = (m for m in messages if m.parts and m.parts[0].part_id == "damaged")
    assert isinstance(odd.parts[0], NotePart)
    assert odd.ending is None


async def test_a_disk_that_damages_again_and_again_is_given_up(closed: History) -> None:
    opened = await open_store(closed.file)
    for number in range(RECOVERIES + 1):
        assert "history:unsaved" not in opened.open
        assert len(list(closed.file.parent.glob("*.damaged-*[0-9]"))) == number
        tear_messages(closed)
        for on_thread in (opened.store.read, opened.store.read_written):
            # What SQLite has in its cache does not tell of the disk.
            await on_thread(lambda: opened.store.database.execute_sql("PRAGMA shrink_memory"))
        _, messages = await read_all(opened.store)
        assert messages
    assert opened.open.keys() == {"history:damaged", "history:unsaved"}
    await opened.close()
    assert len(list(closed.file.parent.glob("*.damaged-*[0-9]"))) == RECOVERIES


async def test_it_is_said_in_french(closed: History) -> None:
    to_text(closed)
    words.set_language("fr")
    try:
        opened = await open_store(closed.file)
        await opened.close()
    finally:
        words.set_language("en")
    assert opened.message("damaged").startswith(f"L’historique {closed.file} était abîmé.")


def test_the_pages_give_the_rows_that_sqlite_gives(made: Histories) -> None:
    expected = rows_of(made.closed.file)
    with Pages(made.closed.file) as pages:
        found = [row.values for row in pages.rows()]
    for table in TABLES:
        rows = [row for values in found if (row := table.accept(values)) is not None]
        kept = {row[-len(table.columns) :] for row in rows}
        stored = {row[-len(table.columns) :] for row in expected[table.name]}
        # A setting can be anything; the commands of an agent are taken for such, but not by us.
        assert kept == stored if table.name != "setting" else kept >= stored


async def test_the_start_does_not_read_all_of_a_history_that_was_closed(closed: History) -> None:
    tear_messages(closed)
    opened = await open_store(closed.file)
    assert opened.said == []
    await opened.close()


async def test_the_start_reads_all_of_a_history_that_was_not_closed(killed: History) -> None:
    found = messages_by_page(History(killed.file), killed.file.parent / "pages")
    in_log = read_wal(killed.log).pages
    page = max(found.keys() - in_log.keys(), key=lambda page: len(found[page]))
    overwrite(killed.file, (page - 1) * PAGE, b"\xaa" * 500)
    messages, _ = await recovered(killed.file)
    assert messages < MESSAGES
