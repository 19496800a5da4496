"""The commands that people are told to use exist, and the versions agree."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sidekicks

ROOT = Path(__file__).parents[2]
# In code, at the start of a line, or as a step of the script; not where a sentence makes sure.
_MAKE = re.compile(r"(?:`|^\s*|\" )make ([a-z]+)", re.MULTILINE)
TARGETS = ("run", "test", "check", "bench", "fmt", "contract", "package")


def makefile_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_makefile_has_the_commands() -> None:
    assert makefile_targets() == set(TARGETS)


@pytest.mark.parametrize("file", ["README.md", "docs", "CHANGELOG.md", ".ci/run"])
def test_what_the_texts_tell_to_run_exists(file: str) -> None:
    path = ROOT / file
    files = path.rglob("*.md") if path.is_dir() else [path]
    told = {name for text in files for name in _MAKE.findall(text.read_text(encoding="utf-8"))}
    assert told - makefile_targets() == set()


@pytest.mark.parametrize("target", TARGETS)
def test_each_command_sets_up_first_and_runs_a_program_that_exists(target: str) -> None:
    lines = subprocess.run(
        ["make", "--no-print-directory", "-n", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert lines[0].startswith("sh build/python.sh build/setup.py ")
    program = lines[1].split()[1]
    assert (ROOT / program).is_file()


def test_the_versions_agree() -> None:
    page = json.loads((ROOT / "ui" / "package.json").read_text())
    lock = json.loads((ROOT / "ui" / "package-lock.json").read_text())
    assert {page["version"], lock["version"]} == {sidekicks.__version__}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]


def test_the_command_tells_the_version() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "sidekicks", "--version"], capture_output=True, text=True, check=True
    )
    assert sidekicks.__version__ in answer.stdout
