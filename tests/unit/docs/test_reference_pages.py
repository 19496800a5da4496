"""The reference pages tell every command, event, error, setting and option, and no other."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from sidekicks.bridge.bridge import STATUS
from sidekicks.contract import RESULTS, AnyEvent, ErrorCode
from sidekicks.contract.parts import Part
from sidekicks.contract.state import (
    AgentState,
    FailureCode,
    LogEntry,
    Outcome,
    Settings,
    WaitsFor,
)
from sidekicks.main.ask import EXIT_FAILED, EXIT_NEEDS_PERSON
from sidekicks.main.cli import EXIT_REFUSED

ROOT = Path(__file__).parents[3]
BOTH = ("en", "fr")
Row = list[str]


def page(language: str, name: str) -> str:
    """Return the text of a reference page."""
    path = ROOT / "docs" / language / "reference" / f"{name}.md"
    return path.read_text(encoding="utf-8")


def rows(text: str, part: int) -> list[Row]:
    """Return the rows of the first table in a page's part, counted from 1, without its head."""
    section = re.split(r"^## ", text, flags=re.MULTILINE)[part]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    table = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return table[2:]


def code(cell: str) -> list[str]:
    """Return what stands in a cell as code."""
    return re.findall(r"`([^`]+)`", cell)


def spans(names: list[str]) -> str:
    """Return a cell that has these names."""
    return ", ".join(f"`{name}`" for name in names) or "–"


def compare(told: list[Row], expected: list[Row]) -> None:
    """Fail with the beginnings of the rows that the page should have."""
    lines = "\n".join("| " + " | ".join(row) + " |" for row in expected)
    assert told == expected, f"the table's rows should begin with:\n{lines}"


def encoded(struct: type[msgspec.Struct], *, marked: bool = False) -> list[str]:
    """Return a struct's fields as on the wire; those that may be left out with a `?`, if marked."""
    fields = [field for field in msgspec.structs.fields(struct) if field.name != "seq"]
    return [field.encode_name + ("?" if marked and not field.required else "") for field in fields]


def tag(struct: type[msgspec.Struct]) -> str:
    """Return what `type` is for a struct."""
    return str(struct.__struct_config__.tag)


@pytest.mark.parametrize("language", BOTH)
def test_every_command_is_told_with_what_it_takes_and_answers(language: str) -> None:
    told = [row[:3] for row in rows(page(language, "commands-and-events"), 2)]
    expected = [
        [f"`{tag(command)}`", spans(encoded(command, marked=True)), spans(encoded(result))]
        for command, result in RESULTS.items()
    ]
    compare(told, expected)


@pytest.mark.parametrize("language", BOTH)
def test_every_error_is_told_with_its_status(language: str) -> None:
    told = [row[:2] for row in rows(page(language, "commands-and-events"), 3)]
    compare(told, [[f"`{code}`", str(STATUS[code])] for code in get_args(ErrorCode)])


@pytest.mark.parametrize("language", BOTH)
def test_every_event_is_told_with_what_it_carries(language: str) -> None:
    told = [row[:2] for row in rows(page(language, "commands-and-events"), 4)]
    compare(told, [[f"`{tag(event)}`", spans(encoded(event))] for event in get_args(AnyEvent)])


@pytest.mark.parametrize("language", BOTH)
def test_every_value_is_told(language: str) -> None:
    text = page(language, "commands-and-events")
    for value in get_args(FailureCode):
        assert f"`{value}`" in text
    told = [code(row[1]) for row in rows(text, 5)]
    assert told == [
        list(get_args(AgentState)),
        list(get_args(Outcome)),
        values_of(WaitsFor, "kind"),
        [tag(part) for part in get_args(Part)],
        values_of(LogEntry, "kind"),
    ]


@pytest.mark.parametrize("language", BOTH)
def test_every_setting_is_told_with_its_values(language: str) -> None:
    told = [[code(cell) for cell in row] for row in rows(page(language, "commands-and-events"), 6)]
    expected = [
        [[field.encode_name], list(get_args(field.type)), [field.default]]
        for field in msgspec.structs.fields(Settings)
    ]
    assert told == expected


def values_of(struct: type[msgspec.Struct], name: str) -> list[str]:
    """Return the values that a field can take."""
    kinds: dict[str, Any] = {field.name: field.type for field in msgspec.structs.fields(struct)}
    return list(get_args(kinds[name]))


@pytest.fixture(scope="module")
def helped() -> dict[str, str]:
    """What the program and each of its commands say of themselves."""

    def ask(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "sidekicks", *words, "--help"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    whole = ask()
    commands = re.findall(r"^    ([a-z]+) ", whole, re.MULTILINE)
    return {"": whole, **{command: ask(command) for command in commands}}


@pytest.mark.parametrize("language", BOTH)
def test_every_command_and_option_of_the_command_line_is_told(
    language: str, helped: dict[str, str]
) -> None:
    text = page(language, "command-line")
    general = re.split(r"^## ", text, flags=re.MULTILINE)[0]
    for command, summary in helped.items():
        title = f"`sidekicks {command}`".replace(" `", "`")
        assert f"## {title}\n" in text
        section = general + text.partition(f"## {title}\n")[2].partition("\n## ")[0]
        told = set(re.findall(r"`(-{1,2}[a-z]+)", section))
        assert set(re.findall(r"(?<![\w-])(-{1,2}[a-z]+)", summary)) <= told, command


@pytest.mark.parametrize("language", BOTH)
def test_every_exit_code_is_told(language: str) -> None:
    text = page(language, "command-line")
    codes = re.findall(r"^\| (\d) \|", text, re.MULTILINE)
    assert {int(code) for code in codes} == {0, EXIT_FAILED, EXIT_REFUSED, EXIT_NEEDS_PERSON}


@pytest.mark.parametrize("language", BOTH)
def test_every_variable_is_told(language: str) -> None:
    text = page(language, "command-line")
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "build").glob("*.*")]
    used = {
        name
        for source in sources
        for name in re.findall(r"SIDEKICKS_[A-Z_]*[A-Z]", source.read_text(encoding="utf-8"))
    }
    assert used
    for name in used:
        assert f"`{name}`" in text
