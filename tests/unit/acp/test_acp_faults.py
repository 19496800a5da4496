"""A fault of ours, while a message is applied: it is told, and costs that message alone."""

import asyncio

import pytest

from fakes.acp_peers import Listener, Sent, chunk_bytes, frame_bytes
from sidekicks.acp import ClientConnection, ConnectionEnded, Update


class Faulty(Listener):
    """A client with a fault of ours, which one word brings out."""

    def on_update(self, session_id: str, update: Update) -> None:
        super().on_update(session_id, update)
        if self.texts[-1] == "trip":
            raise LookupError("ours")


async def test_a_fault_of_ours_in_one_message_does_not_lose_those_behind_it() -> None:
    listener = Faulty()
    connection = ClientConnection(Sent(), listener)
    prompt = asyncio.ensure_future(connection.prompt("s1", []))
    await asyncio.sleep(0)
    chunks = [chunk_bytes(word) for word in ("a", "trip", "b", "c")]
    answer = frame_bytes(id=1, result={"stopReason": "end_turn"})
    # It is told, so that it is seen; but the agent's next words come all the same.
    with pytest.raises(LookupError):
        connection.feed(b"".join(chunks) + answer)
    assert (await prompt).stop_reason == "end_turn"
    assert listener.texts == ["a", "trip", "b", "c"]


async def test_a_fault_of_ours_at_the_end_still_fails_what_is_pending() -> None:
    connection = ClientConnection(Sent(), Faulty())
    prompt = asyncio.ensure_future(connection.prompt("s1", []))
    await asyncio.sleep(0)
    connection.feed(chunk_bytes("trip").rstrip())
    with pytest.raises(LookupError):
        connection.end()
    with pytest.raises(ConnectionEnded):
        await prompt
