"""Which queued turns may start now, and what the others wait for. A pure function of what is.

The rules are `product.md` 2 and 3: one turn at a time in a conversation, an agent in one
conversation at a time, at most `max_answering` at once; a turn that waits for the person does not
count for that. Earlier turns go first; one that waits holds nobody up who could go.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from sidekicks.contract.ids import AgentId, ChannelId, TurnId
from sidekicks.contract.state import WaitsFor


class Waiting(msgspec.Struct, frozen=True):
    """A turn in the queue, as far as it matters here."""

    turn_id: TurnId
    channel_id: ChannelId
    agent_id: AgentId


class Running(msgspec.Struct, frozen=True):
    """A turn that runs; `asks` while it waits for the person."""

    channel_id: ChannelId
    agent_id: AgentId
    asks: bool = False


class Plan:
    """What to do: turns to start, in order, and what each other one waits for."""

    def __init__(self) -> None:
        self.start: Final[list[TurnId]] = []
        self.waits: Final[dict[TurnId, WaitsFor]] = {}


def plan_turns(
    queue: Sequence[Waiting],
    running: Iterable[Running],
    max_answering: int,
    take_place: Callable[[AgentId], WaitsFor | None],
) -> Plan:
    """Go through the queue in order.

    Args:
        queue: the queued turns, the longest waiting first.
        running: the turns that run.
        max_answering: how many may generate at once.
        take_place: takes a place to run in for an agent; null when it has one now, else what it
            waits for. It is asked only when nothing else stands in the way.
    """
    plan = Plan()
    speaks = {turn.channel_id: turn.agent_id for turn in running}
    answers = {turn.agent_id: turn.channel_id for turn in running}
    generating = sum(not turn.asks for turn in running)
    for turn in queue:
        if (speaker := speaks.get(turn.channel_id)) is not None:
            plan.waits[turn.turn_id] = WaitsFor(kind="turn", agent_id=speaker)
            continue
        # Whether it starts or waits: nobody behind it in this conversation may overtake it.
        speaks[turn.channel_id] = turn.agent_id
        if (where := answers.get(turn.agent_id)) is not None:
            plan.waits[turn.turn_id] = WaitsFor(
                kind="agent", agent_id=turn.agent_id, channel_id=where
            )
            continue
        answers[turn.agent_id] = turn.channel_id
        if generating >= max_answering:
            plan.waits[turn.turn_id] = WaitsFor(kind="place")
            continue
        if (waits_for := take_place(turn.agent_id)) is not None:
            plan.waits[turn.turn_id] = waits_for
            continue
        generating += 1
        plan.start.append(turn.turn_id)
    return plan
