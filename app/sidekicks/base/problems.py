"""What is wrong now, told by events when it begins and when it is mended."""

from collections.abc import Iterable
from typing import Final

from sidekicks.base.hub import Hub
from sidekicks.contract.events import ProblemClosed, ProblemRaised
from sidekicks.contract.state import Problem


class Problems:
    """The open problems, by id."""

    def __init__(self, hub: Hub) -> None:
        self._hub: Final = hub
        self._open: dict[str, Problem] = {}

    @property
    def open(self) -> tuple[Problem, ...]:
        """What is wrong now, oldest first."""
        return tuple(self._open.values())

    def raise_(self, problem: Problem) -> None:
        """Tell of a problem, new or changed."""
        if self._open.get(problem.problem_id) != problem:
            self._open[problem.problem_id] = problem
            self._hub.publish(ProblemRaised(problem=problem))

    def close(self, problem_id: str) -> None:
        """Tell that a problem is mended, if it was open."""
        if self._open.pop(problem_id, None) is not None:
            self._hub.publish(ProblemClosed(problem_id=problem_id))

    def show(self, problem_id: str, problem: Problem | None) -> None:
        """Tell of a problem as it is now; null: it is mended."""
        if problem is None:
            self.close(problem_id)
        else:
            self.raise_(problem)

    def replace(self, code: str, problems: Iterable[Problem]) -> None:
        """Make `problems` all that is open with this code."""
        now = {problem.problem_id: problem for problem in problems}
        for problem_id, problem in list(self._open.items()):
            if problem.code == code and problem_id not in now:
                self.close(problem_id)
        for problem in now.values():
            self.raise_(problem)
