"""What the app writes: its log and the history."""

import os
from pathlib import Path

from sidekicks.base.findings import FindingList
from sidekicks.main.computer.words import say

_MEGABYTE = 1_000_000
_LAST_RESORT = Path("/")


def look_at_folder(folder: Path, name: str, found: FindingList) -> None:
    """Say where the log lies; `folder` may not be there yet."""
    if _writable(folder):
        found.add("log", "ok", say("log", file=folder / name))
    else:
        found.add("log", "problem", say("log_no_access", folder=folder), advice=say("give_access"))


def look_at_history(file: Path, found: FindingList) -> None:
    """Say where the history lies and how large it is, with what SQLite keeps beside it."""
    size = 0
    for each in (file, file.with_name(f"{file.name}-wal")):
        try:
            size += each.stat().st_size
        except OSError:
            continue
    shown = f"{size / _MEGABYTE:.1f}"
    if _writable(file.parent) and (not file.exists() or os.access(file, os.W_OK)):
        found.add("history", "ok", say("history", file=file, size=shown))
    else:
        sentence = say("history_no_access", file=file, size=shown)
        found.add("history", "problem", sentence, advice=say("give_access"))


def _writable(folder: Path) -> bool:
    """Whether it, or the folder in which it would be made, can be written."""
    there = next((each for each in (folder, *folder.parents) if each.exists()), _LAST_RESORT)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)
