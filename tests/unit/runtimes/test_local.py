"""What an agent on this computer is started with, and what hinders it, in words."""

import sys
from pathlib import Path
from typing import Any

import pytest

from sidekicks.base.words import set_language
from sidekicks.contract.config import AgentConfig, RuntimeConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId
from sidekicks.runtimes import describe_place, prepare_local

LOGIN = {"PATH": "/usr/bin:/bin", "HOME": "/root", "EDITOR": "vi"}


def agent(workspace: Path, **fields: Any) -> AgentConfig:
    fields = {"command": "cat", **fields}
    return AgentConfig(agent_id=AgentId("alice"), name="Alice", workspace=workspace, **fields)


def refusal(config: AgentConfig) -> SidekicksError:
    with pytest.raises(SidekicksError) as caught:
        prepare_local(config, LOGIN)
    return caught.value


def test_a_command_is_found_and_started_in_its_folder(tmp_path: Path) -> None:
    launch = prepare_local(agent(tmp_path, args=("-u", "")), LOGIN)
    assert launch.argv[0] in ("/usr/bin/cat", "/bin/cat")
    assert launch.argv[1:] == ("-u", "")
    assert launch.cwd == tmp_path
    assert launch.where == "this computer"
    assert launch.env["EDITOR"] == "vi"


def test_the_configurations_environment_wins(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "mm"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    env = {"EDITOR": "ed", "PATH": str(program.parent)}
    launch = prepare_local(agent(tmp_path, command="mm", env=env), LOGIN)
    assert launch.env["EDITOR"] == "ed"
    assert launch.env["PATH"].startswith(str(program.parent))
    assert launch.argv == (str(program),)


def test_a_usual_install_folder_is_searched_too(home: Path) -> None:
    program = home / ".local/bin/mm"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    launch = prepare_local(agent(home, command="mm"), LOGIN)
    assert launch.argv == (str(program),)
    assert str(program.parent) in launch.env["PATH"].split(":")


def test_sidekicks_is_this_very_program(tmp_path: Path) -> None:
    impostor = tmp_path / "sidekicks"
    impostor.write_text("#!/bin/sh\n")
    impostor.chmod(0o755)
    env = {"PATH": str(tmp_path)}
    launch = prepare_local(agent(tmp_path, command="sidekicks", args=("agent",), env=env), LOGIN)
    assert launch.argv == (sys.executable, "-P", "-m", "sidekicks", "agent")


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    error = refusal(agent(tmp_path, command="nosuch-agent"))
    assert (error.code, error.data["failure"]) == ("not_found", "command_not_found")
    assert "/usr/bin" in error.message


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    error = refusal(agent(tmp_path / "gone", command="nosuch-agent"))
    assert (error.code, error.data["failure"]) == ("not_found", "workspace_missing")


def test_an_entry_without_a_command_is_a_folder_only(tmp_path: Path) -> None:
    error = refusal(agent(tmp_path, command=None))
    assert error.code == "unsupported"
    assert "Alice" in error.message


@pytest.mark.parametrize(
    ("runtime", "where", "french"),
    [
        (RuntimeConfig(), "this computer", "cet ordinateur"),
        (
            RuntimeConfig(type="container", container="my-box"),
            "container my-box",
            "conteneur my-box",
        ),
        (
            RuntimeConfig(type="container", container="my-box", context="far"),
            "container my-box on far",
            "conteneur my-box sur far",
        ),
        (RuntimeConfig(type="sbx", sandbox="milo-sbx"), "sandbox milo-sbx", "bac à sable milo-sbx"),
    ],
)
def test_where_an_agent_runs(
    tmp_path: Path, runtime: RuntimeConfig, where: str, french: str
) -> None:
    config = agent(tmp_path, runtime=runtime)
    assert describe_place(config) == where
    set_language("fr")
    try:
        assert describe_place(config) == french
    finally:
        set_language("en")


@pytest.mark.parametrize("kind", ["container", "sbx"])
def test_what_cannot_be_done_yet_is_said(tmp_path: Path, kind: Any) -> None:
    runtime = RuntimeConfig(type=kind, container="my-box", sandbox="my-box")
    error = refusal(agent(tmp_path, runtime=runtime))
    assert (error.code, error.data["failure"]) == ("unsupported", "runtime_unsupported")
    assert "my-box" in error.message
