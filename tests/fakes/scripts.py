"""Builds scripts for the scripted agent; what each key means is told at the top of `agent.py`.

command = agent_command(script(on_prompt(say("hello"), ask(), when="work"), record=path))
"""

import json
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Step = dict[str, Any]
Rule = dict[str, Any]
Script = dict[str, Any]

AGENT = Path(__file__).with_name("agent.py")


def agent_command(script: Script | None = None, file: Path | None = None) -> list[str]:
    """Return the argv of a scripted agent; the script goes inline, or into `file` if given."""
    text = json.dumps(script or {})
    if file is not None:
        file.write_text(text)
    return [sys.executable, "-S", "-E", str(AGENT), text if file is None else str(file)]


def script(*rules: Rule, **keys: Any) -> Script:
    """Return a script of these rules; `keys` as in `agent.py` (record, startup, session…)."""
    return {"rules": list(rules), **{key: _plain(value) for key, value in keys.items()}}


def on(method: str, *steps: Step, **keys: Any) -> Rule:
    """Return what to do upon this method; `keys`: when, nth, times, ignoreCancel, onCancel."""
    return {"method": method, "steps": list(steps), **keys}


def on_prompt(*steps: Step, **keys: Any) -> Rule:
    """Return what to do upon a prompt; `keys`: when, nth, times, ignoreCancel, onCancel."""
    return on("session/prompt", *steps, **keys)


def say(text: str, message_id: str | None = None) -> Step:
    return {"say": text} | ({} if message_id is None else {"messageId": message_id})


def think(text: str) -> Step:
    return {"think": text}


def update(kind: str, /, **fields: Any) -> Step:
    """Return an update of this kind; the fields are named as on the wire."""
    return {"update": {"sessionUpdate": kind, **fields}}


def flood(chunks: int, size: int = 40) -> Step:
    return {"flood": chunks, "size": size}


def ask(
    tool_call: Json | None = None,
    options: list[Json] | None = None,
    then: dict[str, list[Step]] | None = None,
    *,
    wait: bool = True,
    **keys: Any,
) -> Step:
    """Return a permission request; `then` says how to go on after which option id.

    Without `options` there are `allow` (allow_once) and `reject` (reject_once).
    """
    given = {"toolCall": tool_call, "options": options}
    what = {key: value for key, value in given.items() if value is not None}
    return {"ask": what, "then": then or {}, "wait": wait, **keys}


def request(method: str, params: Json, *, wait: bool = True, **keys: Any) -> Step:
    return {"request": method, "params": params, "wait": wait, **keys}


def notify(method: str, params: Json) -> Step:
    return {"notify": method, "params": params}


def stop(reason: str) -> Step:
    return {"stop": reason}


def answer(result: Json) -> Step:
    return {"answer": result}


def error(code: int, message: str, **keys: Any) -> Step:
    return {"error": {"code": code, "message": message, **keys}}


def silent() -> Step:
    return {"silent": True}


def sleep(seconds: float) -> Step:
    return {"sleep": seconds}


def until_cancelled() -> Step:
    return {"untilCancelled": True}


def wait_file(path: Path) -> Step:
    return {"waitFile": str(path)}


def stdout(text: str, times: int = 1, encoding: str = "utf-8") -> Step:
    """Return raw output; with encoding latin-1 each character is one byte."""
    return {"stdout": text, "times": times, "encoding": encoding}


def stderr(text: str, times: int = 1) -> Step:
    return {"stderr": text, "times": times}


def write(path: Path | str, text: str) -> Step:
    return {"write": {"path": str(path), "text": text}}


def describe(path: Path) -> Step:
    return {"describe": str(path)}


def spawn(pid_file: Path, **keys: Any) -> Step:
    """Return a grandchild; `keys`: argv, ignoreSigterm, holdPipes, newSession."""
    return {"spawn": {"pidFile": str(pid_file), **keys}}


def crash(code: int = 3, words: str = "Traceback: boom\n") -> list[Step]:
    """Return the steps of an agent that says why and is gone."""
    return [stderr(words), {"exit": code}]


def recorded(path: Path) -> list[Json]:
    """Return the frames that the agent has recorded so far."""
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
