"""The environment of the person's login shell, taken once, in the background.

An app started from the Finder or a desktop file has a short PATH and none of what the person's
start-up files set. An answer is kept on disk with what it came from (the shell, the dates of its
files, the boot), and serves at once at the next start, while a new one is fetched. Without an
answer the usual install folders still serve.
"""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from sidekicks.contract.errors import SidekicksError
from sidekicks.system.environment import add_utf8, own_environment
from sidekicks.system.folders import join_paths, usual_folders
from sidekicks.system.login_shell import ask_shell, find_login_shell
from sidekicks.system.machine import boot_id, write_private

SECONDS: Final = 4.0
_FILES: Final = (
    "/etc/environment", "/etc/paths", "/etc/profile", "/etc/bash.bashrc", "/etc/zprofile",
    "/etc/zshrc", "/etc/zsh/zprofile", "/etc/zsh/zshrc", "/etc/zsh/zshenv",
    "~/.profile", "~/.bash_profile", "~/.bash_login", "~/.bashrc",
    "$ZDOTDIR/.zshenv", "$ZDOTDIR/.zprofile", "$ZDOTDIR/.zshrc", "$ZDOTDIR/.zlogin",
    "$XDG_CONFIG_HOME/fish/config.fish", "$XDG_CONFIG_HOME/fish/conf.d",
    "$XDG_CONFIG_HOME/fish/fish_variables",
    "$XDG_CONFIG_HOME/nushell/env.nu", "$XDG_CONFIG_HOME/nushell/config.nu",
    "$XDG_CONFIG_HOME/nushell/login.nu",
    "~/.tcshrc", "~/.cshrc", "~/.login", "~/.kshrc", "~/.mkshrc",
)  # fmt: skip


class LoginEnvironment:
    """What programs get that run for the person.

    Args:
        cache: where the answer is kept, readable by the person only; null keeps none.
        seconds: how long the shell may take.
        find_shell: finds it, given the environment.
    """

    def __init__(
        self,
        cache: Path | None = None,
        *,
        seconds: float = SECONDS,
        find_shell: Callable[[Mapping[str, str]], Path | None] = find_login_shell,
    ) -> None:
        self.problem: str | None = None
        """Why there is no answer, for the person."""
        self._cache: Final = cache
        self._seconds: Final = seconds
        self._own: Final = own_environment()
        self.shell: Final = find_shell(self._own)
        self._login: dict[str, str] = {}
        self._known: Final[Future[None]] = Future()
        # A running future cannot be cancelled by one of those who wait for it.
        self._known.set_running_or_notify_cancel()
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread] | None = None
        self._asking: asyncio.Task[None] | None = None
        self._closing = False

    def start(self) -> None:
        """Begin to ask, in a thread that ends with the answer."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(
            target=self._run, args=(loop,), name="login-environment", daemon=True
        )
        self._running = (loop, thread)
        thread.start()

    async def get(self) -> dict[str, str]:
        """Return the environment, once the shell has answered or its time is over."""
        await asyncio.wrap_future(self._known)
        return self.merged()

    def wait(self, seconds: float | None = None) -> dict[str, str]:
        """As `get`, for other threads; after `seconds` without the shell's part."""
        with suppress(TimeoutError):
            self._known.result(seconds)
        return self.merged()

    def merged(self) -> dict[str, str]:
        """Return the environment as far as it is known now."""
        return merge(self._own, self._login, from_terminal=_has_terminal())

    def given(self) -> tuple[str, ...]:
        """Return the names of what programs get as the shell has it, and we did not."""
        merged = self.merged()
        return tuple(sorted(name for name, text in self._login.items() if merged[name] == text))

    def close(self) -> None:
        """End the asking, with all that it started."""
        if self._running is not None:
            loop, thread = self._running
            # The loop is closed where the answer has come.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._cancel)
            thread.join()

    def _cancel(self) -> None:
        # Only this: a start that is under way is a thing of its own, and comes to its end.
        self._closing = True
        if self._asking is not None:
            self._asking.cancel()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        with (
            suppress(asyncio.CancelledError),
            asyncio.Runner(loop_factory=lambda: loop) as runner,
        ):
            runner.run(self._ask())
        self._tell()

    async def _ask(self) -> None:
        if self.shell is None or self._closing:
            return
        self._asking = asyncio.current_task()
        origin = _origin(self.shell, self._own)
        if (kept := self._read_cache(origin)) is not None:
            self._login = kept
            self._tell()
        try:
            self._login = await ask_shell(self.shell, self._own, self._seconds)
        except SidekicksError as error:
            self.problem = error.message
            return
        self._tell()
        if self._cache is not None and self._login != kept:
            content = json.dumps({"origin": origin, "environment": self._login})
            # A folder that cannot be written costs the next start a moment, nothing else.
            with suppress(OSError):
                write_private(self._cache, content.encode())

    def _tell(self) -> None:
        if not self._known.done():
            self._known.set_result(None)

    def _read_cache(self, origin: list[Any]) -> dict[str, str] | None:
        if self._cache is None:
            return None
        try:
            kept = json.loads(self._cache.read_bytes())
            if kept["origin"] == origin:
                return {str(name): str(value) for name, value in kept["environment"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return None


def merge(
    own: Mapping[str, str], login: Mapping[str, str], *, from_terminal: bool
) -> dict[str, str]:
    """Return what programs get, of our own environment and the login shell's.

    What was typed in a terminal (`OLLAMA_HOST=… sidekicks`, an active virtual environment) is meant
    and wins; what the desktop gave an app is only what it happens to have.
    """
    first, second = (own, login) if from_terminal else (login, own)
    environment = {**second, **first}
    environment["PATH"] = join_paths(first.get("PATH", ""), second.get("PATH", ""), usual_folders())
    add_utf8(environment)
    return environment


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _origin(shell: Path, own: Mapping[str, str]) -> list[Any]:
    """Return what an answer depends on, as JSON. Sockets named in it die with the boot."""
    home = own.get("HOME", "/")
    folders = {
        "~": home,
        "$ZDOTDIR": own.get("ZDOTDIR", home),
        "$XDG_CONFIG_HOME": own.get("XDG_CONFIG_HOME", f"{home}/.config"),
    }
    dates: list[list[int] | None] = []
    for name in (*_FILES, str(shell)):
        root, slash, rest = name.partition("/")
        try:
            found = Path(folders.get(root, root) + slash + rest).stat()
            dates.append([found.st_mtime_ns, found.st_size])
        except OSError:
            dates.append(None)
    return [str(shell), boot_id(), own.get("PATH", ""), dates]
