"""What the doctor says of the computer: found or not, answering or not, needed or not."""

import os
import stat
from pathlib import Path

import pytest

from fakes.model_server import ModelServer
from sidekicks.base.findings import FindingList
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.ids import AgentId
from sidekicks.contract.results import Finding
from sidekicks.main.computer.files import look_at_folder, look_at_history
from sidekicks.main.computer.models import look_at_models
from sidekicks.main.computer.tools import Tool, look_at_docker, look_at_sbx
from sidekicks.main.computer.view import look_at_window
from sidekicks.system import is_root


def tool(folder: Path, name: str, script: str) -> dict[str, str]:
    """Make a program that is the only one of its name, and return an environment to find it."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"PATH": f"{folder}:/bin"}


def only(found: FindingList) -> Finding:
    (finding,) = found.all
    return finding


async def docker(env: dict[str, str], *, needed: bool = False) -> Finding:
    found = FindingList()
    await look_at_docker(Tool("docker", env, needed=needed, found=found))
    return only(found)


async def sbx(env: dict[str, str], *, needed: bool = False) -> Finding:
    found = FindingList()
    await look_at_sbx(Tool("sbx", env, needed=needed, found=found))
    return only(found)


async def test_docker_and_its_engine_answer(tmp_path: Path) -> None:
    env = tool(tmp_path, "docker", f'echo "$@" > {tmp_path}/asked; echo 28.2.2 20.10.24')
    finding = await docker(env)
    assert finding.level == "ok"
    for part in (str(tmp_path / "docker"), "28.2.2", "20.10.24"):
        assert part in finding.message
    assert (tmp_path / "asked").read_text().startswith("version --format ")


@pytest.mark.parametrize("needed", [False, True])
async def test_an_engine_that_does_not_run_is_shown_unabridged(
    tmp_path: Path, needed: bool
) -> None:
    env = tool(tmp_path, "docker", "echo 28.2.2; echo 'Cannot connect to the daemon.' >&2; exit 1")
    finding = await docker(env, needed=needed)
    assert finding.level == ("problem" if needed else "note")
    assert finding.details == ("Cannot connect to the daemon.",)
    assert finding.advice is not None
    assert "Start Docker" in finding.advice


async def test_a_socket_that_refuses_names_the_group(tmp_path: Path) -> None:
    env = tool(tmp_path, "docker", "echo 'Permission denied: /var/run/docker.sock' >&2; exit 1")
    finding = await docker(env)
    assert finding.advice is not None
    assert "`docker`" in finding.advice


async def test_without_docker_only_an_agent_that_needs_it_has_a_problem(tmp_path: Path) -> None:
    nothing = {"PATH": str(tmp_path)}
    assert (await docker(nothing)).level == "ok"
    assert (await docker(nothing, needed=True)).level == "problem"
    assert (await sbx(nothing)).level == "ok"
    assert (await sbx(nothing, needed=True)).level == "problem"


async def test_a_docker_that_hangs_costs_its_limit(tmp_path: Path) -> None:
    found = FindingList()
    env = tool(tmp_path, "docker", "sleep 600")
    await look_at_docker(Tool("docker", env, needed=False, found=found, seconds=0.5))
    assert only(found).level == "note"
    assert "within 0.5 s" in only(found).message


async def test_a_docker_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    env = tool(tmp_path, "docker", "")
    (tmp_path / "docker").write_text("#!/nosuch/interpreter\n")
    assert "/nosuch/interpreter" in (await docker(env)).message


@pytest.mark.parametrize(
    "script",
    ['[ "$1" = version ] && echo "sbx 0.9"', '[ "$1" = --version ] && echo "sbx 0.9"'],
)
async def test_sbx_tells_its_version_either_way(tmp_path: Path, script: str) -> None:
    finding = await sbx(tool(tmp_path, "sbx", script))
    assert finding.level == "note"
    assert "sbx 0.9" in finding.message


async def test_sandboxes_have_not_been_tried_for_real_is_said_plainly(tmp_path: Path) -> None:
    for env in ({"PATH": ""}, tool(tmp_path, "sbx", "echo 1")):
        assert "not been tried against a real sbx" in (await sbx(env)).message


async def test_an_sbx_that_fails_is_shown(tmp_path: Path) -> None:
    finding = await sbx(tool(tmp_path, "sbx", "echo 'ERROR: not signed in' >&2; exit 1"))
    assert finding.details == ("ERROR: not signed in",)


# Models


def bundled(env: dict[str, str]) -> AgentConfig:
    return AgentConfig(
        agent_id=AgentId("s"), name="S", workspace=Path("/"), command="sidekicks", env=env
    )


async def models(env: dict[str, str], *agents: AgentConfig) -> Finding:
    found = FindingList()
    await look_at_models(env, agents, found)
    return only(found)


async def test_models_of_the_server_that_the_bundled_agent_looks_for() -> None:
    async with ModelServer(("qwen3:4b", "gemma3")) as server:
        env = {"SIDEKICKS_MODEL_URL": server.url}
        finding = await models({"SIDEKICKS_MODEL_URL": "none"}, bundled(env))
    assert finding.level == "ok"
    assert "qwen3:4b, gemma3" in finding.details[0]


async def test_a_server_that_was_named_and_is_not_there_is_a_problem() -> None:
    address = "http://ann:hunter2@127.0.0.1:1"
    finding = await models({"SIDEKICKS_MODEL_URL": address})
    assert finding.level == "problem"
    assert "127.0.0.1:1" in finding.message
    assert "hunter2" not in f"{finding.message}{finding.details}"


async def test_looking_for_no_model_is_as_it_was_set() -> None:
    assert (await models({"SIDEKICKS_MODEL_URL": "none"})).level == "ok"


async def test_without_any_server_the_bundled_agent_is_a_guide() -> None:
    finding = await models({})
    # Somebody may run one on this computer: then it is named instead.
    assert finding.level in ("note", "ok")
    assert len(finding.details) == 4


# Files and the window


def test_a_log_that_is_not_there_yet_can_be_made(tmp_path: Path) -> None:
    found = FindingList()
    look_at_folder(tmp_path / "state" / "log", "sidekicks.log", found)
    assert only(found).level == "ok"
    assert str(tmp_path / "state/log/sidekicks.log") in only(found).message


@pytest.mark.skipif(is_root(), reason="root may write everywhere")
def test_a_log_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    found = FindingList()
    look_at_folder(tmp_path / "log", "sidekicks.log", found)
    assert only(found).level == "problem"


def test_a_log_below_something_that_is_no_folder_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    found = FindingList()
    look_at_folder(tmp_path / "log", "sidekicks.log", found)
    assert only(found).level == "problem"


def test_the_history_counts_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"x" * 1_200_000)
    (tmp_path / "a.db-wal").write_bytes(b"x" * 1_000_000)
    found = FindingList()
    look_at_history(tmp_path / "a.db", found)
    assert (only(found).level, "(2.2 MB)" in only(found).message) == ("ok", True)


def test_without_a_display_the_browser_is_named_and_it_is_no_problem() -> None:
    assert "DISPLAY" not in os.environ
    found = FindingList()
    look_at_window(found)
    assert only(found).level == "note"
    assert "sidekicks serve" in only(found).message
