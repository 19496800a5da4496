"""Values as YAML text, in the manner of the example.

Lists and mappings of single values stand on one line, all others below their key.
"""

import io
import sys
from typing import Any

import msgspec
import yaml

from sidekicks.config.words import say
from sidekicks.contract.errors import SidekicksError

Json = str | int | float | bool | None | list[Any] | dict[str, Any]


class Block(dict[str, Any]):
    """A mapping that stands below its key in any case."""


class _Dumper(yaml.SafeDumper):
    """PyYAML's own, with lists indented below their key, no anchors and no folded lines."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(dumper: Any, text: str) -> yaml.ScalarNode:
    # Line breaks, of which YAML knows more than one thinks, would depend on the text around.
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_block(dumper: Any, block: Block) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", block, flow_style=False)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(Block, _represent_block)


def check_value(value: Json) -> None:
    """Raise `invalid` if a value cannot be written so that it is read again as the same."""
    try:
        msgspec.json.encode(value)
        same = yaml.safe_load(write_inline(value)) == value
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        same = False
    if not same:
        raise SidekicksError("invalid", say("edit_no_yaml"))


def write_inline(value: Json) -> str:
    """Return a value on one line, as it can stand anywhere."""
    return _dump([value], flow=True, step=2)[1:-1]


def write_entry(key: str, value: Json, step: int) -> list[str]:
    """Return the lines of a key with its value, not indented; `step` is the file's indentation."""
    return _dump(Block({key: value}), flow=None, step=step).split("\n")


def _dump(value: Any, *, flow: bool | None, step: int) -> str:
    written = io.StringIO()
    dumper: Any = _Dumper(
        written,
        default_flow_style=flow,
        allow_unicode=True,
        sort_keys=False,
        width=sys.maxsize,
        indent=step,
    )
    dumper.open()
    dumper.represent(value)
    dumper.close()
    return written.getvalue().rstrip("\n")
