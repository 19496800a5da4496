"""The doctor beside agents that run: the whole app, as the page and the command line ask it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from fakes.children import runs
from fakes.scripts import (
    crash,
    on,
    recorded,
    script,
    silent,
)
from fakes.stage import Refused, Stage
from fakes.waiting import until


@pytest.fixture(autouse=True)
def _no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIDEKICKS_MODEL_URL", "none")


async def test_the_agent_that_runs_is_not_touched_and_no_place_is_taken(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    one = {"maxRunning": 1}
    async with Stage(tmp_path, settings=one, alice=script(record=record), bob=script()) as stage:
        await stage.say("alice", "hi")
        before = len(stage.events)
        diagnosis = await stage.invoke("doctor")
        assert [agent["level"] for agent in diagnosis["agents"]] == ["ok", "ok"]
        # Only the one that runs goes on telling of itself (its log, its memory).
        for event in stage.events[before:]:
            shown = event.get("agent", {"agentId": event.get("agentId"), "state": "ready"})
            assert event["type"] in ("log.added", "agent.changed")
            assert (shown["agentId"], shown["state"]) == ("alice", "ready")
        assert (await stage.state("alice", "ready"))["failure"] is None
        assert (await stage.say("alice", "still there?"))["outcome"] == "finished"
    methods = [frame.get("method") for frame in recorded(record)]
    assert methods.count("session/prompt") == 2
    # One of the agent that runs, one of the doctor's.
    assert methods.count("initialize") == 2


async def test_the_good_and_the_bad_are_told_together(tmp_path: Path) -> None:
    bad = script(startup=crash(3, "refused: sk-hunter2hunter2\n"))
    missing: dict[str, Any] = {"command": "nosuch-agent-at-all", "colour": "red"}
    async with Stage(tmp_path, alice=script(), bob=bad, carol=missing, dave=None) as stage:
        diagnosis = await stage.invoke("doctor")
        assert {agent["agentId"]: agent["level"] for agent in diagnosis["agents"]} == {
            "alice": "ok",
            "bob": "problem",
            "carol": "problem",
            "dave": "note",
        }
        assert diagnosis["level"] == "problem"
        config = [found for found in diagnosis["computer"] if found["code"] == "config"]
        assert "colour" in config[0]["message"]
        report = diagnosis["report"]
        for part in ("Alice (alice)", "exit code 3", "nosuch-agent-at-all", "sk-***"):
            assert part in report
        assert "hunter2" not in report
        only = await stage.invoke("doctor", agentId="alice")
        assert [agent["agentId"] for agent in only["agents"]] == ["alice"]
        with pytest.raises(Refused) as refused:
            await stage.invoke("doctor", agentId="zoe")
        assert refused.value.code == "not_found"


async def test_an_agent_is_examined_as_a_restart_would_start_it(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script()) as stage:
        await stage.say("alice", "hi")
        stage.write_config(alice={"command": "nosuch-agent-at-all"})
        await stage.until(lambda e: e.get("agent", {}).get("restartToApply", False))
        (alice,) = (await stage.invoke("doctor"))["agents"]
        assert "nosuch-agent-at-all" in alice["findings"][-1]["message"]
        await stage.state("alice", "ready")


async def test_the_computer_is_looked_at_in_one_order(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        diagnosis = await stage.invoke("doctor")
        assert [found["code"] for found in diagnosis["computer"]] == [
            "config", "app", "login_shell", "path", "docker", "sbx", "models", "window", "log",
            "history",
        ]  # fmt: skip
        assert diagnosis["agents"] == []
        assert "real sbx" in diagnosis["report"]
        history = diagnosis["computer"][-1]["message"]
        assert str(tmp_path / "sidekicks.db") in history


async def test_the_app_can_end_while_the_doctor_looks(tmp_path: Path) -> None:
    up = tmp_path / "up"
    deaf = script(on("initialize", silent()), startup=[{"describe": str(up)}])
    stage = Stage(tmp_path, alice=deaf)
    await stage.open()
    look = asyncio.create_task(stage.invoke("doctor"))
    await until(lambda: up.exists() and up.read_text().endswith("}"))
    await stage.close()
    with pytest.raises(Refused) as refused:
        await look
    assert refused.value.code == "unavailable"
    assert not runs(json.loads(up.read_text())["pid"])
