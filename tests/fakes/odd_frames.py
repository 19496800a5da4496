"""Frames as peers send them, and what can be wrong with them: changed, cut, doubled, odd, deep."""

import copy
import json
import random
from typing import Any, cast

from fakes.acp_peers import frame_bytes, update_bytes

_TEXT = {"type": "text", "text": "hi"}
_CALL: dict[str, Any] = {
    "toolCallId": "t1",
    "title": "T",
    "kind": "edit",
    "status": "pending",
    "content": [
        {"type": "content", "content": _TEXT},
        {"type": "diff", "path": "/a", "oldText": "a", "newText": "b"},
        {"type": "terminal", "terminalId": "x"},
    ],
    "locations": [{"path": "/a", "line": 1}],
    "rawInput": {"a": [1, {"b": None}]},
    "_meta": {"terminal_output": {"terminal_id": "x", "data": "y"}},
}
_OPTION: dict[str, Any] = {
    "id": "m",
    "name": "M",
    "type": "select",
    "currentValue": "a",
    "options": [{"value": "a", "name": "A"}, {"group": "g", "name": "G", "options": []}],
}
_QUESTION = {
    "sessionId": "s",
    "toolCall": _CALL,
    "options": [{"optionId": "a", "name": "A", "kind": "allow_once"}],
}
_SESSION = {"sessionId": "s", "cwd": "/w", "mcpServers": [{"name": "n"}]}
_COMMAND = {"name": "n", "description": "d", "input": {"hint": "h"}}

FROM_AGENTS = (
    update_bytes(sessionUpdate="agent_message_chunk", content=_TEXT, messageId="m"),
    update_bytes(sessionUpdate="tool_call", **_CALL),
    update_bytes(sessionUpdate="tool_call_update", **_CALL),
    update_bytes(sessionUpdate="plan", entries=[{"content": "c", "status": "pending"}]),
    update_bytes(sessionUpdate="available_commands_update", availableCommands=[_COMMAND]),
    update_bytes(sessionUpdate="config_option_update", configOptions=[_OPTION]),
    update_bytes(sessionUpdate="usage_update", used=1, cost={"amount": 1, "currency": "E"}),
    update_bytes(sessionUpdate="session_info_update", title=None),
    update_bytes(sessionUpdate="holo", x={"y": [1]}),
    frame_bytes(id=0, method="session/request_permission", params=_QUESTION),
    frame_bytes(id="r", method="fs/read_text_file", params={"path": "/a"}),
    frame_bytes(method="$/cancel_request", params={"requestId": 0}),
    frame_bytes(id=999999, result={"stopReason": "end_turn"}),
    frame_bytes(id=999999, error={"code": 1, "message": "m"}),
)
FROM_CLIENTS = (
    frame_bytes(id=0, method="initialize", params={"protocolVersion": 1}),
    frame_bytes(id="n", method="session/new", params=_SESSION),
    frame_bytes(id=None, method="session/load", params=_SESSION),
    frame_bytes(id=1.5, method="session/prompt", params={"sessionId": "s", "prompt": [_TEXT]}),
    frame_bytes(id=3, method="session/set_mode", params={"sessionId": "s", "modeId": "m"}),
    frame_bytes(method="session/cancel", params={"sessionId": "s"}),
    frame_bytes(method="$/cancel_request", params={"requestId": 1.5}),
    frame_bytes(id=7, result=None),
)
_ODD: list[Any] = [None, True, 0, -1, 1.5, 10**40, "", "x" * 3000, "\ud800", "\x00"]
_ODD.extend(([], {}, [[]], {"": {"": []}}, [1, "a", None], {"type": "text"}))
_NOISE = (b"npm WARN", b"\x1b[0m", b"", b"[1,2]", b"null", b"\xff\xfe", b"{}", b"{", b"NaN")


class OddFrames:
    """Lines of which most are wrong; the same ones for the same seed."""

    def __init__(self, seed: int, frames: tuple[bytes, ...]) -> None:
        self._chance = random.Random(seed)
        self._frames = frames

    def next(self) -> bytes:
        """Return a line or two, or a part of one."""
        line = self._chance.choice(self._frames)
        changes = (
            self._twice,
            self._odd,
            self._odd,
            self._cut,
            self._noise,
            self._flip,
            self._deep,
        )
        return self._chance.choice(changes)(line)

    def pieces(self, data: bytes) -> list[bytes]:
        """Cut what is sent wherever a pipe may cut it."""
        found, at = list[bytes](), 0
        while at < len(data):
            step = self._chance.choice((1, 5, 64, 1000, 65536))
            found.append(data[at : at + step])
            at += step
        return found

    def _twice(self, line: bytes) -> bytes:
        return line * self._chance.choice((1, 1, 2))

    def _noise(self, _: bytes) -> bytes:
        return self._chance.choice(_NOISE) + b"\n"

    def _cut(self, line: bytes) -> bytes:
        return line[: self._chance.randrange(len(line))] + b"\n"

    def _flip(self, line: bytes) -> bytes:
        changed = bytearray(line[:-1])
        for _ in range(self._chance.randrange(1, 4)):
            changed[self._chance.randrange(len(changed))] = self._chance.randrange(256)
        return bytes(changed) + b"\n"

    def _deep(self, line: bytes) -> bytes:
        depth = self._chance.choice((50, 300, 900, 20_000))
        lists, objects = b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth
        nested = self._chance.choice((lists, objects))
        place, new = self._chance.choice(((b'"hi"', nested), (b"[1", b"[" + nested + b",1")))
        return line.replace(place, new)

    def _odd(self, line: bytes) -> bytes:
        value = json.loads(line)
        for _ in range(self._chance.choice((1, 1, 3))):
            self._change(value)
        escaped = self._chance.random() < 0.5
        return json.dumps(value, ensure_ascii=escaped).encode("utf-8", "surrogatepass") + b"\n"

    def _change(self, value: Any) -> None:
        """Replace or remove something, somewhere within."""
        while keys := _keys(value):
            key = self._chance.choice(keys)
            if isinstance(value[key], dict | list) and self._chance.random() < 0.7:
                value = value[key]
            elif self._chance.random() < 0.25:
                del value[key]
                return
            else:
                value[key] = copy.deepcopy(self._chance.choice(_ODD))
                return


def _keys(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(cast("dict[str, Any]", value))
    return list(range(len(value)))
