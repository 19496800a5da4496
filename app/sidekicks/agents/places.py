"""Places: how many programs may run and how many may answer at once (`product.md` 2)."""

from collections.abc import Iterable
from typing import Final

from sidekicks.agents.agent import Agent


def find_room(agents: Iterable[Agent], wanted: Agent, max_running: int) -> "Room | None":
    """Return what makes room for `wanted` to run, or null where every place is busy.

    The agent that is idle the longest makes room; one that answers, asks, comes, goes or is to be
    kept (`keep`) does not; nor does one with children of its own (a server that it started): the
    person is asked about those.
    """
    others = [agent for agent in agents if agent.holds_place and agent is not wanted]
    if wanted.holds_place or len(others) < max_running:
        return Room(None)
    idle = [a for a in others if a.state == "ready" and not a.config.keep and not a.children]
    if not idle:
        return None
    return Room(min(idle, key=lambda agent: agent.idle_since))


class Room:
    """A place to run in; `stops` is the agent that gives it up, if one must."""

    def __init__(self, stops: Agent | None) -> None:
        self.stops: Final = stops
