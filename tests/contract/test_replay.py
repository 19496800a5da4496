"""For each action: the snapshot before and its events make the snapshot after (Zulip's best test).

What is recorded (`SIDEKICKS_RECORD=1`) is replayed by the page's tests too, see `replays/`.
"""

import importlib.util
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fakes.scripts import (
    ask,
    crash,
    on,
    on_prompt,
    say,
    script,
    think,
    until_cancelled,
    update,
)
from fakes.stage import Stage

Json = dict[str, Any]
REPLAYS = Path(__file__).parent / "replays"
Act = Callable[[Stage], Awaitable[None]]


def _load_apply() -> ModuleType:
    spec = importlib.util.spec_from_file_location("apply", Path(__file__).with_name("apply.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


page = _load_apply()
RICH = script(
    on(
        "session/new",
        update("available_commands_update", availableCommands=[{"name": "x", "description": "y"}]),
        update("usage_update", used=10, size=100),
    ),
    on_prompt(
        think("let me see"),
        say("Hello 🎉 "),
        update("plan", entries=[{"content": "one", "status": "pending", "priority": "high"}]),
        update("tool_call", toolCallId="t1", title="Read", kind="read", status="in_progress"),
        say("and "),
        update("plan", entries=[{"content": "one", "status": "completed", "priority": "high"}]),
        update("tool_call_update", toolCallId="t1", status="completed"),
        ask({"toolCallId": "t2", "title": "Write", "kind": "edit"}),
        say("bye"),
        when="rich",
    ),
    on_prompt(say("go"), until_cancelled(), when="slow"),
    on_prompt(say("ow"), *crash(), when="crash"),
)


async def settle(stage: Stage) -> None:
    """Wait until agents have nothing more to tell: no turn, no process coming or going."""

    def still() -> bool:
        app = stage.up.domains.app
        busy = any(agent.state in ("starting", "stopping") for agent in app.roster.agents)
        return not app.turns.shown and not busy

    await stage.holds(still)


async def rich_turn(stage: Stage) -> None:
    await stage.send("alice", "rich")
    asked = (await stage.event("permission.asked"))["permission"]
    await stage.invoke("answer_permission", permissionId=asked["permissionId"], optionId="allow")
    await settle(stage)


async def open_question(stage: Stage) -> None:
    await stage.send("alice", "rich")
    await stage.event("permission.asked")
    await stage.state("alice", "waiting")


async def queue_and_withdraw(stage: Stage) -> None:
    await stage.send("alice", "slow")
    await stage.event("turn.delta")
    second = await stage.send("alice", "later")
    await stage.event("turn.updated", turnId=second["turns"][0]["turnId"])
    await stage.invoke("withdraw_turn", turnId=second["turns"][0]["turnId"])


async def stop(stage: Stage) -> None:
    await stage.send("alice", "slow")
    await stage.event("turn.delta")
    await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
    await settle(stage)


async def crash_and_stop(stage: Stage) -> None:
    await stage.send("alice", "crash")
    await stage.event("turn.ended")
    await stage.state("alice", "failed")
    await stage.invoke("stop_agent", agentId="alice")


async def start_and_stop(stage: Stage) -> None:
    await stage.invoke("start_agent", agentId="alice")
    await stage.invoke("stop_agent", agentId="alice")


async def draft_and_read(stage: Stage) -> None:
    channel = await stage.direct("alice")
    await stage.invoke("save_draft", channelId=channel, text="half a th")
    await stage.invoke("mark_read", channelId=channel)


async def settings(stage: Stage) -> None:
    await stage.invoke("set_settings", settings={"theme": "dark", "language": "fr"})
    await stage.invoke("set_settings", settings={"language": "en"})


async def edit_config(stage: Stage) -> None:
    stage.write_config(bob=script(), alice=RICH, carol=None)
    await stage.event("config.changed", agentIds=["bob", "alice", "carol"])


ACTS = [
    rich_turn,
    open_question,
    queue_and_withdraw,
    stop,
    crash_and_stop,
    start_and_stop,
    draft_and_read,
    settings,
    edit_config,
]


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
async def test_snapshot_and_events_make_the_next_snapshot(tmp_path: Path, act: Act) -> None:
    async with Stage(tmp_path, alice=RICH) as stage:
        channel = await stage.direct("alice")
        before, messages = await stage.snapshot(), await stage.messages("alice")
        seen = len(stage.events)
        await act(stage)
        after, now = await stage.snapshot(), await stage.messages("alice")
        events = stage.events[seen:]
    assert events, "an action that told nothing"
    made = page.apply_all(before, events)
    assert _by_id(made) == _by_id(after)
    assert page.apply_messages(messages, events, channel) == now
    if os.environ.get("SIDEKICKS_RECORD"):
        _record(act.__name__, before, events, after)


async def test_events_applied_twice_change_nothing_more(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=RICH) as stage:
        before = await stage.snapshot()
        seen = len(stage.events)
        await open_question(stage)
        after, events = await stage.snapshot(), stage.events[seen:]
    turn_events = [e for e in events if e["type"] in ("turn.delta", "turn.updated")]
    once = page.apply_all(before, events)
    assert _by_id(page.apply_all(once, turn_events)) == _by_id(after)


def test_every_event_is_applied_in_some_replay_or_is_none_of_the_snapshots() -> None:
    recorded: set[str] = set()
    for file in REPLAYS.glob("*.json"):
        recorded |= {event["type"] for event in json.loads(file.read_text())["events"]}
    assert {"turn.delta", "turn.ended", "permission.closed", "config.changed"} <= recorded


def _by_id(snapshot: Json) -> Json:
    """Turns are a set: those that run come first in a snapshot, last in the order of events."""
    return {**snapshot, "turns": {turn["turnId"]: turn for turn in snapshot["turns"]}}


def _record(name: str, before: Json, events: list[Json], after: Json) -> None:
    text = json.dumps({"before": before, "events": events, "after": after}, indent=1)
    # The folder of the test is nobody else's business.
    folder = Path(before["app"]["configPath"]).parent
    REPLAYS.mkdir(exist_ok=True)
    (REPLAYS / f"{name}.json").write_text(text.replace(str(folder), "/home/you") + "\n")
