"""Who answers a message in a direct conversation, and which texts are none."""

import pytest

from sidekicks.channels import must_route, route
from sidekicks.channels.router import LONGEST_MESSAGE
from sidekicks.contract.errors import ErrorCode, SidekicksError
from sidekicks.contract.ids import AgentId, ChannelId
from sidekicks.contract.state import Channel


def channel(*members: str) -> Channel:
    return Channel(
        channel_id=ChannelId("c1"),
        kind="direct" if len(members) == 1 else "channel",
        name="c",
        members=tuple(AgentId(member) for member in members),
    )


def ids(*names: str) -> tuple[AgentId, ...]:
    return tuple(AgentId(name) for name in names)


@pytest.mark.parametrize(
    ("members", "to", "recipients"),
    [
        pytest.param(ids("alice"), (), ids("alice"), id="the one member"),
        pytest.param(ids("alice"), ids("alice"), ids("alice"), id="said outright"),
        pytest.param(ids("alice", "bob"), ids("bob"), ids("bob"), id="one of several"),
        pytest.param(
            ids("alice", "bob"), ids("bob", "alice", "bob"), ids("bob", "alice"), id="each once"
        ),
        pytest.param(ids("alice", "bob"), (), (), id="nobody can be told"),
        pytest.param((), (), (), id="nobody is there"),
    ],
)
def test_recipients(
    members: tuple[AgentId, ...], to: tuple[AgentId, ...], recipients: tuple[AgentId, ...]
) -> None:
    assert route(channel(*members), "hello", to) == recipients


@pytest.mark.parametrize(
    ("text", "to", "code"),
    [
        ("", (), "invalid"),
        (" \n\t\u2003", (), "invalid"),
        ("x" * (LONGEST_MESSAGE + 1), (), "too_large"),
        ("hello", ids("bob"), "invalid"),
        ("hello", ids("alice", "nobody"), "invalid"),
        ("hello", ids("Alice"), "invalid"),
    ],
)
def test_refused(text: str, to: tuple[AgentId, ...], code: ErrorCode) -> None:
    for ask in (route, must_route):
        with pytest.raises(SidekicksError) as refused:
            ask(channel("alice"), text, to)
        assert refused.value.code == code


def test_the_longest_message_is_sent() -> None:
    assert route(channel("alice"), "x" * LONGEST_MESSAGE) == ids("alice")


def test_where_nobody_can_be_told_the_members_are_offered() -> None:
    with pytest.raises(SidekicksError) as refused:
        must_route(channel("alice", "bob"), "hello")
    assert refused.value.code == "ambiguous"
    assert refused.value.data == {"members": ["alice", "bob"]}
