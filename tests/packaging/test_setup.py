"""Set-up from nothing: what it finds, what it installs, and what it leaves to the person."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import ground
import suite

BUILD = Path(ground.__file__).parent


def program(folder: Path, name: str, script: str) -> None:
    """Put a shell script of this name into the folder."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def run(
    command: list[str], path: str, *, as_nobody: bool = False
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=BUILD,
        env={"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        user="nobody" if as_nobody else None,
        extra_groups=[] if as_nobody else None,
    )


def test_the_first_python_that_is_new_enough_is_taken(tmp_path: Path) -> None:
    old, good = tmp_path / "old", tmp_path / "good"
    program(old, "python3", "exit 1")
    program(good, "python3.12", f'exec {sys.executable} "$@"')
    answer = run(["/bin/sh", str(BUILD / "python.sh"), "-c", "print('taken')"], f"{old}:{good}")
    assert answer.stdout == "taken\n"


@pytest.mark.parametrize(
    ("system", "command"), [("Darwin", "brew install python"), ("Linux", "apt-get install python3")]
)
def test_without_a_python_the_command_is_told(tmp_path: Path, system: str, command: str) -> None:
    program(tmp_path, "python3", "exit 1")
    program(tmp_path, "uname", f"echo {system}")
    answer = run(["/bin/sh", str(BUILD / "python.sh"), "-c", "pass"], str(tmp_path))
    assert answer.returncode == 1
    assert command in answer.stderr


@pytest.mark.parametrize(
    ("version", "good"),
    [
        ("v18.20.4", False),
        ("v20.18.1", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("nonsense", False),
    ],
)
def test_node_is_taken_from_the_path_only_if_vite_takes_it(
    tmp_path: Path, version: str, good: bool
) -> None:
    program(tmp_path, "node", f"echo {version}")
    program(tmp_path, "npm", "")
    script = "import node; print(node._new_enough(node.shutil.which('node')))"
    answer = run([sys.executable, "-c", script], str(tmp_path))
    assert answer.stdout.strip() == str(good), answer.stderr


@pytest.fixture
def debian() -> Iterator[Path]:
    """A Debian 13 with no library of Qt's; it writes down what apt-get is asked for."""
    # Not pytest's folder, which only its owner may enter.
    with tempfile.TemporaryDirectory(prefix="sk-") as place:
        Path(place).chmod(0o755)
        folder = Path(place, "bin")
        program(folder, "ldconfig", "echo '0 libs found in cache'")
        program(folder, "apt-cache", "echo libasound2t64; echo libegl1; echo libasound2")
        program(folder, "apt-get", f'echo "$@" >> {place}/asked')
        yield folder


INSTALL = """
import libraries, ground
try:
    libraries.install(qt=True)
except ground.SetupError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="macOS brings what its window needs")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs")
def test_root_gets_the_missing_libraries_by_their_names_of_this_release(debian: Path) -> None:
    answer = run([sys.executable, "-c", INSTALL], str(debian))
    asked = (debian.parent / "asked").read_text().splitlines()
    assert answer.stdout == "", answer.stderr
    assert asked[0].split()[0] == "update"
    words = asked[1].split()
    assert words[0] == "install"
    assert {"libegl1", "libasound2t64", "libxcb-cursor0"} <= set(words)
    assert "libasound2" not in words


@pytest.mark.skipif(sys.platform != "linux", reason="macOS brings what its window needs")
def test_a_person_is_told_the_exact_command(debian: Path) -> None:
    as_root = os.geteuid() == 0
    python = "/usr/bin/python3" if as_root else sys.executable
    if as_root and (not Path(python).exists() or not _readable_by_all(BUILD)):
        pytest.skip("nobody could not read this checkout")
    answer = run([python, "-c", INSTALL], str(debian), as_nobody=as_root)
    assert "sudo apt-get install " in answer.stdout, answer.stderr
    assert "libasound2t64" in answer.stdout
    assert not (debian.parent / "asked").exists()


def _readable_by_all(folder: Path) -> bool:
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (folder, *folder.parents))


def test_what_was_made_from_the_same_is_not_made_again(tmp_path: Path) -> None:
    stamp = ground.Stamp(tmp_path / "made" / "it", "state")
    assert not stamp.holds()
    stamp.set()
    assert stamp.holds()
    assert not ground.Stamp(tmp_path / "made" / "it", "another").holds()
    stamp.lift()
    assert not stamp.holds()


def test_a_state_is_what_the_files_say_and_are_called() -> None:
    makefile, licence = ground.ROOT / "Makefile", ground.ROOT / "LICENSE"
    assert ground.digest([makefile, licence]) == ground.digest([licence, makefile])
    assert ground.digest([makefile]) != ground.digest([licence])
    assert ground.digest([makefile], "node 20") != ground.digest([makefile], "node 24")


def test_tests_of_every_runner_are_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite tests="7" failures="1" errors="1" skipped="2"/>'
        '<testsuite tests="3" failures="0"/></testsuites>'
    )
    assert suite.count(report) == (6, 2, 2)


def test_a_runner_that_died_does_not_pass_for_one_without_tests(tmp_path: Path) -> None:
    assert suite.count(tmp_path / "none.xml") == (0, 1, 0)
    (tmp_path / "torn.xml").write_text("<testsuites><testsuite")
    assert suite.count(tmp_path / "torn.xml") == (0, 1, 0)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_set_up_has_nothing_to_do_the_second_time() -> None:
    if not (ground.VENV / "made-from-dev").exists():
        pytest.skip("this environment was not made by the set-up")
    command = ["/bin/sh", str(BUILD / "python.sh"), str(BUILD / "setup.py"), "dev"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
