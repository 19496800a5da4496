"""The app where its history cannot be written or is damaged: nothing that is said is lost."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fakes.places import SmallDisk, bound_by_rights
from fakes.running_app import RunningApp, serving, write_config
from fakes.scripts import on_prompt, say, script, wait_file
from fakes.stage import Stage, text_of
from fakes.waiting import wait_until

TALKS = script(on_prompt(say("an answer")))


@pytest.fixture
def config(home: Path) -> Path:
    """The configuration, in a folder of its own, with one conversation in its history."""
    folder = home / "own"
    folder.mkdir()
    config = write_config(folder, {"alice": TALKS})
    with serving(config, dict(os.environ), home / "log0") as app:
        talk(app, "before")
    return config


def talk(app: RunningApp, text: str) -> list[str]:
    """Say something, wait for the answer, and return what the conversation holds then."""
    before = len(said(app))
    channel = app.invoke("open_direct", agentId="alice")["channelId"]
    app.invoke("send_message", channelId=channel, text=text)
    wait_until(lambda: len(said(app)) == before + 2 and not turns(app), 40)
    return said(app)


def said(app: RunningApp) -> list[str]:
    channel = app.invoke("open_direct", agentId="alice")["channelId"]
    messages = app.invoke("get_messages", channelId=channel)["messages"]
    return [text_of(message) for message in messages]


def turns(app: RunningApp) -> list[Any]:
    return app.invoke("get_snapshot")["turns"]


def problems(app: RunningApp) -> dict[str, str]:
    """Return what is wrong with the history."""
    found = app.invoke("get_snapshot")["problems"]
    return {p["problemId"]: p["message"] for p in found if p["code"] == "history"}


def stored(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT parts FROM message ORDER BY position").fetchall()
    return [text for (text,) in rows]


def open_turns(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = connection.execute("SELECT COUNT(*) FROM turn WHERE state != 'ended'")
        return found.fetchone()[0]


def test_a_disk_that_is_full_is_said_and_what_was_said_meanwhile_is_saved_once_it_has_room(
    config: Path, home: Path
) -> None:
    disk = SmallDisk(config.parent, "3m")
    with serving(config, dict(os.environ), home / "log", disk.within()) as app:
        seen = disk.seen_by(app.program.process.pid)
        talk(app, "while there is room")
        filler = disk.fill()
        wait_until(lambda: talk(app, "x" * 3000) and problems(app), 60)
        assert "disk is full" in problems(app)["history:unsaved"]
        full = talk(app, "nobody knows where this is kept")
        app.invoke("set_settings", settings={"theme": "dark"})
        filler.unlink()
        wait_until(lambda: not problems(app), 40)
        assert talk(app, "saved again") == [*full, "saved again", "an answer"]
        expected = said(app)

        def all_ended() -> bool:
            shutil.copytree(seen, home / "copy", dirs_exist_ok=True)
            return open_turns(home / "copy" / "sidekicks.db") == 0

        wait_until(all_ended)
    assert len(stored(home / "copy" / "sidekicks.db")) == len(expected)


def test_on_a_disk_that_is_read_only_it_comes_up_with_what_was_said_and_goes_on(
    config: Path, home: Path
) -> None:
    disk = SmallDisk(config.parent, "3m")
    with serving(config, dict(os.environ), home / "log", disk.within("ro")) as app:
        seen = disk.seen_by(app.program.process.pid)
        assert "cannot be written" in problems(app)["history:unsaved"]
        assert said(app) == ["before", "an answer"]
        assert talk(app, "read only") == ["before", "an answer", "read only", "an answer"]
        disk.remount("rw")
        wait_until(lambda: not problems(app), 40)
        assert len(talk(app, "writable")) == 6
        shutil.copytree(seen, home / "copy")
        assert len(stored(home / "copy" / "sidekicks.db")) == 6


def lock_file(config: Path) -> None:
    config.with_suffix(".db").chmod(0)


def lock_folder(config: Path) -> None:
    config.parent.chmod(0o555)


def write_protect(config: Path) -> None:
    config.with_suffix(".db").chmod(0o444)


def unlock(config: Path) -> None:
    config.parent.chmod(0o755)
    config.with_suffix(".db").chmod(0o644)


@pytest.mark.parametrize("forbid", [lock_folder, write_protect])
def test_where_it_may_only_read_it_shows_all_and_saves_once_it_may(
    config: Path, home: Path, forbid: Callable[[Path], None]
) -> None:
    within = bound_by_rights()
    forbid(config)
    with serving(config, dict(os.environ), home / "log", within) as app:
        assert "cannot be written" in problems(app)["history:unsaved"]
        assert str(config.with_suffix(".db")) in problems(app)["history:unsaved"]
        assert talk(app, "not allowed")[:2] == ["before", "an answer"]
        unlock(config)
        wait_until(lambda: not problems(app), 40)
    assert len(stored(config.with_suffix(".db"))) == 4


def test_where_it_may_not_even_read_it_says_so_and_keeps_both(config: Path, home: Path) -> None:
    within = bound_by_rights()
    lock_file(config)
    with serving(config, dict(os.environ), home / "log", within) as app:
        assert "earlier conversations are not shown" in problems(app)["history:unsaved"]
        assert talk(app, "new") == ["new", "an answer"]
        unlock(config)
        wait_until(lambda: list(problems(app)) == ["history:unread"], 40)
        assert "Start Sidekicks again" in problems(app)["history:unread"]
        assert talk(app, "newer")[-2:] == ["newer", "an answer"]
    assert len(stored(config.with_suffix(".db"))) == 6
    with serving(config, dict(os.environ), home / "log2") as app:
        assert problems(app) == {}
        assert len(app.invoke("get_snapshot")["channels"]) == 2


async def test_a_damaged_history_is_told_to_the_page_and_the_conversation_goes_on(
    tmp_path: Path,
) -> None:
    async with Stage(tmp_path, alice=TALKS) as stage:
        await stage.say("alice", "before")
    database = stage.config.with_suffix(".db")
    damage(database)
    async with Stage(tmp_path, alice=TALKS) as stage:
        (problem,) = (await stage.snapshot())["problems"]
        assert (problem["code"], problem["severity"]) == ("history", "warning")
        assert problem["file"] == str(database)
        assert (await stage.say("alice", "after"))["outcome"] == "finished"
        texts = [text_of(message) for message in await stage.messages("alice")]
        assert texts == ["before", "an answer", "after", "an answer"]
    async with Stage(tmp_path, alice=TALKS) as stage:
        assert (await stage.snapshot())["problems"] == []


async def test_damage_that_is_met_in_the_middle_of_a_turn_does_not_end_it(tmp_path: Path) -> None:
    go_on = tmp_path / "go on"
    slow = script(on_prompt(say("the first half, "), wait_file(go_on), say("the second")))
    async with Stage(tmp_path, alice=slow) as stage:
        sent = await stage.send("alice", "hi")
        await stage.event("turn.delta")
        store = stage.up.domains.store
        await store.read_written(
            lambda: store.database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        )
        for on_thread in (store.read, store.read_written):
            await on_thread(lambda: store.database.execute_sql("PRAGMA shrink_memory"))
        damage(stage.config.with_suffix(".db"))
        go_on.touch()
        ended = await stage.ended(sent["turns"][0]["turnId"])
        assert ended["outcome"] == "finished"
        await stage.event("problem.raised")
        _, answer = await stage.messages("alice")
        assert text_of(answer) == "the first half, the second"
    async with Stage(tmp_path, alice=slow) as stage:
        _, answer = await stage.messages("alice")
        assert text_of(answer) == "the first half, the second"
        assert answer["ending"]["outcome"] == "finished"


async def test_an_answer_that_streams_is_stored_once_a_second(tmp_path: Path) -> None:
    streams = script(on_prompt({"repeat": 250, "steps": [say("word "), {"sleep": 0.01}]}))
    written: list[str] = []
    async with Stage(tmp_path, alice=streams) as stage:
        store = stage.up.domains.store
        await store.read_written(
            lambda: store.database.connection().set_trace_callback(written.append)
        )
        ended = await stage.say("alice", "go on")
        await store.read_written(lambda: store.database.connection().set_trace_callback(None))
    updates = [sql for sql in written if sql.startswith('UPDATE "message"')]
    # One a second, and one each for the question, for the answer's beginning and for its end.
    assert 1 < len(updates) <= ended["durationMs"] / 1000 + 4


def damage(database: Path) -> None:
    """Make the beginning unreadable; the rows are on later pages."""
    with database.open("r+b") as file:
        file.write(b"\xaa" * 4096)
