"""What every build step stands on: where things lie, stamps, and running programs.

The standard library only: set-up runs before anything is installed.
"""

import hashlib
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
UI = ROOT / "ui"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


class SetupError(Exception):
    """A step cannot go on; the message tells the person what to do."""


def say(text: str) -> None:
    """Tell the person what is going on, before whatever comes next says something."""
    print(text, file=sys.stderr, flush=True)


def run(
    command: list[str | Path], *, env: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> None:
    """Run a program with its output shown.

    Raises:
        SetupError: it ended with an error.
    """
    words = [str(word) for word in command]
    code = subprocess.call(words, cwd=cwd, env=env)
    if code:
        raise SetupError(f"This failed ({code}): {shlex.join(words)}")


def digest(files: Iterable[Path], *more: str) -> str:
    """Return a hash of the files' names and contents, and of what else the result depends on."""
    total = hashlib.sha256("\0".join(more).encode())
    for file in sorted(files):
        total.update(f"\0{file.relative_to(ROOT)}\0".encode())
        total.update(file.read_bytes())
    return total.hexdigest()


class Stamp:
    """Remembers from what a result was made, so that it is not made again from the same.

    By content, not by time: a checkout of another branch and back makes nothing again.
    """

    def __init__(self, file: Path, state: str) -> None:
        self.file = file
        self.state = state

    def holds(self) -> bool:
        """Tell whether the result was made from this very state."""
        try:
            return self.file.read_text() == self.state
        except OSError:
            return False

    def lift(self) -> None:
        """Forget: what is being made now must not count if it breaks off halfway."""
        self.file.unlink(missing_ok=True)

    def set(self) -> None:
        """Remember that the result is made."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.state)


def has_display() -> bool:
    """Tell whether a window can be shown to somebody."""
    return sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
