"""What an agent needs before it can be started: its folder, its environment, its program."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from sidekicks.agents.doctor.words import say
from sidekicks.base.findings import FindingList
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.runtimes import find_program, merge_environment, prepare_local
from sidekicks.system import check_folder, find_interpreter, search_folders

BUNDLED: Final = "sidekicks"


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent's program gets from the login shell; `given` names what only that told."""

    environment: dict[str, str]
    given: tuple[str, ...]
    problem: str | None


def prepare(config: AgentConfig, around: Surroundings, found: FindingList) -> bool:
    """Find out whether an agent can be started; blocks on the disk."""
    if config.runtime.type != "local":
        _refuse_runtime(config, around, found)
        return False
    there = _look_at_folder(config.workspace, found)
    if config.command is None:
        found.add("command", "note", say("only_folder"))
        return False
    env = merge_environment(config, around.environment)
    _show_environment(config, env, around, found)
    return _look_at_program(config, env, found) and there


def named_values(config: AgentConfig, environment: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names and values among which an agent's secrets are."""
    yield from merge_environment(config, environment).items()
    yield from zip(config.args, config.args[1:], strict=False)
    for server in config.mcp_servers:
        for entry in (*server.get("env", ()), *server.get("headers", ())):
            yield entry["name"], entry["value"]


def _refuse_runtime(config: AgentConfig, around: Surroundings, found: FindingList) -> None:
    try:
        prepare_local(config, around.environment)
    except SidekicksError as error:
        found.add("runtime", "problem", error.message, failure=error.data.get("failure"))


def _look_at_folder(folder: Path, found: FindingList) -> bool:
    try:
        check_folder(folder)
    except SidekicksError as error:
        found.add("workspace", "problem", error.message, failure=error.data.get("failure"))
        return False
    if os.access(folder, os.W_OK):
        found.add("workspace", "ok", say("folder_good", folder=folder))
    else:
        found.add(
            "workspace",
            "problem",
            say("folder_no_writing", folder=folder),
            advice=say("folder_give_access"),
            failure="workspace_no_access",
        )
    return True


def _show_environment(
    config: AgentConfig, env: dict[str, str], around: Surroundings, found: FindingList
) -> None:
    folders = search_folders(env["PATH"])
    given = [name for name in around.given if name not in config.env]
    details = [
        say("from_login", names=", ".join(given) or "–"),
        say("from_config", names=", ".join(sorted(config.env)) or "–"),
        say("path", folders=", ".join(folders)),
    ]
    found.add(
        "environment",
        "ok" if around.problem is None else "note",
        say("environment", login=len(given), config=len(config.env)),
        advice=around.problem,
        details=details,
    )


def _look_at_program(config: AgentConfig, env: dict[str, str], found: FindingList) -> bool:
    try:
        program = find_program(config, env)
    except SidekicksError as error:
        found.add("command", "problem", error.message, failure=error.data.get("failure"))
        return False
    interpreter = find_interpreter(Path(program[0]), env["PATH"])
    if config.command == BUNDLED:
        message = say("program_bundled")
    elif interpreter is None:
        message = say("program", program=program[0])
    else:
        message = say("script", program=program[0], interpreter=interpreter)
    found.add("command", "ok", message, details=[shlex.join([*program, *config.args])])
    return True
