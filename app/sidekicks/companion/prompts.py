"""A prompt's blocks as one text, and the command in it, if it is one."""

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from sidekicks.acp import ContentBlock, EmbeddedResource, ResourceLink, TextContent
from sidekicks.companion.folder import Folder
from sidekicks.companion.markdown import fence
from sidekicks.companion.words import words
from sidekicks.contract.errors import SidekicksError

_COMMAND: Final = re.compile(r"/([a-z][a-z0-9_-]*)(?:\s+(.*))?\s*", re.DOTALL | re.IGNORECASE)
"""`/name arguments`; `/usr/bin` is none."""
_ARGUMENT: Final = re.compile(r"""(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))(?:[ \t]*\n|\s+|$)""")


class SlashCommand(msgspec.Struct, frozen=True):
    """A slash command; `rest` is what follows its name, as it was typed."""

    name: str
    rest: str = ""

    def split(self) -> tuple[str, str]:
        """Return the first argument, without its quotes, and what comes after it."""
        if (found := _ARGUMENT.match(self.rest)) is None:
            return "", ""
        return next(filter(None, found.groups()), ""), self.rest[found.end() :]


def read_command(prompt: Sequence[ContentBlock]) -> SlashCommand | None:
    """Return the command that a prompt is: its only text begins with the slash, at once."""
    texts = [block.text for block in prompt if isinstance(block, TextContent)]
    if len(texts) != 1 or (found := _COMMAND.fullmatch(texts[0])) is None:
        return None
    return SlashCommand(found[1].lower(), found[2] or "")


def read_text(prompt: Sequence[ContentBlock], folder: Folder) -> str:
    """Return all that a prompt says, with the text of what is attached to it."""
    parts = (_read_block(block, folder) for block in prompt)
    return "\n\n".join(part for part in parts if part)


def _read_block(block: ContentBlock, folder: Folder) -> str:
    match block:
        case TextContent():
            return block.text
        case EmbeddedResource():
            name = _name(block.resource.uri)
            return _attached(name, block.resource.text)
        case ResourceLink():
            return _attached(block.name or _name(block.uri), _read_link(block.uri, folder))
        case _:
            # We say that we take no images or sound, so this is a client's mistake; say so.
            return words("attached_unread", name=block.__struct_config__.tag)


def _attached(name: str, text: str | None) -> str:
    if text is None:
        return words("attached_unread", name=name)
    return f"{words('attached', name=name)}\n\n{fence(text)}"


def _read_link(uri: str, folder: Folder) -> str | None:
    """Return the text of a file that the person attached, where it is one of the folder's."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    try:
        return folder.read(unquote(parts.path))
    except SidekicksError:
        return None


def _name(uri: str) -> str:
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri
