"""The command line as a person has it: a program, with or without a terminal."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from fakes.waiting import wait_until

_PATIENCE: Final = 40.0


class Done(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


def run_sidekicks(
    *arguments: str | Path, stdin: str = "", env: Mapping[str, str] | None = None
) -> Done:
    """Run `sidekicks` to its end, without a terminal; `env` goes over this process's own."""
    done = subprocess.run(
        _command(*arguments),
        input=stdin,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


async def ask(
    config: Path, *arguments: str, stdin: str = "", env: Mapping[str, str] | None = None
) -> Done:
    """Run `sidekicks ask` beside the test's loop, which may be the instance that answers."""
    return await asyncio.to_thread(
        run_sidekicks, "--config", config, "ask", *arguments, stdin=stdin, env=env
    )


class Terminal:
    """`sidekicks` at a terminal: what it shows is read, what a person types is written."""

    def __init__(self, *arguments: str | Path) -> None:
        self.shown = ""
        self._arguments: Final = arguments
        self._end, self._process_end = os.openpty()
        os.set_blocking(self._end, False)

    def __enter__(self) -> Self:
        ends = self._process_end
        self._process = subprocess.Popen(
            _command(*self._arguments),
            stdin=ends,
            stdout=ends,
            stderr=ends,
            env={**os.environ, "TERM": "dumb"},
            start_new_session=True,
        )
        os.close(ends)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._end)

    async def wait_for(self, text: str) -> None:
        """Wait until it shows this text."""
        await asyncio.to_thread(wait_until, lambda: text in self._read(), _PATIENCE)

    def type(self, keys: str) -> None:
        """Type these keys; the character 4 is Ctrl-D."""
        os.write(self._end, keys.encode())

    async def end(self) -> int:
        """Return its exit code, once it has ended by itself."""

        def ended() -> bool:
            self._read()
            return self._process.poll() is not None

        await asyncio.to_thread(wait_until, ended, _PATIENCE)
        self._read()
        return self._process.returncode

    def _read(self) -> str:
        # Its end of the terminal may be closed already.
        with contextlib.suppress(OSError):
            while data := os.read(self._end, 65536):
                self.shown += data.decode(errors="replace")
        return self.shown


def _command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "sidekicks", *map(str, arguments)]
