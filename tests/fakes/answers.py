"""Whoever reads an answer while it is written: what was told, and what a page makes of it."""

from typing import Any, Final

import msgspec

from sidekicks.acp import AgentMessageChunk, AgentThoughtChunk, TextContent
from sidekicks.contract.ids import PartId
from sidekicks.contract.parts import Part
from sidekicks.turns.answer import Answer, TextKind

Json = dict[str, Any]


class ReadAnswer:
    """An answer and its reader.

    `told` is a list of (part id, what), where what is the text that joined, or a part's type.
    `page` is the parts as a page has them, which knows nothing but what was told.
    """

    def __init__(self) -> None:
        self.told: Final[list[tuple[str, str]]] = []
        self.offsets: Final[list[tuple[str, int]]] = []
        self.page: Final[dict[str, Json]] = {}
        self.answer: Final = Answer(self._on_text, self._on_part)

    def parts(self) -> list[Json]:
        """Return the answer's parts as they go to the page."""
        return msgspec.json.decode(msgspec.json.encode(self.answer.parts()))

    def text(self) -> str:
        """Return what the agent says to people."""
        return "".join(part["text"] for part in self.parts() if part["type"] == "text")

    def _on_text(self, part_id: PartId, kind: TextKind, offset: int, text: str) -> None:
        assert text, "told of nothing"
        part = self.page.setdefault(part_id, {"type": kind, "partId": part_id, "text": ""})
        units = part["text"].encode("utf-16-le")
        assert part["type"] == kind
        assert offset == len(units) // 2, "a gap in the text, or text told twice"
        part["text"] = (units + text.encode("utf-16-le")).decode("utf-16-le")
        self.told.append((part_id, text))
        self.offsets.append((part_id, offset))

    def _on_part(self, part: Part) -> None:
        self.page[part.part_id] = msgspec.json.decode(msgspec.json.encode(part))
        self.told.append((part.part_id, self.page[part.part_id]["type"]))


def said(text: str, message_id: str | None = None) -> AgentMessageChunk:
    """Return a piece of what an agent says."""
    return AgentMessageChunk(content=TextContent(text=text), message_id=message_id)


def thought(text: str) -> AgentThoughtChunk:
    """Return a piece of what an agent thinks."""
    return AgentThoughtChunk(content=TextContent(text=text))
