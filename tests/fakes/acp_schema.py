"""The protocol's schema, from npm's official package: what is wrong with frames of ours.

The schema allows any further field; here one that it does not name is a fault too, as a misspelt
one would otherwise pass for an optional one left out.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import jsonschema
import jsonschema.exceptions

Json = dict[str, Any]
SDK: Final = Path(__file__).parents[2] / "ui" / "node_modules" / "@agentclientprotocol" / "sdk"
LEGACY: Final = ("session/set_model",)
"""No longer in the schema, and sent only to agents that offer models in the way of that time."""
_CLOSED: Final = " (closed)"


def is_installed() -> bool:
    """Whether the package is there."""
    return (SDK / "package.json").exists()


def faults_of(frames: Iterable[tuple[str, Json]]) -> list[str]:
    """Return what is wrong with the frames that go "to" the peer.

    Args:
        frames: direction ("to", "from") and frame, in their order.
    """
    asked: dict[tuple[str, str], str] = {}
    found: list[str] = []
    for direction, frame in frames:
        method = frame.get("method")
        if method is not None and "id" in frame:
            asked[direction, json.dumps(frame["id"])] = method
        if direction != "to":
            continue
        if method is None:
            # A refusal of something that could not even be read answers no request.
            method = asked.get(("from", json.dumps(frame.get("id"))))
            kind = "Error" if "error" in frame else "Response"
            body = frame.get("error", frame.get("result"))
        else:
            kind = "Request" if "id" in frame else "Notification"
            body = frame.get("params")
        found += [f"{kind} {method}: {fault}" for fault in _faults(method, kind, body)]
        found += [f"{method}: no JSON-RPC" for _ in range(frame.get("jsonrpc") != "2.0")]
    return found


def _faults(method: str | None, kind: str, body: Any) -> list[str]:
    if method in LEGACY:
        return []
    name = "Error" if kind == "Error" else _names().get((method or "", kind))
    if name is None:
        return ["the schema has no such thing"]
    wanted = {"$ref": f"#/$defs/{name}{_CLOSED}", "$defs": _definitions()}
    validator: Any = jsonschema.Draft202012Validator(wanted)
    faults: list[Any] = list(validator.iter_errors(body))
    best: Any = min(faults, key=jsonschema.exceptions.relevance, default=None)
    return [] if best is None else [f"{best.json_path}: {best.message} in {body}"]


@cache
def _schema() -> Json:
    return json.loads((SDK / "schema" / "v1" / "schema.json").read_text())


@cache
def _names() -> dict[tuple[str, str], str]:
    """Return method and kind -> the definition's name."""
    kinds = ("Request", "Response", "Notification")
    return {
        (definition["x-method"], kind): name
        for name, definition in _schema()["$defs"].items()
        for kind in kinds
        if "x-method" in definition and name.endswith(kind)
    }


@cache
def _definitions() -> Json:
    """Return the definitions twice: as they are, for parts of an object, and closed."""
    told: Json = _schema()["$defs"]
    closed = {name + _CLOSED: _close(definition) for name, definition in told.items()}
    return {**{name: _close_within(each) for name, each in told.items()}, **closed}


def _close(schema: Any) -> Any:
    """Return a schema whose objects have no field that is not named."""
    if not isinstance(schema, dict):
        return schema
    told = cast("Json", schema)
    if "$ref" in told:
        return {**told, "$ref": told["$ref"] + _CLOSED}
    if "properties" in told and "additionalProperties" not in told:
        return {**_close_within(told), "unevaluatedProperties": False}
    if "allOf" in told:
        # Not a part of an object, but another name for it.
        return {**told, "allOf": [_close(part) for part in told["allOf"]]}
    return _close_within(told)


def _close_within(told: Json) -> Json:
    """Return a schema that is open itself, but whose fields hold closed ones."""
    # The variants of an object with fields of its own are parts of it.
    close_variant = _close_within if "properties" in told else _close
    closed = dict(told)
    for key in ("anyOf", "oneOf"):
        if key in told:
            closed[key] = [close_variant(each) for each in told[key]]
    for key in ("items", "additionalProperties"):
        if key in told:
            closed[key] = _close(told[key])
    if "properties" in told:
        closed["properties"] = {name: _close(each) for name, each in told["properties"].items()}
    return closed
