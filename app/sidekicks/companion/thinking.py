"""Telling a model's thoughts from its answer.

Most servers send thoughts in a field of their own; others leave them in the text, between `<think>`
and `</think>` at its very beginning. Tags further on are text: somebody may be writing about them.
"""

from typing import Final, Literal

import msgspec

_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"


class Text(msgspec.Struct, frozen=True):
    """A piece of the answer."""

    text: str


class Thought(msgspec.Struct, frozen=True):
    """A piece of what the model thinks before it answers."""

    text: str


Piece = Text | Thought


class ThinkingTags:
    """Splits an answer's text that comes in pieces of any size."""

    def __init__(self) -> None:
        self._state: Literal["start", "thinking", "answering"] = "start"
        self._held = ""
        self._after_tag = False
        """The line feeds that follow a tag belong to it."""

    def feed(self, text: str) -> list[Piece]:
        """Return the pieces that are certain; what could be half a tag is held back."""
        self._held += text
        if self._state == "start":
            self._begin()
        pieces: list[Piece] = []
        if self._state == "thinking":
            thought, closed, rest = self._held.partition(_CLOSE)
            held = 0 if closed else _half_tag(thought)
            pieces += self._take(len(thought) - held)
            if closed:
                self._state, self._held, self._after_tag = "answering", rest, True
        if self._state == "answering":
            pieces += self._take(len(self._held))
        return pieces

    def end(self) -> list[Piece]:
        """Return what was held back, once nothing more comes."""
        return self._take(len(self._held))

    def _begin(self) -> None:
        beginning = self._held.lstrip()
        if beginning.startswith(_OPEN):
            self._state = "thinking"
            self._held, self._after_tag = beginning.removeprefix(_OPEN), True
        elif not _OPEN.startswith(beginning):
            self._state = "answering"

    def _take(self, length: int) -> list[Piece]:
        taken, self._held = self._held[:length], self._held[length:]
        if self._after_tag:
            taken = taken.lstrip("\n")
            self._after_tag = not taken
        if not taken:
            return []
        return [Thought(taken) if self._state == "thinking" else Text(taken)]


def _half_tag(text: str) -> int:
    """Return how many characters at the end of `text` could begin the closing tag."""
    return next((n for n in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:n])), 0)
