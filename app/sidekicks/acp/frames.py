"""JSON-RPC 2.0 frames: one JSON object per line, UTF-8.

What is nearly JSON is mended (bad UTF-8, lone surrogates, NaN, control characters in a text, a byte
order mark); what is no object of `jsonrpc: "2.0"` is no frame.
"""

import json
import math
import re
from typing import Any, Final, Literal, cast

import msgspec

Direction = Literal["to", "from"]
"""To the peer, or from it."""
Frame = dict[str, Any]

_encoder: Final = msgspec.json.Encoder()
_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    # Any other escape is passed over as a whole: in \\ud800 the u is a letter after a backslash.
    r"|\\."
)


def encode(**fields: Any) -> bytes:
    """Return a frame as a line, with its line feed."""
    frame = {"jsonrpc": "2.0", **fields}
    try:
        return _encoder.encode(frame) + b"\n"
    except UnicodeEncodeError:
        # The name of a file that is not UTF-8 holds lone surrogates, in Python's manner.
        return _without_lone(json.dumps(msgspec.to_builtins(frame))).encode() + b"\n"


def parse(line: bytes) -> Frame | None:
    """Return the frame that a line is; null where it is none."""
    try:
        frame = msgspec.json.decode(line)
    except RecursionError:
        return None
    except msgspec.DecodeError:
        frame = _mend(line)
    if not isinstance(frame, dict):
        return None
    fields = cast("Frame", frame)
    return fields if fields.get("jsonrpc") == "2.0" else None


def _mend(line: bytes) -> Any:
    text = line.decode("utf-8", "replace").lstrip("\ufeff \t\r")
    if not text.startswith("{"):
        return None
    try:
        return json.loads(
            _without_lone(text), strict=False, parse_float=_finite, parse_constant=_nothing
        )
    except (ValueError, RecursionError):
        return None


def _without_lone(text: str) -> str:
    """Replace the escapes of surrogates that have no partner."""
    return _ESCAPE.sub(lambda found: "\\ufffd" if found["lone"] else found[0], text)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _nothing(_: str) -> None:
    """NaN and the infinities: JSON has no word for them."""
