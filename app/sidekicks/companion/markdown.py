"""Text of others as Markdown that shows it, whatever it holds."""

import re


def quote(text: str) -> str:
    """Return a name as code within a line."""
    text = text.replace("\n", "⏎").replace("\r", "")
    marks = "`" * (_longest_run(text) + 1)
    # A backtick at either end must not join the marks.
    return f"{marks} {text} {marks}" if "`" in text else f"{marks}{text}{marks}"


def fence(text: str, language: str = "") -> str:
    """Return a text as a block of code."""
    marks = "`" * max(3, _longest_run(text) + 1)
    end = "" if text.endswith("\n") else "\n"
    return f"{marks}{language}\n{text}{end}{marks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
