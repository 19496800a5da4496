"""The frozen app as `make package` left it, if it is of this very source."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import package
import sidekicks
from fakes.display import Display

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache" / "package" / "dist" / "sidekicks"
PROGRAM = FOLDER / "sidekicks"
INSIDE = FOLDER / "_internal"

pytestmark = [
    pytest.mark.skipif(not package.stamp().holds(), reason="not built from this source"),
    pytest.mark.skipif(sys.platform != "linux", reason="the checks are of the Linux folder"),
    pytest.mark.timeout(180),
]


def test_it_holds_every_file_that_it_reads() -> None:
    ours = ROOT / "app" / "sidekicks"
    read = [f for f in ours.rglob("*") if f.is_file() and f.suffix not in {".py", ".pyc"}]
    missing = [f.name for f in read if not (INSIDE / "sidekicks" / f.relative_to(ours)).exists()]
    assert missing == []
    page = ROOT / "ui" / "dist"
    built = {file.relative_to(page) for file in page.rglob("*") if file.is_file()}
    inside = INSIDE / "ui_dist"
    assert {f.relative_to(inside) for f in inside.rglob("*") if f.is_file()} == built
    assert (INSIDE / "LICENSE").exists()


def test_it_is_not_larger_than_it_was_promised() -> None:
    size = sum(file.lstat().st_size for file in FOLDER.rglob("*"))
    assert size <= 420e6


def test_no_link_in_it_leads_nowhere() -> None:
    assert [
        str(link) for link in FOLDER.rglob("*") if link.is_symlink() and not link.exists()
    ] == []


def test_nothing_of_development_is_in_it() -> None:
    for name in ("pytest", "_pytest", "faker", "hypothesis", "playwright", "pydantic", "tests"):
        assert not (INSIDE / name).exists()


def test_it_tells_its_version() -> None:
    answer = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert sidekicks.__version__ in answer.stdout


def test_its_bundled_agent_ends_with_its_input() -> None:
    answer = subprocess.run(
        [PROGRAM, "agent"], input="", capture_output=True, text=True, timeout=60
    )
    assert answer.returncode == 0, answer.stderr


@pytest.mark.window
def test_it_passes_its_own_test(display: Display, home: Path) -> None:
    answer = subprocess.run(
        [PROGRAM, "--selftest"],
        env={**display.env, **{name: os.environ[name] for name in ("HOME", "XDG_RUNTIME_DIR")}},
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert json.loads(answer.stdout.splitlines()[-1])["ok"] is True
