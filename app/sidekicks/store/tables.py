"""What a row of each table must be, so that what is read from a damaged history can be trusted.

A row that does not fit is not kept; what in a row cannot be read but is not needed to place it (the
words of a message, the members of a conversation) is replaced. A new table needs an entry here, and
a new column a field with a default: the rows from before it end there.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, Self, TypeVar

import msgspec

from sidekicks.contract.ids import AgentId, PartId
from sidekicks.contract.parts import NotePart, Part
from sidekicks.contract.state import Ending, SlashCommand
from sidekicks.store.words import say

Decoded = TypeVar("Decoded")
Value = int | float | str | bytes | None
"""What SQLite stores in a column."""

Id = Annotated[str, msgspec.Meta(pattern=r"\A[\w-]{1,200}\Z")]
Date = Annotated[str, msgspec.Meta(pattern=r"\A\d{4}-\d\d-\d\d")]
Position = Annotated[int, msgspec.Meta(ge=0, le=2**40)]
Flag = Annotated[int, msgspec.Meta(ge=0, le=1)]

_parts = msgspec.json.Decoder(tuple[Part, ...])
_ending = msgspec.json.Decoder(Ending)
_members = msgspec.json.Decoder(tuple[AgentId, ...])
_commands = msgspec.json.Decoder(tuple[SlashCommand, ...])
_any = msgspec.json.Decoder()


class StoredRow(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A row, its columns in the table's order."""

    def mended(self) -> Self | None:
        """Return the row with what cannot be read replaced; null where it is not worth keeping."""
        return self


class ChannelStored(StoredRow, frozen=True):
    """A conversation."""

    channel_id: Id
    kind: Literal["direct", "channel"]
    name: str
    members: str
    draft: str
    read_position: Position
    created_at: Date

    def mended(self) -> Self:
        """Without members where they cannot be read; its messages tell them."""
        read = _read(_members, self.members)
        return self if read is not None else msgspec.structs.replace(self, members="[]")


class MessageStored(StoredRow, frozen=True):
    """A message. `id` is the row's number, which SQLite keeps apart."""

    id: int | None
    message_id: Id
    channel_id: Id
    position: Position | None
    author: Id
    parts: bytes
    created_at: Date
    turn_id: Id | None
    ending: str | None
    local_id: str | None
    as_text: Flag

    def mended(self) -> Self:
        """With its words as far as they can be read."""
        parts, ending = self.parts, self.ending
        if _read(_parts, parts) is None:
            # A letter that is none any more takes no more with it than itself.
            parts = msgspec.json.encode(read_parts(parts.decode(errors="replace").encode()))
        if read_ending(ending) is None:
            ending = None
        if (parts, ending) == (self.parts, self.ending):
            return self
        return msgspec.structs.replace(self, parts=parts, ending=ending)


class TurnStored(StoredRow, frozen=True):
    """A turn."""

    turn_id: Id
    channel_id: Id
    agent_id: Id
    user_message_id: Id
    message_id: Id | None
    state: Literal["queued", "running", "ended"]
    queued_at: Date
    told_session: str | None


class SessionStored(StoredRow, frozen=True):
    """An ACP session."""

    channel_id: Id
    agent_id: Id
    acp_session_id: str
    mark: Position
    fresh: Flag


class RuleStored(StoredRow, frozen=True):
    """A rule."""

    rule_id: Id
    agent_id: Id
    kind: str
    decision: Literal["allow", "reject"]
    created_at: Date


class AgentCommandsStored(StoredRow, frozen=True):
    """The commands of an agent."""

    agent_id: Id
    commands: str

    def mended(self) -> Self | None:
        """Nothing but commands: any agent announces them again."""
        return self if _read(_commands, self.commands) is not None else None


class SettingStored(StoredRow, frozen=True):
    """A setting."""

    key: str
    value: str

    def mended(self) -> Self | None:
        """Nothing but JSON."""
        return self if self.value == "null" or _read(_any, self.value) is not None else None


class Table(msgspec.Struct, frozen=True):
    """A table. `key` are the columns that only one row can have."""

    name: str
    row: type[StoredRow]
    key: tuple[str, ...]
    small: bool = True
    """All of it is looked at whenever the history is opened."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, but for the row's number."""
        return tuple(name for name in self.row.__struct_fields__ if name != "id")

    def accept(self, values: Sequence[Value]) -> tuple[Any, ...] | None:
        """Return the columns as they may be kept; null where it is no row of this table."""
        try:
            row = msgspec.convert(values, self.row).mended()
        except msgspec.ValidationError:
            return None
        return None if row is None else msgspec.structs.astuple(row)


def read_parts(raw: bytes) -> tuple[Part, ...]:
    """Return the parts of a message; where they are damaged, a note that says so."""
    parts = _read(_parts, raw)
    if parts is not None:
        return parts
    return (NotePart(part_id=PartId("damaged"), text=say("message_damaged")),)


def read_ending(raw: str | None) -> Ending | None:
    """Return how a turn ended; null where it has not, or where that cannot be read."""
    return None if raw is None else _read(_ending, raw)


def _read(decoder: "msgspec.json.Decoder[Decoded]", raw: bytes | str) -> Decoded | None:
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


TABLES: Final = (
    # The most rows first. Commands before the settings, which could be anything.
    Table("message", MessageStored, ("message_id",), small=False),
    Table("turn", TurnStored, ("turn_id",), small=False),
    Table("channel", ChannelStored, ("channel_id",)),
    Table("session", SessionStored, ("channel_id", "agent_id")),
    Table("rule", RuleStored, ("rule_id",)),
    Table("agent_commands", AgentCommandsStored, ("agent_id",)),
    Table("setting", SettingStored, ("key",)),
)
