"""Findings: in order, whole, and fit to be shown to others."""

import pytest

from sidekicks.base.findings import LINE_CHARACTERS, FindingList, worst
from sidekicks.contract.results import FindingLevel


def test_they_are_kept_in_order_with_all_that_was_said() -> None:
    found = FindingList()
    found.add("start", "ok", "It runs.", seconds=0.1234)
    found.add("stop", "problem", "It stays.", advice="End it.", details=["a", "b"])
    first, second = found.all
    assert (first.code, first.level, first.duration_ms, first.advice) == ("start", "ok", 123, None)
    assert (second.advice, second.details, second.duration_ms) == ("End it.", ("a", "b"), None)


def test_no_field_holds_a_secret() -> None:
    found = FindingList(["hunter2"])
    found.add("x", "note", "a hunter2", advice="b hunter2", details=["c hunter2", "key=abc"])
    (finding,) = found.all
    assert (finding.message, finding.advice) == ("a ***", "b ***")
    assert finding.details == ("c ***", "key=***")


def test_a_secret_at_the_cut_is_hidden_before_it_is_cut() -> None:
    found = FindingList(["hunter2-and-more"])
    found.add("x", "note", "", details=["x" * (LINE_CHARACTERS - 5) + "hunter2-and-more"])
    (line,) = found.all[0].details
    assert line.endswith("x***")


def test_a_long_line_is_cut() -> None:
    found = FindingList()
    found.add("x", "note", "", details=["x" * 10_000])
    assert len(found.all[0].details[0]) == LINE_CHARACTERS + 1


@pytest.mark.parametrize(
    ("levels", "expected"),
    [([], "ok"), (["ok", "note", "ok"], "note"), (["problem", "note"], "problem")],
)
def test_the_worst_counts(levels: list[FindingLevel], expected: str) -> None:
    assert worst(levels) == expected
