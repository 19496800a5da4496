"""Whatever lies where the file should be: a sentence, never an exception or a hang."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fakes.config_files import the_agent, the_problem
from sidekicks.base.words import Language, set_language
from sidekicks.config import default_config_path, parse_config, read_config
from sidekicks.config.example import create_example

AS_SOMEBODY = """
import json, os, sys
from pathlib import Path
from sidekicks.config import read_config
if os.geteuid() == 0:
    # Root passes every check. Only now, as nobody else may be let into this folder.
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
reading = read_config(Path(sys.argv[1]))
print(json.dumps({
    "problems": [[p.message, p.severity] for p in reading.problems],
    "agents": [a.command for a in reading.config.agents],
    "workspaces": [str(a.workspace) for a in reading.config.agents],
    "complete": reading.complete,
}))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may pass through; pytest's own are closed to them."""
    with tempfile.TemporaryDirectory(prefix="sk-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def read_without_rights(path: Path) -> dict[str, Any]:
    """Read a configuration in another process, as somebody who is not root."""
    done = subprocess.run(
        [sys.executable, "-c", AS_SOMEBODY, str(path)],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        env={**os.environ, "HOME": "/home/ann"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def make_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere.yaml")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_large_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 * 1024 * 1024)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (make_folder, "A folder is where"),
        (make_fifo, "no regular file"),
        (make_device, "no regular file"),
        (make_terminal, "no regular file"),
        (make_dangling_link, "“nowhere.yaml”"),
        (make_loop, "back to itself"),
        (make_large_file, "larger than 1 MB"),
    ],
)
def test_what_is_no_configuration_is_told_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    path = tmp_path / "team.yaml"
    make(path)
    before = path.lstat()
    reading = read_config(path)
    problem = the_problem(reading)
    assert said in problem.message
    assert (problem.severity, problem.line, problem.file) == ("error", None, str(path))
    assert reading.config.agents == ()
    assert not reading.complete
    assert path.lstat() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_socket_is_told(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="sk-") as folder, socket.socket(socket.AF_UNIX) as one:
        path = Path(folder) / "s.yaml"
        one.bind(str(path))
        assert "no regular file" in the_problem(read_config(path)).message


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("x")
    problem = the_problem(read_config(tmp_path / "folder" / "team.yaml"))
    assert "configuration's folder" in problem.message


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    problem = the_problem(read_config(tmp_path / f"{'x' * 300}.yaml"))
    assert "cannot be read" in problem.message


def test_a_name_that_is_not_utf_8_does_not_break_what_goes_to_the_page(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.yaml"))
    path.mkdir()
    assert (the_problem(read_config(path)).file or "").endswith("caf?.yaml")


def test_a_linked_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "team.yaml").write_text("agents: {a: {workspace: w}}")
    (tmp_path / "team.yaml").symlink_to("real/team.yaml")
    assert the_agent(read_config(tmp_path / "team.yaml")).workspace == tmp_path / "w"


def test_a_file_without_permission_is_told(open_folder: Path) -> None:
    path = open_folder / "team.yaml"
    path.write_text("agents: {a: {workspace: /a}}")
    path.chmod(0)
    reading = read_without_rights(path)
    assert "may not be read" in reading["problems"][0][0]
    assert not reading["complete"]


def test_a_folder_without_permission_is_told(open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir(mode=0o000)
    reading = read_without_rights(closed / "team.yaml")
    closed.chmod(0o700)
    assert "may not be read" in reading["problems"][0][0]
    assert not reading["complete"]


def test_where_nothing_can_be_created_the_bundled_agent_is_there(open_folder: Path) -> None:
    folder = open_folder / "locked"
    folder.mkdir(mode=0o555)
    reading = read_without_rights(folder / "team.yaml")
    assert list(folder.iterdir()) == []
    folder.chmod(0o755)
    ((message, severity),) = reading["problems"]
    assert "cannot be created" in message
    assert str(folder) in message
    assert severity == "error"
    assert reading["agents"] == ["sidekicks"]
    assert reading["workspaces"] == ["/home/ann"]
    assert reading["complete"]


@pytest.mark.parametrize("spoken", ["en", "fr"])
def test_a_missing_file_is_created_with_the_bundled_agent(tmp_path: Path, spoken: Language) -> None:
    set_language(spoken)
    path = tmp_path / "new" / "folder" / "team.yaml"
    reading = read_config(path)
    assert reading.problems == ()
    agent = the_agent(reading)
    assert (agent.agent_id, agent.name) == ("sidekick", "Sidekick")
    assert (agent.command, agent.args) == ("sidekicks", ("agent",))
    assert agent.workspace == path.parent / "sidekick"
    assert agent.workspace.is_dir()
    assert sorted(path.parent.iterdir()) == [path.parent / "sidekick", path]
    assert ("à" in path.read_text()) == (spoken == "fr")
    assert read_config(path) == reading


def test_only_the_person_may_read_what_is_created(tmp_path: Path) -> None:
    path = tmp_path / "new" / "team.yaml"
    read_config(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_the_commented_agents_of_the_example_are_sound(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    read_config(path)
    first, *lines = path.read_text().splitlines()
    assert first.startswith("# Sidekicks")
    text = "\n".join(re.sub(r"^( *)# ( *[A-Za-z]+:( |$))", r"\1\2", line) for line in lines)
    reading = parse_config(text.encode(), path, {"HOME": "/home/ann"})
    assert [problem.message for problem in reading.problems] == []
    assert [agent.agent_id for agent in reading.config.agents] == [
        "sidekick",
        "alice",
        "bob",
        "notes",
    ]
    assert reading.config.agents[2].runtime.container == "my-box"


def test_what_appears_while_the_example_is_written_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    path.write_text("mine")
    create_example(path)
    assert path.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["sidekick", "team.yaml"]


def test_a_file_named_as_the_examples_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "sidekick").write_text("mine")
    assert the_agent(read_config(tmp_path / "team.yaml")).workspace == tmp_path / "sidekick"
    assert (tmp_path / "sidekick").read_text() == "mine"


def test_many_first_starts_at_once_make_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    with ThreadPoolExecutor(8) as starts:
        readings = list(starts.map(read_config, [path] * 8))
    assert {reading.problems for reading in readings} == {()}
    assert {the_agent(reading).agent_id for reading in readings} == {"sidekick"}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["sidekick", "team.yaml"]


def test_the_default_path_is_in_the_platforms_folder(home: Path) -> None:
    path = default_config_path()
    assert path.is_relative_to(home)
    assert path.parts[-2:] == ("sidekicks", "sidekicks.yaml")
