"""A turn from the message to its end, with a real program at the other side of the pipe."""

from pathlib import Path

import pytest

from fakes.scripts import (
    ask,
    crash,
    error,
    on,
    on_prompt,
    recorded,
    say,
    script,
    silent,
    stop,
    think,
    until_cancelled,
    update,
)
from fakes.stage import Refused, Stage, text_of


async def test_a_message_is_answered_and_kept(tmp_path: Path) -> None:
    answers = script(on_prompt(think("hm"), say("Hello "), say("you 🎉"), say("!")))
    async with Stage(tmp_path, alice=answers) as stage:
        ended = await stage.say("alice", "hi")
        assert (ended["outcome"], ended["reason"]) == ("finished", None)
        mine, answer = await stage.messages("alice")
        assert (mine["author"], text_of(mine), mine["position"]) == ("user", "hi", 1)
        assert [part["type"] for part in answer["parts"]] == ["thought", "text"]
        assert text_of(answer) == "Hello you 🎉!"
        assert answer["ending"]["outcome"] == "finished"
        assert answer["turnId"] == ended["turnId"]
    async with Stage(tmp_path, alice=answers) as stage:
        assert (await stage.messages("alice"))[1] == answer


async def test_events_come_in_the_order_in_which_a_page_needs_them(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script(on_prompt(say("one")))) as stage:
        await stage.say("alice", "hi")
        order = [e["type"] for e in stage.events if e["type"].startswith(("message.", "turn."))]
        assert order == [
            "message.added",
            "turn.queued",
            "message.changed",
            "message.added",
            "turn.started",
            "turn.delta",
            "message.changed",
            "turn.ended",
        ]
        seqs = [event["seq"] for event in stage.events]
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


async def test_offsets_count_as_javascript_does(tmp_path: Path) -> None:
    chunks = [say("é🎉"), update("plan", entries=[{"content": "x"}]), say("a🎉"), say("b")]
    async with Stage(tmp_path, alice=script(on_prompt(*chunks))) as stage:
        await stage.say("alice", "hi")
        lengths: dict[str, int] = {}
        for delta in stage.of("turn.delta"):
            assert delta["offset"] == lengths.get(delta["partId"], 0)
            units = len(delta["text"].encode("utf-16-le")) // 2
            lengths[delta["partId"]] = delta["offset"] + units
        assert list(lengths.values()) == [3, 4]


async def test_a_tool_asks_and_the_answer_is_the_persons(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    call = {"toolCallId": "t1", "title": "Write a.txt", "kind": "edit", "rawInput": {"path": "a"}}
    steps = ask(call, then={"allow": [say("written")], "reject": [say("left alone")]})
    async with Stage(tmp_path, alice=script(on_prompt(steps), record=record)) as stage:
        sent = await stage.send("alice", "write it")
        asked = (await stage.event("permission.asked"))["permission"]
        assert asked["toolCall"]["title"] == "Write a.txt"
        assert [option["optionId"] for option in asked["options"]] == ["allow", "reject"]
        assert (await stage.state("alice", "waiting"))["state"] == "waiting"
        snapshot = await stage.snapshot()
        assert snapshot["permissions"] == [asked]
        assert snapshot["turns"][0]["waitsFor"]["kind"] == "answer"
        with pytest.raises(Refused) as refused:
            await stage.invoke(
                "answer_permission", permissionId=asked["permissionId"], optionId="allow_all"
            )
        assert refused.value.code == "invalid"
        await stage.invoke(
            "answer_permission", permissionId=asked["permissionId"], optionId="reject"
        )
        with pytest.raises(Refused) as again:
            await stage.invoke(
                "answer_permission", permissionId=asked["permissionId"], optionId="allow"
            )
        assert again.value.code == "not_found"
        await stage.ended(sent["turns"][0]["turnId"])
        answer = (await stage.messages("alice"))[1]
        assert text_of(answer) == "left alone"
        assert answer["parts"][0]["title"] == "Write a.txt"
        outcomes = [f["result"]["outcome"] for f in recorded(record) if "result" in f]
        assert outcomes == [{"outcome": "selected", "optionId": "reject"}]


async def test_stop_cancels_and_keeps_what_was_written(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    waits = on_prompt(say("begun"), until_cancelled(), when="long", onCancel=[say(" and more")])
    async with Stage(tmp_path, alice=script(waits, record=record)) as stage:
        channel = await stage.direct("alice")
        await stage.send("alice", "long work")
        await stage.event("turn.delta")
        await stage.invoke("stop_turn", channelId=channel)
        ended = await stage.event("turn.ended")
        assert ended["outcome"] == "stopped"
        answer = (await stage.messages("alice"))[1]
        assert text_of(answer).startswith("begun")
        assert answer["ending"]["outcome"] == "stopped"
        assert (await stage.say("alice", "still there?"))["outcome"] == "finished"
        methods = [frame.get("method") for frame in recorded(record)]
        assert methods.count("session/cancel") == 1
        assert methods.count("session/new") == 1


async def test_stop_when_nothing_runs_sends_nothing(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    async with Stage(tmp_path, alice=script(record=record)) as stage:
        await stage.say("alice", "hi")
        await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
        await stage.say("alice", "again")
        assert "session/cancel" not in [frame.get("method") for frame in recorded(record)]


async def test_stop_answers_an_open_question_with_cancelled(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    async with Stage(tmp_path, alice=script(on_prompt(ask()), record=record)) as stage:
        channel = await stage.direct("alice")
        sent = await stage.send("alice", "do it")
        asked = (await stage.event("permission.asked"))["permission"]
        await stage.invoke("stop_turn", channelId=channel)
        closed = await stage.event("permission.closed", permissionId=asked["permissionId"])
        assert closed["outcome"] == "cancelled"
        assert (await stage.ended(sent["turns"][0]["turnId"]))["outcome"] == "stopped"
        answer = (await stage.messages("alice"))[1]
        assert answer["parts"][0]["status"] == "cancelled"
        frames = recorded(record)
        cancelled = [i for i, f in enumerate(frames) if f.get("method") == "session/cancel"]
        replied = [i for i, f in enumerate(frames) if "result" in f]
        assert cancelled < replied
        assert frames[replied[0]]["result"] == {"outcome": {"outcome": "cancelled"}}


async def test_an_agent_that_ignores_stop_can_be_stopped_for_good(tmp_path: Path) -> None:
    deaf = on_prompt(say("never"), until_cancelled(), ignoreCancel=True)
    async with Stage(tmp_path, alice=script(deaf)) as stage:
        channel = await stage.direct("alice")
        sent = await stage.send("alice", "go")
        await stage.event("turn.delta")
        await stage.invoke("stop_turn", channelId=channel)
        assert (await stage.snapshot())["turns"][0]["stopping"] is True
        await stage.invoke("stop_turn", channelId=channel, force=True)
        assert (await stage.ended(sent["turns"][0]["turnId"]))["outcome"] == "stopped"
        assert (await stage.state("alice", "stopped"))["failure"] is None


async def test_a_crash_ends_the_turn_with_its_reason_and_keeps_the_text(tmp_path: Path) -> None:
    dies = on_prompt(say("half a sen"), *crash(3, "Traceback: boom\n"), when="die")
    # What failed is told again with the next message: its words come first.
    lives = on_prompt(say("here I am"), when="and again")
    async with Stage(tmp_path, alice=script(lives, dies)) as stage:
        ended = await stage.say("alice", "die")
        assert ended["outcome"] == "failed"
        assert "3" in ended["reason"]
        agent = await stage.state("alice", "failed")
        assert agent["failure"]["code"] == "crashed"
        assert "Traceback: boom" in agent["failure"]["stderr"]
        answer = (await stage.messages("alice"))[1]
        assert text_of(answer) == "half a sen"
        assert (await stage.say("alice", "and again"))["outcome"] == "finished"
        assert (await stage.state("alice", "ready"))["failure"] is None


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ([stop("refusal")], "refused"),
        ([stop("max_tokens")], "limit"),
        ([stop("max_turn_requests")], "limit"),
        ([say("x"), stop("cancelled")], "finished"),
        ([], "nothing"),
        ([error(-32603, "out of order")], "failed"),
        ([say("x"), stop("paused_by_moon")], "finished"),
    ],
)
async def test_endings(tmp_path: Path, steps: list[dict[str, object]], outcome: str) -> None:
    rule = on_prompt(*steps) if steps else on_prompt({"stop": "end_turn"})
    async with Stage(tmp_path, alice=script(rule)) as stage:
        assert (await stage.say("alice", "hi"))["outcome"] == outcome


async def test_a_second_message_waits_and_can_be_withdrawn(tmp_path: Path) -> None:
    slow = on_prompt(say("busy"), until_cancelled(), when="slow")
    async with Stage(tmp_path, alice=script(slow)) as stage:
        channel = await stage.direct("alice")
        await stage.send("alice", "slow")
        await stage.event("turn.delta")
        second = await stage.send("alice", "second thoughts")
        turn = second["turns"][0]["turnId"]
        await stage.event("turn.updated", turnId=turn)
        queued = (await stage.messages("alice"))[-1]
        assert (text_of(queued), queued["position"]) == ("second thoughts", None)
        back = await stage.invoke("withdraw_turn", turnId=turn)
        assert back["text"] == "second thoughts"
        assert (await stage.ended(turn))["outcome"] == "withdrawn"
        assert len(await stage.messages("alice")) == 2
        await stage.invoke("stop_turn", channelId=channel)


async def test_the_same_local_id_gives_the_first_result(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script()) as stage:
        first = await stage.send("alice", "once", localId="abc")
        again = await stage.send("alice", "once", localId="abc")
        assert again == first
        await stage.ended(first["turns"][0]["turnId"])
        assert len(await stage.messages("alice")) == 2


async def test_retry_asks_the_same_again(tmp_path: Path) -> None:
    once = on_prompt(error(-32603, "not now"), times=1)
    async with Stage(tmp_path, alice=script(once)) as stage:
        failed = await stage.say("alice", "the question")
        assert "not now" in failed["reason"]
        again = await stage.invoke("retry_turn", turnId=failed["turnId"])
        assert (await stage.ended(again["turnId"]))["outcome"] == "finished"
        mine, first, second = await stage.messages("alice")
        assert first["ending"]["outcome"] == "failed"
        assert text_of(second) == text_of(mine) == "the question"


async def test_a_missing_program_is_said_and_ends_the_turn(tmp_path: Path) -> None:
    missing = {"command": "nosuch-agent-at-all"}
    async with Stage(tmp_path, alice=missing) as stage:
        ended = await stage.say("alice", "hi")
        assert ended["outcome"] == "failed"
        assert "nosuch-agent-at-all" in ended["reason"]
        agent = await stage.state("alice", "failed")
        assert agent["failure"]["code"] == "command_not_found"


async def test_a_failed_handshake_leaves_no_process(tmp_path: Path) -> None:
    refuses = script(on("initialize", error(1001, "licence expired")))
    async with Stage(tmp_path, alice=refuses) as stage:
        ended = await stage.say("alice", "hi")
        assert "licence expired" in ended["reason"]
        await stage.state("alice", "failed")


async def test_another_protocol_version_is_said(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script(initialize={"protocolVersion": 7})) as stage:
        await stage.say("alice", "hi")
        assert (await stage.state("alice", "failed"))["failure"]["code"] == "wrong_protocol"


async def test_an_agent_that_wants_a_sign_in_says_so(tmp_path: Path) -> None:
    signs = script(
        on("session/new", error(-32000, "Authentication required")),
        initialize={"authMethods": [{"id": "acme", "name": "Acme account"}]},
    )
    async with Stage(tmp_path, alice=signs) as stage:
        ended = await stage.say("alice", "hi")
        assert "Acme account" in ended["reason"]


async def test_what_is_said_outside_a_turn_joins_the_last_answer(tmp_path: Path) -> None:
    late = on_prompt(say("first"), {"stop": "end_turn"}, say(" and later"))
    async with Stage(tmp_path, alice=script(late)) as stage:
        await stage.say("alice", "hi")
        await stage.until(lambda e: e["type"] == "turn.delta" and "later" in e["text"])
        answer = (await stage.messages("alice"))[1]
        assert text_of(answer) == "first and later"
    async with Stage(tmp_path, alice=script(late)) as stage:
        assert text_of((await stage.messages("alice"))[1]) == "first and later"


async def test_an_unknown_update_is_kept_as_a_note(tmp_path: Path) -> None:
    odd = on_prompt(update("hologram", shape=[1, 2]), say("x"))
    async with Stage(tmp_path, alice=script(odd)) as stage:
        await stage.say("alice", "hi")
        note = (await stage.messages("alice"))[1]["parts"][0]
        assert note["type"] == "note"
        assert note["raw"]["shape"] == [1, 2]


async def test_commands_of_an_agent_are_known_after_a_restart(tmp_path: Path) -> None:
    announce = update(
        "available_commands_update",
        availableCommands=[{"name": "plan", "description": "Plan it", "input": {"hint": "what"}}],
    )
    alice = script(on("session/new", announce))
    async with Stage(tmp_path, alice=alice) as stage:
        channel = await stage.direct("alice")
        before = await stage.invoke("list_commands", channelId=channel)
        assert before == {"commands": [], "unknown": ["alice"]}
        await stage.say("alice", "hi")
        await stage.event("commands.changed")
    async with Stage(tmp_path, alice=alice) as stage:
        known = await stage.invoke("list_commands", channelId=await stage.direct("alice"))
        assert known["unknown"] == []
        assert known["commands"] == [
            {"agentId": "alice", "name": "plan", "description": "Plan it", "hint": "what"}
        ]


async def test_an_agent_that_never_answers_initialize_can_be_stopped(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script(on("initialize", silent()))) as stage:
        channel = await stage.direct("alice")
        sent = await stage.send("alice", "hi")
        await stage.state("alice", "starting")
        await stage.invoke("stop_turn", channelId=channel)
        assert (await stage.ended(sent["turns"][0]["turnId"]))["outcome"] == "stopped"
        await stage.invoke("stop_agent", agentId="alice")
        await stage.state("alice", "stopped")
