"""Each real agent through the whole app, as a person uses it.

What was seen (how turns ended, what was shown) is logged: `--log-cli-level=INFO` shows it.
"""

import logging
import signal
import time
from typing import Any

import psutil
import pytest

from fakes.stage import text_of
from fakes.waiting import wait_until
from live.conftest import Desk

pytestmark = [pytest.mark.live, pytest.mark.timeout(400)]
Json = dict[str, Any]
_log = logging.getLogger("live")
STREAMS = "Count.\n!slow 100"
NEVER_ENDS = "open", "pending", "in_progress", "running"


def told(what: str, answer: Json) -> Json:
    """Log how an answer looks, and return it."""
    ending = answer["ending"]
    parts = ", ".join(map(_describe, answer["parts"]))
    took = ending["durationMs"]
    _log.info("%s: %s (%s) %s ms: %s", what, ending["outcome"], ending["reason"], took, parts)
    return answer


def tell_log(desk: Desk) -> None:
    """Log the agent's own log, but for its messages."""
    for entry in desk.log():
        _log.info("%s: %s", entry["kind"], entry["text"][:200])


def _describe(part: Json) -> str:
    match part["type"]:
        case "tool":
            shows = "+".join(content["type"] for content in part["content"])
            return f"tool[{part['title']!r} {part['kind']} {part['status']} {shows}]"
        case "text" | "thought" | "note":
            return f"{part['type']}[{part['text'][:80]!r}]"
        case other:
            return other


def prepare(desk: Desk) -> None:
    """Bring the session into the mode in which the agent asks."""
    if desk.agent.mode is None:
        return
    desk.say("Are you there?")
    desk.app.invoke(
        "set_option",
        channelId=desk.channel,
        agentId="alice",
        optionId="mode",
        value=desk.agent.mode,
    )
    (session,) = desk.snapshot()["sessions"]
    options = {option["optionId"]: option["value"] for option in session["options"]}
    _log.info("options: %s", options)
    assert options["mode"] == desk.agent.mode


def settled(answer: Json) -> bool:
    """Whether no tool call of an answer is shown as going on."""
    return all(part.get("status") not in NEVER_ENDS for part in answer["parts"])


def needs_cards(desk: Desk) -> None:
    if not desk.agent.asks:
        pytest.skip(f"{desk.agent.name} asks nothing of a client without terminals and files")


def test_hello(desk: Desk) -> None:
    with desk.open():
        answer = told("hello", desk.say("Good morning"))
        assert answer["ending"]["outcome"] == "finished"
        assert text_of(answer).count("You said:") == 1
        assert len(desk.messages()) == 2
        again = told("again", desk.say("Good evening"))
        assert "Good evening" in text_of(again)
        tell_log(desk)
        commands = desk.app.invoke("list_commands", channelId=desk.channel)
        _log.info("commands: %s", [command["name"] for command in commands["commands"]])
        _log.info("sessions: %s", desk.snapshot()["sessions"])


def test_a_tool_that_is_allowed(desk: Desk) -> None:
    with desk.open():
        prepare(desk)
        file = desk.workspace / "made.txt"
        turn = desk.send(desk.agent.makes.script(file))
        if desk.agent.asks:
            asked = desk.asked(turn)
            _log.info("asked: %s", [asked["toolCall"]["title"], asked["options"]])
            assert desk.shown()["state"] == "waiting"
            desk.choose(asked, "allow_once")
        answer = told("allowed", desk.answer(turn))
        assert answer["ending"]["outcome"] == "finished"
        assert file.exists()
        assert settled(answer)


def test_a_tool_that_is_rejected(desk: Desk) -> None:
    needs_cards(desk)
    with desk.open():
        prepare(desk)
        file = desk.workspace / "kept.txt"
        file.touch()
        turn = desk.send(desk.agent.removes.script(file))
        asked = desk.asked(turn)
        _log.info("asked: %s", [asked["toolCall"]["title"], asked["options"]])
        desk.choose(asked, "reject_once")
        answer = told("rejected", desk.answer(turn))
        assert answer["ending"]["outcome"] != "failed"
        assert file.exists()
        assert settled(answer)
        assert told("after", desk.say("Go on"))["ending"]["outcome"] == "finished"


def test_stop_while_it_streams(desk: Desk) -> None:
    with desk.open():
        turn = desk.send(STREAMS)
        desk.writes(turn, "w0")
        desk.stop()
        answer = told("stopped", desk.answer(turn))
        assert answer["ending"]["outcome"] == "stopped"
        assert "w0" in text_of(answer)
        assert "w99" not in text_of(answer)
        after = told("after", desk.say("Still there?"))
        assert after["ending"]["outcome"] == "finished"
        assert "Still there?" in text_of(after)


def test_stop_with_a_card_open(desk: Desk) -> None:
    needs_cards(desk)
    with desk.open():
        prepare(desk)
        file = desk.workspace / "kept.txt"
        file.touch()
        turn = desk.send(desk.agent.removes.script(file))
        asked = desk.asked(turn)
        desk.stop()
        closed = desk.event("permission.closed", permissionId=asked["permissionId"])
        assert closed["outcome"] == "cancelled"
        answer = told("stopped", desk.answer(turn))
        assert answer["ending"]["outcome"] == "stopped"
        assert file.exists()
        assert settled(answer)
        after = told("after", desk.say("Still there?"))
        tell_log(desk)
        assert after["ending"]["outcome"] == "finished"
        assert "Still there?" in text_of(after)


def test_the_agent_is_killed_while_it_answers(desk: Desk) -> None:
    with desk.open():
        turn = desk.send(STREAMS)
        desk.writes(turn, "w0")
        left = family(desk)
        _log.info("processes: %s, %s bytes", [p.name() for p in left], desk.shown()["memory"])
        left[0].kill()
        answer = told("killed", desk.answer(turn))
        assert answer["ending"]["outcome"] == "failed"
        wait_until(lambda: not any(map(_runs, left)))
        assert "w0" in text_of(answer)
        _log.info("failure: %s", desk.shown()["failure"])
        after = told("after", desk.say("Still there?"))
        assert after["ending"]["outcome"] == "finished"
        # The model may count again: what was cut off is told to the agent once more.
        assert "Still there?" in _said_to(desk)
        tell_log(desk)


def test_the_app_is_killed_while_the_agent_answers(desk: Desk) -> None:
    with desk.open():
        desk.say("My name is Ann")
        turn = desk.send(STREAMS)
        # What was said longer than a second ago is stored.
        desk.writes(turn, "w30")
        left = family(desk)
        desk.app.program.stop(signal.SIGKILL)
    with desk.open():
        wait_until(lambda: not any(map(_runs, left)))
        answer = next(m for m in desk.messages() if m["turnId"] == turn)
        told("cut off", answer)
        assert answer["ending"]["outcome"] == "failed"
        assert "w5" in text_of(answer)
        after = told("after", desk.say("What is my name?"))
        assert after["ending"]["outcome"] == "finished"
        assert "My name is Ann" in _said_to(desk)
        assert len(desk.messages()) == 6
        tell_log(desk)


def test_a_restart_and_a_question(desk: Desk) -> None:
    with desk.open():
        desk.say("My name is Ann")
    for number in range(2):
        with desk.open():
            before = len(desk.messages())
            answer = told("after", desk.say(f"What is my name? {number}"))
            assert answer["ending"]["outcome"] == "finished"
            # By a session that was loaded, or by our recap: the model was told.
            assert "My name is Ann" in _said_to(desk)
            assert len(desk.messages()) == before + 2
            assert f"What is my name? {number}" in text_of(answer)
            tell_log(desk)


def test_quitting_leaves_nothing(desk: Desk) -> None:
    with desk.open():
        desk.send(STREAMS)
        desk.event("turn.delta")
        left = family(desk)
        began = time.monotonic()
        assert desk.app.program.stop() == 0
        _log.info("quit in %.1f s", time.monotonic() - began)
        assert not any(map(_runs, left))


def test_the_model_refuses(desk: Desk) -> None:
    with desk.open():
        desk.say("Are you there?")
        turn = desk.send("!error 401 Invalid key")
        try:
            desk.event("turn.ended", seconds=20, turnId=turn)
        except AssertionError:
            # Some try again for long, or for ever; then the person stops them.
            desk.stop()
            _log.info("it went on trying")
        told("refused", desk.answer(turn))
        _log.info("failure: %s", desk.shown()["failure"])
        told("after", desk.say("Still there?"))
        assert "Still there?" in _said_to(desk)


def _said_to(desk: Desk) -> str:
    """Return what the model was told last with tools: without, it is asked for a title."""
    return str([r for r in desk.model.requests() if r.get("tools")][-1])


def family(desk: Desk) -> list[psutil.Process]:
    """Return the agent's processes, its own first."""
    (agent,) = psutil.Process(desk.app.program.process.pid).children()
    return [agent, *agent.children(recursive=True)]


def _runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
