"""Who gets a place to run in, and who makes room for it."""

from pathlib import Path
from typing import Final

import pytest

from fakes.clock import FakeClock
from sidekicks.acp import PermissionAsked, Update
from sidekicks.agents.agent import Agent
from sidekicks.agents.places import find_room
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.ids import AgentId, ChannelId
from sidekicks.contract.state import AgentState
from sidekicks.system import Leftovers


class Unheard:
    """Takes no notice of what agents do."""

    def on_changed(self, agent: Agent) -> None: ...
    def on_update(self, agent: Agent, channel_id: ChannelId, update: Update) -> None: ...
    def on_permission(
        self, agent: Agent, channel_id: ChannelId, asked: PermissionAsked
    ) -> None: ...
    def on_ended(self, agent: Agent) -> None: ...
    def on_log(self, agent: Agent, number: int) -> None: ...


async def no_environment() -> dict[str, str]:
    return {}


class StandingAgent(Agent):
    """An agent that is in the state that a test says, without a program."""

    def __init__(self, name: str, standing: AgentState, idle_since: float, *, keep: bool) -> None:
        super().__init__(
            AgentConfig(
                agent_id=AgentId(name), name=name, workspace=Path("/"), command="x", keep=keep
            ),
            watcher=Unheard(),
            environment=no_environment,
            leftovers=Leftovers(Path("/nowhere")),
            clock=FakeClock(),
        )
        self._standing: Final = standing
        self.idle_since = idle_since

    @property
    def state(self) -> AgentState:
        return self._standing

    @property
    def holds_place(self) -> bool:
        return self.coming or self._standing not in ("stopped", "failed")


def agent(
    name: str, standing: AgentState, idle_since: float = 0.0, *, keep: bool = False
) -> StandingAgent:
    return StandingAgent(name, standing, idle_since, keep=keep)


NO_ROOM: Final = "no room"
FREE: Final = None


@pytest.mark.parametrize(
    ("others", "most", "expected"),
    [
        pytest.param([], 1, FREE, id="nobody else"),
        pytest.param([agent("a", "stopped"), agent("b", "failed")], 1, FREE, id="nobody runs"),
        pytest.param([agent("a", "working")], 2, FREE, id="one place is free"),
        pytest.param([agent("a", "ready")], 2, FREE, id="an idle one stays while there is room"),
        pytest.param([agent("a", "ready")], 1, "a", id="the idle one makes room"),
        pytest.param(
            [agent("a", "ready", 30), agent("b", "ready", 10), agent("c", "ready", 20)],
            3,
            "b",
            id="the one that is idle the longest makes room",
        ),
        pytest.param(
            [agent("a", "working", 1), agent("b", "ready", 9)], 2, "b", id="who works does not"
        ),
        pytest.param(
            [agent("a", "waiting", 1), agent("b", "ready", 9)], 2, "b", id="nor who waits"
        ),
        pytest.param(
            [agent("a", "ready", 1, keep=True), agent("b", "ready", 9)],
            2,
            "b",
            id="nor who is to be kept",
        ),
        pytest.param([agent("a", "ready", keep=True)], 1, NO_ROOM, id="only one to be kept"),
        pytest.param([agent("a", "working")], 1, NO_ROOM, id="only one that works"),
        pytest.param([agent("a", "waiting")], 1, NO_ROOM, id="only one that waits"),
        pytest.param([agent("a", "starting")], 1, NO_ROOM, id="only one that starts"),
        pytest.param([agent("a", "stopping")], 1, NO_ROOM, id="only one that still ends"),
    ],
)
def test_room(others: list[StandingAgent], most: int, expected: str | None) -> None:
    wanted = agent("wanted", "stopped")
    room = find_room([*others, wanted], wanted, most)
    if expected == NO_ROOM:
        assert room is None
    else:
        assert room is not None
        assert (room.stops.agent_id if room.stops else None) == expected


def test_who_runs_already_needs_no_room() -> None:
    wanted = agent("wanted", "ready")
    room = find_room([agent("a", "working"), wanted], wanted, 1)
    assert room is not None
    assert room.stops is None


def test_who_is_about_to_start_holds_its_place() -> None:
    coming = agent("a", "stopped")
    coming.coming = True
    wanted = agent("wanted", "stopped")
    assert find_room([coming, wanted], wanted, 1) is None
