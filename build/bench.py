"""`make bench`: each `tests/bench/bench_*.py` by itself, one after the other.

Two at once would measure each other.
"""

import os
import subprocess
import sys

from ground import PYTHON, ROOT, say


def main(words: list[str]) -> int:
    """Run the benchmarks whose name holds one of `words`, or all."""
    found = sorted((ROOT / "tests" / "bench").glob("bench_*.py"))
    chosen = [file for file in found if not words or any(word in file.stem for word in words)]
    if not chosen:
        say("There is no benchmark of that name. There are: " + ", ".join(f.stem for f in found))
        return 1
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    failed: list[str] = []
    for file in chosen:
        say(f"\n── {file.stem}")
        if subprocess.call([PYTHON, file], cwd=ROOT, env=env):
            failed.append(file.stem)
    if failed:
        say("\nFAILED  " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
