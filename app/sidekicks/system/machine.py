"""The computer and who runs us: which boot this is, and files that only their owner may read."""

import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def is_root() -> bool:
    """Whether we run as root."""
    return os.geteuid() == 0


@functools.cache
def boot_id() -> str:
    """Return what is different after each start of the computer; empty where nothing tells."""
    try:
        if sys.platform != "darwin":
            return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        command = ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=2, check=True)
        return answer.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def write_private(file: Path, content: bytes) -> None:
    """Replace a file whole, readable by its owner only; whoever reads it never sees half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
