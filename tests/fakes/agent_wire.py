"""What the scripted agent (`agent.py`, in this folder) says and hears."""

import json
import os
import threading
from typing import Any

Json = dict[str, Any]


class CancelledError(Exception):
    """The client cancelled what is being done."""


class Call:
    """A request or notification of the client that is being worked on."""

    def __init__(self, frame: Json, count: int) -> None:
        self.frame, self.count = frame, count
        self.rule: Json = {}
        self.method = str(frame["method"])
        self.params: Json = frame["params"] if isinstance(frame.get("params"), dict) else {}
        self.session = str(self.params.get("sessionId", ""))
        self.answered = "id" not in frame
        self.cancelled = threading.Event()
        self.withdrawn = False
        blocks: list[Json] = self.params.get("prompt") or []
        self.prompt = "".join(str(block.get("text", "")) for block in blocks)


class Wire:
    """The agent's end of the pipe; safe to use from several threads."""

    def __init__(self, script: Json) -> None:
        self.script = script
        self.lock = threading.Lock()
        self.asked: dict[str, tuple[threading.Event, list[Json]]] = {}
        self.asks = 0
        self.last_ask: Any = None

    def heard_answer(self, frame: Json) -> None:
        if waiting := self.asked.pop(json.dumps(frame.get("id")), None):
            waiting[1].append(frame)
            waiting[0].set()

    def write(self, data: bytes) -> None:
        with self.lock:
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                if not self.script.get("ignoreEof"):
                    os._exit(0)

    def send(self, *frames: Json) -> None:
        self.write("".join(map(line_of, frames)).encode())

    def update(self, session: str, *updates: Json) -> None:
        params = [{"sessionId": session, "update": update} for update in updates]
        self.send(*({"method": "session/update", "params": each} for each in params))

    def answer(self, call: Call, **body: Any) -> None:
        if not call.answered:
            call.answered = True
            self.send({"id": call.frame["id"], **body})

    def request(self, method: str, params: Json, step: Json) -> Json | None:
        with self.lock:
            number, self.asks = self.asks, self.asks + 1
        usual = f"ask-{number}" if self.script.get("askIds") == "string" else number
        self.last_ask = step.get("id", usual)
        arrived, answers = threading.Event(), list[Json]()
        self.asked[json.dumps(self.last_ask)] = (arrived, answers)
        self.send({"id": self.last_ask, "method": method, "params": params})
        if not step.get("wait", True):
            return None
        arrived.wait()
        return answers[0]


def line_of(frame: Json) -> str:
    return json.dumps({"jsonrpc": "2.0", **frame}, separators=(",", ":")) + "\n"


def chunk(text: str, kind: str = "agent_message_chunk") -> Json:
    return {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
