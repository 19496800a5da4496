"""A program that keeps a history, for what a test cannot do to itself: to be killed, or limited.

    python store_program.py write FILE
    python store_program.py limited FILE

`write` stores messages without end and prints `{"stored": N, "length": N}` after each. `limited`
may write files of 400 KB only, stores until nothing is saved any more, then may write again; it
prints what it was told on the way. Both print one JSON object a line.
"""

import asyncio
import json
import resource
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.histories import open_store
from fakes.waiting import until
from sidekicks.contract.ids import ChannelId, MessageId, PartId
from sidekicks.contract.parts import TextPart
from sidekicks.contract.state import Message
from sidekicks.store import Messages

LIMIT = 400_000
WORD = "word "


def tell(**values: Any) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def message(number: int, text: str) -> Message:
    return Message(
        message_id=MessageId(f"m_{number}"),
        channel_id=ChannelId("c_1"),
        author="alice",
        parts=(TextPart(part_id=PartId("p1"), text=text),),
        created_at="2026-11-30T10:00:00.000Z",
        position=number + 1,
    )


async def write(file: Path) -> None:
    """Store an answer that grows, and other messages beside it."""
    opened = await open_store(file)
    rows = Messages(opened.store)
    number = 0
    while True:
        number += 1
        grown = message(0, WORD * number * 20)
        opened.store.post(lambda grown=grown: rows.put(grown))
        one = message(number, WORD * (number % 900))
        await opened.store.write(lambda one=one: rows.put(one))
        tell(stored=number, length=number * 20)


async def limited(file: Path) -> None:
    """Store until the limit, go on beyond it, and then without it."""
    opened = await open_store(file)
    store, rows = opened.store, Messages(opened.store)
    free = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, free))
    number = 0
    while "history:unsaved" not in opened.open:
        one = message(number, WORD * 1000)
        await store.write(lambda one=one: rows.put(one))
        number += 1
    tell(said=opened.message("unsaved"), after=number)
    for one in (message(number, "kept in memory"), message(0, "changed")):
        store.post(lambda one=one: rows.put(one))
    await store.write(lambda: rows.remove(MessageId("m_1")))
    page = await store.read(lambda: rows.last(ChannelId("c_1"), 1000))
    tell(shown=[one.message_id for one in page.messages])
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, free))
    await until(lambda: not opened.open)
    await store.close()
    tell(incidents=opened.incidents)


if __name__ == "__main__":
    asyncio.run({"write": write, "limited": limited}[sys.argv[1]](Path(sys.argv[2])))
