"""The end of the app: in order, in time, with nothing left and nothing lost."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from fakes.children import runs
from fakes.running_app import AppError, RunningApp, serving, write_config
from fakes.scripts import Script, describe, on, on_prompt, say, script, spawn, until_cancelled
from fakes.waiting import wait_until
from sidekicks.main import run

# More than the five seconds of the rule: the machine that runs the tests is a busy one. What the
# steps may take in all is held by the first test.
PATIENCE = 20


def stubborn(folder: Path) -> Script:
    """Return an agent that goes on whatever it is told, with a child that does the same."""
    child = spawn(folder / "child.pid", ignoreSigterm=True)
    return script(
        on("session/new", describe(folder / "agent.json"), child),
        on_prompt(
            {"repeat": 100_000, "steps": [say("word "), {"sleep": 0.01}]},
            when="flood",
            ignoreCancel=True,
        ),
        ignoreEof=True,
        ignoreSigterm=True,
    )


def send(app: RunningApp, agent: str, text: str) -> str:
    channel: str = app.invoke("open_direct", agentId=agent)["channelId"]
    app.invoke("send_message", channelId=channel, text=text)
    return channel


def texts(database: Path) -> list[str]:
    """Return what the messages say, as stored."""
    connection = sqlite3.connect(database)
    rows = connection.execute("SELECT parts FROM message ORDER BY position").fetchall()
    connection.close()
    return ["".join(p.get("text", "") for p in json.loads(parts)) for (parts,) in rows]


def test_the_limits_of_the_steps_are_under_five_seconds_in_all() -> None:
    assert sum(run.STOP_SECONDS.values()) <= 5


def test_sigterm_ends_all_with_a_stream_open_a_turn_running_and_messages_being_stored(
    home: Path, tmp_path: Path
) -> None:
    config = write_config(home, {"alice": stubborn(tmp_path)})
    read: list[bytes] = []

    def follow(app: RunningApp) -> None:
        request = urllib.request.Request(
            f"{app.origin}/events", headers={"Authorization": f"Bearer {app.secret}"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
            read.extend(stream)

    def store(app: RunningApp) -> None:
        channel = app.invoke("open_direct", agentId="sidekick")["channelId"]
        try:
            for number in range(10_000):
                app.invoke("save_draft", channelId=channel, text=f"draft {number}")
        except (AppError, OSError):
            return  # it stops

    with serving(config, dict(os.environ), tmp_path / "log") as app:
        send(app, "alice", "flood")
        stream = threading.Thread(target=follow, args=(app,), name="reads the stream")
        stream.start()
        storing = threading.Thread(target=store, args=(app,), name="stores drafts")
        storing.start()
        wait_until(lambda: any(b"turn.delta" in line for line in read))
        agent = json.loads((tmp_path / "agent.json").read_text())["pid"]
        child = int((tmp_path / "child.pid").read_text())
        assert app.program.stop(signal.SIGTERM, PATIENCE) == 0
        stream.join(PATIENCE)
        storing.join(PATIENCE)
    assert any(line == b"event: close\n" for line in read)
    assert not runs(agent)
    assert not runs(child)
    question, answer = texts(config.with_suffix(".db"))
    assert question == "flood"
    assert answer.startswith("word word ")
    endings = sqlite3.connect(config.with_suffix(".db"))
    (ending,) = endings.execute("SELECT ending FROM message WHERE author = 'alice'").fetchone()
    endings.close()
    assert json.loads(ending)["outcome"] == "stopped"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_other_signals_stop_it_as_well(home: Path, tmp_path: Path, number: signal.Signals) -> None:
    with serving(write_config(home, {}), dict(os.environ), tmp_path / "log") as app:
        app.invoke("start_agent", agentId="sidekick")
        assert app.program.stop(number, PATIENCE) == 0


def test_a_killed_app_loses_a_second_at_most_and_the_next_start_ends_what_it_left(
    home: Path, tmp_path: Path
) -> None:
    config = write_config(home, {"alice": stubborn(tmp_path)})
    with serving(config, dict(os.environ), tmp_path / "log") as app:
        send(app, "alice", "flood")
        agent_file = tmp_path / "agent.json"
        wait_until(lambda: len(texts(config.with_suffix(".db"))) == 2)
        wait_until(lambda: "word" in texts(config.with_suffix(".db"))[1])
        agent = json.loads(agent_file.read_text())["pid"]
        app.program.stop(signal.SIGKILL, PATIENCE)
    assert runs(agent)
    with serving(config, dict(os.environ), tmp_path / "log2") as app:
        assert not runs(agent)
        channel = app.invoke("open_direct", agentId="alice")["channelId"]
        question, answer = app.invoke("get_messages", channelId=channel)["messages"]
        assert question["parts"][0]["text"] == "flood"
        assert answer["parts"][0]["text"].startswith("word ")
        assert answer["ending"]["outcome"] == "failed"
        assert answer["ending"]["reason"]


def test_what_waited_in_the_queue_comes_back_as_the_draft(home: Path, tmp_path: Path) -> None:
    waits = script(on_prompt(say("busy"), until_cancelled(), when="slow"))
    config = write_config(home, {"alice": waits})
    with serving(config, dict(os.environ), tmp_path / "log") as app:
        channel = send(app, "alice", "slow")
        send(app, "alice", "the next thing")
        app.invoke("save_draft", channelId=channel, text="and a half sen")
    with serving(config, dict(os.environ), tmp_path / "log2") as app:
        snapshot = app.invoke("get_snapshot")
        assert snapshot["channels"][0]["draft"] == "the next thing\n\nand a half sen"
        assert snapshot["turns"] == []
        assert len(app.invoke("get_messages", channelId=channel)["messages"]) == 2


def test_a_second_instance_is_told_that_the_first_runs(home: Path, tmp_path: Path) -> None:
    config = write_config(home, {})
    with serving(config, dict(os.environ), tmp_path / "log"):
        other = subprocess.run(
            [sys.executable, "-m", "sidekicks", "serve", "--config", str(config)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert other.returncode == 2
    assert "already running" in other.stderr
