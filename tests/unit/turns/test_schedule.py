"""Who may start, and what the others wait for."""

import pytest

from sidekicks.contract.ids import AgentId, ChannelId, TurnId
from sidekicks.contract.state import WaitsFor
from sidekicks.turns.schedule import Plan, Running, Waiting, plan_turns


def waiting(turn: str, channel: str, agent: str) -> Waiting:
    return Waiting(TurnId(turn), ChannelId(channel), AgentId(agent))


def running(channel: str, agent: str, *, asks: bool = False) -> Running:
    return Running(ChannelId(channel), AgentId(agent), asks)


def plan(
    queue: list[Waiting], runs: list[Running], most: int = 2, full: dict[str, str] | None = None
) -> Plan:
    full = full or {}

    def take_place(agent: AgentId) -> WaitsFor | None:
        if agent not in full:
            return None
        return WaitsFor(kind="place", agent_id=AgentId(full[agent]))

    return plan_turns(queue, runs, most, take_place)


def for_turn(agent: str) -> WaitsFor:
    return WaitsFor(kind="turn", agent_id=AgentId(agent))


@pytest.mark.parametrize(
    ("queue", "runs", "most", "starts", "waits"),
    [
        pytest.param([], [], 2, [], {}, id="nothing to do"),
        pytest.param([("t1", "general", "alice")], [], 2, ["t1"], {}, id="starts at once"),
        pytest.param(
            [("t1", "general", "bob")],
            [("general", "alice", False)],
            2,
            [],
            {"t1": for_turn("alice")},
            id="one at a time in a conversation",
        ),
        pytest.param(
            [("t1", "general", "alice"), ("t2", "general", "bob")],
            [],
            2,
            ["t1"],
            {"t2": for_turn("alice")},
            id="the second recipient waits for the first",
        ),
        pytest.param(
            [("t1", "other", "alice")],
            [("general", "alice", False)],
            2,
            [],
            {
                "t1": WaitsFor(
                    kind="agent", agent_id=AgentId("alice"), channel_id=ChannelId("general")
                )
            },
            id="an agent answers one conversation at a time",
        ),
        pytest.param(
            [("t1", "other", "bob")],
            [("general", "alice", False)],
            2,
            ["t1"],
            {},
            id="different agents answer in different conversations at once",
        ),
        pytest.param(
            [("t1", "other", "bob")],
            [("general", "alice", False)],
            1,
            [],
            {"t1": WaitsFor(kind="place")},
            id="no more than may answer at once",
        ),
        pytest.param(
            [("t1", "other", "bob")],
            [("general", "alice", True)],
            1,
            ["t1"],
            {},
            id="who waits for the person does not count",
        ),
        pytest.param(
            [("t1", "one", "alice"), ("t2", "one", "bob"), ("t3", "two", "bob")],
            [("three", "alice", False)],
            2,
            ["t3"],
            {
                "t1": WaitsFor(
                    kind="agent", agent_id=AgentId("alice"), channel_id=ChannelId("three")
                ),
                "t2": for_turn("alice"),
            },
            id="who waits holds nobody up in another conversation",
        ),
        pytest.param(
            [("t1", "one", "alice"), ("t2", "two", "alice")],
            [],
            2,
            ["t1"],
            {"t2": WaitsFor(kind="agent", agent_id=AgentId("alice"), channel_id=ChannelId("one"))},
            id="the earlier message of two conversations goes first",
        ),
    ],
)
def test_plan(
    queue: list[tuple[str, str, str]],
    runs: list[tuple[str, str, bool]],
    most: int,
    starts: list[str],
    waits: dict[str, WaitsFor],
) -> None:
    made = plan(
        [waiting(*turn) for turn in queue],
        [running(channel, agent, asks=asks) for channel, agent, asks in runs],
        most,
    )
    assert made.start == starts
    assert made.waits == waits


def test_a_turn_without_a_place_names_who_has_it_and_lets_others_pass() -> None:
    made = plan(
        [waiting("t1", "one", "carol"), waiting("t2", "two", "bob")],
        [running("three", "alice")],
        most=3,
        full={"carol": "alice"},
    )
    assert made.start == ["t2"]
    assert made.waits == {"t1": WaitsFor(kind="place", agent_id=AgentId("alice"))}


def test_a_place_is_taken_only_when_nothing_else_stands_in_the_way() -> None:
    asked: list[str] = []

    def take_place(agent: AgentId) -> None:
        asked.append(agent)

    plan_turns(
        [waiting("t1", "one", "alice"), waiting("t2", "one", "bob"), waiting("t3", "two", "carol")],
        [],
        1,
        take_place,
    )
    assert asked == ["alice"]
