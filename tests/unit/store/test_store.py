"""The store: order, transactions, migrations, rows."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, PartId, TurnId
from sidekicks.contract.parts import TextPart, ToolDiff, ToolPart
from sidekicks.contract.state import Ending, Message, SlashCommand, Turn
from sidekicks.store import AgentMemory, ChannelRow, Channels, Messages, Store, Turns
from sidekicks.store.migrations import MIGRATIONS, migrate, schema
from sidekicks.store.models import MODELS
from sidekicks.store.tables import TABLES

CHANNEL = ChannelId("c1")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path / "history.db")
    yield store
    await store.close()


def message(number: int, position: int | None, author: str = "user") -> Message:
    return Message(
        message_id=MessageId(f"m{number}"),
        channel_id=CHANNEL,
        author=author,
        parts=(TextPart(part_id=PartId("p1"), text=f"words {number} 🎉"),),
        created_at=f"2026-11-{number:02}T10:00:00.000Z",
        position=position,
    )


async def put(store: Store, *messages: Message) -> None:
    rows = Messages(store)
    for one in messages:
        await store.write(lambda one=one: rows.put(one))


async def test_posted_writes_are_committed_in_order_before_a_later_one(store: Store) -> None:
    rows = Messages(store)
    for number in range(1, 51):
        store.post(lambda number=number: rows.put(message(1, number)))
    await store.write(lambda: None)
    found = await store.read(lambda: rows.get(MessageId("m1")))
    assert found is not None
    assert found.position == 50


async def test_a_write_that_fails_leaves_nothing_of_itself(store: Store) -> None:
    rows = Messages(store)

    def half() -> None:
        rows.put(message(1, 1))
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        await store.write(half)
    assert await store.read(lambda: rows.get(MessageId("m1"))) is None


async def test_a_lost_write_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    store = await Store.open(tmp_path / "history.db", told.append)

    def fail() -> None:
        raise ValueError("lost")

    store.post(fail)
    await store.close()
    assert len(told) == 1


async def test_a_message_comes_back_as_it_was(store: Store) -> None:
    answer = Message(
        message_id=MessageId("m1"),
        channel_id=CHANNEL,
        author="alice",
        parts=(
            TextPart(part_id=PartId("p1"), text="a\u2028b \x00 é 🎉"),
            ToolPart(
                part_id=PartId("p2"),
                tool_call_id="t",
                title="Edit",
                kind="edit",
                content=(ToolDiff(path="/a", old_text=None, new_text="x"),),
                input={"deep": [1, None, {"x": 1.5}]},
            ),
        ),
        created_at="2026-11-30T10:00:00.000Z",
        position=7,
        turn_id=TurnId("t1"),
        ending=Ending(outcome="failed", reason="why", duration_ms=12),
    )
    await put(store, answer)
    assert await store.read(lambda: Messages(store).get(MessageId("m1"))) == answer


async def test_pages_go_back_and_forth_and_say_whether_there_is_more(store: Store) -> None:
    await put(store, *(message(n, n) for n in range(1, 11)), message(11, None))
    rows = Messages(store)
    last = await store.read(lambda: rows.last(CHANNEL, 3))
    assert [m.position for m in last.messages] == [8, 9, 10]
    assert (last.before, last.after) == (True, False)
    first = await store.read(lambda: rows.before(CHANNEL, 4, 10))
    assert [m.position for m in first.messages] == [1, 2, 3]
    assert (first.before, first.after) == (False, True)
    following = await store.read(lambda: rows.after(CHANNEL, 8, 2))
    assert [m.position for m in following.messages] == [9, 10]
    assert (following.before, following.after) == (True, False)
    queued = await store.read(lambda: rows.queued(CHANNEL))
    assert [m.message_id for m in queued] == ["m11"]


async def test_a_date_finds_the_first_message_of_that_day(store: Store) -> None:
    await put(store, *(message(n, n) for n in range(1, 11)))
    rows = Messages(store)
    assert await store.read(lambda: rows.position_at(CHANNEL, "2026-11-05")) == 5
    assert await store.read(lambda: rows.position_at(CHANNEL, "2026-12-01")) is None


async def test_channels_come_with_their_last_position_and_what_is_unread(store: Store) -> None:
    rows = Channels(store)
    row = ChannelRow(
        channel_id=CHANNEL,
        kind="direct",
        name="Alice",
        members=(AgentId("alice"),),
        draft="half a th",
        read_position=0,
        created_at="2026-11-30",
    )
    await store.write(lambda: rows.add(row))
    await put(store, message(1, 1), message(2, 2, "alice"), message(3, 3, "alice"))
    await store.write(lambda: rows.mark_read(CHANNEL, 2))
    (found,) = await store.read(rows.all)
    assert (found.last_position, found.unread, found.draft) == (3, 1, "half a th")


async def test_turns_of_a_message_keep_their_order_when_they_change(store: Store) -> None:
    rows = Turns(store)
    turns = [
        Turn(
            turn_id=TurnId(name),
            channel_id=CHANNEL,
            agent_id=AgentId("alice"),
            state="queued",
            user_message_id=MessageId("m1"),
            queued_at="2026-11-30",
        )
        for name in ("t1", "t2")
    ]
    for turn in turns:
        await store.write(lambda turn=turn: rows.put(turn))
    await store.write(lambda: rows.put(turns[0], ended=True))
    found = await store.read(lambda: rows.of_message(MessageId("m1")))
    assert [row.turn_id for row in found] == ["t1", "t2"]
    unfinished = await store.read(rows.unfinished)
    assert [row.turn_id for row in unfinished] == ["t2"]


async def test_commands_and_settings_are_remembered(store: Store) -> None:
    memory = AgentMemory(store)
    commands = (SlashCommand(name="plan", description="Make a plan", hint="what for"),)
    await store.write(lambda: memory.save_commands(AgentId("alice"), commands))
    await store.write(lambda: memory.save_setting("theme", "dark"))
    assert await store.read(memory.commands) == {"alice": commands}
    assert await store.read(memory.settings) == {"theme": "dark"}


async def test_the_migrations_make_what_the_models_say(store: Store) -> None:
    for model in MODELS:
        sql = f"PRAGMA table_info({model._meta.table_name})"  # pyright: ignore[reportPrivateUsage]
        made = await store.read(lambda sql=sql: store.database.execute_sql(sql).fetchall())
        names = {row[1] for row in made} - {"id"}
        said = set(model._meta.sorted_field_names) - {"id"}  # pyright: ignore[reportPrivateUsage]
        assert names == said


def test_every_step_of_the_migrations_ends_at_its_number_and_changes_the_tables() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        for number in range(1, len(MIGRATIONS) + 1):
            before = schema(database)
            assert migrate(database, number) == number - 1
            assert schema(database) != before
        assert migrate(database) == len(MIGRATIONS)


def test_every_table_is_looked_at_and_recovered() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        migrate(database)
        made = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        assert {name for (name,) in made} == {table.name for table in TABLES}
        for table in TABLES:
            columns = database.execute(f"PRAGMA table_info({table.name})").fetchall()
            assert tuple(column[1] for column in columns) == table.row.__struct_fields__


async def test_a_history_of_a_newer_app_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 999")
    raw.close()
    with pytest.raises(SidekicksError) as refused:
        await Store.open(path)
    assert refused.value.code == "unavailable"
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA user_version").fetchone() == (999,)
    raw.close()
