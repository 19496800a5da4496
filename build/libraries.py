"""System libraries and programs: looked for by what is there, installed where we may, else named.

Debian and its children are known by their packages; elsewhere what is missing is named as files.
"""

import importlib.util
import os
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType

from ground import ROOT, SetupError, run, say

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
    missing = {what: name for what, name in wanted.items() if not _is_there(what)}
    window = _load_the_windows_list()
    if qt:
        missing |= window.find_missing()
    if not missing:
        return
    if shutil.which("apt-get") is None:
        names = ", ".join(sorted(missing))
        raise SetupError(f"These are missing; install them with your system's packages: {names}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if os.geteuid() == 0:
        run(["apt-get", "update", "-qq"], env=env)
    packages: list[str] = window.name_packages(missing.values())
    if os.geteuid() != 0:
        command = shlex.join(["sudo", "apt-get", "install", *packages])
        raise SetupError(f"Some system packages are missing. Run: {command}")
    say("Installing system packages: " + " ".join(packages))
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=env)


def _load_the_windows_list() -> ModuleType:
    # By its path: the package around it needs what is not installed yet.
    file = ROOT / "app" / "sidekicks" / "window" / "libraries.py"
    spec = importlib.util.spec_from_file_location("window_libraries", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _is_there(what: str) -> bool:
    return Path(what).exists() if "/" in what else shutil.which(what) is not None
