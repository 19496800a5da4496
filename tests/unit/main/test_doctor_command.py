"""`sidekicks doctor` as its user has it: what it prints, and its exit code."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fakes.running_app import write_config
from fakes.scripts import crash, recorded, script
from fakes.stage import Stage
from sidekicks.system import is_root

Json = dict[str, Any]
BAD = script(startup=crash(3, "API_KEY=hunter2 is not valid\n"))


class Printed(NamedTuple):
    code: int
    out: str
    err: str


def doctor(config: Path, *arguments: str, before: tuple[str, ...] = (), **env: str) -> Printed:
    """Run the command in a person's home, with no model server to be found."""
    command = [*before, sys.executable, "-m", "sidekicks", "--config", str(config), "doctor"]
    environment = {**os.environ, "SIDEKICKS_MODEL_URL": "none", "SHELL": "/bin/sh", **env}
    ran = subprocess.run(
        [*command, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    return Printed(ran.returncode, ran.stdout, ran.stderr)


def by_id(diagnosis: Json) -> dict[str, Json]:
    return {agent["agentId"]: agent for agent in diagnosis["agents"]}


def test_all_is_well(home: Path) -> None:
    printed = doctor(write_config(home, {"alice": script()}))
    assert (printed.code, printed.err) == (0, "")
    assert "Alice (alice)\n  ok " in printed.out
    assert "Sidekick (sidekick)\n  ok " in printed.out
    assert "PROBLEM" not in printed.out
    # It came up for this alone, and nothing of it is left.
    assert list((home / ".local/state").rglob("*.sock")) == []


def test_a_problem_is_told_in_french_and_by_the_exit_code(home: Path) -> None:
    config = write_config(home, {"alice": script(), "bob": BAD})
    printed = doctor(config, "Bob", LANG="fr_FR.UTF-8", LC_ALL="fr_FR.UTF-8")
    assert (printed.code, printed.err) == (1, "")
    assert "L’application et cet ordinateur" in printed.out
    assert "PROBLÈME" in printed.out
    assert "avant d’avoir répondu" in printed.out
    assert "Alice" not in printed.out
    assert "hunter2" not in printed.out


def test_json_is_one_line_with_everything(home: Path) -> None:
    config = write_config(home, {"alice": script(), "bob": BAD})
    printed = doctor(config, "--json")
    assert printed.code == 1
    (line,) = printed.out.splitlines()
    diagnosis = json.loads(line)
    levels = {agent_id: agent["level"] for agent_id, agent in by_id(diagnosis).items()}
    assert levels == {"sidekick": "ok", "alice": "ok", "bob": "problem"}
    assert diagnosis["level"] == "problem"
    assert "hunter2" not in line
    assert str(home) not in line
    assert diagnosis["report"].startswith("Sidekicks doctor, ")


def test_an_agent_that_is_not_there_is_refused(home: Path) -> None:
    printed = doctor(write_config(home, {}), "zoe")
    assert (printed.code, printed.out) == (2, "")
    assert "“zoe”" in printed.err


async def test_a_running_app_looks_itself(home: Path) -> None:
    record = home / "wire"
    async with Stage(home, alice=script(record=record)) as stage:
        await stage.invoke("start_agent", agentId="alice")
        printed = await asyncio.to_thread(doctor, stage.config, "alice", "--json")
        assert printed.code == 0
        (alice,) = json.loads(printed.out)["agents"]
        assert alice["level"] == "ok"
        await stage.state("alice", "ready")
    assert [frame["method"] for frame in recorded(record)].count("initialize") == 2


def test_a_folder_that_cannot_be_written_is_said(home: Path) -> None:
    config = write_config(home, {"alice": script()})
    (home / "alice").chmod(0o555)
    before: tuple[str, ...] = ()
    if is_root():
        # As root, but without root's way past the rights of files.
        if (setpriv := shutil.which("setpriv")) is None:
            pytest.skip("setpriv is not installed, and root may write everywhere")
        before = (setpriv, "--bounding-set=-dac_override,-dac_read_search")
    printed = doctor(config, "alice", "--json", before=before)
    assert printed.code == 1
    (alice,) = json.loads(printed.out)["agents"]
    problems = [found for found in alice["findings"] if found["level"] == "problem"]
    (folder,) = problems
    assert (folder["code"], folder["failure"]) == ("workspace", "workspace_no_access")
    assert "nothing can be written" in folder["message"]
    # It is started all the same: some only read.
    assert "initialize" in [found["code"] for found in alice["findings"]]
