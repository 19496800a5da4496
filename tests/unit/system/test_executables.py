"""Why a program cannot be started, said before it is tried."""

import os
from pathlib import Path

import pytest

from sidekicks.base.words import set_language
from sidekicks.contract.errors import SidekicksError
from sidekicks.system import check_folder, find_interpreter, is_root, resolve_command
from sidekicks.system.executables import missing_interpreter


def script(file: Path, first_line: str, mode: int = 0o755) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(first_line.encode() + b"\necho hello\n")
    file.chmod(mode)
    return file


def refusal(command: str, path: str, folder: Path) -> SidekicksError:
    with pytest.raises(SidekicksError) as caught:
        resolve_command(command, path, folder)
    return caught.value


def test_a_name_is_found_in_the_path(tmp_path: Path) -> None:
    program = script(tmp_path / "bin" / "mm", "#!/bin/sh")
    assert resolve_command("mm", f"/bin:{tmp_path}/bin", tmp_path) == program


def test_a_path_is_relative_to_the_folder_and_may_name_the_home(home: Path, tmp_path: Path) -> None:
    program = script(tmp_path / "tools" / "mm", "#!/bin/sh")
    assert resolve_command("./tools/mm", "/bin", tmp_path) == program
    in_home = script(home / "mm", "#!/bin/sh")
    assert resolve_command("~/mm", "/bin", tmp_path) == in_home


def test_a_name_that_is_nowhere_says_where_it_was_looked_for(home: Path) -> None:
    error = refusal("nosuch-agent", f"/bin:{home}/.local/bin:", home)
    assert error.code == "not_found"
    assert error.data["failure"] == "command_not_found"
    assert error.data["lookedIn"] == ["/bin", f"{home}/.local/bin"]
    assert "nosuch-agent" in error.message
    assert "/bin, ~/.local/bin." in error.message


def test_it_is_said_in_french_too(home: Path) -> None:
    set_language("fr")
    try:
        assert "introuvable" in refusal("nosuch-agent", "/bin", home).message
    finally:
        set_language("en")


def test_an_empty_path_is_said(tmp_path: Path) -> None:
    assert "PATH is empty" in refusal("mm", "", tmp_path).message


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    error = refusal("./mm", "/bin", tmp_path)
    assert error.data["failure"] == "command_not_found"
    assert str(tmp_path / "mm") in error.message


@pytest.mark.parametrize("command", ["mm", "./mm"])
def test_a_file_that_may_not_be_run(tmp_path: Path, command: str) -> None:
    script(tmp_path / "mm", "#!/bin/sh", 0o644)
    error = refusal(command, str(tmp_path), tmp_path)
    assert (error.code, error.data["failure"]) == ("no_access", "not_executable")
    assert f"chmod +x {tmp_path}/mm" in error.message


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("#!/bin/sh", None),
        ("#! /bin/sh -e", None),
        ("#!/usr/bin/env sh", None),
        ("#!/usr/bin/env -S sh -e", None),
        ("#!/usr/bin/env -S A=b sh", None),
        ("#!/no/such/node", "/no/such/node"),
        ("#!/usr/bin/env node-of-nobody", "node-of-nobody"),
        ("#!/usr/bin/env -S node-of-nobody --flag", "node-of-nobody"),
        ("#!/usr/bin/env -Snode-of-nobody --flag", "node-of-nobody"),
        ("#!/bin/sh\r", "/bin/sh\r"),
        ("#!/usr/bin/env sh\r", "sh\r"),
        ("#!", None),
        ("no script", None),
        ("", None),
    ],
)
def test_the_interpreter_of_a_script(tmp_path: Path, line: str, missing: str | None) -> None:
    assert missing_interpreter(script(tmp_path / "mm", line), "/usr/bin:/bin") == missing


def test_what_runs_a_script_is_found(tmp_path: Path) -> None:
    node = script(tmp_path / "bin" / "node", "#!/bin/sh")
    path = f"{tmp_path}/bin:/bin"
    by_env = script(tmp_path / "by-env", "#!/usr/bin/env -S node --flag")
    assert find_interpreter(by_env, path) == node
    assert find_interpreter(node, path) == Path("/bin/sh")
    gone = script(tmp_path / "gone", "#!/usr/bin/env nosuch-interpreter")
    assert find_interpreter(gone, path) == Path("/usr/bin/env")
    assert find_interpreter(script(tmp_path / "none", "\x7fELF"), path) is None
    assert find_interpreter(tmp_path / "nowhere", path) is None


def test_a_missing_interpreter_is_named(tmp_path: Path) -> None:
    script(tmp_path / "mm", "#!/usr/bin/env node-of-nobody")
    error = refusal("mm", f"{tmp_path}:/bin", tmp_path)
    assert (error.code, error.data["failure"]) == ("not_found", "interpreter_missing")
    assert "“node-of-nobody”" in error.message


def test_windows_line_endings_are_said(tmp_path: Path) -> None:
    script(tmp_path / "mm", "#!/bin/sh\r")
    error = refusal("mm", str(tmp_path), tmp_path)
    assert error.data["failure"] == "interpreter_missing"
    assert "Windows line endings" in error.message


def test_a_folder_that_is_there_passes(tmp_path: Path) -> None:
    check_folder(tmp_path)


def test_a_folder_that_is_not_there_or_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("gone", "file", "file/below"):
        with pytest.raises(SidekicksError) as caught:
            check_folder(tmp_path / name)
        assert caught.value.data["failure"] == "workspace_missing"
        assert str(tmp_path / name) in caught.value.message


@pytest.mark.parametrize("mode", [0o000, 0o400, 0o100])
def test_a_folder_without_rights(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o700)
    os.chmod(folder, mode)  # noqa: PTH101
    try:
        if is_root():
            # To root nothing is closed.
            check_folder(folder)
            return
        with pytest.raises(SidekicksError) as caught:
            check_folder(folder)
        assert caught.value.data["failure"] == "workspace_no_access"
    finally:
        folder.chmod(0o700)
