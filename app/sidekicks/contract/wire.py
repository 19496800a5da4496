"""The bases of all that crosses to the page: frozen, camelCase, told apart by `type`.

Commands are decoded leniently: an unknown field is ignored, so that a newer page can talk with an
older app. What we send is built by keyword, so a field that does not exist cannot be sent.
"""

from typing import Any

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A value of the contract."""


def _tag(name: str) -> str:
    """`SendMessage` -> `send_message`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Command(Wire, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """Something the person does; its tag is the verb and the noun of its name."""


class Event(Wire, frozen=True, kw_only=True, tag_field="type"):
    """Something that happened; `seq` is given by the hub when it is published."""

    seq: int = 0


class Result(Wire, frozen=True, kw_only=True):
    """What a command answers."""


class Done(Result, frozen=True, kw_only=True):
    """The answer of a command that has nothing more to say."""


type_name = _tag
Json = Any
"""Any JSON value that an agent sent and that we keep as it came."""
