"""System libraries and programs: looked for by what is there, installed where we may, else named.

Debian and its children are known by their packages; elsewhere what is missing is named as files.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from ground import ROOT, SetupError, run, say

_QT = ROOT / "app" / "sidekicks" / "window" / "libraries.txt"
# What to look for (a program, or a file where there is a slash) and the package that brings it.
_TEST = {
    "Xvfb": "xvfb",
    "chromium": "chromium",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "fonts-dejavu-core",
}
_PACKAGE = {"objdump": "binutils", "Xvfb": "xvfb"}


def install(*, qt: bool, test: bool = False, package: bool = False) -> None:
    """See that what is asked for is on this computer.

    Raises:
        SetupError: only the person can install what is missing; the message has the command.
    """
    if sys.platform != "linux":
        return
    wanted = (_TEST if test else {}) | (_PACKAGE if package else {})
    missing = {what: package for what, package in wanted.items() if not _is_there(what)}
    if qt:
        present = _shared_objects()
        needed = dict(line.split() for line in _QT.read_text().splitlines())
        missing |= {name: package for name, package in needed.items() if name not in present}
    if missing:
        _bring(missing)


def _is_there(what: str) -> bool:
    return Path(what).exists() if "/" in what else shutil.which(what) is not None


def _shared_objects() -> set[str]:
    # Not in a person's PATH on Debian.
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    return {line.split()[0] for line in listing.splitlines()[1:] if line.strip()}


def _bring(missing: dict[str, str]) -> None:
    if shutil.which("apt-get") is None:
        names = ", ".join(sorted(missing))
        raise SetupError(f"These are missing; install them with your system's packages: {names}")
    if os.geteuid() == 0:
        say("Installing system packages: " + " ".join(sorted(set(missing.values()))))
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run(["apt-get", "update", "-qq"], env=quiet)
        run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *_names(missing)],
            env=quiet,
        )
    else:
        command = ["sudo", "apt-get", "install", *_names(missing)]
        raise SetupError(f"Some system packages are missing. Run: {shlex.join(command)}")


def _names(missing: dict[str, str]) -> list[str]:
    """Return the packages by the names that this release gives them.

    Debian 13 and Ubuntu 24.04 renamed some (libasound2t64) and kept the old name as one that
    several packages provide, which apt refuses to choose from.
    """
    packages = sorted(set(missing.values()))
    listing = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=False)
    known = set(listing.stdout.split())
    return [f"{name}t64" if f"{name}t64" in known else name for name in packages]
