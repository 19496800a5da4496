"""Our client with the scripted agent over real pipes: what agents do, and what they get."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from fakes.acp_peers import Listener
from fakes.acp_programs import connect
from fakes.scripts import (
    agent_command,
    answer,
    ask,
    crash,
    error,
    flood,
    notify,
    on,
    on_prompt,
    recorded,
    request,
    say,
    script,
    silent,
    stdout,
    stop,
    think,
    until_cancelled,
    update,
    wait_file,
    write,
)
from sidekicks.acp import (
    AcpError,
    AgentMessageChunk,
    AgentThoughtChunk,
    ClientConnection,
    CommandsUpdate,
    ConnectionEnded,
    Prompted,
    TextContent,
    UnknownUpdate,
    UserMessageChunk,
)


class Talk:
    """A conversation with an agent that does what its script says."""

    def __init__(self, client: ClientConnection, listener: Listener) -> None:
        self.client = client
        self.listener = listener
        self.session_id = ""

    async def open(self, folder: Path) -> None:
        await self.client.initialize("Sidekicks", "1")
        self.session_id = (await self.client.new_session(str(folder))).session_id

    async def prompt(self, text: str = "go") -> Prompted:
        return await self.client.prompt(self.session_id, [TextContent(text=text)])

    def begin(self, text: str = "go") -> "asyncio.Task[Prompted]":
        return asyncio.create_task(self.prompt(text))


@asynccontextmanager
async def talk(folder: Path, *rules: Any, **keys: Any) -> AsyncGenerator[Talk]:
    """Run the agent in a folder and open a session."""
    command = agent_command(script(*rules, **keys), folder / "script.json")
    listener = Listener()
    async with connect(command, listener) as client:
        conversation = Talk(client, listener)
        await conversation.open(folder)
        yield conversation


async def test_an_agent_without_a_script_echoes(tmp_path: Path) -> None:
    async with talk(tmp_path) as agent:
        assert await agent.prompt("hello é😀\n") == Prompted(stop_reason="end_turn")
        assert agent.listener.told == [
            (agent.session_id, AgentMessageChunk(content=TextContent(text="hello é😀\n")))
        ]
        other = await agent.client.new_session("/other")
        sessions = (await agent.client.list_sessions()).sessions
        assert [s.session_id for s in sessions] == [agent.session_id, other.session_id]
        await agent.client.set_mode(agent.session_id, "m")
        await agent.client.close_session(agent.session_id)


async def test_what_comes_before_the_first_answer_does_no_harm(tmp_path: Path) -> None:
    startup = [
        stdout("npm WARN deprecated\n\n\x1b[31mred\x1b[0m\n[1,2]\n42\nnull\n"),
        stdout("\xff\xfe\x00\n", encoding="latin-1"),
        stdout("x" * 1000, times=200),
        stdout("\n"),
    ]
    async with talk(tmp_path, startup=startup) as agent:
        await agent.prompt("hi")
        assert agent.listener.text == "hi"
        assert len(agent.listener.noise) == 7


async def test_a_flood_is_applied_in_order_before_the_prompt_ends(tmp_path: Path) -> None:
    async with talk(tmp_path, on_prompt(flood(20_000))) as agent:
        assert (await agent.prompt()).stop_reason == "end_turn"
        numbers = [int(text.split()[0]) for text in agent.listener.texts]
        assert numbers == list(range(20_000))
        assert {len(text) for text in agent.listener.texts} == {40}


async def test_a_line_of_five_megabytes_arrives(tmp_path: Path) -> None:
    rule = on_prompt(say("a"), {"flood": 1, "size": 5_000_000}, say("b"))
    async with talk(tmp_path, rule) as agent:
        await agent.prompt()
        assert [len(text) for text in agent.listener.texts] == [1, 5_000_000, 1]


async def test_updates_before_the_session_is_known_and_after_the_turn(tmp_path: Path) -> None:
    commands = update("available_commands_update", availableCommands=[{"name": "help"}])
    gate = tmp_path / "gate"
    async with talk(
        tmp_path,
        on("session/new", {**commands, "sessionId": "early"}, answer({"sessionId": "early"})),
        on_prompt(stop("max_tokens"), wait_file(gate), say("late")),
    ) as agent:
        assert agent.session_id == "early"
        ((session_id, told),) = agent.listener.told
        assert session_id == "early"
        assert isinstance(told, CommandsUpdate)
        assert (await agent.prompt()).stop_reason == "max_tokens"
        gate.touch()
        await agent.listener.wait_until(lambda: agent.listener.text == "late")


async def test_a_history_that_is_told_on_load(tmp_path: Path) -> None:
    rule = on("session/load", {"user": "q"}, think("hm"), say("a", "m1"))
    async with talk(tmp_path, rule) as agent:
        opened = await agent.client.load_session("old", str(tmp_path))
        assert opened.session_id == "old"
        assert agent.listener.told == [
            ("old", UserMessageChunk(content=TextContent(text="q"))),
            ("old", AgentThoughtChunk(content=TextContent(text="hm"))),
            ("old", AgentMessageChunk(content=TextContent(text="a"), message_id="m1")),
        ]


async def test_a_permission_is_given(tmp_path: Path) -> None:
    made = tmp_path / "made.txt"
    then = {"allow": [write("made.txt", "by $session"), say("done")], "reject": [say("no")]}
    async with talk(tmp_path, on_prompt(ask(then=then)), record=tmp_path / "record") as agent:
        agent.listener.answers = ["reject", "allow"]
        await agent.prompt()
        assert (agent.listener.text, made.exists()) == ("no", False)
        await agent.prompt()
        assert agent.listener.text == "nodone"
        assert made.read_text() == f"by {agent.session_id}"
        assert [f["id"] for f in recorded(tmp_path / "record") if "method" not in f] == [0, 1]


async def test_stop_while_a_permission_is_open(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with talk(tmp_path, on_prompt(ask()), record=record, askIds="string") as agent:
        prompt = agent.begin()
        await agent.listener.wait_until(lambda: bool(agent.listener.asked))
        agent.client.cancel(agent.session_id)
        assert agent.listener.asked[0].cancel()
        assert (await prompt).stop_reason == "cancelled"
        cancel, outcome = recorded(record)[-2:]
        assert (cancel["method"], "id" in cancel) == ("session/cancel", False)
        assert outcome["id"] == "ask-0"
        assert outcome["result"] == {"outcome": {"outcome": "cancelled"}}


async def test_a_question_that_the_agent_withdraws(tmp_path: Path) -> None:
    rule = on_prompt(ask(wait=False), {"withdraw": True}, say("went on"))
    async with talk(tmp_path, rule, record=tmp_path / "record") as agent:
        await agent.prompt()
        (asked,) = agent.listener.asked
        assert asked.closed
        assert agent.listener.text == "went on"
        await agent.prompt()
        refused = [f for f in recorded(tmp_path / "record") if "error" in f]
        assert refused[0]["error"]["code"] == -32800


@pytest.mark.parametrize(
    ("keys", "said", "reason"),
    [
        ({}, "a", "cancelled"),
        ({"ignoreCancel": True}, "astill", "end_turn"),
        ({"onCancel": [say("odd"), stop("max_tokens")]}, "aodd", "max_tokens"),
    ],
)
async def test_agents_take_a_cancel_each_in_its_way(
    tmp_path: Path, keys: Any, said: str, reason: str
) -> None:
    rule = on_prompt(say("a"), until_cancelled(), say("still"), **keys)
    async with talk(tmp_path, rule) as agent:
        prompt = agent.begin()
        await agent.listener.wait_until(lambda: agent.listener.text == "a")
        agent.client.cancel(agent.session_id)
        assert (await prompt).stop_reason == reason
        assert agent.listener.text == said


async def test_an_agent_that_never_answers_is_told_that_nobody_waits(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with talk(tmp_path, on_prompt(say("a"), silent()), record=record) as agent:
        prompt = agent.begin()
        await agent.listener.wait_until(lambda: agent.listener.text == "a")
        prompt.cancel()
        with pytest.raises(asyncio.CancelledError):
            await prompt
        await agent.client.set_mode(agent.session_id, "still alive")
        asked = next(f for f in recorded(record) if f["method"] == "session/prompt")
        told = next(f for f in recorded(record) if f["method"] == "$/cancel_request")
        assert told["params"] == {"requestId": asked["id"]}


async def test_a_crash_fails_the_prompt_and_keeps_what_was_said(tmp_path: Path) -> None:
    async with talk(tmp_path, on_prompt(say("so far"), *crash())) as agent:
        with pytest.raises(ConnectionEnded):
            await agent.prompt()
        assert agent.listener.text == "so far"
        with pytest.raises(ConnectionEnded):
            await agent.prompt()


async def test_half_a_line_and_the_end(tmp_path: Path) -> None:
    half = stdout('{"jsonrpc":"2.0","method":"sess')
    async with talk(tmp_path, on_prompt(say("a"), half, {"exit": 0})) as agent:
        with pytest.raises(ConnectionEnded):
            await agent.prompt()
        assert agent.listener.text == "a"
        assert agent.listener.noise == ['{"jsonrpc":"2.0","method":"sess']


async def test_an_answer_without_a_line_feed_and_the_end(tmp_path: Path) -> None:
    last = stdout('{"jsonrpc":"2.0","id":$id,"result":{"stopReason":"refusal"}}')
    async with talk(tmp_path, on_prompt(last, {"exit": 0})) as agent:
        assert (await agent.prompt()).stop_reason == "refusal"


async def test_two_answers_and_one_to_nothing(tmp_path: Path) -> None:
    stray = stdout('{"jsonrpc":"2.0","id":"zzz","result":{}}\n')
    twice = stdout('{"jsonrpc":"2.0","id":$id,"result":{"stopReason":"again"}}\n')
    async with talk(tmp_path, on_prompt(stray, stop("end_turn"), twice, say("late"))) as agent:
        assert (await agent.prompt()).stop_reason == "end_turn"
        await agent.listener.wait_until(lambda: agent.listener.text == "late")
        assert len(agent.listener.noise) == 2


async def test_requests_that_we_do_not_know_do_not_stall_the_agent(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with talk(
        tmp_path,
        on_prompt(
            request("craft/drainMidTurnQueue", {"sessionId": "$session"}),
            request("fs/read_text_file", {"path": "/a"}, id="uuid-1"),
            request("session/request_permission", {"sessionId": 5}, id=2.5),
            notify("qwen/notify/session/mode-update", {}),
            update("holo_update", foo=1),
            say("went on"),
        ),
        record=record,
    ) as agent:
        assert (await agent.prompt()).stop_reason == "end_turn"
        assert agent.listener.updates == [
            UnknownUpdate(kind="holo_update", raw={"sessionUpdate": "holo_update", "foo": 1}),
            AgentMessageChunk(content=TextContent(text="went on")),
        ]
        refused = [(f["id"], f["error"]["code"]) for f in recorded(record) if "error" in f]
        assert refused == [(0, -32601), ("uuid-1", -32601), (2.5, -32602)]


async def test_sign_in_is_demanded(tmp_path: Path) -> None:
    demand = error(-32000, "Authentication required")
    async with talk(
        tmp_path,
        on_prompt(demand, times=1),
        initialize={"authMethods": [{"id": "key", "name": "Key"}]},
    ) as agent:
        with pytest.raises(AcpError) as raised:
            await agent.prompt()
        assert (raised.value.code, raised.value.message) == (-32000, "Authentication required")
        await agent.client.authenticate("key")
        assert (await agent.prompt("again")).stop_reason == "end_turn"


async def test_every_line_that_we_send_is_a_frame(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with talk(tmp_path, on_prompt(ask()), record=record) as agent:
        agent.listener.answers = ["allow"]
        await agent.prompt('a\nb\r\u2028"\\\x00é😀')
    frames = recorded(record)
    assert all(frame["jsonrpc"] == "2.0" for frame in frames)
    methods = [frame.get("method") for frame in frames]
    assert methods == ["initialize", "session/new", "session/prompt", None]
    assert frames[2]["params"]["prompt"][0]["text"] == 'a\nb\r\u2028"\\\x00é😀'
