"""An answer while it is written: parts that updates add to and replace.

Text is gathered and told as one `turn.delta` per part and 16 ms (the first after a pause as soon as
what was read is applied), whatever the number of chunks, and always before anything that came after
it. Offsets count UTF-16 units, JavaScript's length.
"""

import asyncio
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from sidekicks.acp import (
    AgentMessageChunk,
    AgentThoughtChunk,
    ContentBlock,
    ImageContent,
    Notice,
    PlanUpdate,
    TextContent,
    ToolCallUpdate,
    UnknownContent,
    UnknownUpdate,
    Update,
    UserMessageChunk,
)
from sidekicks.contract.ids import PartId
from sidekicks.contract.parts import (
    ImagePart,
    NotePart,
    Part,
    PlanEntry,
    PlanPart,
    TextPart,
    ThoughtPart,
    ToolPart,
)
from sidekicks.turns.tools import merge_tool, raw_of
from sidekicks.turns.words import say

FLUSH_SECONDS: Final = 0.016
TextKind = Literal["text", "thought"]


class TextRun:
    """A part that grows: its pieces, and its length in UTF-16 units."""

    def __init__(self, part_id: PartId, kind: TextKind, source: str | None) -> None:
        self.part_id: Final = part_id
        self.kind: Final[TextKind] = kind
        self.source: Final = source
        """The agent's own id of the message, where it gives one."""
        self.told = 0
        self._pieces: list[str] = []
        self._untold: list[str] = []

    def add(self, text: str) -> None:
        """Append text that is yet to be told."""
        self._untold.append(text)

    def take_untold(self) -> tuple[int, str] | None:
        """Return where the text that was not told begins, and it; null if there is none."""
        if not self._untold:
            return None
        text, offset = "".join(self._untold), self.told
        self._untold.clear()
        self._pieces.append(text)
        self.told += utf16_length(text)
        return offset, text

    def part(self) -> TextPart | ThoughtPart:
        """Return the part as told so far."""
        text = "".join(self._pieces)
        self._pieces = [text]
        if self.kind == "thought":
            return ThoughtPart(part_id=self.part_id, text=text)
        return TextPart(part_id=self.part_id, text=text)


class Answer:
    """The parts of one answer.

    Args:
        on_text: told (part, kind, offset, text) of text that joins a part.
        on_part: told of a part that is new or was replaced.
    """

    def __init__(
        self,
        on_text: Callable[[PartId, TextKind, int, str], None],
        on_part: Callable[[Part], None],
    ) -> None:
        self._on_text: Final = on_text
        self._on_part: Final = on_part
        self._parts: dict[PartId, Part | TextRun] = {}
        self._tools: dict[str, PartId] = {}
        self._untold_parts: dict[PartId, None] = {}
        self._flush: asyncio.TimerHandle | asyncio.Handle | None = None
        self._flushed_at = 0.0
        self._last_run: TextRun | None = None
        """The last part, if it is text that may grow."""
        self.wrote_text = False
        """Whether the agent said anything for people to read."""

    def parts(self) -> tuple[Part, ...]:
        """Return the parts as told so far, in order."""
        return tuple(
            part.part() if isinstance(part, TextRun) else part for part in self._parts.values()
        )

    def tool(self, tool_call_id: str) -> ToolPart | None:
        """Return a tool call of this answer."""
        part = self._parts.get(self._tools.get(tool_call_id, PartId("")))
        return part if isinstance(part, ToolPart) else None

    def apply(self, update: Update) -> None:
        """Take in what the agent told."""
        match update:
            case AgentMessageChunk():
                self._add_content("text", update.content, update.message_id)
            case AgentThoughtChunk():
                self._add_content("thought", update.content, update.message_id)
            case UserMessageChunk():
                # Some agents echo the person's own message in a live turn; it is there already.
                return
            case ToolCallUpdate():
                self.put_tool(update)
            case PlanUpdate():
                self._put_plan(update)
            case Notice():
                self.add_note("\n".join(filter(None, (update.title, update.description))))
            case UnknownUpdate():
                self.add_note(say("update", kind=update.kind or "?"), update.raw)
            case _:
                return

    def put_tool(self, update: ToolCallUpdate) -> ToolPart:
        """Merge a tool call, new or known, and return it."""
        part_id = self._tools.get(update.tool_call_id) or self._next_id()
        self._tools[update.tool_call_id] = part_id
        known = self._parts.get(part_id)
        merged = merge_tool(known if isinstance(known, ToolPart) else None, part_id, update)
        self._put(merged)
        return merged

    def close_tools(self, status: str) -> None:
        """Give what is still open another status: agents need not tell how each call ended."""
        for part in list(self._parts.values()):
            if isinstance(part, ToolPart) and part.status in ("pending", "in_progress"):
                self._put(msgspec.structs.replace(part, status=status))

    def add_note(self, text: str, raw: object = None) -> None:
        """Add a neutral remark."""
        self._put(NotePart(part_id=self._next_id(), text=text, raw=raw))

    def flush(self) -> None:
        """Tell now what was gathered."""
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        self._flushed_at = asyncio.get_running_loop().time()
        for part_id in self._untold_parts:
            part = self._parts[part_id]
            if not isinstance(part, TextRun):
                self._on_part(part)
            elif (untold := part.take_untold()) is not None:
                self._on_text(part.part_id, part.kind, *untold)
        self._untold_parts.clear()

    def _add_content(self, kind: TextKind, content: ContentBlock, source: str | None) -> None:
        match content:
            case TextContent():
                if content.text:
                    self._add_text(kind, content.text, source)
            case ImageContent() if content.data:
                self._put(
                    ImagePart(
                        part_id=self._next_id(), mime_type=content.mime_type, data=content.data
                    )
                )
                self.wrote_text = True
            case _:
                raw = raw_of(content)
                named = content.kind if isinstance(content, UnknownContent) else raw["type"]
                self.add_note(say("content", kind=named or "?"), raw)
                self.wrote_text = True

    def _add_text(self, kind: TextKind, text: str, source: str | None) -> None:
        run = self._last_run
        if run is None or run.kind != kind or run.source != source:
            run = self._last_run = TextRun(self._next_id(), kind, source)
            self._parts[run.part_id] = run
        run.add(text)
        if kind == "text":
            self.wrote_text = True
        self._untold_parts[run.part_id] = None
        if self._flush is None:
            self._flush_soon()

    def _put_plan(self, update: PlanUpdate) -> None:
        known = next((p for p in self._parts.values() if isinstance(p, PlanPart)), None)
        self._put(
            PlanPart(
                part_id=known.part_id if known else self._next_id(),
                entries=tuple(
                    PlanEntry(content=e.content, status=e.status, priority=e.priority)
                    for e in update.entries
                ),
            )
        )

    def _put(self, part: Part) -> None:
        if part.part_id not in self._parts:
            # Text that follows is a part of its own.
            self._last_run = None
        self._parts[part.part_id] = part
        self._untold_parts[part.part_id] = None
        if self._flush is None:
            self._flush_soon()

    def _flush_soon(self) -> None:
        loop = asyncio.get_running_loop()
        early = self._flushed_at + FLUSH_SECONDS - loop.time()
        # At once means behind all that was read together: a flood is one event per read.
        self._flush = (
            loop.call_later(early, self.flush) if early > 0 else loop.call_soon(self.flush)
        )

    def _next_id(self) -> PartId:
        return PartId(f"p{len(self._parts) + 1}")


def utf16_length(text: str) -> int:
    """Return the text's length as JavaScript counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
