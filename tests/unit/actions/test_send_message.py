"""Sending: what is refused is not stored, and what is sent twice is sent once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from fakes.scripts import on_prompt, say, script, until_cancelled
from fakes.stage import Refused, Stage, text_of
from sidekicks.channels.router import LONGEST_MESSAGE

WAITS = script(on_prompt(say("busy"), until_cancelled(), when="slow"))


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with Stage(tmp_path, alice=WAITS, bob=WAITS, shelf=None) as stage:
        yield stage


async def refuse(stage: Stage, channel: str, text: str, **params: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        await stage.invoke("send_message", channelId=channel, text=text, **params)
    return refused.value


@pytest.mark.parametrize(
    ("text", "params", "code"),
    [
        ("", {}, "invalid"),
        (" \n\t", {}, "invalid"),
        ("x" * (LONGEST_MESSAGE + 1), {}, "too_large"),
        ("hello", {"to": ["bob"]}, "invalid"),
        ("hello", {"to": ["nobody"]}, "invalid"),
    ],
)
async def test_what_is_refused_leaves_nothing(
    stage: Stage, text: str, params: dict[str, Any], code: str
) -> None:
    channel = await stage.direct("alice")
    assert (await refuse(stage, channel, text, **params)).code == code
    assert await stage.messages("alice") == []
    assert stage.of("message.added") == stage.of("turn.queued") == []


async def test_a_conversation_that_is_not_there(stage: Stage) -> None:
    assert (await refuse(stage, "c_none", "hello")).code == "not_found"


async def test_an_entry_without_a_command_cannot_be_talked_with(stage: Stage) -> None:
    refused = await refuse(stage, await stage.direct("shelf"), "hello")
    assert refused.code == "unsupported"
    assert "Shelf" in refused.error["message"]
    assert await stage.messages("shelf") == []


async def test_an_agent_that_is_gone_is_told_and_its_conversation_stays(stage: Stage) -> None:
    channel = await stage.direct("alice")
    await stage.say("alice", "hello")
    stage.write_config(bob=WAITS)
    await stage.event("agent.removed", agentId="alice")
    assert (await refuse(stage, channel, "are you there?")).code == "not_found"
    assert len(await stage.messages("alice")) == 2
    stage.write_config(alice=WAITS, bob=WAITS)
    await stage.event("config.changed", agentIds=["alice", "bob"])
    assert (await stage.say("alice", "and now?"))["outcome"] == "finished"


async def test_sent_twice_at_once_it_is_sent_once(stage: Stage) -> None:
    channel = await stage.direct("alice")
    sent = await asyncio.gather(
        *(
            stage.invoke("send_message", channelId=channel, text="once", localId="l1")
            for _ in range(5)
        )
    )
    assert all(one == sent[0] for one in sent)
    await stage.ended(sent[0]["turns"][0]["turnId"])
    assert [text_of(m) for m in await stage.messages("alice")] == ["once", "once"]
    assert len(stage.of("turn.queued")) == 1


async def test_after_a_restart_it_is_still_known_what_was_sent(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=WAITS) as stage:
        first = await stage.send("alice", "once", localId="l1")
        await stage.ended(first["turns"][0]["turnId"])
    async with Stage(tmp_path, alice=WAITS) as stage:
        assert await stage.send("alice", "once", localId="l1") == first
        assert len(await stage.messages("alice")) == 2


async def test_a_refused_message_may_be_sent_again_under_its_local_id(stage: Stage) -> None:
    channel = await stage.direct("alice")
    await refuse(stage, channel, "hello", to=["bob"], localId="l1")
    sent = await stage.send("alice", "hello", localId="l1")
    assert len(sent["turns"]) == 1


async def test_messages_keep_the_order_in_which_they_were_sent(stage: Stage) -> None:
    channel = await stage.direct("alice")
    await stage.send("alice", "slow")
    await asyncio.gather(
        *(stage.invoke("send_message", channelId=channel, text=str(n)) for n in range(10))
    )
    waiting = [text_of(m) for m in await stage.messages("alice") if m["position"] is None]
    assert waiting == [str(n) for n in range(10)]
    for turn in (await stage.snapshot())["turns"][1:]:
        await stage.invoke("withdraw_turn", turnId=turn["turnId"])
    await stage.invoke("stop_turn", channelId=channel)


async def test_a_message_stands_there_exactly_as_it_was_written(stage: Stage) -> None:
    text = "  two  spaces\r\n\ttab \u2028 é🎉 \u0000 </script> @bob "
    await stage.say("alice", text)
    mine, _ = await stage.messages("alice")
    assert text_of(mine) == text
