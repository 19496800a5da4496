"""Passing a prompt on to a model, and its answer back as it comes."""

import asyncio
from contextlib import aclosing
from typing import Final, assert_never

from sidekicks.acp import ToolCall, ToolCallUpdate
from sidekicks.companion.chat import Finish, Limits, Silence, stream_answer
from sidekicks.companion.loaded import LoadedByUs
from sidekicks.companion.models import LOOK_SECONDS, Model
from sidekicks.companion.thinking import Text, Thought
from sidekicks.companion.turn import Turn
from sidekicks.companion.words import words

_STOP_REASONS: Final = {"length": "max_tokens", "content_filter": "refusal"}


async def talk(turn: Turn, model: Model, prompt: str, loaded: LoadedByUs, limits: Limits) -> str:
    """Let the model answer; return the turn's stop reason.

    What the model said before it was stopped is part of the conversation; an exchange that failed
    is not, so that trying again does not repeat it.

    Raises:
        SidekicksError: `unavailable`, in one sentence.
    """
    history = turn.session.history
    conversation = history.conversation(words("system", model=model.model_id), prompt)
    await loaded.before_use(model.server, model.model_id, LOOK_SECONDS)
    answer: list[str] = []
    wait = _Wait(turn, model)
    reason = ""
    try:
        async with aclosing(stream_answer(model, conversation, limits)) as pieces:
            async for piece in pieces:
                match piece:
                    case Silence():
                        await wait.show()
                    case Thought():
                        await wait.end("completed")
                        await turn.think(piece.text)
                    case Text():
                        await wait.end("completed")
                        answer.append(piece.text)
                        await turn.say(piece.text)
                    case Finish():
                        await wait.end("completed")
                        reason = piece.reason
                    case _:
                        assert_never(piece)
    except asyncio.CancelledError:
        history.add(prompt, "".join(answer))
        raise
    finally:
        await wait.end("failed")
        loaded.touch(model.server, model.model_id)
    history.add(prompt, "".join(answer))
    await loaded.after_use(model.server, model.model_id, LOOK_SECONDS)
    return _STOP_REASONS.get(reason, "end_turn")


class _Wait:
    """The card that says that the server is silent, which a model being loaded explains."""

    def __init__(self, turn: Turn, model: Model) -> None:
        self._turn: Final = turn
        self._model: Final = model
        self._call_id: str | None = None

    async def show(self) -> None:
        """Show it, if it is not there yet."""
        if self._call_id is not None:
            return
        self._call_id = self._turn.session.new_call_id()
        model = self._model
        title = words("waiting", model=model.model_id, server=model.server.name)
        await self._turn.update(
            ToolCall(tool_call_id=self._call_id, title=title, kind="other", status="in_progress")
        )

    async def end(self, status: str) -> None:
        """End it, if it is there."""
        call_id, self._call_id = self._call_id, None
        if call_id is not None:
            await self._turn.update(ToolCallUpdate(tool_call_id=call_id, status=status))
