"""The client's side: order, ids, answers, permissions, noise, the end."""

import asyncio
from typing import Any

import pytest

from fakes.acp_peers import Listener, Sent, chunk_bytes, frame_bytes
from sidekicks.acp import (
    AUTH_REQUIRED,
    AcpError,
    AuthMethod,
    BadAnswerError,
    ClientConnection,
    ConnectionEnded,
    Implementation,
    Offered,
    Prompted,
    SessionListed,
    SessionOpened,
    TextContent,
    Usage,
)


class Client:
    """A connection, its peer, and what it sends."""

    def __init__(self) -> None:
        self.sent = Sent()
        self.listener = Listener()
        self.connection = ClientConnection(self.sent, self.listener)

    async def begin(self, work: Any) -> "asyncio.Task[Any]":
        """Start a request and let it send."""
        task = asyncio.ensure_future(work)
        await asyncio.sleep(0)
        return task

    async def ask(self, work: Any, **answer: Any) -> Any:
        """Make a request and answer it."""
        task = await self.begin(work)
        self.request = self.sent.frame()
        self.connection.feed(frame_bytes(id=self.request["id"], **answer))
        return await task


@pytest.fixture
def client() -> Client:
    return Client()


# Requests


async def test_initialize_says_who_we_are_and_what_we_can_do(client: Client) -> None:
    await client.ask(
        client.connection.initialize("Sidekicks", "1.2"), result={"protocolVersion": 1}
    )
    assert client.request == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": 1,
            "clientCapabilities": {
                "fs": {"readTextFile": False, "writeTextFile": False},
                "terminal": False,
                "session": {"configOptions": {"boolean": {}}},
                "auth": {"terminal": False},
            },
            "clientInfo": {"name": "Sidekicks", "version": "1.2"},
        },
    }


async def test_what_an_agent_can_do_is_there_where_it_says_so(client: Client) -> None:
    told = await client.ask(
        client.connection.initialize("Sidekicks", "1"),
        result={
            "protocolVersion": 1,
            "agentCapabilities": {
                "loadSession": True,
                "promptCapabilities": {"image": True, "audio": None},
                "sessionCapabilities": {"list": {}, "resume": None, "close": True, "fork": False},
                "auth": {"logout": {"more": 1}},
            },
            "agentInfo": {"name": "gizmo", "version": "3"},
            "authMethods": [
                {"id": "a", "name": "A"},
                {"id": "t", "type": "terminal", "args": ["--login"], "env": {"X": "1"}},
                {"id": "v", "name": "V", "type": "env_var", "vars": [{"name": "KEY"}]},
                {
                    "id": "m",
                    "name": "M",
                    "_meta": {"terminal-auth": {"command": "uvx", "args": ["x"], "label": "L"}},
                },
                {"name": "without an id"},
            ],
        },
    )
    capabilities = told.agent_capabilities
    assert capabilities.load_session
    assert capabilities.prompt_capabilities.image
    assert not capabilities.prompt_capabilities.audio
    session = capabilities.session_capabilities
    assert session.list == Offered()
    assert session.close == Offered()
    assert (session.resume, session.fork, session.delete) == (None, None, None)
    assert capabilities.auth.logout
    assert told.agent_info == Implementation(name="gizmo", version="3")
    assert [method.id for method in told.auth_methods] == ["a", "t", "v", "m"]
    assert told.auth_methods[1] == AuthMethod(
        id="t", type="terminal", args=("--login",), env={"X": "1"}
    )
    meta = told.auth_methods[3].meta
    assert meta is not None
    assert meta.terminal_auth is not None
    assert meta.terminal_auth.command == "uvx"


async def test_an_agent_that_says_nothing_of_itself(client: Client) -> None:
    told = await client.ask(
        client.connection.initialize("Sidekicks", "1"),
        result={"protocolVersion": "1", "agentCapabilities": None, "authMethods": None},
    )
    assert told.protocol_version == 1
    assert not told.agent_capabilities.load_session
    assert told.auth_methods == ()
    assert told.agent_info is None


@pytest.mark.parametrize("result", [None, [], "yes", {"protocolVersion": "one"}])
async def test_an_answer_that_makes_no_sense_is_an_error_with_the_answer(
    client: Client, result: Any
) -> None:
    with pytest.raises(BadAnswerError) as raised:
        await client.ask(client.connection.initialize("Sidekicks", "1"), result=result)
    assert "initialize" in raised.value.message


async def test_sessions(client: Client) -> None:
    connection = client.connection
    server: dict[str, Any] = {"name": "fs", "command": "/bin/fs", "args": [], "env": []}
    opened = await client.ask(
        connection.new_session("/w", [server]),
        result={
            "sessionId": "s1",
            "modes": {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]},
            "models": {"currentModelId": "m", "availableModels": [{"modelId": "m", "name": "M"}]},
        },
    )
    assert client.request["method"] == "session/new"
    assert client.request["params"] == {"cwd": "/w", "mcpServers": [server]}
    assert opened.session_id == "s1"
    assert opened.modes.current_mode_id == "ask"
    assert opened.models.available_models[0].model_id == "m"
    assert opened.config_options is None

    # Agents answer a load with anything from null to a whole session.
    for result in (None, {}, {"sessionId": "s1"}):
        loaded = await client.ask(connection.load_session("s1", "/w"), result=result)
        assert loaded == SessionOpened(session_id="s1")
    assert client.request["params"] == {"sessionId": "s1", "cwd": "/w", "mcpServers": []}
    await client.ask(connection.resume_session("s1", "/w"), result={})
    assert client.request["method"] == "session/resume"

    page = await client.ask(
        connection.list_sessions(cursor="c"),
        result={"sessions": [{"sessionId": "s1", "cwd": "/w", "title": None}], "nextCursor": "d"},
    )
    assert client.request["params"] == {"cursor": "c"}
    assert page.sessions == (SessionListed(session_id="s1", cwd="/w"),)
    assert page.next_cursor == "d"


async def test_requests_that_are_answered_with_nothing(client: Client) -> None:
    connection = client.connection
    for work, method, params in (
        (connection.close_session("s"), "session/close", {"sessionId": "s"}),
        (connection.delete_session("s"), "session/delete", {"sessionId": "s"}),
        (connection.set_mode("s", "m"), "session/set_mode", {"sessionId": "s", "modeId": "m"}),
        (connection.set_model("s", "m"), "session/set_model", {"sessionId": "s", "modelId": "m"}),
        (connection.authenticate("m"), "authenticate", {"methodId": "m"}),
        (connection.logout(), "logout", {}),
    ):
        assert await client.ask(work, result=None) is None
        assert (client.request["method"], client.request["params"]) == (method, params)


async def test_an_option_is_text_or_boolean(client: Client) -> None:
    option = {"id": "x", "name": "X", "type": "boolean", "currentValue": True}
    options = await client.ask(
        client.connection.set_config_option("s", "x", True), result={"configOptions": [option]}
    )
    assert client.request["params"] == {
        "sessionId": "s",
        "configId": "x",
        "type": "boolean",
        "value": True,
    }
    assert options[0].current_value is True
    await client.ask(client.connection.set_config_option("s", "m", "big"), result={})
    assert client.request["params"] == {"sessionId": "s", "configId": "m", "value": "big"}


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({"stopReason": "end_turn"}, "end_turn"),
        ({"stopReason": "paused"}, "paused"),
        ({"stopReason": None}, "end_turn"),
        ({}, "end_turn"),
        (None, "end_turn"),
    ],
)
async def test_a_prompt_ends_for_a_reason(client: Client, result: Any, reason: str) -> None:
    blocks = [TextContent(text="hi")]
    assert await client.ask(client.connection.prompt("s", blocks), result=result) == Prompted(
        stop_reason=reason
    )
    assert client.request["params"] == {
        "sessionId": "s",
        "prompt": [{"type": "text", "text": "hi"}],
    }


async def test_a_prompt_tells_its_tokens(client: Client) -> None:
    usage = {"inputTokens": 1, "outputTokens": 2.0, "totalTokens": "many"}
    prompted = await client.ask(
        client.connection.prompt("s", []), result={"stopReason": "end_turn", "usage": usage}
    )
    assert prompted.usage == Usage(input_tokens=1, output_tokens=2.0)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32000, "message": "Sign in"}, AUTH_REQUIRED, "Sign in"),
        ({"code": 401, "message": "no", "data": {"a": 1}}, 401, "no"),
        ({"code": "x", "message": None}, -32603, "Unknown error"),
        ("broken", -32603, "broken"),
    ],
)
async def test_an_error_answer_is_raised(
    client: Client, error: Any, code: int, message: str
) -> None:
    with pytest.raises(AcpError) as raised:
        await client.ask(client.connection.prompt("s", []), error=error)
    assert (raised.value.code, raised.value.message) == (code, message)


async def test_an_error_of_null_beside_a_result_is_no_error(client: Client) -> None:
    answer = {"result": {"stopReason": "refusal"}, "error": None, "method": None}
    prompted = await client.ask(client.connection.prompt("s", []), **answer)
    assert prompted.stop_reason == "refusal"


# Order


async def test_updates_are_applied_before_feed_returns_and_before_the_answer(
    client: Client,
) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    answer = frame_bytes(id=1, result={"stopReason": "end_turn"})
    client.connection.feed(b"".join(chunk_bytes(f"{n} ") for n in range(500)) + answer)
    assert client.listener.text == "".join(f"{n} " for n in range(500))
    assert not task.done()
    await task


async def test_answers_in_another_order_find_their_requests(client: Client) -> None:
    tasks = [await client.begin(client.connection.prompt("s", [])) for _ in range(3)]
    for number in (3, 1, 2):
        client.connection.feed(frame_bytes(id=number, result={"stopReason": f"r{number}"}))
    assert [(await task).stop_reason for task in tasks] == ["r1", "r2", "r3"]


async def test_frames_are_logged_both_ways_before_they_have_an_effect() -> None:
    log: list[Any] = []
    listener = Listener()
    sent = Sent()
    connection = ClientConnection(
        sent, listener, lambda way, line: log.append((way, line, len(listener.told), sent.data))
    )
    connection.cancel("s")
    connection.feed(b"noise\n" + chunk_bytes("a"))
    cancel = b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}'
    assert log == [
        ("to", cancel, 0, b""),
        ("from", chunk_bytes("a")[:-1], 0, cancel + b"\n"),
    ]


# Ids and noise


@pytest.mark.parametrize("number", [0, 7, -1, 1.5, None, "a-b", "0", 10**30, True])
async def test_an_id_of_the_agents_comes_back_as_it_was(client: Client, number: Any) -> None:
    client.connection.feed(frame_bytes(id=number, method="craft/drain", params={}))
    answered = client.sent.frame()
    assert answered["id"] == number
    assert type(answered["id"]) is type(number)
    assert answered["error"]["code"] == -32601


@pytest.mark.parametrize("number", [[1], {"a": 1}])
async def test_an_id_that_is_none_is_refused(client: Client, number: Any) -> None:
    client.connection.feed(frame_bytes(id=number, method="craft/drain", params={}))
    answered = client.sent.frame()
    assert (answered["id"], answered["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize("depth", [300, 900, 950, 970, 980])
async def test_what_is_nested_deep_is_survived_wherever_it_is(client: Client, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    frames: list[dict[str, Any]] = [
        {"id": "?", "method": "craft/drain"},
        {"id": "?", "method": "session/request_permission"},
        {"id": "?", "result": {}},
        {"id": 1, "method": "session/request_permission", "params": "?"},
        {"method": "session/update", "params": "?"},
        {"method": "session/update", "params": {"sessionId": "s", "update": "?"}},
        {"method": "$/cancel_request", "params": {"requestId": "?"}},
        {"method": "?"},
        {"id": 99, "error": "?"},
        {"id": 99, "error": {"code": "?", "message": "?"}},
        {"result": "?"},
    ]
    for frame in frames:
        client.connection.feed(frame_bytes(**frame).replace(b'"?"', deep))
    client.connection.feed(chunk_bytes("after"))
    assert client.listener.text == "after"


async def test_an_error_that_is_nested_deep_can_be_shown(client: Client) -> None:
    deep: Any = 1
    for _ in range(500):
        deep = [deep]
    for error in (deep, {"code": 1, "message": deep, "data": deep}):
        with pytest.raises(AcpError) as raised:
            await client.ask(client.connection.prompt("s", []), error=error)
        assert len(str(raised.value) + str(raised.value.data)) < 1000


async def test_the_agents_ids_and_ours_are_apart(client: Client) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    (request,) = client.sent.frames()
    ask = {"toolCall": {"toolCallId": "t"}, "options": [{"optionId": "a", "name": "A"}]}
    client.connection.feed(
        frame_bytes(
            id=request["id"], method="session/request_permission", params={"sessionId": "s", **ask}
        )
    )
    assert not task.done()
    client.listener.asked[0].select("a")
    assert client.sent.frame()["id"] == request["id"]
    client.connection.feed(frame_bytes(id=request["id"], result={}))
    await task


@pytest.mark.parametrize("number", [99, "1", True, None, "zzz", [1], {"a": 1}])
async def test_an_answer_to_nothing_is_noise(client: Client, number: Any) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    client.connection.feed(frame_bytes(id=number, result={}))
    assert len(client.listener.noise) == 1
    assert not task.done()
    client.connection.feed(frame_bytes(id=1, result={"stopReason": "end_turn"}))
    await task


async def test_the_second_of_two_answers_is_noise(client: Client) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    first = frame_bytes(id=1, result={"stopReason": "first"})
    client.connection.feed(first + frame_bytes(id=1, result={"stopReason": "second"}))
    assert (await task).stop_reason == "first"
    assert len(client.listener.noise) == 1


async def test_noise_is_told_and_capped_and_blank_lines_are_not(client: Client) -> None:
    client.connection.feed(b"\n  \r\n\x1b[31mred\x1b[0m\n[1,2]\n" + b"x" * 100_000 + b"\n")
    client.connection.feed(b"caf\xc3\xa9 \xff\n" + chunk_bytes("on"))
    noise = client.listener.noise
    assert noise[:2] == ["\x1b[31mred\x1b[0m", "[1,2]"]
    assert 1000 < len(noise[2]) < 5000
    assert noise[3] == "café \ufffd"
    assert client.listener.text == "on"


async def test_a_line_beyond_the_limit_is_told_and_the_next_arrives(client: Client) -> None:
    piece = b"x" * (1 << 20)
    for _ in range(65):
        client.connection.feed(piece)
    client.connection.feed(b"\n" + chunk_bytes("next"))
    (note,) = client.listener.noise
    assert str(65 << 20) in note
    assert client.listener.text == "next"


async def test_a_line_of_five_megabytes(client: Client) -> None:
    line = chunk_bytes("x" * 5_000_000)
    for at in range(0, len(line), 65536):
        client.connection.feed(line[at : at + 65536])
    assert len(client.listener.text) == 5_000_000


@pytest.mark.parametrize(
    "params", [{"update": {}}, {"sessionId": 5, "update": {}}, {"sessionId": "s"}, [], None, "x"]
)
async def test_an_update_that_belongs_nowhere_is_noise(client: Client, params: Any) -> None:
    client.connection.feed(frame_bytes(method="session/update", params=params))
    assert (len(client.listener.noise), client.listener.told) == (1, [])


async def test_unknown_notifications_are_ignored(client: Client) -> None:
    client.connection.feed(frame_bytes(method="_auth/status_update", params={}))
    client.connection.feed(frame_bytes(method="qwen/notify/session/mode-update"))
    assert client.sent.frames() == []
    assert client.listener.noise == []


async def test_an_update_sent_as_a_request_is_applied_and_answered(client: Client) -> None:
    for content in ({"type": "text", "text": "a"}, {"type": "odd"}):
        update = {"sessionUpdate": "agent_message_chunk", "content": content}
        client.connection.feed(
            frame_bytes(id=0, method="session/update", params={"sessionId": "s", "update": update})
        )
        assert client.sent.frame() == {"jsonrpc": "2.0", "id": 0, "result": None}
    assert len(client.listener.told) == 2


@pytest.mark.parametrize("method", ["fs/read_text_file", "terminal/create", "elicitation/create"])
async def test_what_we_do_not_offer_is_refused(client: Client, method: str) -> None:
    client.connection.feed(frame_bytes(id="u-1", method=method, params={"sessionId": "s"}))
    assert client.sent.frame()["error"]["code"] == -32601


# The end


async def test_the_end_fails_what_is_pending_and_what_comes_after(client: Client) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    client.connection.end()
    with pytest.raises(ConnectionEnded):
        await task
    with pytest.raises(ConnectionEnded):
        await client.connection.prompt("s", [])
    client.sent.frames()
    client.connection.cancel("s")
    client.connection.feed(chunk_bytes("late"))
    client.connection.end()
    assert client.sent.frames() == []
    assert client.listener.told == []


async def test_a_last_answer_without_a_line_feed_counts(client: Client) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    client.connection.feed(frame_bytes(id=1, result={"stopReason": "end_turn"})[:-1])
    client.connection.end()
    assert (await task).stop_reason == "end_turn"


async def test_half_a_line_at_the_end_is_noise(client: Client) -> None:
    task = await client.begin(client.connection.prompt("s", []))
    client.connection.feed(b'{"jsonrpc":"2.0","method":"sess')
    client.connection.end()
    with pytest.raises(ConnectionEnded):
        await task
    assert client.listener.noise == ['{"jsonrpc":"2.0","method":"sess']


async def test_a_peer_that_ends_the_connection_hears_no_more() -> None:
    class Ending(Listener):
        def on_update(self, session_id: str, update: Any) -> None:
            super().on_update(session_id, update)
            connection.end()

    listener = Ending()
    connection = ClientConnection(Sent(), listener)
    connection.feed(chunk_bytes("one") + chunk_bytes("two"))
    assert listener.text == "one"


async def test_who_stops_waiting_tells_the_agent_and_a_late_answer_is_no_noise(
    client: Client,
) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await client.connection.new_session("/w")
    request, cancel = client.sent.frames()
    assert request["method"] == "session/new"
    assert cancel == {
        "jsonrpc": "2.0",
        "method": "$/cancel_request",
        "params": {"requestId": request["id"]},
    }
    client.connection.feed(frame_bytes(id=request["id"], result={"sessionId": "late"}))
    assert client.listener.noise == []
