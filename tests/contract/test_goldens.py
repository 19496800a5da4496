"""A sample of each command, result and event, as it is on the wire.

The page decodes the same files (`ui/src/contract/goldens.test.ts`). A change of the contract shows
in them: look at the difference, then write them anew with `SIDEKICKS_RECORD=1`.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Union, cast

import msgspec
import pytest

from fakes.samples import sample
from sidekicks.contract import RESULTS, AnyEvent, Command, Event

GOLDENS: Final = Path(__file__).parent / "goldens"
Samples = dict[str, dict[str, Any]]
COMMANDS: Final[dict[str, type[Command]]] = {
    str(command.__struct_config__.tag): command for command in RESULTS
}
EVENTS: Final[dict[str, type[Event]]] = {
    str(event.__struct_config__.tag): event for event in AnyEvent.__args__
}
RESULT_OF: Final = {tag: RESULTS[command] for tag, command in COMMANDS.items()}
FILES: Final[dict[str, Mapping[str, type[msgspec.Struct]]]] = {
    "commands": COMMANDS,
    "results": RESULT_OF,
    "events": EVENTS,
}


def golden(name: str) -> Samples:
    return json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_the_files_hold_a_sample_of_each(name: str) -> None:
    made = {tag: sample(struct) for tag, struct in FILES[name].items()}
    if os.environ.get("SIDEKICKS_RECORD"):
        GOLDENS.mkdir(exist_ok=True)
        text = json.dumps(made, indent=1, ensure_ascii=False)
        (GOLDENS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    assert golden(name) == made, "write them anew with SIDEKICKS_RECORD=1"


@pytest.mark.parametrize("name", FILES)
def test_what_they_hold_is_read_and_written_as_it_is(name: str) -> None:
    for tag, wire in golden(name).items():
        struct = FILES[name][tag]
        read = msgspec.json.decode(msgspec.json.encode(wire), type=struct)
        assert json.loads(msgspec.json.encode(read)) == wire
        assert unchanged(read) == []


def test_each_command_and_event_is_told_from_the_others() -> None:
    commands: Any = Union[tuple(COMMANDS.values())]  # noqa: UP007 - made from the table
    for name, union, structs in (("commands", commands, COMMANDS), ("events", AnyEvent, EVENTS)):
        for tag, wire in golden(name).items():
            assert type(msgspec.convert(wire, union)) is structs[tag]


def test_a_command_of_an_older_page_may_lack_what_has_a_default() -> None:
    for tag, wire in golden("commands").items():
        struct = COMMANDS[tag]
        required = {f.encode_name for f in msgspec.structs.fields(struct) if f.required}
        short = {key: value for key, value in wire.items() if key in {"type", *required}}
        assert isinstance(msgspec.convert(short, struct), struct)


def unchanged(value: Any, where: str = "") -> list[str]:
    """Return the fields in a value that are still as they are by default."""
    left: list[str] = []
    match value:
        case msgspec.Struct():
            for field in msgspec.structs.fields(value):
                held = getattr(value, field.name)
                here = f"{where}.{field.name}"
                # What can be nothing but empty has no other value.
                if held == field.default and field.type != tuple[()]:
                    left.append(here)
                left += unchanged(held, here)
        case tuple():
            for item in cast("tuple[Any, ...]", value):
                left += unchanged(item, where)
        case _:
            pass
    return left
