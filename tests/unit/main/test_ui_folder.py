"""Where the built interface lies, and what is said where it is not built."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sidekicks
from sidekicks.contract.errors import SidekicksError
from sidekicks.main.ui import ui_folder


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A frozen app's folder, as its loader tells it."""
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    return tmp_path


def test_in_the_frozen_app_it_lies_inside(bundle: Path) -> None:
    (bundle / "ui_dist").mkdir()
    (bundle / "ui_dist" / "index.html").touch()
    assert ui_folder() == bundle / "ui_dist"


def test_a_folder_without_the_page_is_not_it(bundle: Path) -> None:
    (bundle / "ui_dist" / "index.html").mkdir(parents=True)
    with pytest.raises(SidekicksError) as refused:
        ui_folder()
    assert refused.value.code == "unavailable"


def test_a_source_whose_interface_is_not_built_says_how_to_build_it(
    home: Path, tmp_path: Path
) -> None:
    package = Path(sidekicks.__file__).parent
    source = tmp_path / "app" / "sidekicks"
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-m", "sidekicks", "serve", "--config", str(home / "sidekicks.yaml")],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "app")},
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "make run" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (home / "sidekicks.yaml").exists()
