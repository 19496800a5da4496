"""The queue of turns and those that run. All starts, stops and withdrawals go through here.

A message of the person's takes its place in the conversation when its first turn starts; one whose
turns are all withdrawn before that is removed, and its text given back.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from sidekicks.acp import PermissionAsked, Update
from sidekicks.agents import Agent, Permissions, Room, Roster
from sidekicks.base.clock import Clock
from sidekicks.base.hub import Hub
from sidekicks.base.supervisor import Supervisor
from sidekicks.channels import Channels
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import TurnEnded, TurnQueued, TurnUpdated
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, TurnId, make_id
from sidekicks.contract.state import Ending, Message, Permission, Turn, WaitsFor
from sidekicks.store import Store, TurnRow
from sidekicks.store import Turns as TurnRows
from sidekicks.turns.prompt import text_of
from sidekicks.turns.run import TurnRun
from sidekicks.turns.schedule import Running, Waiting, plan_turns
from sidekicks.turns.tools import ask_for
from sidekicks.turns.words import say


class Turns:
    """All turns that are queued or run."""

    def __init__(
        self,
        *,
        hub: Hub,
        clock: Clock,
        store: Store,
        supervisor: Supervisor,
        channels: Channels,
        roster: Roster,
        permissions: Permissions,
    ) -> None:
        self._hub: Final = hub
        self._clock: Final = clock
        self._store: Final = store
        self._rows: Final = TurnRows(store)
        self._supervisor: Final = supervisor
        self._channels: Final = channels
        self._roster: Final = roster
        self._permissions: Final = permissions
        self._queue: dict[TurnId, Turn] = {}
        self._asked: dict[MessageId, Message] = {}
        """The person's messages that queued turns are for."""
        self._runs: dict[ChannelId, TurnRun] = {}
        self._last: dict[tuple[ChannelId, AgentId], TurnRun] = {}
        """Each agent's last answer in a conversation: what it says outside a turn joins that."""
        self._planned: asyncio.Handle | None = None
        self._closed = False
        self._idle: Final = asyncio.Event()
        self._idle.set()
        permissions.listen(self._on_asking)
        roster.connect(self)

    @property
    def shown(self) -> tuple[Turn, ...]:
        """The turns as they go to the page: those that run, then the queue."""
        return (*(run.shown() for run in self._runs.values()), *self._queue.values())

    def laid_over(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return the messages, with the answers that may still grow as they are now."""
        live = {run.message_id: run for run in self._last.values()}
        return tuple(
            run.message() if (run := live.get(message.message_id)) else message
            for message in messages
        )

    def queue(self, message: Message, agents: Sequence[AgentId]) -> tuple[Turn, ...]:
        """Queue a turn per agent for a message of the person's, which was added just before."""
        self._asked[message.message_id] = message
        queued = tuple(
            Turn(
                turn_id=TurnId(make_id("t")),
                channel_id=message.channel_id,
                agent_id=agent_id,
                state="queued",
                user_message_id=message.message_id,
                queued_at=self._clock.now(),
            )
            for agent_id in agents
        )
        for turn in queued:
            self._queue[turn.turn_id] = turn
            self._hub.publish(TurnQueued(turn=turn))
            self._store.post(lambda turn=turn: self._rows.put(turn))
        self.on_free()
        return queued

    def stop(self, channel_id: ChannelId) -> TurnRun | None:
        """Stop the turn that runs, and withdraw the turns still to come for that message.

        Returns:
            The turn that was stopped; null where nothing runs (nothing is sent then).
        """
        run = self._runs.get(channel_id)
        if run is None:
            return None
        run.stop()
        for turn in list(self._queue.values()):
            if turn.user_message_id == run.turn.user_message_id:
                self._end_queued(turn)
        self.on_free()
        return run

    def stop_of(self, agent: Agent) -> None:
        """Stop the turn that an agent answers, if it does."""
        for run in list(self._runs.values()):
            if run.agent is agent:
                self.stop(run.turn.channel_id)

    def withdraw(self, turn_id: TurnId) -> str | None:
        """Take a queued turn back; the message's text, where the message goes with it.

        Raises:
            SidekicksError: `not_found`, or `busy` where it runs already.
        """
        turn = self._queue.get(turn_id)
        if turn is None:
            if any(run.turn.turn_id == turn_id for run in self._runs.values()):
                raise SidekicksError("busy", say("running_already"))
            raise SidekicksError("not_found", say("no_turn"))
        message = self._asked[turn.user_message_id]
        self._end_queued(turn)
        self.on_free()
        gone = message.position is None and message.message_id not in self._asked
        return text_of(message) if gone else None

    async def retry(self, turn_id: TurnId) -> Turn:
        """Queue another turn of the same agent for the same message.

        Raises:
            SidekicksError: `not_found` for a turn, message or agent that is not there.
        """
        row = await self._store.read_written(lambda: self._rows.get(turn_id))
        if row is None:
            raise SidekicksError("not_found", say("no_turn"))
        self._roster.get(row.agent_id)
        message = self._asked.get(row.user_message_id) or await self._channels.message(
            row.user_message_id
        )
        return self.queue(message, [row.agent_id])[0]

    async def sent_before(self, message: Message) -> tuple[TurnRow, ...]:
        """Return the turns that a message queued."""
        return await self._store.read_written(lambda: self._rows.of_message(message.message_id))

    async def close(self, seconds: float) -> None:
        """Stop every turn and wait at most `seconds` for the agents to say that they have."""
        self._closed = True
        runs = list(self._runs.values())
        for run in runs:
            run.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), seconds)
        for run in self._last.values():
            run.save()

    # What agents tell, inline and in order.

    def on_update(self, agent: Agent, channel_id: ChannelId, update: Update) -> None:
        """Add what an agent told to its answer: the one it writes, or its last."""
        run = self._last.get((channel_id, agent.agent_id))
        if run is None:
            agent.log.add("life", say("update", kind=type(update).__name__))
            return
        run.answer.apply(update)
        run.touch()

    def on_permission(self, agent: Agent, channel_id: ChannelId, asked: PermissionAsked) -> None:
        """Put an agent's question to the person; one outside a turn is the person's too."""
        run = self._runs.get(channel_id)
        if run is None or run.agent is not agent or run.stopping:
            # Nothing is ever allowed by silence, nor asked when the person has said Stop.
            asked.cancel()
            return
        known = run.answer.put_tool(asked.tool_call)
        run.answer.flush()
        permission = ask_for(run.turn, known, asked, self._clock.now())
        if (chosen := self._permissions.rules.choose(permission)) is not None:
            asked.select(chosen.option_id)
            run.answer.add_note(say("rule_used", option=chosen.name, title=known.title))
            return
        self._permissions.ask(permission, asked)
        asked.on_withdrawn = lambda: self._permissions.cancel(
            lambda other: other.permission_id == permission.permission_id
        )

    def on_ended(self, agent: Agent) -> None:
        """Close the questions of an agent whose program is gone: they belong to its connection."""
        self._permissions.cancel(lambda asked: asked.agent_id == agent.agent_id)

    def on_free(self) -> None:
        """Something changed that turns may wait for: look at the queue once all is applied."""
        if self._planned is None and not self._closed:
            self._planned = asyncio.get_running_loop().call_soon(self._plan)

    def on_wake(self) -> None:
        """Begin anew to wait for agents: nobody was quiet while the computer slept.

        A program that did not outlive the sleep has told its end by itself.
        """
        for run in self._runs.values():
            run.touch()

    def _plan(self) -> None:
        self._planned = None
        if self._closed:
            return
        rooms: dict[AgentId, Room] = {}

        def take_place(agent_id: AgentId) -> WaitsFor | None:
            agent = self._roster.find(agent_id)
            if agent is None:
                return None
            room = self._roster.take_room(agent)
            if room is None:
                # An idle one that only its children keep is named first: the person can end it.
                busy = [a for a in self._roster.agents if a.holds_place and a is not agent]
                holder = min(busy, key=lambda a: (a.state != "ready", a.idle_since))
                children = holder.children if holder.state == "ready" else ()
                return WaitsFor(kind="place", agent_id=holder.agent_id, children=children)
            rooms[agent_id] = room
            return None

        plan = plan_turns(
            [
                Waiting(turn.turn_id, turn.channel_id, turn.agent_id)
                for turn in self._queue.values()
            ],
            [
                Running(run.turn.channel_id, run.turn.agent_id, asks=run.agent.asking > 0)
                for run in self._runs.values()
            ],
            self._roster.config.max_answering,
            take_place,
        )
        for turn_id in plan.start:
            turn = self._queue.pop(turn_id)
            self._begin(turn, rooms.get(turn.agent_id, Room(None)))
        for turn_id, waits_for in plan.waits.items():
            turn = self._queue[turn_id]
            if turn.waits_for != waits_for:
                self._queue[turn_id] = msgspec.structs.replace(turn, waits_for=waits_for)
                self._hub.publish(
                    TurnUpdated(turn_id=turn_id, channel_id=turn.channel_id, waits_for=waits_for)
                )

    def _begin(self, turn: Turn, room: Room) -> None:
        agent = self._roster.find(turn.agent_id)
        if agent is None:
            self._end_queued(turn, say("agent_gone"))
            return
        run = TurnRun(
            turn,
            agent,
            hub=self._hub,
            clock=self._clock,
            channels=self._channels,
            roster=self._roster,
            permissions=self._permissions,
            on_started=lambda started: self._store.post(lambda: self._rows.put(started)),
        )
        self._runs[turn.channel_id] = run
        self._idle.clear()
        self._last[turn.channel_id, turn.agent_id] = run
        agent.answering = turn.turn_id
        agent.touch()
        self._supervisor.start(self._run(run, room), f"turn {turn.turn_id}")

    async def _run(self, run: TurnRun, room: Room) -> None:
        message = self._asked[run.turn.user_message_id]
        if message.position is None:
            message = self._channels.place(message)
            self._asked[message.message_id] = message
            self._channels.change(message)
        try:
            await run.run(message, room)
        finally:
            # Also after a fault of ours, which the supervisor reports: a turn always ends.
            del self._runs[run.turn.channel_id]
            if not self._runs:
                self._idle.set()
            ending = run.ending or run.end("failed", say("unexpected"))
            self._publish_end(run.turn, ending, run.told_session)
            self._roster.after_turn(run.agent)
            self.on_free()

    def _end_queued(self, turn: Turn, reason: str | None = None) -> None:
        self._queue.pop(turn.turn_id, None)
        ending = Ending(outcome="withdrawn", reason=reason, duration_ms=0)
        self._publish_end(turn, ending)

    def _publish_end(self, turn: Turn, ending: Ending, told_session: str | None = None) -> None:
        self._store.post(lambda: self._rows.put(turn, ended=True, told_session=told_session))
        self._hub.publish(
            TurnEnded(
                turn_id=turn.turn_id,
                channel_id=turn.channel_id,
                agent_id=turn.agent_id,
                outcome=ending.outcome,
                reason=ending.reason,
                duration_ms=ending.duration_ms,
            )
        )
        message_id = turn.user_message_id
        needed = (*self._queue.values(), *(run.turn for run in self._runs.values()))
        if all(other.user_message_id != message_id for other in needed):
            message = self._asked.pop(message_id, None)
            if message is not None and message.position is None:
                self._channels.remove(message)

    def _on_asking(self, changed: Permission) -> None:
        agent = self._roster.find(changed.agent_id)
        if agent is None:
            return
        opened = [p for p in self._permissions.open if p.agent_id == changed.agent_id]
        agent.asking = len(opened)
        agent.touch()
        run = self._runs.get(changed.channel_id)
        if run is not None and run.turn.turn_id == changed.turn_id and run.ending is None:
            run.wait_for_person(any(p.turn_id == changed.turn_id for p in opened))
        self.on_free()
