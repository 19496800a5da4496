"""Finding programs, and this one."""

import subprocess
import sys
from pathlib import Path

import pytest

from sidekicks.system import (
    find_executable,
    join_paths,
    search_folders,
    self_command,
    usual_folders,
)


def make_program(file: Path, mode: int = 0o755) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(mode)
    return file


def test_the_first_folder_that_has_it_wins(tmp_path: Path) -> None:
    make_program(tmp_path / "a" / "mm", 0o644)
    (tmp_path / "b" / "mm").mkdir(parents=True)
    wanted = make_program(tmp_path / "c" / "mm")
    make_program(tmp_path / "d" / "mm")
    path = ":".join(str(tmp_path / name) for name in "abcd")
    assert find_executable("mm", path) == wanted
    assert find_executable("nn", path) is None
    assert find_executable("", path) is None


def test_a_link_is_found_by_its_own_name(tmp_path: Path) -> None:
    target = make_program(tmp_path / "multi")
    link = tmp_path / "mm"
    link.symlink_to(target)
    assert find_executable("mm", str(tmp_path)) == link


def test_a_path_is_not_searched_for(tmp_path: Path) -> None:
    program = make_program(tmp_path / "mm")
    assert find_executable(str(program), "") == program
    assert find_executable(str(tmp_path / "nn"), "/bin") is None


def test_the_current_folder_is_never_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path / "mm")
    make_program(tmp_path / "bin" / "mm")
    monkeypatch.chdir(tmp_path)
    assert find_executable("mm", ":.:bin:") is None


def test_a_path_is_read_in_order_and_once() -> None:
    assert search_folders("/b:.:/a::/b:rel/x:/c") == ["/b", "/a", "/c"]
    assert join_paths("/b:/a", "", ["/a", "/c"]) == "/b:/a:/c"


def test_usual_folders_are_those_that_exist(home: Path) -> None:
    (home / ".local/bin").mkdir(parents=True)
    (home / ".cargo").mkdir()
    (home / ".cargo/bin").touch()
    found = usual_folders()
    assert f"{home}/.local/bin" in found
    assert f"{home}/.cargo/bin" not in found
    assert all(Path(folder).is_dir() for folder in found)


def test_this_program_runs_from_any_folder(tmp_path: Path) -> None:
    # Modules in the agent's folder, named as those of the standard library and ours.
    for name in ("types.py", "json.py", "asyncio.py", "sidekicks.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')\n")
    answer = subprocess.run(
        [*self_command(), "--version"], cwd=tmp_path, capture_output=True, text=True, timeout=50
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "idekicks" in answer.stdout


def test_a_frozen_program_is_its_own_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "mount/usr/bin/sidekicks"))
    monkeypatch.setenv("APPIMAGE", "/home/me/Sidekicks.AppImage")
    monkeypatch.setenv("APPDIR", str(tmp_path / "mount"))
    assert self_command() == [sys.executable]
    assert self_command(lasting=True) == ["/home/me/Sidekicks.AppImage"]
    # Somebody else's AppImage, such as the terminal that we were started from.
    monkeypatch.setenv("APPDIR", "/tmp/.mount_terminal")
    assert self_command(lasting=True) == [sys.executable]
