"""Histories to damage: made by real use, and what is in them."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from fakes.scripts import ask, crash, flood, on_prompt, say, script, think, update
from fakes.stage import Stage
from sidekicks.contract.ids import MessageId
from sidekicks.store import AgentMemory, Channels, Messages, Rules, Sessions, Store, Turns
from sidekicks.store.pages import Pages
from sidekicks.store.tables import TABLES

PAGE = 4096
_MESSAGE = next(table for table in TABLES if table.name == "message")
Rows = dict[str, set[tuple[Any, ...]]]


class History(NamedTuple):
    """A history's files in a folder of their own."""

    file: Path

    @property
    def log(self) -> Path:
        return self.file.with_name(f"{self.file.name}-wal")

    def copy_to(self, folder: Path) -> "History":
        """Copy the files as they lie."""
        folder.mkdir(parents=True, exist_ok=True)
        for file in (self.file, self.log):
            if file.exists():
                shutil.copyfile(file, folder / file.name)
        return History(folder / self.file.name)


class Histories(NamedTuple):
    """The same use, left in two ways."""

    closed: History
    """The app was stopped."""
    killed: History
    """It was not: much of it is in the log."""


async def make_histories(folder: Path) -> Histories:
    """Use the app for a while, and keep its history as it was while it ran, and after."""
    text = "A line of an answer, with é and 🎉 in it.\n"
    tool = {"toolCallId": "t1", "title": "Edit", "kind": "edit", "status": "completed"}
    alice = script(
        on_prompt(think("hm"), flood(150, 60), when="long"),
        on_prompt(ask({**tool, "status": "pending"}, then={"allow": [say("done")]}), when="ask"),
        on_prompt(say("so fa"), *crash(), when="crash"),
        on_prompt(
            say(text * 5),
            update("tool_call", **tool, content=[{"type": "diff", "path": "/a", "newText": text}]),
            update("plan", entries=[{"content": "first", "status": "pending"}]),
        ),
    )
    bob = script(
        on_prompt(flood(400, 40), when="long"),
        on_prompt(
            update("available_commands_update", availableCommands=[_command("plan")]),
            say("I am Bob. " * 20),
        ),
    )
    used = folder / "used"
    used.mkdir(parents=True)
    stage = Stage(used, alice=alice, bob=bob)
    await stage.open()
    try:
        for number in range(6):
            await stage.say("alice", f"message {number}, {'with words ' * number}")
            await stage.say("bob", "long, please" if number % 3 == 0 else f"and Bob {number}")
        await stage.say("alice", "long, please")
        sent = await stage.send("alice", "ask me first")
        asked = (await stage.event("permission.asked"))["permission"]
        await stage.invoke(
            "answer_permission",
            permissionId=asked["permissionId"],
            optionId="allow",
            remember=True,
        )
        await stage.ended(sent["turns"][0]["turnId"])
        await stage.invoke("set_settings", settings={"theme": "dark"})
        store = stage.up.domains.store
        await store.read_written(
            lambda: store.database.execute_sql("PRAGMA wal_checkpoint").fetchall()
        )
        # From here on all is in the log.
        await stage.say("alice", "please crash")
        for number in range(4):
            await stage.say("bob", f"once more {number} {'and so on ' * 30}")
        await stage.invoke(
            "save_draft", channelId=await stage.direct("alice"), text="half a sentence"
        )
        await store.read_written(lambda: None)
        killed = History(stage.config.with_suffix(".db")).copy_to(folder / "killed")
    finally:
        await stage.close()
    return Histories(History(stage.config.with_suffix(".db")), killed)


def rows_of(file: Path) -> Rows:
    """Return every row of a history that SQLite can read, by table."""
    with closing(sqlite3.connect(file)) as connection:
        connection.text_factory = _as_text
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        return {
            name: set(connection.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall())
            for (name,) in names.fetchall()
        }


def _as_text(raw: bytes) -> str:
    return raw.decode(errors="replace")


class Opened:
    """A store and what it said was wrong."""

    def __init__(self) -> None:
        self.problems: dict[str, Any] = {}
        self.said: list[tuple[str, Any]] = []
        self.incidents: list[str] = []
        self.closed = False
        self.store: Store

    def on_problem(self, problem_id: str, problem: Any) -> None:
        self.said.append((problem_id, problem))
        self.problems[problem_id] = problem

    @property
    def open(self) -> dict[str, Any]:
        """The problems that are open."""
        return {key: problem for key, problem in self.problems.items() if problem is not None}

    def message(self, kind: str) -> str:
        """Return what is said of a problem that is open."""
        return self.problems[f"history:{kind}"].message

    async def close(self) -> None:
        """Close it, if nobody has."""
        if not self.closed:
            self.closed = True
            await self.store.close()


async def open_store(file: Path, retry_seconds: float = 0.05) -> Opened:
    """Open a history; whoever does must close it."""
    opened = Opened()
    opened.store = await Store.open(
        file, opened.incidents.append, opened.on_problem, retry_seconds=retry_seconds
    )
    return opened


async def read_all(store: Store) -> tuple[list[Any], list[Any]]:
    """Read all that the app ever reads, in its ways; return conversations and messages."""
    channels, messages = Channels(store), Messages(store)
    memory, turns = AgentMemory(store), Turns(store)
    reads: Sequence[Callable[[], Any]] = (
        memory.settings,
        memory.commands,
        Sessions(store).all,
        Rules(store).all,
        turns.unfinished,
    )
    for read in reads:
        await store.read(read)
    found = await store.read(channels.all)
    said: list[Any] = []
    for channel in found:
        before = None
        while True:
            position = before
            page = await store.read(
                lambda c=channel, p=position: messages.before(c.channel_id, p, 7)
            )
            said.extend(page.messages)
            if not page.before or not page.messages:
                break
            before = page.messages[0].position
        said.extend(await store.read(lambda c=channel: messages.queued(c.channel_id)))
        unseen = messages.unseen
        await store.read_written(
            lambda c=channel, unseen=unseen: list(
                unseen(
                    c.channel_id,
                    after=0,
                    without=MessageId("m_0"),
                    without_author="alice",
                    without_told="none",
                )
            )
        )
    return list(found), said


def flip(file: Path, random_: random.Random, count: int, start: int = 0) -> list[int]:
    """Change that many bytes at places that chance names, and return the places."""
    data = bytearray(file.read_bytes())
    places = [random_.randrange(start, len(data)) for _ in range(count)]
    for place in places:
        data[place] ^= random_.randrange(1, 256)
    file.write_bytes(data)
    return places


def cut(file: Path, length: int) -> None:
    """Cut a file at a length."""
    with file.open("r+b") as opened:
        opened.truncate(length)


def overwrite(file: Path, start: int, data: bytes) -> None:
    """Write over a part of a file."""
    with file.open("r+b") as opened:
        opened.seek(start)
        opened.write(data)


def pages_of(file: Path) -> Iterator[int]:
    """Yield the numbers of a file's pages, from 1."""
    yield from range(1, file.stat().st_size // PAGE + 1)


def messages_in(file: Path) -> dict[str, tuple[Any, ...]]:
    """Return what the pages hold of messages, by id."""
    with Pages(file) as pages:
        rows = [_MESSAGE.accept(row.values) for row in pages.rows()]
    return {str(row[1]): row for row in rows if row is not None}


def messages_by_page(history: History, folder: Path) -> dict[int, set[str]]:
    """Return which messages lie on each page: those lost with it."""
    whole = messages_in(history.file)
    found: dict[int, set[str]] = {}
    for page in pages_of(history.file):
        damaged = history.copy_to(folder)
        overwrite(damaged.file, (page - 1) * PAGE, bytes(PAGE))
        left = messages_in(damaged.file)
        found[page] = {key for key, row in whole.items() if left.get(key) != row}
    return found


def _command(name: str) -> dict[str, str]:
    return {"name": name, "description": f"Make a {name}"}
