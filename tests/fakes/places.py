"""Places where little or nothing can be written: real mounts and rights, where there are such."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

_NO_OVERRIDE = "-dac_override,-dac_read_search"


def bound_by_rights() -> Sequence[str]:
    """Return what makes a command one that rights hold for, also if root gives it."""
    if os.geteuid() != 0:
        return ()
    command = ("setpriv", f"--bounding-set={_NO_OVERRIDE}", f"--inh-caps={_NO_OVERRIDE}")
    if not _works(*command, "true"):
        pytest.skip("root cannot give up its rights here (setpriv)")
    return command


class SmallDisk:
    """A disk of its own over a folder, seen only by the program that is started within.

    Args:
        folder: what it covers; the files there are copied to it.
        size: as tmpfs takes it, such as `2m`.
    """

    def __init__(self, folder: Path, size: str) -> None:
        if os.geteuid() != 0 or not _works("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"):
            pytest.skip("no disk can be mounted here (unshare -m, as root)")
        self._folder = folder
        self._size = size
        self._pid = 0

    def within(self, mode: str = "rw") -> Sequence[str]:
        """Return what makes a command one that sees the disk, `rw` or `ro`."""
        script = (
            'cp -a "$1" "$1.before" && mount -t tmpfs -o size="$2" none "$1" &&'
            ' cp -a "$1.before/." "$1" && mount -o "remount,$3" "$1" && shift 3 && exec "$@"'
        )
        return ("unshare", "-m", "sh", "-c", script, "sh", str(self._folder), self._size, mode)

    def seen_by(self, pid: int) -> Path:
        """Return the folder as the program sees it."""
        self._pid = pid
        return Path(f"/proc/{pid}/root{self._folder}")

    def remount(self, option: str) -> None:
        """Make it `ro` or `rw`."""
        command = ["nsenter", "-t", str(self._pid), "-m", "mount", "-o"]
        subprocess.run([*command, f"remount,{option}", str(self._folder)], check=True)

    def fill(self) -> Path:
        """Fill it to the last byte; return the file that does."""
        filler = self.seen_by(self._pid) / "filler"
        with filler.open("wb", buffering=0) as file:
            for size in (65536, 4096, 1):
                try:
                    while file.write(bytes(size)) == size:
                        continue
                except OSError:
                    continue
        return filler


@cache
def _works(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    done = subprocess.run(command, capture_output=True, timeout=20, check=False)
    return done.returncode == 0
