"""What is needed to start an agent's program, found and checked."""

from pathlib import Path

import msgspec


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A program, ready to be started. `where` says to the person where it will run."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: Path
    where: str
