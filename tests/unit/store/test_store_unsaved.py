"""Where nothing can be written: it is said, all goes on in memory, and is saved once it can be."""

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from fakes import store_program
from fakes.histories import (
    Histories,
    History,
    Opened,
    make_histories,
    open_store,
    overwrite,
    read_all,
    rows_of,
)
from fakes.program import Program
from fakes.store_program import message
from fakes.waiting import until
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, RuleId, TurnId
from sidekicks.contract.state import Rule, Turn
from sidekicks.store import AgentMemory, ChannelRow, Channels, Messages, Rules, Sessions, Turns
from sidekicks.store import SessionRow as Session

CHANNEL = ChannelId("c_1")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Histories:
    return asyncio.run(make_histories(tmp_path_factory.mktemp("used")))


@pytest.fixture
def closed(made: Histories, tmp_path: Path) -> History:
    return made.closed.copy_to(tmp_path / "closed")


@pytest.fixture
async def nowhere(tmp_path: Path) -> AsyncIterator[Opened]:
    """A store whose folder is not there; once it is, it can be written."""
    opened = await open_store(tmp_path / "gone" / "history.db")
    yield opened
    await opened.close()


async def saved(opened: Opened) -> None:
    await until(lambda: "history:unsaved" not in opened.open)


async def test_where_there_is_no_folder_it_is_said_and_saved_once_there_is(
    nowhere: Opened,
) -> None:
    store = nowhere.store
    problem = nowhere.open["history:unsaved"]
    assert (problem.code, problem.severity) == ("history", "error")
    assert str(store.path) in problem.message
    rows = Messages(store)
    for number in range(5):
        store.post(lambda number=number: rows.put(message(number, "said"), f"local {number}"))
    page = await store.read(lambda: rows.last(CHANNEL, 10))
    written = await store.read_written(lambda: rows.last(CHANNEL, 10))
    assert len(written.messages) == 5
    assert page.messages == written.messages[: len(page.messages)]
    assert await store.read(lambda: rows.find_local("local 3")) == message(3, "said")
    store.path.parent.mkdir()
    await saved(nowhere)
    store.post(lambda: rows.put(message(5, "said")))
    assert len((await store.read_written(lambda: rows.last(CHANNEL, 10))).messages) == 6
    await nowhere.close()
    assert [row[1] for row in sorted(rows_of(store.path)["message"])] == [
        f"m_{number}" for number in range(6)
    ]
    assert nowhere.incidents == []


async def test_what_was_changed_and_removed_in_memory_is_so_in_the_file(
    closed: History, tmp_path: Path
) -> None:
    before = rows_of(closed.file)
    opened = await open_store(closed.file)
    with closing(sqlite3.connect(closed.file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        store = opened.store
        channels, messages = await read_all(store)
        # It waits for the other program first, as long as anybody would.
        draft = Channels(store)
        await store.write(lambda: draft.save_draft(channels[0].channel_id, "while it was locked"))
        assert "locked" in opened.message("unsaved")
        rows, turns, sessions = Messages(store), Turns(store), Sessions(store)
        rules, memory = Rules(store), AgentMemory(store)
        rule = Rule(
            rule_id=RuleId("r_1"),
            agent_id=AgentId("bob"),
            kind="read",
            decision="allow",
            created_at="2026-11-30",
        )
        (kept,) = await store.read(rules.all)
        session = Session(
            channel_id=channels[0].channel_id, agent_id=AgentId("bob"), acp_session_id="s", mark=7
        )
        turn = Turn(
            turn_id=TurnId("t_1"),
            channel_id=channels[0].channel_id,
            agent_id=AgentId("bob"),
            state="queued",
            user_message_id=messages[1].message_id,
            queued_at="2026-11-30",
        )
        gone, changed = messages[0], messages[1]
        for work in (
            lambda: rows.remove(gone.message_id),
            lambda: rows.put(message(1000, "new")),
            lambda: rows.put(changed),
            lambda: rules.remove(kept.rule_id),
            lambda: rules.add(rule),
            lambda: sessions.put(session),
            lambda: sessions.put(session),
            lambda: turns.put(turn),
            lambda: turns.put(msgspec.structs.replace(turn, state="running")),
            lambda: turns.put(turn, ended=True),
            lambda: memory.save_setting("theme", "light"),
            lambda: rows.put(message(1001, "not for long")),
            lambda: rows.remove(MessageId("m_1001")),
        ):
            store.post(work)
        _, now = await read_all(store)
        assert len(now) == len(messages) - 1  # the new one is of another conversation
        other.execute("ROLLBACK")
    await saved(opened)
    await opened.close()
    after = rows_of(closed.file)
    assert {row[1] for row in after["message"]} == {
        *(row[1] for row in before["message"]),
        "m_1000",
    } - {gone.message_id}
    same = {row[1:] for row in before["message"] if row[1] != gone.message_id}
    assert same < {row[1:] for row in after["message"]}
    assert {row[0] for row in after["rule"]} == {"r_1"}
    assert {row for row in after["session"] if row[1] == "bob"} >= {
        (session.channel_id, "bob", "s", 7, 1)
    }
    assert ("theme", '"light"') in after["setting"]
    assert "while it was locked" in {row[4] for row in after["channel"]}
    assert {row[:6] for row in after["turn"] - before["turn"]} == {
        ("t_1", turn.channel_id, "bob", turn.user_message_id, None, "ended")
    }
    assert opened.incidents == []


async def test_a_file_that_comes_back_keeps_what_it_had(nowhere: Opened, closed: History) -> None:
    store, rows = nowhere.store, Messages(nowhere.store)
    (first,) = (row for row in rows_of(closed.file)["message"] if row[0] == 1)
    with closing(sqlite3.connect(closed.file)) as connection:
        connection.execute("UPDATE message SET local_id = 'sent' WHERE id = 1")
        connection.commit()
    before = rows_of(closed.file)
    store.post(lambda: rows.put(message(0, "said again"), "sent"))
    closed.copy_to(store.path.parent)
    (store.path.parent / closed.file.name).rename(store.path)
    await saved(nowhere)
    await nowhere.close()
    after = rows_of(store.path)
    assert before["message"] < after["message"]
    assert {row[1] for row in after["message"]} - {row[1] for row in before["message"]} == {"m_0"}
    assert first[1] in {row[1] for row in after["message"] if row[9] == "sent"}


async def test_a_file_that_comes_back_damaged_is_recovered_first(
    nowhere: Opened, closed: History
) -> None:
    store, rows = nowhere.store, Messages(nowhere.store)
    store.post(lambda: rows.put(message(0, "said")))
    overwrite(closed.file, 0, b"torn")
    closed.copy_to(store.path.parent)
    (store.path.parent / closed.file.name).rename(store.path)
    await saved(nowhere)
    assert nowhere.open.keys() == {"history:damaged"}
    await nowhere.close()
    assert len(rows_of(store.path)["message"]) == 39


async def test_what_cannot_be_saved_at_the_end_is_left_without_a_word_too_many(
    tmp_path: Path,
) -> None:
    opened = await open_store(tmp_path / "gone" / "history.db", retry_seconds=600)
    await opened.store.write(lambda: Messages(opened.store).put(message(0, "lost")))
    await opened.close()
    assert opened.incidents == []
    assert opened.open.keys() == {"history:unsaved"}


async def test_what_can_be_saved_at_the_end_is(tmp_path: Path) -> None:
    opened = await open_store(tmp_path / "late" / "history.db", retry_seconds=600)
    await opened.store.write(lambda: Messages(opened.store).put(message(0, "in time")))
    opened.store.path.parent.mkdir()
    await opened.close()
    assert len(rows_of(opened.store.path)["message"]) == 1


async def test_a_loop_of_links_is_no_file_that_can_be_written(tmp_path: Path) -> None:
    link = tmp_path / "history.db"
    link.symlink_to(link)
    opened = await open_store(link)
    channel = ChannelRow(
        channel_id=CHANNEL,
        kind="direct",
        name="Alice",
        members=(AgentId("alice"),),
        draft="",
        read_position=0,
        created_at="2026-11-30",
    )
    await opened.store.write(lambda: Channels(opened.store).add(channel))
    assert await opened.store.read(Channels(opened.store).all) == (channel,)
    await opened.close()


def test_beyond_a_limit_of_its_files_it_goes_on_in_memory_and_saves_all_later(
    tmp_path: Path,
) -> None:
    file = tmp_path / "history.db"
    command = [sys.executable, store_program.__file__, "limited", str(file)]
    with Program(command, env=dict(os.environ), log=tmp_path / "log") as program:
        full = program.expect(lambda line: "said" in line)
        shown = program.expect(lambda line: "shown" in line)["shown"]
        assert program.expect(lambda line: "incidents" in line)["incidents"] == []
        assert program.wait() == 0
    assert "disk is full" in full["said"] or "cannot be written" in full["said"]
    assert full["after"] > 3
    stored = {row[1]: json.loads(row[5])[0]["text"] for row in rows_of(file)["message"]}
    assert stored.keys() == set(shown)
    assert stored["m_0"] == "changed"
    assert "m_1" not in stored
    assert stored[f"m_{full['after']}"] == "kept in memory"
