"""What real agents did that we got wrong, each played by the scripted agent."""

from pathlib import Path
from typing import Any

import pytest

from fakes.scripts import ask, error, on, on_prompt, recorded, say, script, stop, update
from fakes.stage import Stage, text_of

Json = dict[str, Any]
HERMES = {"agentInfo": {"name": "hermes-agent", "version": "0.19.0"}}


def methods(record: Path) -> list[str]:
    """Return what the agent was asked, without the start."""
    asked = [frame["method"] for frame in recorded(record) if "method" in frame]
    return [method for method in asked if method != "initialize"]


async def stop_at_the_question(stage: Stage) -> Json:
    """Have the agent ask, stop it there, and return the `turn.ended`."""
    sent = await stage.send("alice", "remove it")
    await stage.event("permission.asked")
    await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
    return await stage.ended(sent["turns"][0]["turnId"])


async def test_hermes_answers_again_after_a_stop_at_its_question(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(
        on_prompt(ask(), when="remove it", nth=2, onCancel=[error(-32603, "Internal error")]),
        # In the session of that turn this would be all that ever comes.
        on_prompt(say("Queued for the next turn. (1 queued)"), nth=99),
        record=record,
        initialize=HERMES,
    )
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "my name is Ann")
        assert (await stop_at_the_question(stage))["outcome"] == "stopped"
        channel = await stage.direct("alice")
        preview = await stage.invoke("preview_recap", channelId=channel, agentId="alice")
        assert preview["how"] == "new"
        assert (await stage.say("alice", "who am I?"))["outcome"] == "finished"
        assert (await stage.say("alice", "and again?"))["outcome"] == "finished"
    prompts = [f["params"] for f in recorded(record) if f.get("method") == "session/prompt"]
    old, wedged, fresh, after = (prompt["sessionId"] for prompt in prompts)
    assert old == wedged
    assert fresh == after != old
    assert prompts[2]["prompt"][0]["text"] == preview["text"]
    assert "| my name is Ann" in preview["text"]
    assert len(prompts[3]["prompt"]) == 1
    assert methods(record).count("session/load") == 0


@pytest.mark.parametrize(
    ("about", "code"),
    [(HERMES, -32800), ({"agentInfo": {"name": "another", "version": "1"}}, -32603)],
    ids=["a proper answer", "another agent"],
)
async def test_other_errors_after_a_stop_leave_the_session(
    tmp_path: Path, about: Json, code: int
) -> None:
    record = tmp_path / "wire"
    alice = script(
        on_prompt(ask(), when="remove it", onCancel=[error(code, "cancelled")]),
        record=record,
        initialize=about,
    )
    async with Stage(tmp_path, alice=alice) as stage:
        await stop_at_the_question(stage)
        await stage.say("alice", "go on")
    assert methods(record).count("session/new") == 1


async def test_a_no_after_which_codex_says_cancelled_is_not_shown_as_a_stop(
    tmp_path: Path,
) -> None:
    breaks_off = ask(then={"reject": [stop("cancelled")]})
    async with Stage(tmp_path, alice=script(on_prompt(breaks_off))) as stage:
        sent = await stage.send("alice", "remove it")
        asked = (await stage.event("permission.asked"))["permission"]["permissionId"]
        await stage.invoke("answer_permission", permissionId=asked, optionId="reject")
        ended = await stage.ended(sent["turns"][0]["turnId"])
        assert ended["outcome"] == "finished"
        assert "Alice broke off" in ended["reason"]


async def test_a_stack_trace_in_codexs_refusal_is_kept_out_of_the_sentence(
    tmp_path: Path,
) -> None:
    told = (
        "Codex has exited with code 1:\nError: no such setting\n\nStack backtrace:\n   0: <unknown>"
    )
    alice = script(on("initialize", error(1001, told)))
    async with Stage(tmp_path, alice=alice) as stage:
        reason = (await stage.say("alice", "hi"))["reason"]
        assert "no such setting" in reason
        assert "backtrace" not in reason
        log = await stage.invoke("get_log", agentId="alice", frames=True)
        assert any("backtrace" in entry["text"] for entry in log["entries"])


async def test_vibes_echo_of_the_question_is_not_said_twice(tmp_path: Path) -> None:
    echoes = on_prompt({"user": "$prompt", "messageId": "u1"}, say("yes", "a1"))
    async with Stage(tmp_path, alice=script(echoes)) as stage:
        await stage.say("alice", "are you there?")
        mine, answer = await stage.messages("alice")
        assert (text_of(mine), text_of(answer)) == ("are you there?", "yes")


async def test_a_command_typed_at_once_goes_to_the_session_that_its_slash_opened(
    tmp_path: Path,
) -> None:
    record = tmp_path / "wire"
    slow = on(
        "session/new", {"sleep": 0.2}, update("available_commands_update", availableCommands=[])
    )
    async with Stage(tmp_path, alice=script(slow, record=record)) as stage:
        channel = await stage.direct("alice")
        await stage.invoke("list_commands", channelId=channel, open=True)
        await stage.state("alice", "ready")
        await stage.say("alice", "/plan")
    assert methods(record) == ["session/new", "session/prompt"]
