"""One turn, from its start to its end. Nowhere else is a prompt sent.

Whatever happens, the turn ends once, with an outcome, and what was written is kept.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec

from sidekicks.acp import AcpError, ConnectionEnded, Prompted
from sidekicks.agents import Agent, Connection, Permissions, Room, Roster
from sidekicks.base.clock import Clock
from sidekicks.base.hub import Hub
from sidekicks.channels import Channels
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import TurnDelta, TurnStarted, TurnUpdated
from sidekicks.contract.ids import MessageId, PartId, make_id
from sidekicks.contract.parts import Part
from sidekicks.contract.state import Ending, Failure, Message, Outcome, Turn, WaitsFor
from sidekicks.turns.answer import Answer, TextKind
from sidekicks.turns.prompt import Prompt, make_prompt
from sidekicks.turns.words import say

QUIET_SECONDS: Final = 60.0
SAVE_SECONDS: Final = 1.0
Value = TypeVar("Value")


class Stopped(Exception):  # noqa: N818 - not an error: the person said so
    """The person stopped the turn before the agent was asked."""


class TurnRun:
    """A turn that runs, and its answer, which may grow after the turn has ended."""

    def __init__(
        self,
        turn: Turn,
        agent: Agent,
        *,
        hub: Hub,
        clock: Clock,
        channels: Channels,
        roster: Roster,
        permissions: Permissions,
        on_started: Callable[[Turn], None],
    ) -> None:
        self.turn = turn
        self.agent: Final = agent
        self.ending: Ending | None = None
        self._hub: Final = hub
        self._clock: Final = clock
        self._channels: Final = channels
        self._roster: Final = roster
        self._permissions: Final = permissions
        self._on_started: Final = on_started
        self.told_session: str | None = None
        """The ACP session that has got the message."""
        self.answer: Final = Answer(self._on_text, self._on_part)
        self._message = Message(
            message_id=MessageId(make_id("m")),
            channel_id=turn.channel_id,
            author=turn.agent_id,
            parts=(),
            created_at=clock.now(),
            turn_id=turn.turn_id,
        )
        self._begun: Final = clock.monotonic()
        self._stop: Final = asyncio.Event()
        self._prompting = False
        self._quiet: asyncio.TimerHandle | None = None
        self._loop: Final = asyncio.get_running_loop()
        self._heard_at = 0.0
        self._saving: asyncio.TimerHandle | None = None

    @property
    def message_id(self) -> MessageId:
        """The answer's."""
        return self._message.message_id

    @property
    def stopping(self) -> bool:
        """Whether the person stopped it and it has not ended yet."""
        return self._stop.is_set() and self.ending is None

    def shown(self) -> Turn:
        """Return the turn as it goes to the page."""
        return msgspec.structs.replace(self.turn, parts=self.answer.parts())

    def message(self) -> Message:
        """Return the answer as it is now."""
        return msgspec.structs.replace(self._message, parts=self.answer.parts(), ending=self.ending)

    async def run(self, asked: Message, room: Room) -> None:
        """Run the turn for the person's message `asked`, in a place found for it."""
        self._message = self._channels.place(self._message)
        self.turn = msgspec.structs.replace(
            self.turn,
            state="running",
            message_id=self._message.message_id,
            started_at=self._message.created_at,
            waits_for=None,
        )
        await self._channels.add(self._message)
        self._hub.publish(
            TurnStarted(
                turn_id=self.turn.turn_id,
                channel_id=self.turn.channel_id,
                agent_id=self.turn.agent_id,
                message_id=self._message.message_id,
                started_at=self._message.created_at,
            )
        )
        self._on_started(self.turn)
        self.end(*await self._outcome(asked, room))

    def stop(self) -> bool:
        """Cancel the turn: the agent is told, its open questions are answered `cancelled`.

        Updates that still come are kept until the prompt returns. False where it was told before.
        """
        if self._stop.is_set() or self.ending is not None:
            return False
        self._stop.set()
        connection = self.agent.connection
        session_id = connection.session_of(self.turn.channel_id) if connection else None
        # Only while a prompt is out: sent at another time, it would cancel the next one.
        if self._prompting and connection is not None and session_id is not None:
            connection.client.cancel(session_id)
        self._permissions.cancel(lambda asked: asked.turn_id == self.turn.turn_id)
        self.answer.close_tools("cancelled")
        self._tell(stopping=True)
        return True

    def touch(self) -> None:
        """Something came from the agent: it is not quiet. Called for each update."""
        self._heard_at = self._loop.time()
        if self._saving is None:
            self._saving = self._loop.call_later(SAVE_SECONDS, self.save)
        if self.turn.quiet and self.ending is None:
            self._tell(quiet=False)
            self._watch_quiet()

    def wait_for_person(self, waits: bool) -> None:
        """The turn has (or has no more) open questions."""
        self._tell(waits_for=WaitsFor(kind="answer") if waits else None)
        self._watch_quiet()

    def save(self) -> None:
        """Store what was written so far."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        self.answer.flush()
        self._channels.save(self.message())

    async def _outcome(self, asked: Message, room: Room) -> tuple[Outcome, str | None]:
        try:
            await self._unless_stopped(self._roster.start_in(self.agent, room))
            prompt = await self._unless_stopped(
                make_prompt(self.agent, asked, roster=self._roster, channels=self._channels)
            )
            connection = self.agent.connected()
        except Stopped:
            return "stopped", None
        except SidekicksError as error:
            return self._failed(error)
        return await self._ask(connection, prompt)

    async def _ask(self, connection: Connection, prompt: Prompt) -> tuple[Outcome, str | None]:
        if self._stop.is_set():
            return "stopped", None
        self._prompting = True
        self._watch_quiet()
        try:
            prompted = await connection.client.prompt(prompt.session_id, prompt.blocks)
        except (ConnectionEnded, AcpError, SidekicksError) as error:
            # After a cancel some agents answer with an error; and what is stopped for good ends.
            if self._stop.is_set():
                self._told(prompt)
                self._roster.sessions.stop_failed(self.agent, self.turn.channel_id, error)
                return "stopped", None
            return self._failed(connection.explain("session/prompt", error))
        finally:
            self._prompting = False
        self._told(prompt)
        self.agent.fail(None)
        return self._judge(prompted, self.agent.config.name)

    def _told(self, prompt: Prompt) -> None:
        """Answered or stopped, the agent has got it; what failed is told again with the next."""
        self.told_session = prompt.session_id
        if prompt.told_to is not None:
            self._roster.sessions.told(self.turn.channel_id, self.turn.agent_id, prompt.told_to)

    def _failed(self, error: SidekicksError) -> tuple[Outcome, str | None]:
        failure = error.data.get("failure")
        if isinstance(failure, Failure) and failure.code == "sign_in":
            self.agent.fail(failure)
        return "failed", error.message

    def _judge(self, prompted: Prompted, name: str) -> tuple[Outcome, str | None]:
        if self._stop.is_set():
            return "stopped", None
        reason = None
        match prompted.stop_reason:
            case "refusal":
                return "refused", say("refused", name=name)
            case "max_tokens":
                return "limit", say("limit_tokens", name=name)
            case "max_turn_requests":
                return "limit", say("limit_requests", name=name)
            case "end_turn":
                pass
            case "cancelled":
                # Some agents end the turn so after a No; the person stopped nothing.
                reason = say("ended_itself", name=name)
            case other:
                self.answer.add_note(say("unknown_stop", name=name, reason=other))
        self.answer.flush()
        if not self.answer.parts():
            return "nothing", say("nothing", name=name)
        return "finished", reason

    async def _unless_stopped(self, work: Awaitable[Value]) -> Value:
        """Wait for work that may go on without us, but no longer than until the person stops."""
        working = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            working.add_done_callback(_forget)
            raise Stopped
        except asyncio.CancelledError:
            working.cancel()
            raise
        finally:
            stopping.cancel()

    def end(self, outcome: Outcome, reason: str | None) -> Ending:
        """End the turn: once, with its outcome; the answer is told and stored."""
        if self._quiet is not None:
            self._quiet.cancel()
        self._permissions.cancel(lambda asked: asked.turn_id == self.turn.turn_id)
        self.answer.close_tools("cancelled" if outcome in ("stopped", "failed") else "ended")
        self.answer.flush()
        duration = int((self._clock.monotonic() - self._begun) * 1000)
        self.ending = Ending(outcome=outcome, reason=reason, duration_ms=duration)
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        self._channels.change(self.message())
        return self.ending

    def _on_text(self, part_id: PartId, kind: TextKind, offset: int, text: str) -> None:
        self._hub.publish(
            TurnDelta(
                turn_id=self.turn.turn_id,
                channel_id=self.turn.channel_id,
                message_id=self._message.message_id,
                part_id=part_id,
                kind=kind,
                offset=offset,
                text=text,
            )
        )

    def _on_part(self, part: Part) -> None:
        self._tell(part=part)

    def _tell(
        self,
        *,
        part: Part | None = None,
        stopping: bool | None = None,
        quiet: bool | None = None,
        waits_for: WaitsFor | msgspec.UnsetType | None = msgspec.UNSET,
    ) -> None:
        turn = self.turn
        self.turn = msgspec.structs.replace(
            turn,
            stopping=turn.stopping if stopping is None else stopping,
            quiet=turn.quiet if quiet is None else quiet,
            waits_for=turn.waits_for if waits_for is msgspec.UNSET else waits_for,
        )
        self._hub.publish(
            TurnUpdated(
                turn_id=turn.turn_id,
                channel_id=turn.channel_id,
                message_id=self._message.message_id,
                part=part,
                waits_for=self.turn.waits_for,
                stopping=self.turn.stopping,
                quiet=self.turn.quiet,
            )
        )

    def _watch_quiet(self) -> None:
        self._heard_at = self._loop.time()
        if self._quiet is None:
            self._look_quiet()

    def _look_quiet(self) -> None:
        """Say that it is quiet, or look again when it may be: a timer per update is too dear."""
        self._quiet = None
        if not self._prompting or self.ending is not None:
            return
        due = self._heard_at + QUIET_SECONDS
        if self._loop.time() >= due and self.turn.waits_for is None:
            self._tell(quiet=True)
            return
        self._quiet = self._loop.call_at(max(due, self._loop.time() + 1), self._look_quiet)


def _forget(work: "asyncio.Future[Any]") -> None:
    """Take the result of work that nobody waits for, else its failure is reported as lost."""
    if not work.cancelled():
        work.exception()
