"""PyYAML's complaints, told as what the person can do about them."""

import re
from typing import Any, Final

import yaml

from sidekicks.config.source import Fault

_TAB: Final = re.compile(r"[ ]*\t")
_CANNOT_START: Final = re.compile(r"found character '(.+)' that cannot start")

_BY_PROBLEM: Final = (
    ("mapping values are not allowed", "yaml_colon"),
    ("sequence entries are not allowed", "yaml_dash"),
    ("unknown escape character", "yaml_escape"),
    ("expected escape sequence", "yaml_escape"),
    ("expected <block end>", "yaml_indent"),
)
"""Told at the line where reading stopped."""
_BY_PROBLEM_AT_START: Final = (
    ("could not find expected ':'", "yaml_no_colon"),
    ("expected ',' or ']'", "yaml_bracket"),
    ("expected ',' or '}'", "yaml_brace"),
)
"""Told at the line where the thing began: reading stops at the next one, far below."""


def explain(error: yaml.MarkedYAMLError, text: str) -> Fault:
    """Return the fault of a text that is no YAML."""
    problem = str(error.problem or "")
    context = str(error.context or "")
    line = _line(error.problem_mark)
    start = _line(error.context_mark) if error.context_mark is not None else line
    if (tab := _tab_near(line, text, problem)) is not None:
        return Fault("yaml_tab", tab)
    if "quoted scalar" in context and "escape" not in problem:
        return Fault("yaml_quote", start)
    if context in ("while scanning an alias", "while scanning an anchor"):
        return Fault("yaml_star", line)
    if found := _CANNOT_START.search(problem):
        return Fault("yaml_start", line, (("character", found.group(1)),))
    for part, word in _BY_PROBLEM_AT_START:
        if part in problem:
            return Fault(word, start)
    for part, word in _BY_PROBLEM:
        if part in problem:
            return Fault(word, line)
    return Fault("yaml_other", line, (("problem", problem[:200]),))


def _line(mark: Any) -> int:
    return 1 if mark is None else mark.line + 1


def _tab_near(line: int, text: str, problem: str) -> int | None:
    """Where a tab indents: PyYAML stops at it, or at the line after it for another reason."""
    if r"'\t'" in problem:
        return line
    lines = text.splitlines()
    for number in (line - 1, line):
        if 0 < number <= len(lines) and _TAB.match(lines[number - 1]):
            return number
    return None
