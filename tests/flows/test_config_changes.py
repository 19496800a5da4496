"""A saved edit of the configuration takes effect at once, and disturbs nothing that is fine."""

from pathlib import Path

import pytest

from fakes.scripts import on_prompt, say, script, until_cancelled
from fakes.stage import Refused, Stage, text_of

BUSY = script(on_prompt(say("busy"), until_cancelled(), when="slow"))


async def test_a_new_agent_can_be_talked_with(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=BUSY) as stage:
        stage.write_config(alice=BUSY, bob=script(on_prompt(say("I am new"))))
        await stage.event("config.changed", agentIds=["alice", "bob"])
        await stage.say("bob", "hi")
        assert text_of((await stage.messages("bob"))[1]) == "I am new"


async def test_an_agent_that_runs_and_was_changed_waits_for_a_restart(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=BUSY) as stage:
        await stage.say("alice", "hi")
        stage.write_config(alice=script(on_prompt(say("changed"))) | {"lifetime": 100})
        stage.keep("alice")
        await stage.until(lambda e: e["type"] == "agent.changed" and e["agent"]["restartToApply"])
        await stage.invoke("restart_agent", agentId="alice")
        assert (await stage.state("alice", "ready"))["restartToApply"] is False


async def test_an_agent_that_is_gone_ends_after_its_turn_and_stays_readable(
    tmp_path: Path,
) -> None:
    async with Stage(tmp_path, alice=BUSY, bob=script()) as stage:
        channel = await stage.direct("alice")
        sent = await stage.send("alice", "slow")
        await stage.event("turn.delta")
        stage.write_config(bob=script())
        await stage.event("config.changed")
        assert (await stage.snapshot())["turns"][0]["turnId"] == sent["turns"][0]["turnId"]
        await stage.invoke("stop_turn", channelId=channel)
        await stage.event("agent.removed", agentId="alice")
        assert len(await stage.messages("alice")) == 2
        with pytest.raises(Refused) as refused:
            await stage.invoke("send_message", channelId=channel, text="are you there?")
        assert refused.value.code == "not_found"
        stage.write_config(alice=BUSY, bob=script())
        await stage.event("config.changed", agentIds=["alice", "bob"])
        assert (await stage.say("alice", "and now?"))["outcome"] == "finished"


async def test_a_broken_entry_is_told_and_its_agent_goes_on(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=BUSY, bob=script()) as stage:
        await stage.say("alice", "hi")
        good = stage.config.read_text()
        stage.config.write_text(good.replace('"name": "Alice"', '"name": ["Alice"]'))
        problem = (await stage.event("problem.raised"))["problem"]
        assert problem["key"] == "agents.alice.name"
        assert problem["line"] == 4
        assert (await stage.say("alice", "still there?"))["outcome"] == "finished"
        assert (await stage.say("bob", "and you?"))["outcome"] == "finished"
        stage.config.write_text(good)
        await stage.event("problem.closed", problemId=problem["problemId"])


async def test_a_file_that_cannot_be_read_at_all_stops_nobody(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=BUSY) as stage:
        await stage.say("alice", "hi")
        stage.config.write_text("agents: {alice: [}")
        await stage.event("problem.raised")
        assert (await stage.say("alice", "still there?"))["outcome"] == "finished"


async def test_a_bad_file_at_the_start_is_told_and_the_rest_works(tmp_path: Path) -> None:
    stage = Stage(tmp_path, alice=BUSY, bob=script())
    text = stage.config.read_text().replace('"name": "Bob"', '"name": 7, "colour": "red"')
    stage.config.write_text(text)
    async with stage:
        problems = (await stage.snapshot())["problems"]
        assert {p["key"] for p in problems} == {"agents.bob.name", "agents.bob.colour"}
        assert (await stage.say("alice", "hi"))["outcome"] == "finished"


async def test_a_workspace_without_a_command_is_no_one_to_talk_with(tmp_path: Path) -> None:
    async with Stage(tmp_path, notes=None) as stage:
        (agent,) = (await stage.snapshot())["agents"]
        assert agent["converses"] is False
        with pytest.raises(Refused) as refused:
            await stage.send("notes", "hello?")
        assert refused.value.code == "unsupported"
