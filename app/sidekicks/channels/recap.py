"""The recap: what an agent has not seen, as a short transcript (`product.md` 4).

Every line of what somebody said begins with `| `, so that no text can imitate the transcript's own
lines. The newest messages are kept; what does not fit is counted.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from sidekicks.channels.words import say
from sidekicks.contract.config import RecapConfig
from sidekicks.contract.ids import AgentId, MessageId
from sidekicks.contract.parts import AttachmentPart, TextPart
from sidekicks.contract.state import Message

FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
CUT: Final = " […]"


class Recap(msgspec.Struct, frozen=True):
    """A transcript, empty where nothing is unseen; what is in it, oldest first; what is not."""

    text: str
    messages: tuple[MessageId, ...] = ()
    left_out: int = 0


def make_recap(
    newest_first: Iterable[Message], names: Mapping[AgentId, str], limits: RecapConfig
) -> Recap:
    """Return the transcript of these messages, within the limits.

    Args:
        newest_first: what the agent has not seen, the newest first; read to its end, to be counted.
        names: how agents are called.
        limits: how many messages, characters of each, characters in all.
    """
    kept: list[tuple[MessageId, str]] = []
    left_out = used = 0
    for message in newest_first:
        text = readable(message)
        if not text:
            continue
        entry = _entry(_speaker(message, names), shorten(text, limits.characters))
        if left_out or len(kept) == limits.messages or used + len(entry) > limits.total:
            # Once one is left out so are all before it: a hole would be worse than an end.
            left_out += 1
            continue
        used += len(entry)
        kept.append((message.message_id, entry))
    if not kept and not left_out:
        return Recap("")
    kept.reverse()
    lines = [say("recap_begin")]
    if left_out:
        lines.append(say("recap_left_out", count=left_out))
    lines += [entry for _, entry in kept]
    lines.append(say("recap_end"))
    return Recap("\n".join(lines), tuple(message_id for message_id, _ in kept), left_out)


def readable(message: Message) -> str:
    """Return what people would read of a message: no thoughts, no tools; attachments by name."""
    said: list[str] = []
    for part in message.parts:
        match part:
            case TextPart():
                said.append(part.text)
            case AttachmentPart():
                said.append(say("recap_attachment", name=part.name))
            case _:
                pass
    return "\n\n".join(said).strip()


def shorten(text: str, limit: int) -> str:
    """Return the text, cut at a word (and marked) where it is longer; a code fence is closed."""
    if len(text) <= limit:
        return text
    end = limit - len(CUT)
    cut = text[: max(end, 1)]
    at_word = max(cut.rfind(" "), cut.rfind("\n"))
    if at_word > end // 2:
        cut = cut[:at_word]
    cut = cut.rstrip() + CUT
    if open_fence := _open_fence(cut):
        cut = f"{cut}\n{open_fence}"
    return cut


def _open_fence(text: str) -> str | None:
    """Return the fence that is still open at the end."""
    fence = None
    for found in FENCE.finditer(text):
        mark = found.group(1)
        if fence is None:
            fence = mark
        elif mark[0] == fence[0] and len(mark) >= len(fence):
            fence = None
    return fence


def _entry(speaker: str, text: str) -> str:
    # Any line end that some reader may honour, or a text could begin a line without the bar.
    lines = re.split(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text)
    return "\n".join([f"{speaker}:", *(f"| {line}" for line in lines)])


def _speaker(message: Message, names: Mapping[AgentId, str]) -> str:
    if message.author == "user":
        return say("recap_user")
    name = names.get(AgentId(message.author), message.author)
    return " ".join(name.split())
