"""A session's options and usage: as the agent offers them, changed through it, gone with it."""

from pathlib import Path
from typing import Any

import pytest

from fakes.scripts import answer, crash, error, on, on_prompt, recorded, say, script, update
from fakes.stage import Refused, Stage

Json = dict[str, Any]
MODES = {
    "currentModeId": "ask",
    "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "go", "name": "Go"}],
}
MODELS = {"currentModelId": "m1", "availableModels": [{"modelId": "m1"}, {"modelId": "m2"}]}


def effort(value: str) -> Json:
    return {
        "id": "effort",
        "name": "Effort",
        "type": "select",
        "currentValue": value,
        "options": [{"value": "low", "name": "Low"}, {"value": "high", "name": "High"}],
    }


def web(value: bool) -> Json:
    return {"id": "web", "name": "Web", "type": "boolean", "currentValue": value}


async def set_option(stage: Stage, option: str, value: str | bool) -> None:
    channel = await stage.direct("alice")
    await stage.invoke(
        "set_option", channelId=channel, agentId="alice", optionId=option, value=value
    )


async def values(stage: Stage) -> dict[str, Any]:
    """Return what is set in Alice's session, as a fresh page sees it."""
    (session,) = (await stage.snapshot())["sessions"]
    return {option["optionId"]: option["value"] for option in session["options"]}


async def test_the_older_ways_are_offered_and_changed_by_their_own_requests(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(session={"modes": MODES, "models": MODELS}, record=record)
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "hi")
        assert await values(stage) == {"mode": "ask", "model": "m1"}
        await set_option(stage, "mode", "go")
        await set_option(stage, "model", "m2")
        assert await values(stage) == {"mode": "go", "model": "m2"}
        told = [[o["value"] for o in e["options"]] for e in stage.of("session.changed")]
        assert told[-2:] == [["go", "m1"], ["go", "m2"]]
    sent = {f["method"]: f["params"] for f in recorded(record) if f.get("method")}
    assert sent["session/set_mode"]["modeId"] == "go"
    assert sent["session/set_model"]["modelId"] == "m2"


async def test_the_agents_list_counts_after_a_config_option_was_changed(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    then = answer({"configOptions": [web(False), effort("high")]})
    alice = script(
        on("session/set_config_option", then),
        session={"configOptions": [effort("low"), web(True)], "modes": MODES},
        record=record,
    )
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "hi")
        assert await values(stage) == {"effort": "low", "web": True}
        await set_option(stage, "web", False)
        assert list((await values(stage)).items()) == [("web", False), ("effort", "high")]
    (sent,) = [f for f in recorded(record) if f.get("method") == "session/set_config_option"]
    assert (sent["params"]["configId"], sent["params"]["value"]) == ("web", False)


async def test_what_the_agent_changes_by_itself_is_told(tmp_path: Path) -> None:
    changes = on_prompt(
        update("current_mode_update", currentModeId="go"),
        update("usage_update", used=1200, size=8000),
        say("done"),
    )
    async with Stage(tmp_path, alice=script(changes, session={"modes": MODES})) as stage:
        await stage.say("alice", "hi")
        assert await values(stage) == {"mode": "go"}
        (session,) = (await stage.snapshot())["sessions"]
        assert session["usage"] == {"used": 1200, "size": 8000}
        # None of it is part of the answer.
        assert [p["type"] for p in (await stage.messages("alice"))[1]["parts"]] == ["text"]


async def test_usage_told_without_a_number_is_nothing_used(tmp_path: Path) -> None:
    alice = script(on_prompt(update("usage_update", size=8000), say("x")))
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "hi")
        (session,) = (await stage.snapshot())["sessions"]
        assert session["usage"] == {"used": 0, "size": 8000}


async def test_an_option_that_is_not_offered_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    async with Stage(tmp_path, alice=script(session={"modes": MODES}, record=record)) as stage:
        await stage.say("alice", "hi")
        with pytest.raises(Refused) as refused:
            await set_option(stage, "model", "m2")
        assert refused.value.code == "not_found"
        assert not any("set_" in f.get("method", "") for f in recorded(record))


async def test_without_a_session_nothing_can_be_set(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script(session={"modes": MODES})) as stage:
        with pytest.raises(Refused) as refused:
            await set_option(stage, "mode", "go")
        assert refused.value.code == "unavailable"
        await stage.invoke("start_agent", agentId="alice")
        with pytest.raises(Refused) as refused:
            await set_option(stage, "mode", "go")
        assert refused.value.code == "unavailable"
        assert "Alice" in refused.value.error["message"]


async def test_a_refusal_of_the_agent_is_said_and_changes_nothing(tmp_path: Path) -> None:
    alice = script(
        on("session/set_mode", error(-32602, "not on Sundays")), session={"modes": MODES}
    )
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "hi")
        with pytest.raises(Refused) as refused:
            await set_option(stage, "mode", "go")
        assert refused.value.code == "unavailable"
        assert "not on Sundays" in refused.value.error["message"]
        assert await values(stage) == {"mode": "ask"}


async def test_nothing_can_be_set_once_the_program_is_gone(tmp_path: Path) -> None:
    alice = script(
        on_prompt(update("usage_update", used=5, size=10), say("ow"), *crash(), when="die"),
        session={"modes": MODES},
    )
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "die")
        await stage.state("alice", "failed")
        await stage.holds(lambda: stage.of("session.changed")[-1]["options"] == [])
        (session,) = (await stage.snapshot())["sessions"]
        assert (session["options"], session["usage"]["used"]) == ([], 5)
        await stage.say("alice", "again")
        assert await values(stage) == {"mode": "ask"}


async def test_a_mode_that_changes_while_another_option_is_set_is_kept(tmp_path: Path) -> None:
    meanwhile = on("session/set_model", update("current_mode_update", currentModeId="go"))
    alice = script(meanwhile, session={"modes": MODES, "models": MODELS})
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "hi")
        await set_option(stage, "model", "m2")
        assert await values(stage) == {"mode": "go", "model": "m2"}
