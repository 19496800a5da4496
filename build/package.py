"""`make package`: freeze the app into `.cache/package/dist`, and have it try itself."""

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from ground import CACHE, PYTHON, ROOT, UI, SetupError, Stamp, digest, run, say

sys.path.insert(0, str(ROOT / "tests"))
from fakes.display import open_display

_FOLDER = CACHE / "package"
_SELFTEST_SECONDS = 120


def stamp() -> Stamp:
    """Return what tells whether the frozen app is of this very source."""
    folders = (ROOT / "app", ROOT / "packaging", UI / "dist")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    locks = [ROOT / "build" / "locks" / "run.txt"]
    return Stamp(_FOLDER / "made-from", digest([f for f in files if f.suffix != ".pyc"] + locks))


def freeze() -> Path:
    """Build the frozen app and return its program."""
    made = stamp()
    made.lift()
    run(
        [
            *(PYTHON, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
            *("--distpath", _FOLDER / "dist", "--workpath", _FOLDER / "work"),
            ROOT / "packaging" / "sidekicks.spec",
        ],
        env={**os.environ, "PYINSTALLER_CONFIG_DIR": str(_FOLDER / "config")},
    )
    made.set()
    return _FOLDER / "dist" / "sidekicks" / "sidekicks"


def measure(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(file.lstat().st_size for file in folder.rglob("*"))


def try_itself(program: Path) -> dict[str, object]:
    """Run the app's own test in a home of its own, and return what it measured.

    Raises:
        SetupError: it failed.
    """
    with (
        open_display() if sys.platform == "linux" else nullcontext() as display,
        tempfile.TemporaryDirectory(prefix="sk-") as home,
    ):
        answer = subprocess.run(
            [program, "--selftest"],
            env={**(display.env if display else os.environ), "HOME": home, "XDG_RUNTIME_DIR": home},
            stdout=subprocess.PIPE,
            text=True,
            timeout=_SELFTEST_SECONDS,
        )
    if answer.returncode:
        raise SetupError(f"The frozen app's own test failed ({answer.returncode}): {answer.stdout}")
    return json.loads(answer.stdout.splitlines()[-1])


def main() -> int:
    """Freeze, measure, try."""
    began = time.monotonic()
    try:
        program = freeze()
        say(f"{program.parent.relative_to(ROOT)}: {measure(program.parent) / 1e6:.0f} MB")
        say(f"built in {time.monotonic() - began:.0f} s; it tries itself:")
        say(json.dumps(try_itself(program)))
    except SetupError as failure:
        say(str(failure))
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
