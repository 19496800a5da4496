"""A model's answer as it comes: chat completions over server-sent events, read piece by piece.

Every way in which a server fails is one sentence for the person. Leaving the stream closes the
connection at once, so that the model stops.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final, Literal

import msgspec

from sidekicks.companion.completions import Completion, EventLines, server_words
from sidekicks.companion.exchange import Exchange, open_exchange
from sidekicks.companion.models import Model
from sidekicks.companion.thinking import Piece
from sidekicks.companion.words import words
from sidekicks.contract.errors import SidekicksError


class Said(msgspec.Struct, frozen=True):
    """One entry of the conversation, as the model gets it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Limits(msgspec.Struct, frozen=True):
    """How long to wait, in seconds: for the connection, before saying so, before giving up.

    A large model takes minutes to load and a long prompt minutes to read on a laptop, so giving up
    comes late; the person sees the wait, and Stop is there.
    """

    connect: float = 5.0
    quiet: float = 8.0
    give_up: float = 900.0


LIMITS: Final = Limits()


class Silence(msgspec.Struct, frozen=True):
    """The server has said nothing for `seconds`."""

    seconds: float


class Finish(msgspec.Struct, frozen=True):
    """The answer is complete, for the reason the server gives: stop, length, content_filter…"""

    reason: str


async def stream_answer(
    model: Model, conversation: Sequence[Said], limits: Limits = LIMITS
) -> AsyncGenerator[Piece | Silence | Finish]:
    """Yield the answer's pieces; the last is Finish.

    Raises:
        SidekicksError: `unavailable`, with one sentence: not there, refused, failed, cut, mute.
    """
    request = {"model": model.model_id, "messages": conversation, "stream": True}
    try:
        async with (
            open_exchange(
                f"{model.server.base}/chat/completions",
                body=msgspec.json.encode(request),
                key=model.server.key,
                connect_seconds=limits.connect,
            ) as exchange,
            aclosing(_read_answer(exchange, model, limits)) as pieces,
        ):
            async for piece in pieces:
                yield piece
    except OSError as error:
        raise _unavailable("unreachable", model) from error
    except ValueError as error:
        raise _unavailable("bad_address", model, reason=str(error)) from error


async def _read_answer(
    exchange: Exchange, model: Model, limits: Limits
) -> AsyncGenerator[Piece | Silence | Finish]:
    completion, lines = Completion(), EventLines()
    silent = 0.0
    while not completion.ended:
        try:
            received = await exchange.receive(limits.quiet)
            events = lines.feed(received or b"")
        except TimeoutError as error:
            silent += limits.quiet
            if silent >= limits.give_up:
                raise _unavailable("mute", model, minutes=round(silent / 60)) from error
            yield Silence(silent)
            continue
        except OSError as error:
            raise _unavailable("cut", model) from error
        if received is None:
            break
        silent = 0.0
        if exchange.status != 200:
            raise await _refused(exchange, model, limits)
        for event in events:
            for piece in completion.feed(event):
                yield piece
            if completion.error is not None:
                raise _unavailable("failed", model, reason=completion.error)
    for piece in completion.end():
        yield piece
    if not completion.reason:
        raise _unavailable("cut", model)
    yield Finish(completion.reason)


async def _refused(exchange: Exchange, model: Model, limits: Limits) -> SidekicksError:
    """Return what a status other than 200 means, with the server's own words."""
    try:
        reason = server_words(await exchange.body(limits.connect))
    except OSError:
        reason = ""
    match exchange.status:
        case 401 | 403:
            key = "wants_key"
        case 404:
            key = "unknown_model"
        case 429 | 503:
            key = "busy"
        case _:
            key = "failed"
    return _unavailable(key, model, reason=reason or f"HTTP {exchange.status}")


def _unavailable(key: str, model: Model, **values: object) -> SidekicksError:
    server = model.server
    sentence = words(key, server=server.name, url=server.base, model=model.model_id, **values)
    return SidekicksError("unavailable", sentence)
