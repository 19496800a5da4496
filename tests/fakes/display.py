"""A screen that nobody sees."""

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Display:
    """An X server. `env` is what a program needs to show itself there."""

    name: str

    @property
    def env(self) -> dict[str, str]:
        """Return the environment of a program that shall be shown on it."""
        return {**os.environ, "DISPLAY": self.name, "QT_QPA_PLATFORM": "xcb"}


@contextmanager
def open_display(size: str = "1280x900x24") -> Generator[Display]:
    """Yield a display of our own, under the first number that is free."""
    read, write = os.pipe()
    with os.fdopen(read, encoding="ascii") as number:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        try:
            yield Display(f":{int(number.readline())}")
        finally:
            server.terminate()
            server.wait(10)
