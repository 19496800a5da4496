"""The doctor's report: all that was found as plain text, to be read, or copied into an e-mail."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sidekicks.actions.words import say
from sidekicks.contract.results import AgentFindings, Finding, FindingLevel

WIDTH: Final = 100


def write_report(
    at: str, level: FindingLevel, computer: Iterable[Finding], agents: Sequence[AgentFindings]
) -> str:
    """Return the report; findings hold no secret, so neither does it."""
    lines = [say("report", at=at), "", say("report_computer"), *_describe(computer)]
    for agent in agents:
        lines += ["", f"{agent.name} ({agent.agent_id})", *_describe(agent.findings)]
    if not agents:
        lines += ["", say("report_no_agents")]
    return "\n".join([*lines, "", say(f"report_{level}"), ""])


def _describe(findings: Iterable[Finding]) -> Iterator[str]:
    marks: dict[FindingLevel, str] = {
        "ok": say("mark_ok"),
        "note": say("mark_note"),
        "problem": say("mark_problem"),
    }
    indent = max(map(len, marks.values())) + 4
    for finding in findings:
        took = "" if finding.duration_ms is None else f" ({finding.duration_ms} ms)"
        mark = f"  {marks[finding.level]}".ljust(indent)
        yield from _wrap(f"{finding.message}{took}", mark, indent)
        if finding.advice is not None:
            yield from _wrap(finding.advice, f"{' ' * indent}→ ", indent + 2)
        for line in finding.details:
            yield f"{' ' * indent}| {line}"


def _wrap(text: str, first: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
