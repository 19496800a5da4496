"""A scripted agent that speaks ACP on stdio: a program of its own, standard library only.

    python tests/fakes/agent.py [SCRIPT.json | '{inline JSON}'] (or variable FAKE_AGENT_SCRIPT)

The script is data; `fakes.scripts` builds it. Without one this is a well-behaved agent: it answers
`initialize` and every `session/*` request; a prompt gets its own text back and `end_turn`.

A script is an object; every key may be left out:
    record         file to which every line that arrives is appended, as it came
    rules          [{method, when, nth, times, steps, ignoreCancel, onCancel}]; the first that fits
                   is run. `method`: of the request or notification (session/prompt); `when`: text
                   within the prompt (other methods: within the params as JSON); `nth`: only the
                   n-th of that method, from 1; `times`: only that often; `ignoreCancel`: go on
                   after session/cancel; `onCancel`: steps in place of the `cancelled` answer
    initialize     fields of that answer to replace (agentCapabilities, authMethods…)
    session        more fields of the answer to session/new, load, resume (configOptions, modes)
    startup        steps before the first line is read; `onEof`: steps at the end of stdin
    ignoreEof      stay when stdin ends; `ignoreSigterm`: stay on SIGTERM
    lifetime       seconds after which it ends in any case (300)
    askIds         "string": our requests get the ids ask-0, ask-1…; else 0, 1, 2…

A step is an object with one of these keys (further keys in brackets). A request that was not
answered by its steps gets the usual answer after them (a prompt: end_turn).
    say, think, user   a chunk of that text [messageId]
    update             a session/update with exactly this object [sessionId]
    flood              that many agent_message_chunk, each "<number> xxx…" [size=40]
    ask                session/request_permission: {toolCall, options}, or true for a usual one [id,
                       wait=true, then={optionId | "cancelled" | "error": steps}]; after a
                       `cancelled` that `then` does not name, the turn ends as cancelled
    withdraw           true: $/cancel_request for the last ask
    request            any request by that method [params, id, wait=true]
    notify             any notification by that method [params]
    frame              this object as one line
    stdout, stderr     this text as it is [encoding="utf-8", times=1]
    answer             the request's result (the steps go on); `stop`: a prompt's, by its stopReason
    error              an error answer {code, message, data}; `silent`: true: never answer
    sleep              seconds, or until cancelled; `untilCancelled`: true
    waitFile           go on when this file exists, or when cancelled
    write              {path, text}: write a file; the path may be relative to the session's cwd
    describe           write {pid, cwd, argv, env} as JSON to this file
    spawn              a grandchild {pidFile, argv, ignoreSigterm, holdPipes, newSession}
    exit               end with this code at once; below 0: by that signal
    repeat             that often these [steps]

In every text of a step $session, $prompt, $cwd, $count (of messages of this method), $pid and $id
(of the request, as JSON) are filled in.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from agent_wire import Call, CancelledError, Json, Wire, chunk, line_of

INITIALIZED: Json = {
    "protocolVersion": 1,
    "agentCapabilities": {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
        "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "delete": {}},
    },
    "authMethods": [],
    "agentInfo": {"name": "fake-agent", "version": "1.0"},
}
OPTIONS = [
    {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
    {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
]
CHUNKS = {
    "say": "agent_message_chunk",
    "think": "agent_thought_chunk",
    "user": "user_message_chunk",
}
PLACEHOLDER = re.compile(r"\$(session|prompt|cwd|count|pid|id)\b")


class Agent(Wire):
    def __init__(self, script: Json) -> None:
        super().__init__(script)
        self.counts: dict[str, int] = {}
        self.used: dict[int, int] = {}
        self.cwds: dict[str, str] = {}
        self.calls: list[Call] = []

    def run(self) -> NoReturn:
        if self.script.get("ignoreSigterm"):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.alarm(int(self.script.get("lifetime", 300)))
        process = Call({"method": "startup"}, 0)
        self.take(process, self.script.get("startup", []))
        for line in sys.stdin.buffer:
            if "record" in self.script:
                with Path(self.script["record"]).open("ab") as file:
                    file.write(line)
            frame = json.loads(line)
            if "method" in frame:
                self.start(frame)
            else:
                self.heard_answer(frame)
        self.take(process, self.script.get("onEof", []))
        while self.script.get("ignoreEof"):
            time.sleep(1)
        os._exit(0)

    # What arrives

    def start(self, frame: Json) -> None:
        method = str(frame["method"])
        self.counts[method] = self.counts.get(method, 0) + 1
        call = Call(frame, self.counts[method])
        if method in ("session/new", "session/load", "session/resume"):
            call.session = call.session or f"session-{os.getpid()}-{len(self.cwds) + 1}"
            self.cwds[call.session] = str(call.params.get("cwd", ""))
        call.rule = self.rule_for(call)
        for other in list(self.calls):
            if method == "session/cancel" and other.session == call.session:
                other.cancelled.set()
            if method == "$/cancel_request" and other.frame.get("id") == call.params["requestId"]:
                other.withdrawn = True
                other.cancelled.set()
        if call.rule or method == "session/prompt":
            self.calls.append(call)
            threading.Thread(target=self.work, args=(call,), daemon=True).start()
        else:
            self.answer_as_usual(call)

    def rule_for(self, call: Call) -> Json:
        text = call.prompt if call.method == "session/prompt" else json.dumps(call.params)
        for number, rule in enumerate(self.script.get("rules", [])):
            if (
                rule.get("method", "session/prompt") == call.method
                and rule.get("when", "") in text
                and rule.get("nth", call.count) == call.count
                and self.used.get(number, 0) < rule.get("times", sys.maxsize)
            ):
                self.used[number] = self.used.get(number, 0) + 1
                return rule
        return {}

    def work(self, call: Call) -> None:
        usual = [{"say": call.prompt}] if call.method == "session/prompt" else []
        try:
            self.take(call, call.rule.get("steps", usual))
        except CancelledError:
            rule, call.rule = call.rule, {"ignoreCancel": True}
            self.take(call, rule.get("onCancel", []))
            if call.withdrawn:
                self.answer(call, error={"code": -32800, "message": "Request cancelled"})
            self.answer(call, result={"stopReason": "cancelled"})
        self.answer_as_usual(call)
        self.calls.remove(call)

    def answer_as_usual(self, call: Call) -> None:
        session: Json = self.script.get("session", {})
        usual: Json = {
            "initialize": {**INITIALIZED, **self.script.get("initialize", {})},
            "session/new": {"sessionId": call.session, **session},
            "session/load": session,
            "session/resume": session,
            "session/prompt": {"stopReason": "end_turn"},
            "session/list": {
                "sessions": [{"sessionId": k, "cwd": v} for k, v in self.cwds.items()]
            },
            "session/set_config_option": {"configOptions": session.get("configOptions", [])},
        }
        if call.method in usual:
            self.answer(call, result=usual[call.method])
        elif call.method.startswith("session/") or call.method in ("authenticate", "logout"):
            self.answer(call, result={})
        else:
            self.answer(call, error={"code": -32601, "message": f"No method {call.method}"})

    # Steps

    def ask(self, call: Call, what: Json, step: Json) -> None:
        call_of_tool = what.get("toolCall", {"toolCallId": "call-1", "title": "Do it"})
        params = {"toolCall": call_of_tool, "options": what.get("options", OPTIONS)}
        params["sessionId"] = call.session
        answer = self.request("session/request_permission", params, step)
        if answer is None:
            return
        outcome = answer.get("result", {}).get("outcome", {})
        chosen = "error" if "error" in answer else outcome.get("optionId", "cancelled")
        then: Json = step.get("then", {})
        if chosen == "cancelled" and chosen not in then:
            raise CancelledError
        self.take(call, then.get(chosen, []))

    def take(self, call: Call, steps: list[Json]) -> None:
        for step in steps:
            self.check(call)
            inner = {key: step[key] for key in ("then", "steps") if key in step}
            outer = {key: step[key] for key in step if key not in inner}
            self.step(call, self.fill(call, outer) | inner)
        self.check(call)

    def check(self, call: Call) -> None:
        if call.cancelled.is_set() and not call.answered and not call.rule.get("ignoreCancel"):
            raise CancelledError

    def fill(self, call: Call, value: Any) -> Any:
        known = {
            "session": call.session,
            "prompt": call.prompt,
            "cwd": self.cwds.get(call.session, ""),
            "count": str(call.count),
            "pid": str(os.getpid()),
            "id": json.dumps(call.frame.get("id")),
        }
        filled = PLACEHOLDER.sub(
            # Within a JSON text, which is what we replace in, a text must be escaped.
            lambda match: json.dumps(known[match[1]])[1:-1],
            json.dumps(value),
        )
        return json.loads(filled)

    def step(self, call: Call, step: Json) -> None:
        match step:
            case {"say": text} | {"think": text} | {"user": text}:
                kind = next(kind for key, kind in CHUNKS.items() if key in step)
                extra = {key: step[key] for key in ("messageId",) if key in step}
                self.update(call.session, chunk(text, kind) | extra)
            case {"update": update}:
                self.update(step.get("sessionId", call.session), update)
            case {"flood": number}:
                self.flood(call, number, step.get("size", 40))
            case {"ask": what}:
                self.ask(call, {} if what is True else what, step)
            case {"withdraw": _}:
                self.send({"method": "$/cancel_request", "params": {"requestId": self.last_ask}})
            case {"request": method}:
                self.request(method, step.get("params", {}), step)
            case {"notify": method}:
                self.send({"method": method, "params": step.get("params", {})})
            case {"frame": frame}:
                self.write(json.dumps(frame).encode() + b"\n")
            case _:
                self.answer_or_wait(call, step)

    def flood(self, call: Call, number: int, size: int) -> None:
        params = {"sessionId": call.session, "update": chunk("TEXT")}
        head, tail = line_of({"method": "session/update", "params": params}).split("TEXT")
        # Encoding each would take longer than a client takes to read it.
        for first in range(0, number, 256):
            self.check(call)
            numbers = range(first, min(first + 256, number))
            texts = (f"{i} ".ljust(size, "x") for i in numbers)
            self.write("".join(f"{head}{text}{tail}" for text in texts).encode())

    def answer_or_wait(self, call: Call, step: Json) -> None:
        woken = threading.Event() if call.rule.get("ignoreCancel") else call.cancelled
        match step:
            case {"answer": result}:
                self.answer(call, result=result)
            case {"stop": reason}:
                self.answer(call, result={"stopReason": reason})
            case {"error": error}:
                self.answer(call, error=error)
            case {"silent": _}:
                call.answered = True
            case {"sleep": seconds}:
                woken.wait(seconds)
            case {"untilCancelled": _}:
                call.cancelled.wait()
            case {"waitFile": path}:
                while not Path(path).exists() and not woken.wait(0.005):
                    pass
            case {"repeat": number}:
                for _ in range(number):
                    self.take(call, step["steps"])
            case _:
                self.act(call, step)

    def act(self, call: Call, step: Json) -> None:
        match step:
            case {"stdout": text}:
                self.write(text.encode(step.get("encoding", "utf-8")) * step.get("times", 1))
            case {"stderr": text}:
                data = text.encode(step.get("encoding", "utf-8")) * step.get("times", 1)
                while data:
                    data = data[os.write(2, data) :]
            case {"write": {"path": path, "text": text}}:
                write_whole(Path(self.cwds.get(call.session, "."), path), text)
            case {"describe": path}:
                about = {"pid": os.getpid(), "cwd": str(Path.cwd()), "argv": sys.argv}
                write_whole(Path(path), json.dumps({**about, "env": dict(os.environ)}))
            case {"spawn": what}:
                spawn(what)
            case {"exit": code}:
                if code < 0:
                    os.kill(os.getpid(), -code)
                os._exit(code)
            case _:
                sys.stderr.write(f"fake agent: no such step: {step}\n")
                os._exit(70)


def write_whole(path: Path, text: str) -> None:
    """Write so that whoever waits for the file never sees half of it."""
    half = path.with_name(path.name + ".half")
    half.write_text(text)
    half.replace(path)


def spawn(what: Json) -> None:
    argv = what.get("argv", ["sleep", "300"])
    if what.get("ignoreSigterm"):
        argv = ["sh", "-c", "trap '' TERM HUP; exec \"$@\"", "sh", *argv]
    pipe = None if what.get("holdPipes") else subprocess.DEVNULL
    alone = bool(what.get("newSession"))
    child = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=alone
    )
    write_whole(Path(what["pidFile"]), str(child.pid))


def read_script() -> Json:
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("FAKE_AGENT_SCRIPT", "{}")
    return json.loads(given if given.lstrip().startswith("{") else Path(given).read_text())


if __name__ == "__main__":
    Agent(read_script()).run()
