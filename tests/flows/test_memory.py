"""What an agent knows: across restarts, crashes and evictions, with and without `session/load`."""

from pathlib import Path
from typing import Any

import pytest

from fakes.scripts import (
    Script,
    ask,
    crash,
    error,
    on,
    on_prompt,
    recorded,
    say,
    script,
    silent,
    update,
)
from fakes.stage import Stage, text_of

Json = dict[str, Any]
NO_LOAD: Json = {"initialize": {"agentCapabilities": {}}}
RESUMES: Json = {"initialize": {"agentCapabilities": {"sessionCapabilities": {"resume": {}}}}}


def prompts(record: Path) -> list[list[str]]:
    """Return the text blocks of each prompt that the agent got."""
    return [
        [block["text"] for block in frame["params"]["prompt"]]
        for frame in recorded(record)
        if frame.get("method") == "session/prompt"
    ]


def methods(record: Path) -> list[str]:
    wanted = ("session/new", "session/load", "session/resume", "session/prompt")
    return [m for frame in recorded(record) if (m := frame.get("method")) in wanted]


async def restarted(folder: Path, alice: Script, *says: str) -> None:
    """Say each thing in a run of the app of its own."""
    for text in says:
        async with Stage(folder, alice=alice) as stage:
            await stage.say("alice", text)


async def test_a_session_is_loaded_and_its_history_is_not_shown_again(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    replay = on("session/load", {"user": "my name is Ann"}, say("Hello Ann"), nth=1)
    alice = script(replay, record=record)
    await restarted(tmp_path, alice, "my name is Ann", "who am I?", "and now?")
    assert methods(record) == [
        "session/new",
        "session/prompt",
        "session/load",
        "session/prompt",
        "session/load",
        "session/prompt",
    ]
    assert prompts(record) == [["my name is Ann"], ["who am I?"], ["and now?"]]
    async with Stage(tmp_path, alice=alice) as stage:
        assert [text_of(m) for m in await stage.messages("alice")] == [
            "my name is Ann",
            "my name is Ann",
            "who am I?",
            "who am I?",
            "and now?",
            "and now?",
        ]


async def test_a_history_that_is_told_after_the_answer_is_not_shown_either(tmp_path: Path) -> None:
    late = on("session/load", {"answer": {}}, say("an old word"), {"user": "an old question"})
    await restarted(tmp_path, script(late), "one", "two")
    async with Stage(tmp_path, alice=script(late)) as stage:
        shown = [text_of(m) for m in await stage.messages("alice")]
        assert shown == ["one", "one", "two", "two"]


async def test_commands_and_usage_count_also_in_a_history(tmp_path: Path) -> None:
    tells = on(
        "session/load",
        update("available_commands_update", availableCommands=[{"name": "new", "description": ""}]),
        update("usage_update", used=7, size=70),
    )
    alice = script(tells)
    await restarted(tmp_path, alice, "one")
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "two")
        assert (await stage.event("commands.changed"))["commands"][0]["name"] == "new"
        assert (await stage.snapshot())["sessions"][0]["usage"] == {"used": 7, "size": 70}


async def test_an_agent_that_resumes_is_resumed(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    await restarted(tmp_path, script(record=record, **RESUMES), "one", "two")
    assert methods(record)[2:] == ["session/resume", "session/prompt"]
    assert prompts(record)[1] == ["two"]


async def test_an_agent_that_forgets_is_told_everything_once(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(on_prompt(say("Hello Ann, I am Alice"), nth=1), record=record, **NO_LOAD)
    await restarted(tmp_path, alice, "my name is Ann", "who am I?")
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "third run")
        await stage.say("alice", "same run")
    first, second, third, fourth = prompts(record)
    assert first == ["my name is Ann"]
    assert second[1] == "who am I?"
    assert "User:\n| my name is Ann" in second[0]
    assert "Alice:\n| Hello Ann, I am Alice" in second[0]
    assert "who am I?" not in second[0]
    assert third[1] == "third run"
    assert (
        second[0].splitlines()[1:-1] == third[0].splitlines()[1 : len(second[0].splitlines()) - 1]
    )
    assert fourth == ["same run"]


@pytest.mark.parametrize(
    "steps",
    [[error(-32603, "No previous sessions found")], [error(-32002, "not found")]],
    ids=["an error", "not found"],
)
async def test_a_load_that_fails_opens_a_new_session_with_the_recap(
    tmp_path: Path, steps: list[Json]
) -> None:
    record = tmp_path / "wire"
    alice = script(on("session/load", *steps), record=record)
    await restarted(tmp_path, alice, "my name is Ann", "who am I?")
    assert methods(record)[2:] == ["session/load", "session/new", "session/prompt"]
    assert "| my name is Ann" in prompts(record)[1][0]


async def test_an_agent_that_dies_while_it_loads_fails_the_turn_and_keeps_the_id(
    tmp_path: Path,
) -> None:
    record = tmp_path / "wire"
    dies = on("session/load", *crash(), times=1)
    await restarted(tmp_path, script(record=record), "one")
    async with Stage(tmp_path, alice=script(dies, record=record)) as stage:
        assert (await stage.say("alice", "two"))["outcome"] == "failed"
    await restarted(tmp_path, script(record=record), "three")
    loads = [
        f["params"]["sessionId"] for f in recorded(record) if f.get("method") == "session/load"
    ]
    assert len(loads) == 2
    assert len(set(loads)) == 1
    # What failed is told again, with the next.
    assert "| two" in prompts(record)[-1][0]


async def test_a_load_that_never_answers_can_be_stopped(tmp_path: Path) -> None:
    await restarted(tmp_path, script(), "one")
    async with Stage(tmp_path, alice=script(on("session/load", silent()))) as stage:
        sent = await stage.send("alice", "two")
        await stage.event("turn.started")
        await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
        assert (await stage.ended(sent["turns"][0]["turnId"]))["outcome"] == "stopped"


async def test_a_crash_loses_nothing_of_what_the_agent_knows(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(
        on_prompt(say("fine"), when="again"),
        on_prompt(say("half"), *crash(), when="die"),
        record=record,
        **NO_LOAD,
    )
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "one")
        assert (await stage.say("alice", "die"))["outcome"] == "failed"
        await stage.say("alice", "again")
    recap = prompts(record)[-1][0]
    assert "| one" in recap
    assert "| die" in recap
    assert "Alice:\n| half" in recap


async def test_a_command_goes_alone_and_moves_no_mark(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(record=record, **NO_LOAD)
    await restarted(tmp_path, alice, "my name is Ann")
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "/plan the day")
        await stage.say("alice", "/alice:plan the night")
        await stage.say("alice", "who am I?")
        await stage.say("alice", " /not a command")
        sent = await stage.send("alice", "/just text", asText=True)
        await stage.ended(sent["turns"][0]["turnId"])
    got = prompts(record)
    assert got[1] == ["/plan the day"]
    assert got[2] == ["/plan the night"]
    assert got[3][1] == "who am I?"
    assert "| my name is Ann" in got[3][0]
    # It has had these itself.
    assert "| /plan the day" not in got[3][0]
    assert got[4] == [" /not a command"]
    assert got[5] == ["/just text"]


async def test_an_agent_that_made_room_knows_what_was_said(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(record=record, **NO_LOAD)
    async with Stage(tmp_path, settings={"maxRunning": 1}, alice=alice, bob=script()) as stage:
        await stage.say("alice", "my name is Ann")
        await stage.say("bob", "hi")
        await stage.say("alice", "who am I?")
    assert "| my name is Ann" in prompts(record)[1][0]


async def test_what_will_alice_see_is_what_alice_sees(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    alice = script(record=record, **NO_LOAD)
    await restarted(tmp_path, alice, "my name is Ann")
    async with Stage(tmp_path, alice=alice) as stage:
        channel = await stage.direct("alice")
        seen = await stage.invoke("preview_recap", channelId=channel, agentId="alice")
        assert seen["how"] == "new"
        await stage.say("alice", "who am I?")
        assert prompts(record)[1][0] == seen["text"]
        after = await stage.invoke("preview_recap", channelId=channel, agentId="alice")
        assert (after["text"], after["how"]) == ("", "session")


async def test_a_rule_answers_the_same_kind_of_tool_and_is_noted(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    read = ask({"toolCallId": "r", "title": "Read a.txt", "kind": "read"})
    run = ask({"toolCallId": "x", "title": "rm -rf", "kind": "execute"})
    alice = script(on_prompt(read, when="read"), on_prompt(run, when="run"), record=record)
    async with Stage(tmp_path, alice=alice) as stage:
        channel = await stage.direct("alice")
        await stage.send("alice", "read")
        asked = (await stage.event("permission.asked"))["permission"]["permissionId"]
        await stage.invoke("answer_permission", permissionId=asked, optionId="allow", remember=True)
        await stage.event("turn.ended")
        (rule,) = (await stage.invoke("list_rules"))["rules"]
        assert (rule["agentId"], rule["kind"], rule["decision"]) == ("alice", "read", "allow")
        await stage.say("alice", "read again")
        assert len(stage.of("permission.asked")) == 1
        notes = [p for p in (await stage.messages("alice"))[-1]["parts"] if p["type"] == "note"]
        assert "Read a.txt" in notes[0]["text"]
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "read after a restart")
        assert stage.of("permission.asked") == []
        await stage.invoke("delete_rule", ruleId=rule["ruleId"])
        await stage.send("alice", "read once more")
        await stage.event("permission.asked")
        await stage.invoke("stop_turn", channelId=channel)


@pytest.mark.parametrize("kind", ["execute", "other", None, "teleport"])
async def test_no_rule_is_kept_for_what_says_too_little(tmp_path: Path, kind: str | None) -> None:
    call: Json = {"toolCallId": "r", "title": "Do it"} | ({"kind": kind} if kind else {})
    async with Stage(tmp_path, alice=script(on_prompt(ask(call)))) as stage:
        await stage.send("alice", "go")
        asked = (await stage.event("permission.asked"))["permission"]["permissionId"]
        answer = stage.invoke(
            "answer_permission", permissionId=asked, optionId="allow", remember=True
        )
        if kind == "teleport":
            await answer
            return
        with pytest.raises(Exception, match="invalid"):
            await answer
        # The question is still open: nothing was answered by that.
        assert len((await stage.snapshot())["permissions"]) == 1


async def test_signing_in_by_the_agent_and_asking_again(tmp_path: Path) -> None:
    signs = script(
        on("session/new", error(-32000, "Authentication required"), times=1),
        on("authenticate", {"answer": {}}),
        initialize={"authMethods": [{"id": "acme", "name": "Acme account"}]},
    )
    async with Stage(tmp_path, alice=signs) as stage:
        failed = await stage.say("alice", "hi")
        assert failed["outcome"] == "failed"
        agent = next(a for a in (await stage.snapshot())["agents"])
        assert agent["failure"]["code"] == "sign_in"
        assert agent["failure"]["methods"][0]["methodId"] == "acme"
        await stage.invoke("sign_in", agentId="alice", methodId="acme")
        assert (await stage.snapshot())["agents"][0]["failure"] is None
        again = await stage.invoke("retry_turn", turnId=failed["turnId"])
        assert (await stage.ended(again["turnId"]))["outcome"] == "finished"


async def test_sign_in_wanted_only_by_the_prompt(tmp_path: Path) -> None:
    signs = script(
        on_prompt(error(-32000, "Authentication required")),
        initialize={
            "authMethods": [{"id": "t", "name": "Log in", "type": "terminal", "args": ["login"]}]
        },
    )
    async with Stage(tmp_path, alice=signs) as stage:
        await stage.say("alice", "hi")
        method = (await stage.snapshot())["agents"][0]["failure"]["methods"][0]
        assert method["type"] == "terminal"
        assert method["command"].endswith(" login")


async def test_an_error_that_only_speaks_of_unauthorized_is_no_sign_in(tmp_path: Path) -> None:
    alice = script(on_prompt(error(-32603, "tool failed: 401 unauthorized")))
    async with Stage(tmp_path, alice=alice) as stage:
        await stage.say("alice", "hi")
        assert (await stage.snapshot())["agents"][0]["failure"] is None


async def test_the_first_slash_opens_the_session_that_the_first_answer_uses(
    tmp_path: Path,
) -> None:
    record = tmp_path / "wire"
    tells = update(
        "available_commands_update", availableCommands=[{"name": "x", "description": ""}]
    )
    async with Stage(tmp_path, alice=script(on("session/new", tells), record=record)) as stage:
        channel = await stage.direct("alice")
        for _ in range(3):
            await stage.invoke("list_commands", channelId=channel, open=True)
        await stage.event("commands.changed")
        known = await stage.invoke("list_commands", channelId=channel, open=True)
        assert [c["name"] for c in known["commands"]] == ["x"]
        await stage.say("alice", "/x")
        assert methods(record) == ["session/new", "session/prompt"]
