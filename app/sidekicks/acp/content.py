"""What messages and tool calls are made of."""

from sidekicks.acp.lenient import UNSENT_TAG, AcpStruct, Number, Unknown


class ContentBase(AcpStruct, frozen=True, kw_only=True, tag_field="type"):
    """A block of a message."""


class TextContent(ContentBase, frozen=True, kw_only=True, tag="text"):
    """Text, usually Markdown."""

    bare = "text"
    text: str


class ImageContent(ContentBase, frozen=True, kw_only=True, tag="image"):
    """An image: base64 `data`."""

    data: str
    mime_type: str
    uri: str | None = None


class AudioContent(ContentBase, frozen=True, kw_only=True, tag="audio"):
    """Sound: base64 `data`."""

    data: str
    mime_type: str


class ResourceLink(ContentBase, frozen=True, kw_only=True, tag="resource_link"):
    """Something that the peer can fetch itself; every agent must take these in a prompt."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: Number | None = None


class Resource(AcpStruct, frozen=True, kw_only=True):
    """A file's content: as `text`, or as `blob` in base64."""

    uri: str
    text: str | None = None
    blob: str | None = None
    mime_type: str | None = None


class EmbeddedResource(ContentBase, frozen=True, kw_only=True, tag="resource"):
    """A resource with its content; only for agents of `promptCapabilities.embeddedContext`."""

    resource: Resource


class UnknownContent(Unknown, frozen=True, kw_only=True, tag_field="type", tag=UNSENT_TAG):
    """A block of a kind that we do not know."""


ContentBlock = (
    TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownContent
)


class ToolContentBase(AcpStruct, frozen=True, kw_only=True, tag_field="type"):
    """Something that a tool call shows."""


class BlockToolContent(ToolContentBase, frozen=True, kw_only=True, tag="content"):
    """A block of content."""

    content: ContentBlock


class DiffToolContent(ToolContentBase, frozen=True, kw_only=True, tag="diff"):
    """A change of the file at the absolute `path`; without `old_text` the file is new."""

    path: str
    new_text: str
    old_text: str | None = None


class TerminalToolContent(ToolContentBase, frozen=True, kw_only=True, tag="terminal"):
    """A terminal, which may be the agent's own; then its output comes in the call's `meta`."""

    terminal_id: str


class UnknownToolContent(Unknown, frozen=True, kw_only=True, tag_field="type", tag=UNSENT_TAG):
    """Content of a kind that we do not know."""


ToolCallContent = BlockToolContent | DiffToolContent | TerminalToolContent | UnknownToolContent
