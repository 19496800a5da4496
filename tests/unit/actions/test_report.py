"""The doctor's report as text."""

from sidekicks.actions.report import WIDTH, write_report
from sidekicks.base.words import set_language
from sidekicks.contract.ids import AgentId
from sidekicks.contract.results import AgentFindings, Finding

LONG = "Its command was not found. " * 8
COMPUTER = (
    Finding(code="app", level="ok", message="Sidekicks runs."),
    Finding(
        code="docker", level="note", message="No engine.", advice="Start it.", details=("x y",)
    ),
)
ALICE = AgentFindings(
    agent_id=AgentId("alice"),
    name="Alice",
    level="problem",
    findings=(
        Finding(code="start", level="ok", message="It runs.", duration_ms=12),
        Finding(code="command", level="problem", message=LONG, failure="command_not_found"),
    ),
)


def test_it_says_everything_in_order() -> None:
    report = write_report("2026-11-30T20:00:00.000Z", "problem", COMPUTER, [ALICE])
    assert report.startswith(
        "Sidekicks doctor, 2026-11-30T20:00:00.000Z\n"
        "\n"
        "The app and this computer\n"
        "  ok       Sidekicks runs.\n"
        "  note     No engine.\n"
        "           → Start it.\n"
        "           | x y\n"
        "\n"
        "Alice (alice)\n"
        "  ok       It runs. (12 ms)\n"
        "  PROBLEM  Its command was not found. "
    )
    assert all(len(line) <= WIDTH for line in report.splitlines())
    assert "There is something to mend" in report.splitlines()[-1]


def test_in_french_its_columns_are_wider() -> None:
    set_language("fr")
    try:
        report = write_report("2026-11-30T20:00:00.000Z", "note", COMPUTER, [])
    finally:
        set_language("en")
    assert "  bien      Sidekicks runs.\n  remarque  No engine." in report
    assert "Il n’y a pas d’agent à examiner." in report
