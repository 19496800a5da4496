"""A question of the agent: its options as they came, one answer, and the ways it is withdrawn."""

from typing import Any

import pytest

from fakes.acp_peers import Listener, Sent, chunk_bytes, frame_bytes
from sidekicks.acp import (
    ClientConnection,
    DiffToolContent,
    PermissionAsked,
    PermissionOption,
    ToolCallUpdate,
)

OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "always_here", "name": "Always here", "kind": "allow_always"},
    {"optionId": "once", "name": "Once", "kind": "suggest_changes"},
    {"optionId": "", "name": "Nameless", "kind": None},
]


def ask_bytes(number: Any = 0, **params: Any) -> bytes:
    usual = {"sessionId": "s1", "toolCall": {"toolCallId": "t1"}, "options": OPTIONS}
    return frame_bytes(id=number, method="session/request_permission", params=usual | params)


class Client:
    def __init__(self, listener: Listener | None = None) -> None:
        self.sent = Sent()
        self.listener = listener or Listener()
        self.connection = ClientConnection(self.sent, self.listener)

    def ask(self, number: Any = 0, **params: Any) -> PermissionAsked:
        self.connection.feed(ask_bytes(number, **params))
        return self.listener.asked[-1]

    def outcome(self, number: Any = 0) -> Any:
        answered = self.sent.frame()
        assert answered["id"] == number
        return answered["result"]["outcome"]


@pytest.fixture
def client() -> Client:
    return Client()


def test_options_come_verbatim_and_in_their_order(client: Client) -> None:
    asked = client.ask()
    assert asked.session_id == "s1"
    assert asked.tool_call == ToolCallUpdate(tool_call_id="t1")
    assert asked.options == (
        PermissionOption(option_id="always", name="Always", kind="allow_always"),
        PermissionOption(option_id="always_here", name="Always here", kind="allow_always"),
        PermissionOption(option_id="once", name="Once", kind="suggest_changes"),
        PermissionOption(option_id="", name="Nameless"),
    )
    assert client.sent.frames() == []


def test_the_tool_call_may_say_more(client: Client) -> None:
    diff = {"type": "diff", "path": "/w/a", "oldText": "", "newText": "x"}
    call = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Edit", "content": [diff]}
    assert client.ask(toolCall=call).tool_call == ToolCallUpdate(
        tool_call_id="t",
        title="Edit",
        content=(DiffToolContent(path="/w/a", old_text="", new_text="x"),),
    )


@pytest.mark.parametrize("number", [0, None, "b7c1", 2.5])
def test_it_is_answered_once(client: Client, number: Any) -> None:
    asked = client.ask(number)
    assert not asked.closed
    assert asked.select("once")
    assert client.outcome(number) == {"outcome": "selected", "optionId": "once"}
    assert asked.closed
    assert not asked.select("always")
    assert not asked.cancel()
    assert client.sent.frames() == []


def test_cancelled(client: Client) -> None:
    asked = client.ask()
    assert asked.cancel()
    assert client.outcome() == {"outcome": "cancelled"}
    assert not asked.cancel()


def test_what_is_no_option_is_not_sent(client: Client) -> None:
    asked = client.ask()
    assert not asked.select("reject")
    assert not asked.closed
    assert asked.select("")
    assert client.outcome() == {"outcome": "selected", "optionId": ""}


def test_an_answer_given_at_once() -> None:
    listener = Listener()
    listener.answers = ["once"]
    client = Client(listener)
    client.ask()
    assert client.outcome() == {"outcome": "selected", "optionId": "once"}


@pytest.mark.parametrize(
    "params",
    [
        {"sessionId": None},
        {"sessionId": 5},
        {"toolCall": None},
        {"toolCall": {"title": "no id"}},
        {"options": []},
        {"options": None},
        {"options": [{"name": "no id"}, 5]},
    ],
)
def test_a_question_that_cannot_be_read_is_refused(client: Client, params: Any) -> None:
    client.connection.feed(ask_bytes(3, **params))
    answered = client.sent.frame()
    assert (answered["id"], answered["error"]["code"]) == (3, -32602)
    assert client.listener.asked == []


def test_an_option_that_cannot_be_read_is_left_out(client: Client) -> None:
    asked = client.ask(options=[5, {"optionId": "a"}, {"name": "no id"}])
    assert asked.options == (PermissionOption(option_id="a"),)


def cancel_bytes(number: Any) -> bytes:
    return frame_bytes(method="$/cancel_request", params={"requestId": number})


@pytest.mark.parametrize("number", [0, None, "b7c1", 2.5])
def test_the_agent_withdraws_its_question(client: Client, number: Any) -> None:
    asked = client.ask(number)
    withdrawn: list[bool] = []
    asked.on_withdrawn = lambda: withdrawn.append(asked.closed)
    client.connection.feed(cancel_bytes(number))
    answered = client.sent.frame()
    assert (answered["id"], answered["error"]["code"]) == (number, -32800)
    assert withdrawn == [True]
    assert not asked.select("once")
    client.connection.feed(cancel_bytes(number))
    assert client.sent.frames() == []


@pytest.mark.parametrize("params", [{"requestId": "0"}, {"requestId": 9}, {}, [0], None])
def test_a_withdrawal_of_something_else_changes_nothing(client: Client, params: Any) -> None:
    asked = client.ask(0)
    client.connection.feed(frame_bytes(method="$/cancel_request", params=params))
    assert not asked.closed
    assert client.sent.frames() == []


def test_a_question_that_was_answered_cannot_be_withdrawn(client: Client) -> None:
    asked = client.ask(0)
    asked.on_withdrawn = lambda: pytest.fail("was answered already")
    asked.select("once")
    client.sent.frames()
    client.connection.feed(cancel_bytes(0))
    client.connection.end()
    assert client.sent.frames() == []


def test_identical_questions_are_each_asked_and_each_answered(client: Client) -> None:
    first, second = client.ask(1), client.ask(2)
    assert second.select("once")
    assert client.outcome(2) == {"outcome": "selected", "optionId": "once"}
    assert first.cancel()
    assert client.outcome(1) == {"outcome": "cancelled"}


def test_an_id_used_twice_at_a_time_leaves_both_questions_open(client: Client) -> None:
    first, second = client.ask(1), client.ask(1)
    assert first.select("once")
    client.outcome(1)
    client.connection.feed(cancel_bytes(1))
    assert second.closed
    assert client.sent.frame()["error"]["code"] == -32800


def test_at_the_end_of_the_connection_open_questions_are_withdrawn(client: Client) -> None:
    asked = client.ask()
    withdrawn: list[bool] = []
    asked.on_withdrawn = lambda: withdrawn.append(True)
    client.connection.end()
    assert withdrawn == [True]
    assert not asked.select("once")
    assert client.sent.frames() == []


def test_the_agent_gets_an_answer_even_when_our_side_fails() -> None:
    class Failing(Listener):
        def on_permission(self, asked: PermissionAsked) -> None:
            super().on_permission(asked)
            raise LookupError("ours")

    client = Client(Failing())
    with pytest.raises(LookupError):
        client.ask(5)
    answered = client.sent.frame()
    assert (answered["id"], answered["error"]["code"]) == (5, -32603)
    assert client.listener.asked[0].closed
    client.connection.feed(chunk_bytes("goes on"))
    assert client.listener.text == "goes on"
