"""Understanding chat completions: the lines of an event stream, and the chunks in them.

Servers differ: a thought's field has several names, an error may come in the middle of a stream,
and some end without a last word. What cannot be read is skipped and noted in the log.
"""

import logging
from typing import Any, Final, cast

import msgspec

from sidekicks.companion.thinking import Piece, ThinkingTags, Thought

logger = logging.getLogger(__name__)

LINE_BYTES: Final = 4 * 1024 * 1024
WORDS_CHARACTERS: Final = 300
"""How much of a server's own words an error tells."""


class EventLines:
    """The data lines of a stream of server-sent events, from bytes cut anywhere."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, received: bytes) -> list[bytes]:
        """Return what each complete `data:` line holds.

        Raises:
            ConnectionError: a line has no end within reason.
        """
        *lines, self._rest = (self._rest + received).split(b"\n")
        if len(self._rest) > LINE_BYTES:
            raise ConnectionError(f"a line of more than {LINE_BYTES} bytes")
        return [line.removeprefix(b"data:").strip() for line in lines if line.startswith(b"data:")]


class _Delta(msgspec.Struct, frozen=True):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    thinking: str | None = None


class _Choice(msgspec.Struct, frozen=True):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(msgspec.Struct, frozen=True):
    choices: list[_Choice] = []
    error: Any = None


class Completion:
    """An answer being read. `reason` is why it is complete, empty while it is not."""

    def __init__(self) -> None:
        self.reason = ""
        self.error: str | None = None
        self.ended = False
        self._tags: Final = ThinkingTags()

    def feed(self, event: bytes) -> list[Piece]:
        """Return the pieces that an event brings."""
        if event == b"[DONE]":
            self.ended = True
            self.reason = self.reason or "stop"
            return []
        try:
            chunk = msgspec.json.decode(event, type=_Chunk)
        except msgspec.MsgspecError as error:
            logger.warning("an event of the model server could not be read: %s", error)
            return []
        if chunk.error is not None:
            self.error = _reason(chunk.error) or "?"
        if not chunk.choices:
            return []
        choice = chunk.choices[0]
        self.reason = choice.finish_reason or self.reason
        if choice.delta is None:
            return []
        delta = choice.delta
        pieces: list[Piece] = []
        if thought := delta.reasoning_content or delta.reasoning or delta.thinking:
            pieces.append(Thought(thought))
        if delta.content:
            pieces += self._tags.feed(delta.content)
        return pieces

    def end(self) -> list[Piece]:
        """Return what was held back, once nothing more comes."""
        return self._tags.end()


def server_words(body: bytes) -> str:
    """Return what an error's body says, in one line: its message if it is JSON, else its text."""
    try:
        answer: object = msgspec.json.decode(body)
    except msgspec.MsgspecError:
        text = body.decode("utf-8", "replace")
        # A page of HTML says nothing that a person wants to read here.
        return "" if "<" in text else _one_line(text)
    if isinstance(answer, dict):
        fields = cast(dict[str, Any], answer)
        return _reason(fields.get("error") or fields.get("message") or fields.get("detail") or "")
    return ""


def _reason(error: object) -> str:
    if isinstance(error, dict):
        fields = cast(dict[str, Any], error)
        error = fields.get("message") or fields.get("type") or fields.get("code") or ""
    return _one_line(str(error))


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WORDS_CHARACTERS else f"{text[:WORDS_CHARACTERS]}…"
