"""The doctor starts real programs: what it says of good ones, bad ones and odd ones."""

from pathlib import Path
from typing import Any

import pytest

from fakes.patient import codes, configured, examine, finding, make_doctor
from fakes.scripts import (
    crash,
    error,
    on,
    recorded,
    script,
    silent,
    stderr,
    stdout,
    update,
)
from sidekicks.agents.doctor import Limits
from sidekicks.contract.config import RuntimeConfig

IMPATIENT = Limits(answer=1.5, commands=0.2, removal=1.0)
BARE: dict[str, Any] = {"agentCapabilities": {}}
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


async def test_a_login_shell_that_fails_is_said_with_the_environment(tmp_path: Path) -> None:
    config = configured(tmp_path, script())
    doctor, login = make_doctor(tmp_path)
    login.problem = "The login shell hangs."
    login.start()
    found = await doctor.examine(config)
    login.close()
    environment = finding(found, "environment")
    assert (environment.level, environment.advice) == ("note", "The login shell hangs.")
