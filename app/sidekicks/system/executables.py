"""Why a program cannot be started, found out and said: before the start, and after it failed."""

import errno
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sidekicks.contract.errors import ErrorCode, SidekicksError
from sidekicks.contract.state import FailureCode
from sidekicks.system.folders import candidates, find_executable, search_folders
from sidekicks.system.words import say

_CODES: Final[dict[FailureCode, ErrorCode]] = {
    "command_not_found": "not_found",
    "not_executable": "no_access",
    "interpreter_missing": "not_found",
    "workspace_missing": "not_found",
    "workspace_no_access": "no_access",
}


def failed(failure: FailureCode, key: str, **values: str) -> SidekicksError:
    """Return the error for a program that cannot run, with `failure` for whoever shows it."""
    code = _CODES.get(failure, "unavailable")
    return SidekicksError(code, say(key, **values), failure=failure)


def resolve_command(command: str, path: str, folder: Path) -> Path:
    """Return the program that `command` means, sure to have what it needs to be started.

    Args:
        command: a name to find in `path`; with a slash a path, `~` expanded, relative to `folder`.
        path: a PATH; scripts find their interpreters in it too.
        folder: where the program will run.

    Raises:
        SidekicksError: with `failure` `command_not_found`, `not_executable`, `interpreter_missing`.
    """
    if "/" in command:
        command = str(folder / os.path.expanduser(command))  # noqa: PTH111
    program = find_executable(command, path)
    if program is None:
        raise _not_found(command, path)
    if (interpreter := missing_interpreter(program, path)) is not None:
        raise _interpreter_missing(program, interpreter)
    return program


def check_folder(folder: Path) -> None:
    """Raise what hinders a program from running in `folder`.

    Raises:
        SidekicksError: with `failure` `workspace_missing` or `workspace_no_access`.
    """
    try:
        # Asking for the rights is not enough: macOS refuses only the look itself.
        with os.scandir(folder):
            pass
        if not os.access(folder, os.X_OK):
            raise PermissionError
    except FileNotFoundError:
        raise failed("workspace_missing", "folder_missing", folder=str(folder)) from None
    except NotADirectoryError:
        raise failed("workspace_missing", "not_a_folder", folder=str(folder)) from None
    except OSError:
        raise failed("workspace_no_access", "folder_no_access", folder=str(folder)) from None


def missing_interpreter(program: Path, path: str) -> str | None:
    """Return what a script's first line names and is not there; null if nothing is missing.

    The kernel answers a missing interpreter as if the script itself were not there, and `env` ends
    with a code of its own: neither tells the person what to install.
    """
    interpreter, wanted = _first_line(program)
    if interpreter is None:
        return None
    if not os.access(interpreter, os.X_OK):
        return interpreter
    return wanted if wanted and find_executable(wanted, path) is None else None


def find_interpreter(program: Path, path: str) -> Path | None:
    """Return what a script is run by, as its first line says; null for what is no script."""
    interpreter, wanted = _first_line(program)
    if interpreter is None:
        return None
    return (find_executable(wanted, path) if wanted else None) or Path(interpreter)


def explain_start(
    error: OSError | ValueError, program: str, folder: Path, env: Mapping[str, str]
) -> SidekicksError:
    """Return why starting `program` failed with `error`."""
    if isinstance(error, ValueError):
        return SidekicksError("invalid", say("bad_argument", command=program, reason=str(error)))
    try:
        check_folder(folder)
    except SidekicksError as reason:
        return reason
    if error.errno == errno.ENOEXEC:
        key = "no_interpreter_line" if _is_text(Path(program)) else "other_system"
        return failed("not_executable", key, command=program)
    if error.errno not in (errno.ENOENT, errno.EACCES, errno.ENOTDIR):
        reason = error.strerror or str(error)
        return failed("crashed", "not_started", command=program, reason=reason)
    path = env.get("PATH", "")
    found = find_executable(program, path)
    if found is None:
        return _not_found(program, path)
    if (interpreter := missing_interpreter(found, path)) is not None:
        return _interpreter_missing(found, interpreter)
    if error.errno == errno.EACCES:
        return failed("not_executable", "run_refused", command=program)
    # The file is there, and yet it is not: its loader is missing, as for another C library.
    return failed("interpreter_missing", "other_system", command=program)


def _not_found(command: str, path: str) -> SidekicksError:
    for candidate in candidates(command, path):
        if candidate.is_file():
            quoted = shlex.quote(str(candidate))
            return failed("not_executable", "not_executable", command=str(candidate), quoted=quoted)
    if "/" in command:
        return failed("command_not_found", "program_missing", command=command)
    folders = search_folders(path)
    home = os.path.expanduser("~")  # noqa: PTH111
    shown = ", ".join(
        f"~{folder.removeprefix(home)}" if folder.startswith(f"{home}/") else folder
        for folder in folders
    )
    error = failed(
        "command_not_found",
        "command_not_found",
        command=command,
        folders=shown or say("no_folders"),
    )
    error.data["lookedIn"] = folders
    return error


def _interpreter_missing(program: Path, interpreter: str) -> SidekicksError:
    if interpreter.endswith("\r"):
        return failed("interpreter_missing", "line_endings", command=str(program))
    return failed(
        "interpreter_missing",
        "interpreter_missing",
        command=str(program),
        interpreter=interpreter,
    )


def _first_line(program: Path) -> tuple[str | None, str | None]:
    """Return the interpreter that a script's first line names, and what `env` is to find there."""
    try:
        with program.open("rb") as stream:
            line = stream.readline(1024)
    except OSError:
        return None, None
    # Only spaces and tabs part the words: a carriage return is part of the (missing) name.
    words = re.split(r"[ \t]+", os.fsdecode(line[2:].strip(b" \t\n")), maxsplit=1)
    if not line.startswith(b"#!") or not words[0]:
        return None, None
    wanted = _wanted_of_env(words[1]) if Path(words[0]).name == "env" and words[1:] else None
    return words[0], wanted


def _wanted_of_env(argument: str) -> str | None:
    """`-S node --flag` -> `node`."""
    for word in argument.removeprefix("-S").replace("\t", " ").split(" "):
        if word and not word.startswith("-") and "=" not in word:
            return word
    return None


def _is_text(program: Path) -> bool:
    try:
        with program.open("rb") as stream:
            return b"\0" not in stream.read(1024)
    except OSError:
        return False
