"""How the fake model's answers go over the wire: OpenAI's chat completions, and its responses.

A wire knows a request and puts each step of an answer into events; the whole of it, for a client
that wants no stream, is `whole`.
"""

import json
import secrets
from collections.abc import Iterable
from typing import Any, Protocol

Json = dict[str, Any]
Steps = Iterable[tuple[str, str]]
USED = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


class Wire(Protocol):
    """A request, and the events that answer it; each is the text of a `data:` line."""

    offers_tools: bool

    def heard(self) -> str:
        """What the person said last; the steps are in it."""
        ...

    def tool_said(self) -> str | None:
        """What the tool gave back, where that came last."""
        ...

    def begin(self) -> list[str]: ...
    def say(self, text: str) -> list[str]: ...
    def think(self, text: str) -> list[str]: ...
    def call(self, name: str, arguments: str) -> list[str]: ...
    def finish(self, reason: str) -> list[str]: ...
    def whole(self, steps: Steps) -> Json: ...


class ChatWire:
    """`/chat/completions`."""

    def __init__(self, body: Json) -> None:
        self._body = body
        self._id = "chatcmpl-" + secrets.token_hex(4)
        self.offers_tools = bool(body.get("tools"))

    def heard(self) -> str:
        said = (text_of(m) for m in reversed(self._body["messages"]) if m["role"] == "user")
        return next(said, "")

    def tool_said(self) -> str | None:
        last = self._body["messages"][-1]
        return text_of(last) if last["role"] == "tool" else None

    def begin(self) -> list[str]:
        return []

    def say(self, text: str) -> list[str]:
        return self._delta({"content": text})

    def think(self, text: str) -> list[str]:
        return self._delta({"reasoning_content": text})

    def call(self, name: str, arguments: str) -> list[str]:
        return self._delta({"tool_calls": [{"index": 0, **_function(name, arguments)}]})

    def finish(self, reason: str) -> list[str]:
        ends = self._delta({}, reason)
        options: Json = self._body.get("stream_options") or {}
        if options.get("include_usage"):
            ends.append(self._event(choices=[], usage=USED))
        return [*ends, "[DONE]"]

    def whole(self, steps: Steps) -> Json:
        said, calls = _gathered(steps)
        message: Json = {"role": "assistant", "content": said}
        if calls:
            message["tool_calls"] = [_function(*call) for call in calls]
        reason = "tool_calls" if calls else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        answer = {"object": "chat.completion", "choices": [choice], "usage": USED}
        return {"id": self._id, "created": 0, "model": self._body["model"], **answer}

    def _delta(self, delta: Json, reason: str | None = None) -> list[str]:
        return [self._event(choices=[{"index": 0, "delta": delta, "finish_reason": reason}])]

    def _event(self, **fields: Any) -> str:
        known = {"id": self._id, "created": 0, "model": self._body["model"]}
        return json.dumps({**known, "object": "chat.completion.chunk", **fields})


class ResponsesWire:
    """`/responses`. Thoughts are left out: their events differ from client to client."""

    def __init__(self, body: Json) -> None:
        self._body = body
        self._id = secrets.token_hex(4)
        self._said = ""
        self._calls: list[Json] = []
        self._number = 0
        self.offers_tools = bool(body.get("tools"))

    def heard(self) -> str:
        given = self._body["input"]
        if isinstance(given, str):
            return given
        return next((text_of(item) for item in reversed(given) if item.get("role") == "user"), "")

    def tool_said(self) -> str | None:
        given = self._body["input"]
        last: Json = {} if isinstance(given, str) else given[-1]
        return str(last["output"]) if "output" in last else None

    def begin(self) -> list[str]:
        return [self._event("response.created", response=self._response("in_progress"))]

    def say(self, text: str) -> list[str]:
        opened: list[str] = []
        at = {"item_id": self._message_id, "output_index": 0, "content_index": 0}
        if not self._said:
            empty: Json = {"type": "output_text", "text": "", "annotations": []}
            opened = [
                self._event("response.output_item.added", output_index=0, item=self._message()),
                self._event("response.content_part.added", **at, part=empty),
            ]
        self._said += text
        return [*opened, self._event("response.output_text.delta", **at, delta=text)]

    def think(self, text: str) -> list[str]:
        return []

    def call(self, name: str, arguments: str) -> list[str]:
        number = f"{self._id}_{len(self._calls)}"
        ids = {"id": f"fc_{number}", "call_id": f"call_{number}", "status": "completed"}
        item = {"type": "function_call", "name": name, "arguments": arguments, **ids}
        self._calls.append(item)
        index = len(self._calls)
        return [
            self._event("response.output_item.added", output_index=index, item=item),
            self._event("response.output_item.done", output_index=index, item=item),
        ]

    def finish(self, reason: str) -> list[str]:
        ended: list[str] = []
        if self._said:
            item = self._message(self._said)
            ended = [self._event("response.output_item.done", output_index=0, item=item)]
        return [*ended, self._event("response.completed", response=self._response("completed"))]

    def whole(self, steps: Steps) -> Json:
        self._said, calls = _gathered(steps)
        for name, arguments in calls:
            self.call(name, arguments)
        return self._response("completed")

    @property
    def _message_id(self) -> str:
        return f"msg_{self._id}"

    def _message(self, text: str = "") -> Json:
        said: Json = {"type": "output_text", "text": text, "annotations": []}
        content = [said] if text else []
        item: Json = {"type": "message", "id": self._message_id, "role": "assistant"}
        return {**item, "status": "completed" if text else "in_progress", "content": content}

    def _response(self, status: str) -> Json:
        output = [*([self._message(self._said)] if self._said else []), *self._calls]
        about = {"id": f"resp_{self._id}", "object": "response", "model": self._body["model"]}
        used = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
        return {**about, "created_at": 0, "status": status, "output": output, "usage": used}

    def _event(self, kind: str, **fields: Any) -> str:
        self._number += 1
        return json.dumps({"type": kind, "sequence_number": self._number, **fields})


def text_of(message: Json) -> str:
    """Return a message's text, from a text or from blocks."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _function(name: str, arguments: str) -> Json:
    called = {"name": name, "arguments": arguments}
    return {"id": "call_" + secrets.token_hex(4), "type": "function", "function": called}


def _gathered(steps: Steps) -> tuple[str, list[tuple[str, str]]]:
    said, calls = "", list[tuple[str, str]]()
    for step, text in steps:
        if step in ("say", "slow"):
            said += text
        elif step == "tool":
            name, _, arguments = text.partition(" ")
            calls.append((name, arguments or "{}"))
    return said, calls
