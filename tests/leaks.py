"""What a process holds: programs it started, threads, open descriptors. What grows, leaks.

Everything that is held has a name, so that a leak is told as "thread engine", not as a number.
"""

import gc
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

# Everything that a test starts inherits this, so it is found even when its parent is gone. (Not
# SIDEKICKS_…: the app keeps these from what it starts.)
_MARK = "STARTED_BY_TEST"
_GRACE = 5.0
"""Seconds: what was told to end may need a moment, longer beside a busy neighbour."""


def mark_descendants() -> None:
    """From now on, know what this process starts, however far down."""
    os.environ[_MARK] = secrets.token_hex(8)


def held() -> set[str]:
    """Return the names of all that this process holds."""
    return processes() | _threads() | _descriptors()


def wait_for_release(known: set[str], look: Callable[[], set[str]] = held) -> list[str]:
    """Return what is held beyond `known`, after it had time to end."""
    until = time.monotonic() + _GRACE
    while left := look() - known:
        if time.monotonic() > until:
            return sorted(left)
        gc.collect()
        threading.Event().wait(0.02)
    return []


def processes() -> set[str]:
    """Return the names of the processes that this one started, and of those that they did."""
    if sys.platform != "linux":
        children = psutil.Process().children(recursive=True)
        return {f"process {child.pid}" for child in children}
    mark = f"{_MARK}={os.environ[_MARK]}".encode()
    found: set[str] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes():
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found.add(f"process {folder.name}: {words.decode(errors='replace').strip()}")
        except OSError:
            # It ended while we looked, or belongs to somebody else.
            continue
    return found


def _threads() -> set[str]:
    return {f"thread {thread.name} ({thread.ident})" for thread in threading.enumerate()}


def _descriptors() -> set[str]:
    found: set[str] = set()
    for link in Path("/dev/fd").iterdir():
        try:
            state = os.fstat(int(link.name))
        except OSError:
            # The one that listed the folder.
            continue
        try:
            target = str(link.readlink())
        except OSError:
            target = f"{state.st_dev}:{state.st_ino}"
        found.add(f"descriptor {link.name} ({target})")
    return found
