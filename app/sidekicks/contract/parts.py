"""What a message is made of. A part has an id within its message and is replaced whole, but for the
text of a `text` or `thought` part, which grows by `turn.delta`.
"""

from typing import Any, Literal

from sidekicks.contract.ids import PartId
from sidekicks.contract.wire import Json, Wire


class PartBase(Wire, frozen=True, kw_only=True, tag_field="type"):
    """A piece of a message."""

    part_id: PartId


class TextPart(PartBase, frozen=True, kw_only=True, tag="text"):
    """Markdown."""

    text: str


class ThoughtPart(PartBase, frozen=True, kw_only=True, tag="thought"):
    """What the agent thought aloud; folded in the page, never told to other agents."""

    text: str


class ImagePart(PartBase, frozen=True, kw_only=True, tag="image"):
    """An image that the agent sent: base64 `data`."""

    mime_type: str
    data: str


class Location(Wire, frozen=True, kw_only=True):
    """A file that a tool call works on; `line` counts from 1."""

    path: str
    line: int | None = None


class ToolText(Wire, frozen=True, kw_only=True, tag_field="type", tag="text"):
    """Output of a tool as text."""

    text: str


class ToolDiff(Wire, frozen=True, kw_only=True, tag_field="type", tag="diff"):
    """A change of one file; `old_text` is null for a new file."""

    path: str
    old_text: str | None
    new_text: str


class ToolTerminal(Wire, frozen=True, kw_only=True, tag_field="type", tag="terminal"):
    """A terminal of the agent, with what it printed so far, where the agent tells it."""

    terminal_id: str
    output: str


class ToolImage(Wire, frozen=True, kw_only=True, tag_field="type", tag="image"):
    """An image that a tool made: base64 `data`."""

    mime_type: str
    data: str


class ToolOther(Wire, frozen=True, kw_only=True, tag_field="type", tag="other"):
    """Content of a kind that we do not know, as it came."""

    raw: Json


ToolContent = ToolText | ToolDiff | ToolTerminal | ToolImage | ToolOther


class ToolPart(PartBase, frozen=True, kw_only=True, tag="tool"):
    """A tool call, as last told. `kind` and `status` are the agent's words, known to us or not."""

    tool_call_id: str
    title: str
    kind: str | None = None
    status: str = "pending"
    locations: tuple[Location, ...] = ()
    content: tuple[ToolContent, ...] = ()
    input: Json = None
    output: Json = None


class PlanEntry(Wire, frozen=True, kw_only=True):
    """A step of a plan; `status` is pending, in_progress, completed or the agent's own word."""

    content: str
    status: str
    priority: str


class PlanPart(PartBase, frozen=True, kw_only=True, tag="plan"):
    """The agent's plan, as last told."""

    entries: tuple[PlanEntry, ...]


class NotePart(PartBase, frozen=True, kw_only=True, tag="note"):
    """Something neutral: a remark (`text`), or an update of a kind that we do not know (`raw`)."""

    text: str
    raw: Json = None


class AttachmentPart(PartBase, frozen=True, kw_only=True, tag="attachment"):
    """A file that the person sent along, by name."""

    name: str
    mime_type: str


Part = TextPart | ThoughtPart | ImagePart | ToolPart | PlanPart | NotePart | AttachmentPart
ToolKind = Literal[
    "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"
]
RawUpdate = dict[str, Any]
