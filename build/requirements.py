"""The virtual environment: created once, filled with exactly what the lock files say."""

import importlib.util
import os
import sys

from ground import PYTHON, ROOT, VENV, SetupError, Stamp, digest, run, say

LOCKS = ROOT / "build" / "locks"


def install(*, development: bool) -> None:
    """Bring `.venv` to what is locked: to run the app, or also to develop it."""
    if not PYTHON.exists():
        _create()
    _fill("run", "the app's Python packages")
    if development:
        _fill("dev", "the development tools")


def install_lock(name: str) -> None:
    """Install what one lock file names; it is complete, so nothing is resolved."""
    run([PYTHON, "-m", "pip", *_QUIET, "--no-deps", "-r", LOCKS / f"{name}.txt"])


# Twice: else it warns of what its own next release will do.
_QUIET = ("install", "-qq", "--disable-pip-version-check", "--no-input")


def _create() -> None:
    # Debian splits these off: `python3 -m venv` would end in a traceback.
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sudo = "" if os.geteuid() == 0 else "sudo "
        raise SetupError(
            "This Python cannot make a virtual environment. "
            f"Run: {sudo}apt-get install python{version}-venv"
        )
    say("Making the Python environment (.venv)")
    run([sys.executable, "-m", "venv", "--clear", VENV])


def _fill(name: str, what: str) -> None:
    # The settings count too: the `sidekicks` command and the version come from them.
    stamp = Stamp(
        VENV / f"made-from-{name}", digest([LOCKS / f"{name}.txt", ROOT / "pyproject.toml"])
    )
    if stamp.holds():
        return
    say(f"Installing {what} (the first time takes a few minutes)")
    stamp.lift()
    install_lock(name)
    if name == "run":
        run([PYTHON, "-m", "pip", *_QUIET, "--no-deps", "--no-build-isolation", "-e", ROOT])
    stamp.set()
