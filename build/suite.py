"""`make test`: pytest and the page's tests side by side, and one count at the end."""

import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import node
from ground import CACHE, PYTHON, UI, say
from together import Job, run_together

_LIMIT = 25 * 60.0
_REPORTS = CACHE / "tests"


def count(report: Path) -> tuple[int, int, int]:
    """Return how many tests of a JUnit report passed, failed and were skipped."""
    try:
        root = ElementTree.parse(report).getroot()
    except (OSError, ElementTree.ParseError):
        # A runner that died has said why; here it only must not pass for one without tests.
        return (0, 1, 0)
    suites = list(root.iter("testsuite"))

    def total(key: str) -> int:
        return sum(int(suite.get(key) or 0) for suite in suites)

    failed = total("failures") + total("errors")
    skipped = total("skipped")
    return (total("tests") - failed - skipped, failed, skipped)


def main(arguments: list[str]) -> int:
    """Run all tests; with arguments, only the Python ones that they name."""
    _REPORTS.mkdir(parents=True, exist_ok=True)
    for old in _REPORTS.glob("*.xml"):
        old.unlink()
    workers = str(max(2, min(os.cpu_count() or 2, 6)))
    # By file: what a file's tests share (a browser, a display) is then started once.
    jobs = [
        Job(
            "Python tests",
            [
                *(PYTHON, "-m", "pytest", "-q", "-n", workers, "--dist", "loadfile"),
                *(f"--junitxml={_REPORTS / 'python.xml'}", *arguments),
            ],
            live=True,
        )
    ]
    if not arguments:
        reporters = ["--reporter=default", "--reporter=junit"]
        jobs.append(
            Job(
                "page tests",
                [
                    *(UI / "node_modules" / ".bin" / "vitest", "run", *reporters),
                    f"--outputFile.junit={_REPORTS / 'page.xml'}",
                ],
                cwd=UI,
                env=node.environment(),
            )
        )
    good = run_together(jobs, at_once=2, limit=_LIMIT)
    counts = [count(_REPORTS / name) for name in ("python.xml", "page.xml")[: len(jobs)]]
    passed, failed, skipped = (sum(each) for each in zip(*counts, strict=True))
    say(f"tests: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if good and not failed else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
