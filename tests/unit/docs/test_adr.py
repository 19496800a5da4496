"""The decisions: numbered, all of one form, each with how one would notice that it was wrong."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "adr"
DECISIONS = sorted(FOLDER.glob("[0-9]*.md"))
NAMES = [path.name for path in DECISIONS]
PARTS = ["Context", "Decisions", "Rejected alternatives", "Consequences"]
LINES = 60
"""One page."""


def read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_the_numbers_have_no_gap() -> None:
    assert [name[:4] for name in NAMES] == [f"{n:04}" for n in range(1, len(NAMES) + 1)]


def test_the_list_has_every_decision_by_its_title() -> None:
    listed = re.findall(r"^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$", read("README.md"), re.MULTILINE)
    titles = [read(name).splitlines()[0].removeprefix("# ").partition(" · ") for name in NAMES]
    assert listed == [(t[0], name, t[2]) for t, name in zip(titles, NAMES, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_has_its_form(name: str) -> None:
    text = read(name)
    assert text.startswith(f"# {name[:4]} · ")
    assert re.search(r"^- Status: (proposed|accepted|replaced by \d{4})$", text, re.MULTILINE)
    assert re.search(r"^- Date: \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS
    assert len(text.splitlines()) <= LINES


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_builds_on_earlier_ones(name: str) -> None:
    line = re.search(r"^- Builds on: (.+)$", read(name), re.MULTILINE)
    assert line is not None
    assert all(number < name[:4] for number in re.findall(r"\[(\d{4})\]", line[1]))
    assert line[1] == "–" or "](" in line[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_says_how_it_would_be_noticed_to_be_wrong(name: str) -> None:
    last = read(name).partition("**How we would notice that it was wrong:**")[2]
    assert re.search(r"`tests/|`make |`sidekicks --selftest`|\d", last)
