"""What the doctor finds, collected as it looks: nothing that is written down holds a secret."""

from collections.abc import Iterable
from typing import Final

from sidekicks.base.sharing import shareable
from sidekicks.contract.results import Finding, FindingLevel
from sidekicks.contract.state import FailureCode

LINE_CHARACTERS: Final = 500


class FindingList:
    """Findings in the order in which they were added; `secrets` stand in none of them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: Final = tuple(secrets)
        self._all: Final[list[Finding]] = []

    @property
    def all(self) -> tuple[Finding, ...]:
        """The findings."""
        return tuple(self._all)

    def add(
        self,
        code: str,
        level: FindingLevel,
        message: str,
        *,
        advice: str | None = None,
        details: Iterable[str] = (),
        seconds: float | None = None,
        failure: FailureCode | None = None,
    ) -> None:
        """Add a finding; see `Finding`."""
        lines = (self._share(line) for line in details)
        self._all.append(
            Finding(
                code=code,
                level=level,
                message=self._share(message),
                advice=None if advice is None else self._share(advice),
                details=tuple(_cut(line) for line in lines),
                duration_ms=None if seconds is None else round(seconds * 1000),
                failure=failure,
            )
        )

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add what another list has collected."""
        self._all.extend(findings)

    def _share(self, text: str) -> str:
        return shareable(text, self._secrets)


def worst(levels: Iterable[FindingLevel]) -> FindingLevel:
    """Return the worst of the levels; `ok` where there is none."""
    found = frozenset(levels)
    if "problem" in found:
        return "problem"
    return "note" if "note" in found else "ok"


def _cut(line: str) -> str:
    return line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]}…"
