"""Places: who runs, who makes room, who waits."""

from pathlib import Path

import pytest

from fakes.children import runs
from fakes.scripts import ask, on_prompt, say, script, spawn, until_cancelled
from fakes.stage import Refused, Stage
from sidekicks.contract.ids import AgentId

BUSY = script(on_prompt(say("busy"), until_cancelled(), when="slow"), on_prompt(ask(), when="ask"))
ONE = {"maxRunning": 1}


async def states(stage: Stage) -> dict[str, str]:
    return {a["agentId"]: a["state"] for a in (await stage.snapshot())["agents"]}


async def test_the_agent_that_is_idle_the_longest_makes_room(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=BUSY, bob=BUSY, carol=BUSY) as stage:
        await stage.say("alice", "hi")
        await stage.say("bob", "hi")
        await stage.say("alice", "hi again")
        await stage.say("carol", "hi")
        assert await states(stage) == {"alice": "ready", "bob": "stopped", "carol": "ready"}


async def test_a_turn_waits_for_a_place_and_names_who_has_it(tmp_path: Path) -> None:
    async with Stage(tmp_path, settings=ONE, alice=BUSY, bob=BUSY) as stage:
        await stage.send("alice", "slow")
        await stage.event("turn.delta")
        sent = await stage.send("bob", "hi")
        turn = sent["turns"][0]["turnId"]
        told = await stage.event("turn.updated", turnId=turn)
        assert told["waitsFor"]["kind"] == "place"
        assert (await states(stage))["bob"] == "stopped"
        await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
        assert (await stage.ended(turn))["outcome"] == "finished"
        assert await states(stage) == {"alice": "stopped", "bob": "ready"}


async def test_who_waits_for_the_person_keeps_the_place(tmp_path: Path) -> None:
    async with Stage(tmp_path, settings=ONE, alice=BUSY, bob=BUSY) as stage:
        await stage.send("alice", "ask")
        asked = (await stage.event("permission.asked"))["permission"]
        turn = (await stage.send("bob", "hi"))["turns"][0]["turnId"]
        told = await stage.event("turn.updated", turnId=turn)
        waits = told["waitsFor"]
        assert (waits["kind"], waits["agentId"]) == ("place", "alice")
        await stage.invoke(
            "answer_permission", permissionId=asked["permissionId"], optionId="allow"
        )
        assert (await stage.ended(turn))["outcome"] == "finished"


async def test_an_agent_to_be_kept_makes_no_room(tmp_path: Path) -> None:
    async with Stage(tmp_path, settings=ONE, alice=BUSY, bob=BUSY) as stage:
        stage.keep("alice")
        await stage.event("config.changed")
        await stage.say("alice", "hi")
        with pytest.raises(Refused) as refused:
            await stage.invoke("start_agent", agentId="bob")
        assert refused.value.code == "busy"
        assert "Alice" in refused.value.error["message"]


async def test_two_who_want_the_last_place_at_once_do_not_both_get_it(tmp_path: Path) -> None:
    async with Stage(tmp_path, settings=ONE, alice=BUSY, bob=BUSY, carol=BUSY) as stage:
        await stage.say("alice", "hi")
        first = await stage.send("bob", "hi")
        second = await stage.send("carol", "hi")
        most = 0
        for sent in (first, second):
            await stage.ended(sent["turns"][0]["turnId"])
        running: dict[str, str] = {}
        for event in stage.of("agent.changed"):
            running[event["agent"]["agentId"]] = event["agent"]["state"]
            most = max(most, sum(s in ("ready", "working") for s in running.values()))
        assert most == 1


async def test_the_person_is_asked_about_an_idle_agent_that_started_something(
    tmp_path: Path,
) -> None:
    server = on_prompt(spawn(tmp_path / "child.pid"), say("the server runs"), when="serve")
    async with Stage(tmp_path, settings=ONE, alice=script(server), bob=BUSY) as stage:
        alice = stage.up.domains.app.roster.get(AgentId("alice"))
        await stage.say("alice", "serve")
        await stage.holds(lambda: alice.children)
        turn = (await stage.send("bob", "hi"))["turns"][0]["turnId"]
        told = await stage.event("turn.updated", turnId=turn)
        waits = told["waitsFor"]
        assert (waits["kind"], waits["agentId"]) == ("place", "alice")
        assert len(waits["children"]) == 1
        await stage.invoke("stop_agent", agentId="alice")
        assert (await stage.ended(turn))["outcome"] == "finished"
        assert not runs(int((tmp_path / "child.pid").read_text()))


async def test_answering_at_once_is_bounded_apart_from_running(tmp_path: Path) -> None:
    few = {"maxRunning": 2, "maxAnswering": 1}
    async with Stage(tmp_path, settings=few, alice=BUSY, bob=BUSY) as stage:
        await stage.send("alice", "slow")
        await stage.event("turn.delta")
        turn = (await stage.send("bob", "hi"))["turns"][0]["turnId"]
        told = await stage.event("turn.updated", turnId=turn)
        assert told["waitsFor"]["kind"] == "place"
        await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
        assert (await stage.ended(turn))["outcome"] == "finished"
        assert await states(stage) == {"alice": "ready", "bob": "ready"}
