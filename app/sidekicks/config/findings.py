"""What is wrong with the file, gathered while it is read.

Every problem has an id that stays the same while the problem does, so that a problem that was
mended can be closed; two of one key are told apart by a number. Whatever the file holds, a
problem's texts are short, on one line, and fit into JSON.
"""

from pathlib import Path
from typing import Final

import msgspec

from sidekicks.config.source import Fault
from sidekicks.config.words import say
from sidekicks.contract.state import Problem

KeyPath = tuple[str | int, ...]
"""Keys, and places in lists counted from 0, from the top of the file."""

MAX_PROBLEMS: Final = 100
"""More help nobody, and all of them go to the page in each snapshot."""
_SHOWN: Final = 60


def shown(text: str) -> str:
    """Return a text from the file as it can stand in a sentence."""
    line = "".join(each if each.isprintable() else "\ufffd" for each in text[: _SHOWN + 1])
    return line if len(text) <= _SHOWN else line[:_SHOWN] + "…"


def written_path(key: KeyPath) -> str:
    """Return a key path as it is shown: `agents.alice.args[0]`."""
    parts = (f"[{each}]" if isinstance(each, int) else f".{shown(each)}" for each in key)
    return "".join(parts).removeprefix(".")


class Findings:
    """The problems of one reading.

    `errors` counts, so that whoever reads a part can tell whether it is sound.
    """

    def __init__(self, path: Path) -> None:
        # A path may hold bytes that are not UTF-8; JSON may not.
        self._file: Final = str(path).encode("utf-8", "replace").decode()
        self._problems: Final[list[Problem]] = []
        self.errors = 0
        self.damaged = False
        """Something of the file was no text and reads as U+FFFD."""

    def error(
        self,
        word: str,
        *,
        key: KeyPath = (),
        line: int | None = None,
        expected: str | None = None,
        **values: object,
    ) -> None:
        """Note that something cannot be used; `word` and `expected` are keys of `say`."""
        self.errors += 1
        self._note(word, key, line, expected, values, warning=False)

    def warn(
        self,
        word: str,
        *,
        key: KeyPath = (),
        line: int | None = None,
        expected: str | None = None,
        **values: object,
    ) -> None:
        """Note something that is probably not meant, and does no harm."""
        self._note(word, key, line, expected, values, warning=True)

    def fault(self, fault: Fault) -> None:
        """Note what is wrong with the file as a whole."""
        self._note(fault.word, (), fault.line, None, dict(fault.values), warning=False)
        self.errors += 1

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems by line, each with an id of its own, and not too many."""
        ordered = sorted(self._problems, key=lambda problem: problem.line or 0)
        used: dict[str, int] = {}
        numbered: list[Problem] = []
        for problem in ordered:
            count = used[problem.problem_id] = used.get(problem.problem_id, 0) + 1
            if count > 1:
                problem_id = f"{problem.problem_id}#{count}"
                problem = msgspec.structs.replace(problem, problem_id=problem_id)
            numbered.append(problem)
        return tuple(numbered[:MAX_PROBLEMS]) + self._rest(numbered[MAX_PROBLEMS:])

    def _rest(self, left: list[Problem]) -> tuple[Problem, ...]:
        if not left:
            return ()
        return (
            Problem(
                problem_id="config#more",
                code="config",
                message=say("more", count=len(left)),
                severity="error" if any(each.severity == "error" for each in left) else "warning",
                file=self._file,
                line=left[0].line,
            ),
        )

    def _note(
        self,
        word: str,
        key: KeyPath,
        line: int | None,
        expected: str | None,
        values: dict[str, object],
        *,
        warning: bool,
    ) -> None:
        path = written_path(key)
        texts = {
            name: shown(value) if isinstance(value, str) else value
            for name, value in values.items()
        }
        self._problems.append(
            Problem(
                problem_id=f"config:{path}" if path else "config",
                code="config",
                message=say(word, key=shown(str(key[-1])) if key else "", **texts),
                severity="warning" if warning else "error",
                file=self._file,
                line=line,
                key=path or None,
                expected=say(expected) if expected else None,
            )
        )
