"""The doctor starts real programs: what it says of good ones, bad ones and odd ones."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from fakes.children import runs
from fakes.patient import QUICK, codes, configured, examine, finding, make_doctor
from fakes.scripts import (
    crash,
    error,
    on,
    recorded,
    script,
    silent,
    spawn,
    stderr,
    stdout,
    update,
    wait_file,
)
from fakes.stage import Refused, Stage
from fakes.waiting import until
from sidekicks.agents.doctor import Limits
from sidekicks.contract.config import RuntimeConfig
from sidekicks.contract.errors import SidekicksError

IMPATIENT = Limits(answer=1.5, commands=0.2, removal=1.0)
BARE: dict[str, Any] = {"agentCapabilities": {}}
DAEMON = """
import os, sys, time
parent = os.getpid()
if os.fork():
    os._exit(0)
os.setsid()
while os.getppid() == parent:
    time.sleep(0.01)
with open(sys.argv[1] + "~", "w") as file:
    file.write(str(os.getpid()))
os.rename(sys.argv[1] + "~", sys.argv[1])
time.sleep(600)
"""
"""Its own session, and no parent of ours: nothing but a mark tells whose it was."""
STORY = [
    "workspace", "environment", "command", "start", "initialize", "agent", "capabilities",
    "session", "sign_in", "commands", "exit",
]  # fmt: skip


async def test_of_a_healthy_agent_the_whole_story_is_told(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    tells = update(
        "available_commands_update", availableCommands=[{"name": "plan", "description": "Plan"}]
    )
    option: dict[str, Any] = {
        "type": "select",
        "id": "m",
        "name": "Model",
        "currentValue": "big",
        "options": [],
    }
    alice = script(on("session/new", tells), record=record, session={"configOptions": [option]})
    found = await examine(tmp_path, configured(tmp_path, alice))
    assert (found.agent_id, found.name, found.level) == ("alice", "Alice", "ok")
    assert codes(found) == STORY
    assert str(tmp_path / "alice") in finding(found, "workspace").message
    assert finding(found, "agent").message == (
        "It is fake-agent 1.0, and speaks version 1 of the protocol."
    )
    abilities = finding(found, "capabilities").message
    assert "reopen conversations" in abilities
    assert "look at images" in abilities
    assert "audio" not in abilities
    assert finding(found, "session").details == ("Model: big",)
    assert finding(found, "commands").details == ("/plan",)
    assert "exit code 0" in finding(found, "exit").message
    for timed in ("start", "initialize", "session", "exit"):
        assert finding(found, timed).duration_ms is not None
    frames = [frame for frame in recorded(record) if "method" in frame]
    assert [frame["method"] for frame in frames] == [
        "initialize",
        "session/new",
        "session/delete",
    ]
    assert frames[1]["params"]["cwd"] == str(tmp_path / "alice")


async def test_what_runs_a_script_is_named(tmp_path: Path) -> None:
    agent = configured(tmp_path, script())
    launcher = tmp_path / "launcher"
    words = " ".join(f"'{word}'" for word in (agent.command or "", *agent.args))
    launcher.write_text(f"#!/bin/sh\nexec {words}\n")
    launcher.chmod(0o755)
    found = await examine(tmp_path, configured(tmp_path, command=str(launcher), args=("a b",)))
    assert found.level == "ok"
    command = finding(found, "command")
    assert "a script that /bin/sh runs" in command.message
    assert command.details == (f"{launcher} 'a b'",)


@pytest.mark.parametrize(
    ("interpreter", "failure"),
    [(None, "command_not_found"), ("#!/usr/bin/env nosuch-node", "interpreter_missing")],
)
async def test_a_program_that_is_not_there_is_not_started(
    tmp_path: Path, interpreter: str | None, failure: str
) -> None:
    program = tmp_path / "mm"
    if interpreter is not None:
        program.write_text(f"{interpreter}\n")
        program.chmod(0o755)
    found = await examine(tmp_path, configured(tmp_path, command=str(program)))
    command = finding(found, "command")
    assert (command.level, command.failure) == ("problem", failure)
    assert codes(found) == ["workspace", "environment", "command"]


async def test_a_folder_that_is_not_there_and_a_program_that_is(tmp_path: Path) -> None:
    found = await examine(tmp_path, configured(tmp_path, script(), workspace=tmp_path / "gone"))
    assert codes(found, "problem") == ["workspace"]
    assert finding(found, "workspace").failure == "workspace_missing"
    assert codes(found, "ok") == ["environment", "command"]


async def test_a_workspace_only_is_looked_at(tmp_path: Path) -> None:
    found = await examine(tmp_path, configured(tmp_path))
    assert (codes(found), found.level) == (["workspace", "command"], "note")


async def test_a_place_that_this_version_cannot_reach_is_said(tmp_path: Path) -> None:
    runtime = RuntimeConfig(type="container", container="my-box")
    found = await examine(tmp_path, configured(tmp_path, script(), runtime=runtime))
    assert codes(found) == ["runtime"]
    assert finding(found, "runtime").failure == "runtime_unsupported"
    assert "my-box" in finding(found, "runtime").message


async def test_one_that_never_answers_is_told_after_the_limit_with_its_stderr(
    tmp_path: Path,
) -> None:
    deaf = script(on("initialize", silent()), startup=[stderr("waiting for a licence\n")])
    found = await examine(tmp_path, configured(tmp_path, deaf), IMPATIENT)
    initialize = finding(found, "initialize")
    assert (initialize.level, initialize.failure) == ("problem", "no_answer")
    assert "within 1.5 s" in initialize.message
    assert initialize.advice is not None
    assert finding(found, "stderr").details == ("waiting for a licence",)
    assert finding(found, "stderr").level == "note"
    assert "session" not in codes(found)


async def test_one_that_opens_no_session_is_told_after_the_limit(tmp_path: Path) -> None:
    found = await examine(
        tmp_path, configured(tmp_path, script(on("session/new", silent()))), IMPATIENT
    )
    assert codes(found, "problem") == ["session"]
    assert finding(found, "session").failure == "no_answer"


async def test_one_that_answers_a_session_with_an_error(tmp_path: Path) -> None:
    refuses = script(on("session/new", error(1001, "licence expired")))
    found = await examine(tmp_path, configured(tmp_path, refuses))
    assert "licence expired" in finding(found, "session").message
    assert finding(found, "session").failure == "bad_answer"


async def test_one_that_crashes_at_once_is_shown_with_its_last_words(tmp_path: Path) -> None:
    dies = script(startup=crash(3, "Traceback: no module named brain\n"))
    found = await examine(tmp_path, configured(tmp_path, dies))
    initialize = finding(found, "initialize")
    assert initialize.failure == "crashed"
    assert "exit code 3 before it had answered" in initialize.message
    assert finding(found, "stderr").details == ("Traceback: no module named brain",)
    assert "exit" not in codes(found)


@pytest.mark.parametrize("method", ["session/new", "session/delete"])
async def test_one_that_crashes_later_is_shown_at_its_end(tmp_path: Path, method: str) -> None:
    found = await examine(tmp_path, configured(tmp_path, script(on(method, *crash(4, "oops\n")))))
    assert codes(found, "problem") == ["exit"]
    assert finding(found, "exit").message == "Its program ended with exit code 4 by itself."
    assert finding(found, "stderr").level == "note"


async def test_noise_on_stdout_is_shown_and_does_no_harm(tmp_path: Path) -> None:
    loud = script(startup=[stdout("Welcome!\n\x1b[31m[1,2]\n")])
    found = await examine(tmp_path, configured(tmp_path, loud))
    noise = finding(found, "noise")
    assert (noise.level, found.level) == ("note", "note")
    assert noise.details[0] == "Welcome!"
    assert noise.message.endswith(": 2.")


async def test_stderr_of_a_healthy_agent_is_no_reproach(tmp_path: Path) -> None:
    found = await examine(
        tmp_path, configured(tmp_path, script(startup=[stderr("INFO up\n" * 99)]))
    )
    assert found.level == "ok"
    assert finding(found, "stderr").details == ("INFO up",) * 10


async def test_one_that_wants_a_sign_in_is_shown_with_its_ways(tmp_path: Path) -> None:
    methods = [
        {"id": "acme", "name": "Acme account"},
        {"id": "t", "name": "Log in", "type": "terminal", "args": ["login"]},
        {"id": "v", "name": "Key", "type": "env_var"},
    ]
    signs = script(
        on("session/new", error(-32000, "Authentication required")),
        initialize={"authMethods": methods},
    )
    found = await examine(tmp_path, configured(tmp_path, signs))
    sign_in = finding(found, "sign_in")
    assert (sign_in.level, sign_in.failure) == ("problem", "sign_in")
    by_agent, by_terminal, other = sign_in.details
    assert by_agent.startswith("Acme account (by the agent")
    assert " login)" in by_terminal
    assert "env_var" in other
    assert [method.method_id for method in found.methods] == ["acme", "t", "v"]
    assert "session" not in codes(found)


async def test_ways_to_sign_in_that_are_not_wanted_now(tmp_path: Path) -> None:
    offers = script(initialize={"authMethods": [{"id": "acme", "name": "Acme account"}]})
    found = await examine(tmp_path, configured(tmp_path, offers))
    assert found.level == "ok"
    assert "did not want it now" in finding(found, "sign_in").message


async def test_another_version_of_the_protocol_is_said(tmp_path: Path) -> None:
    found = await examine(tmp_path, configured(tmp_path, script(initialize={"protocolVersion": 7})))
    assert finding(found, "initialize").failure == "wrong_protocol"
    assert "version 7" in finding(found, "initialize").message


async def test_one_that_can_nothing_special(tmp_path: Path) -> None:
    found = await examine(tmp_path, configured(tmp_path, script(initialize=BARE)))
    assert "cannot reopen" in finding(found, "capabilities").message
    assert finding(found, "commands").message == "It announced no commands within 0.2 s."
    # It offers no way to close or delete what was opened.
    assert codes(found, "note") == ["session_left"]


async def test_a_session_that_only_closes_is_closed(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    closes: dict[str, Any] = {"agentCapabilities": {"sessionCapabilities": {"close": {}}}}
    found = await examine(tmp_path, configured(tmp_path, script(initialize=closes, record=record)))
    assert found.level == "ok"
    assert recorded(record)[-1]["method"] == "session/close"


@pytest.mark.parametrize("answer", [silent(), error(-32603, "database is locked")])
async def test_a_session_that_cannot_be_removed_is_said(
    tmp_path: Path, answer: dict[str, Any]
) -> None:
    keeps = script(on("session/delete", answer))
    found = await examine(tmp_path, configured(tmp_path, keeps), IMPATIENT)
    assert codes(found, "note") == ["session_left"]
    assert codes(found, "problem") == []


async def test_one_that_stays_is_made_to_end(tmp_path: Path) -> None:
    stays = script(ignoreEof=True, ignoreSigterm=True)
    found = await examine(tmp_path, configured(tmp_path, stays))
    end = finding(found, "exit")
    assert (end.level, found.level) == ("note", "note")
    assert "SIGKILL" in end.message


async def test_what_detached_itself_is_named_and_left(tmp_path: Path) -> None:
    detached = tmp_path / "detached"
    program = spawn(tmp_path / "pid", argv=[sys.executable, "-c", DAEMON, str(detached)])
    alice = script(startup=[program, wait_file(detached)])
    found = await examine(tmp_path, configured(tmp_path, alice))
    left = psutil.Process(int(detached.read_text()))
    assert runs(left)
    left.kill()
    (line,) = finding(found, "left").details
    assert line.endswith(f"(pid {left.pid})")
    await until(lambda: not runs(left))


async def test_no_secret_and_no_home_stands_in_what_is_found(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGIN_TOKEN", "hunter1-of-the-shell")
    words = "refused: hunter1-of-the-shell hunter2-of-env hunter3-of-args hunter4-of-mcp\n"
    loud = script(startup=[stderr(words), stdout(words)])
    agent = configured(home, loud)
    server = {
        "name": "db",
        "command": "true",
        "args": [],
        "env": [{"name": "DB_PASSWORD", "value": "hunter4-of-mcp"}],
    }
    config = msgspec.structs.replace(
        agent,
        env={"MM_API_KEY": "hunter2-of-env", "MM_MODEL": "qwen3"},
        args=(*agent.args, "--api-key", "hunter3-of-args"),
        mcp_servers=(server,),
    )
    found = await examine(tmp_path, config)
    written = msgspec.json.encode(found).decode()
    assert "hunter" not in written
    assert "refused: *** *** *** ***" in written
    assert str(home) not in written
    assert "~/alice" in written
    # Names are no secrets, and tell what was used.
    assert "MM_API_KEY, MM_MODEL" in finding(found, "environment").details[1]


async def test_a_login_shell_that_fails_is_said_with_the_environment(tmp_path: Path) -> None:
    config = configured(tmp_path, script())
    doctor, login = make_doctor(tmp_path)
    login.problem = "The login shell hangs."
    login.start()
    found = await doctor.examine(config)
    login.close()
    environment = finding(found, "environment")
    assert (environment.level, environment.advice) == ("note", "The login shell hangs.")


async def test_two_who_ask_at_once_are_served_one_after_the_other(tmp_path: Path) -> None:
    doctor, login = make_doctor(tmp_path, QUICK)
    running, most = tmp_path / "running", 0
    agent = configured(tmp_path, script(startup=[{"describe": str(running)}]))
    login.start()
    looks = [asyncio.create_task(doctor.examine(agent)) for _ in range(2)]
    while not all(look.done() for look in looks):
        children = psutil.Process().children()
        most = max(most, sum("agent.py" in " ".join(c.cmdline()) for c in children if runs(c)))
        await asyncio.sleep(0.01)
    login.close()
    assert [look.result().level for look in looks] == ["ok", "ok"]
    assert most == 1


async def test_closing_ends_what_is_being_examined(tmp_path: Path) -> None:
    up = tmp_path / "up"
    deaf = script(
        on("initialize", silent()),
        startup=[{"describe": str(up)}],
        ignoreSigterm=True,
        ignoreEof=True,
    )
    doctor, login = make_doctor(tmp_path)
    login.start()
    look = asyncio.create_task(doctor.examine(configured(tmp_path, deaf)))
    await until(lambda: up.exists() and up.read_text().endswith("}"))
    await doctor.close()
    login.close()
    assert not runs(json.loads(up.read_text())["pid"])
    with pytest.raises(SidekicksError, match="is closing"):
        await look
    with pytest.raises(SidekicksError, match="is closing"):
        await doctor.examine(configured(tmp_path, script()))


# Through the whole app.


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
