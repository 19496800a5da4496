"""`make check`: what reads the code and changes nothing. `make fmt` (`--mend`): what changes it."""

import sys

import node
from ground import PYTHON, ROOT, UI, VENV
from together import Job, run_together

_PYTHON_FOLDERS = ("app", "tests", "build", "packaging")
_LIMIT = 10 * 60.0


def checks() -> list[Job]:
    """Return the checks; the long ones first, so that the short ones fill the time beside them."""
    env = node.environment()
    tools, page = VENV / "bin", UI / "node_modules" / ".bin"
    return [
        Job("types (pyright)", [tools / "pyright"], env=env),
        Job("types (svelte-check)", [page / "svelte-check", "--fail-on-warnings"], cwd=UI, env=env),
        Job("lint (eslint)", [page / "eslint", "."], cwd=UI, env=env),
        Job("format (prettier)", [page / "prettier", "--check", "."], cwd=UI, env=env),
        Job("layers (import-linter)", [tools / "lint-imports"]),
        Job("lint (ruff)", [tools / "ruff", "check", *_PYTHON_FOLDERS]),
        Job("format (ruff)", [tools / "ruff", "format", "--check", *_PYTHON_FOLDERS]),
        Job("contract", [PYTHON, ROOT / "build" / "contract.py", "--check"]),
    ]


def mending() -> list[Job]:
    """Return the tools that write; in this order, as the format has the last word."""
    env = node.environment()
    tools, page = VENV / "bin", UI / "node_modules" / ".bin"
    return [
        Job("lint (ruff)", [tools / "ruff", "check", "--fix", *_PYTHON_FOLDERS]),
        Job("format (ruff)", [tools / "ruff", "format", *_PYTHON_FOLDERS]),
        Job("lint (eslint)", [page / "eslint", "--fix", "."], cwd=UI, env=env),
        Job("format (prettier)", [page / "prettier", "--write", "."], cwd=UI, env=env),
    ]


def main(mend: bool) -> int:
    """Run the checks, or mend."""
    jobs, at_once = (mending(), 1) if mend else (checks(), 2)
    return 0 if run_together(jobs, at_once=at_once, limit=_LIMIT) else 1


if __name__ == "__main__":
    raise SystemExit(main("--mend" in sys.argv[1:]))
