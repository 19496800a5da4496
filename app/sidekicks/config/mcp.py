"""`mcpServers:`, as ACP's `session/new` takes it.

A server is passed on as it stands, save for what everybody writes otherwise: `env` and `headers`
as mappings, and left out where there are none. Agents refuse the whole session for either.
"""

import math
import re
from typing import Any, Final

from sidekicks.config import tree
from sidekicks.config.values import Fields, Value

_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})")
_FALSE: Final = ("false", "no", "off")


def read_servers(value: Value | None) -> tuple[dict[str, Any], ...]:
    """Return the servers that are sound; the problems of the others are noted."""
    items = value.items("a_list_of_servers") if value else None
    return tuple(server for item in items or () if (server := _read_server(item)) is not None)


def _read_server(value: Value) -> dict[str, Any] | None:
    fields = value.fields("a_server")
    if fields is None:
        return None
    kind = _text(fields, "type", "a_server_type") if fields.take("type") else "stdio"
    server: dict[str, Any] = {"name": _text(fields, "name", "a_server_name")}
    match kind:
        case "stdio":
            server |= {
                "command": _text(fields, "command", "a_server_command"),
                "args": _args(fields.take("args")),
                "env": _pairs(fields.take("env")),
            }
        case "http" | "sse":
            server |= {
                "type": kind,
                "url": _text(fields, "url", "a_server_url"),
                "headers": _pairs(fields.take("headers")),
            }
        case None:
            pass
        case _:
            server["type"] = kind
    for name, each in fields:
        if name != "type" and name not in server:
            server[name] = plain(each)
    return server


def _text(fields: Fields, name: str, expected: str) -> str | None:
    value = fields.take(name)
    if value is None:
        fields.missing(name, expected)
        return None
    return value.text(expected)


def _args(value: Value | None) -> list[str | None]:
    items = value.items("a_list_of_texts") if value else None
    return [item.written("an_argument") for item in items or ()]


def _pairs(value: Value | None) -> list[Any]:
    if value is None:
        return []
    if isinstance(tree.follow(value.node), tree.Sequence):
        return [plain(item) for item in value.items("a_mapping_of_texts") or ()]
    fields = value.fields("a_mapping_of_texts")
    return [{"name": name, "value": each.written("a_variable")} for name, each in fields or ()]


def plain(value: Value) -> Any:
    """Return a value as JSON holds it."""
    match node := tree.follow(value.node):
        case tree.Mapping():
            fields = value.fields("a_json_value")
            return {name: plain(each) for name, each in fields or ()}
        case tree.Sequence():
            return [plain(item) for item in value.items("a_json_value") or ()]
        case tree.Scalar(tag="null"):
            return None
        case tree.Scalar(tag="bool"):
            return node.text.lower() not in _FALSE
        case tree.Scalar(tag="int") if _DECIMAL.fullmatch(node.text):
            return int(node.text)
        case tree.Scalar(tag="float"):
            return _float(node.text)
        case _:
            # Also the numbers that only YAML knows: `22:22` is no port but 1342 there.
            return value.written("a_json_value")


def _float(text: str) -> float | str:
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text
