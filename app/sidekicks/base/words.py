"""Sentences for the person, in English and French.

Each package keeps its own table (`words.py`) and says a sentence by its key. The language is set
once at the start and when the setting changes; what was said before stays as it was said.
"""

import locale
import os
from collections.abc import Mapping
from typing import Any, Final, Literal

Language = Literal["en", "fr"]
_spoken: list[Language] = ["en"]


class Words:
    """A table of sentences: key -> (English, French), with `{name}` for what is filled in."""

    def __init__(self, table: Mapping[str, tuple[str, str]]) -> None:
        self.table: Final = dict(table)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the sentence of `key` in the language spoken, filled in."""
        english, french = self.table[key]
        return (french if _spoken[0] == "fr" else english).format(**values)


def set_language(language: Language) -> None:
    """From now on sentences are in this language."""
    _spoken[0] = language


def language() -> Language:
    """Return the language spoken now."""
    return _spoken[0]


def system_language() -> Language:
    """Return the computer's language, as far as we speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        if value := os.environ.get(name):
            return "fr" if value.lower().startswith("fr") else "en"
    # A Mac's app that was started from the Finder has none of these variables.
    return "fr" if (locale.getlocale()[0] or "").lower().startswith("fr") else "en"
