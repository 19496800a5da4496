"""What a row of each table must be, so that what is read from a damaged history can be trusted.

A row that does not fit is not kept; what in a row cannot be read but is not needed to place it (the
words of a message, the members of a conversation) is replaced. A new table needs an entry here.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from sidekicks.contract.ids import AgentId, PartId
from sidekicks.contract.parts import NotePart, Part
from sidekicks.contract.state import Ending, SlashCommand
from sidekicks.store.words import say

Decoded = TypeVar("Decoded")
Value = int | float | str | bytes | None
"""What SQLite stores in a column."""

_Id = Annotated[str, msgspec.Meta(pattern=r"\A[\w-]{1,200}\Z")]
_Date = Annotated[str, msgspec.Meta(pattern=r"\A\d{4}-\d\d-\d\d")]
_Position = Annotated[int, msgspec.Meta(ge=0, le=2**40)]
_Flag = Annotated[int, msgspec.Meta(ge=0, le=1)]

_parts = msgspec.json.Decoder(tuple[Part, ...])
_ending = msgspec.json.Decoder(Ending)
_members = msgspec.json.Decoder(tuple[AgentId, ...])
_commands = msgspec.json.Decoder(tuple[SlashCommand, ...])
_any = msgspec.json.Decoder()


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table: its columns as they lie in a row, and what must be in them.

    `key` are the columns that only one row can have; `small` where all of it is looked at whenever
    the history is opened.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    small: bool
    shape: Any
    mend: Callable[[list[Any]], bool] = lambda row: True
    """Replaces in a row of this shape what cannot be read; false where it is not to be kept."""

    def accept(self, row: Sequence[Value]) -> list[Value] | None:
        """Return the row as it may be kept; null where it is none of this table."""
        if len(row) > len(self.columns):
            return None
        # A row from before a column was added ends before it.
        padded = [*row, *([None] * (len(self.columns) - len(row)))]
        try:
            msgspec.convert(padded, self.shape)
        except msgspec.ValidationError:
            return None
        return padded if self.mend(padded) else None


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


def _mend_channel(row: list[Any]) -> bool:
    if _read(_members, row[3]) is None:
        row[3] = "[]"
    return True


def _mend_message(row: list[Any]) -> bool:
    raw: bytes = row[5]
    if _read(_parts, raw) is None:
        # A letter that is none any more takes no more with it than itself.
        parts = read_parts(raw.decode(errors="replace").encode())
        row[5] = msgspec.json.encode(parts)
    if read_ending(row[8]) is None:
        row[8] = None
    return True


TABLES: Final = (
    Table(
        name="channel",
        columns=("channel_id", "kind", "name", "members", "draft", "read_position", "created_at"),
        key=("channel_id",),
        small=True,
        shape=tuple[_Id, Literal["direct", "channel"], str, str, str, _Position, _Date],
        mend=_mend_channel,
    ),
    Table(
        name="message",
        columns=(
            *("id", "message_id", "channel_id", "position", "author", "parts", "created_at"),
            *("turn_id", "ending", "local_id", "as_text"),
        ),
        key=("message_id",),
        small=False,
        # The first is the row's number, which SQLite keeps apart.
        shape=tuple[
            int | None,
            _Id,
            _Id,
            _Position | None,
            _Id,
            bytes,
            _Date,
            _Id | None,
            str | None,
            str | None,
            _Flag,
        ],
        mend=_mend_message,
    ),
    Table(
        name="turn",
        columns=(
            *("turn_id", "channel_id", "agent_id", "user_message_id", "message_id", "state"),
            *("queued_at", "told_session"),
        ),
        key=("turn_id",),
        small=False,
        shape=tuple[
            _Id, _Id, _Id, _Id, _Id | None, Literal["queued", "running", "ended"], _Date, str | None
        ],
    ),
    Table(
        name="session",
        columns=("channel_id", "agent_id", "acp_session_id", "mark", "fresh"),
        key=("channel_id", "agent_id"),
        small=True,
        shape=tuple[_Id, _Id, str, _Position, _Flag],
    ),
    Table(
        name="rule",
        columns=("rule_id", "agent_id", "kind", "decision", "created_at"),
        key=("rule_id",),
        small=True,
        shape=tuple[_Id, _Id, str, Literal["allow", "reject"], _Date],
    ),
    # Before the settings, which could be anything: a list of commands is known by its commands.
    Table(
        name="agent_commands",
        columns=("agent_id", "commands"),
        key=("agent_id",),
        small=True,
        shape=tuple[_Id, str],
        mend=lambda row: _read(_commands, row[1]) is not None,
    ),
    Table(
        name="setting",
        columns=("key", "value"),
        key=("key",),
        small=True,
        shape=tuple[str, str],
        mend=lambda row: _read(_any, row[1]) is not None or row[1] == "null",
    ),
)
