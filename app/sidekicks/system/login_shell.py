"""Asking a shell, as a login and interactive one, what environment it gives to what it starts.

Both, because what matters stands in the files of one or the other (nvm only in the interactive
ones). Those files may print, wait, fail or start something: the answer stands between two marks,
entries end in NUL, nothing can be read from stdin, and all that was started is ended with it.
"""

import asyncio
import functools
import os
import pwd
import secrets
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from sidekicks.contract.errors import SidekicksError
from sidekicks.system.environment import add_utf8, clean
from sidekicks.system.process import start_process
from sidekicks.system.words import say

RESOLVING: Final = "SIDEKICKS_RESOLVING_ENVIRONMENT"
"""Set for the start-up files, so that they can leave out what must not run for this."""
_OUTPUT_LIMIT: Final = 4 * 1024 * 1024

_ENV: Final = "/usr/bin/env"
_PRINTERS: Final = (
    (_ENV, "-0"),
    # A Mac's env may not know -0, but there has always been a perl.
    ("/usr/bin/perl", "-e", r'print map {"$_=$ENV{$_}\0"} keys %ENV'),
)
_QUIET: Final = {
    RESOLVING: "1",
    "TERM": "dumb",
    # Oh My Zsh would ask whether to update itself, or replace the shell by tmux.
    "DISABLE_AUTO_UPDATE": "true",
    "ZSH_TMUX_AUTOSTARTED": "true",
}
_NO_SHELLS: Final = ("", "nologin", "false", "true")
_SHELLS_OWN: Final = frozenset({
    "A__z", "_AST_FEATURES", "HOSTTYPE", "LAST_EXIT_CODE", "MACHTYPE", "NU_VERSION", "OSTYPE",
    "VENDOR",
})  # fmt: skip


def find_login_shell(environ: Mapping[str, str]) -> Path | None:
    """Return the person's shell; null where the account has none."""
    shells = [environ.get("SHELL")]
    with suppress(KeyError):
        shells.append(pwd.getpwuid(os.getuid()).pw_shell)
    for shell in shells:
        path = Path(shell or "")
        if path.name not in _NO_SHELLS and path.is_absolute() and os.access(path, os.X_OK):
            return path
    return None


async def ask_shell(shell: Path, own: Mapping[str, str], seconds: float) -> dict[str, str]:
    """Return what the shell changes or adds to `own`, for what it starts.

    Raises:
        SidekicksError: `unavailable`: it did not answer within `seconds`, or not as asked.
    """
    given = {**own, **_QUIET}
    add_utf8(given)
    mark = secrets.token_hex(8)
    output = bytearray()
    over = asyncio.Event()

    def receive(content: bytes) -> None:
        if len(output) < _OUTPUT_LIMIT:
            output.extend(content)
        if output.count(mark.encode()) == 2 or len(output) >= _OUTPUT_LIMIT:
            over.set()

    process = await start_process(
        _question(shell, mark),
        env=given,
        cwd=_home(given),
        on_stdout=receive,
        on_stderr=lambda _: None,
        on_exit=lambda _: over.set(),
    )
    patience = 0.0
    try:
        process.close_stdin()
        async with asyncio.timeout(seconds):
            await over.wait()
        patience = 0.2
    except TimeoutError:
        raise SidekicksError(
            "unavailable", say("shell_silent", shell=shell, seconds=f"{seconds:g}")
        ) from None
    finally:
        # Time for what a start-up file does at its end: pyenv removes its lock there, and a lock
        # that stays makes every login shell wait for a minute.
        await process.stop(patience, grace=0.7)
    parts = bytes(output).split(mark.encode())
    if len(parts) != 3:
        raise SidekicksError("unavailable", say("shell_failed", shell=shell))
    return _changes(parts[1], given)


def _question(shell: Path, mark: str) -> list[str]:
    """Return how to have the shell print two marks, each from two halves, so that a shell which
    echoes the question does not answer with it.
    """
    half = len(mark) // 2
    line = f"{_ENV} printf '%s%s' {mark[:half]} {mark[half:]}"
    program, *arguments = _printer()
    commands = [line, " ".join([program, *(_quote(argument) for argument in arguments)]), line]
    match shell.name:
        case "nu":
            # There, what is not a command of its own has a caret.
            return [str(shell), "-ilc", "; ".join(f"^{command}" for command in commands)]
        case "tcsh" | "csh":
            # These take no -l beside another option.
            login = "if ( -r ~/.login ) source ~/.login"
            return [str(shell), "-ic", "; ".join([login, *commands])]
        case _:
            return [str(shell), "-ilc", "; ".join(commands)]


@functools.cache
def _printer() -> tuple[str, ...]:
    """Return what prints its environment with a NUL after each entry, here."""
    for command in _PRINTERS:
        try:
            answer = subprocess.run(
                command, env={"A": "b"}, capture_output=True, timeout=2, check=False
            )
        except (OSError, subprocess.SubprocessError):
            continue
        if b"A=b\0" in answer.stdout:
            return command
    return _PRINTERS[0]


def _quote(argument: str) -> str:
    # Single quotes mean the same in every shell; what they cannot hold is not among our arguments.
    return f"'{argument}'" if " " in argument else argument


def _changes(answer: bytes, given: Mapping[str, str]) -> dict[str, str]:
    entries = (os.fsdecode(entry).partition("=") for entry in answer.split(b"\0"))
    told = clean({name: value for name, equals, value in entries if name and equals})
    return {
        name: value
        for name, value in told.items()
        if given.get(name) != value and name not in _SHELLS_OWN and "\n" not in name
    }


def _home(environ: Mapping[str, str]) -> Path:
    home = Path(environ.get("HOME", "/"))
    return home if home.is_dir() else Path("/")
