"""Programs that a benchmark starts and measures: our event stream and one without batches; starts.

    python event_programs.py stream | single NUMBER
    python event_programs.py ours | plain PORT FOLDER

The first two print `{"origin", "secret"}`, publish NUMBER events to the first page that comes, and
print the CPU seconds that took. The others answer `GET /` at PORT until they are ended.
"""

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import AsyncGenerator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec

from fakes.waiting import until
from sidekicks.base.hub import Hub
from sidekicks.contract.events import TurnDelta
from sidekicks.contract.ids import ChannelId, MessageId, PartId, TurnId
from sidekicks.server import Server

BURST = 64
"""Events between two turns of the loop: about what one read of an agent's pipe gives."""
BEHIND_BYTES = 1024 * 1024
"""How far a page may be behind before the publisher waits, as an agent's pipe is held up."""
BEHIND_EVENTS = BEHIND_BYTES // 256
PATIENCE = 120.0


def delta(number: int) -> TurnDelta:
    return TurnDelta(
        turn_id=TurnId("turn_1"),
        channel_id=ChannelId("channel_1"),
        message_id=MessageId("message_1"),
        part_id=PartId("part_1"),
        kind="text",
        offset=number * 40,
        text="forty characters of an answer, more or l",
    )


def say(**values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


async def unused(raw: bytes) -> object:
    raise NotImplementedError(raw)


def make_server(hub: Hub, folder: Path, port: int = 0) -> Server:
    return Server(invoke=unused, hub=hub, ui_folder=folder, port=port)  # pyright: ignore[reportArgumentType]


async def stream(number: int, folder: Path) -> None:
    """Publish through the hub and the server, as the app does."""
    hub = Hub()
    server = make_server(hub, folder)
    await server.start()
    say(origin=server.origin, path="/events", secret=server.secret)
    await until(lambda: hub.readers, PATIENCE)
    (reader,) = hub.readers
    begun = time.process_time()
    for index in range(number):
        hub.publish(delta(index))
        if index % BURST == 0:
            await asyncio.sleep(0)
            if reader.unread > BEHIND_BYTES:
                await until(lambda: reader.unread <= BEHIND_BYTES, PATIENCE)
    hub.close()
    await until(lambda: not hub.readers, PATIENCE)
    say(cpu=time.process_time() - begun)
    await server.stop(5)


async def single(number: int) -> None:
    """Number and encode each event alike; send each by itself through the framework's stream."""
    import uvicorn
    from litestar import Litestar, get
    from litestar.response import Stream

    waiting: deque[bytes] = deque()
    arrived, opened, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
    encoder = msgspec.json.Encoder()

    async def frames() -> AsyncGenerator[bytes]:
        opened.set()
        while not (ended.is_set() and not waiting):
            await arrived.wait()
            arrived.clear()
            while waiting:
                yield waiting.popleft()

    @get("/events", media_type="text/event-stream")
    async def events() -> Stream:
        return Stream(frames())

    app = Litestar([events], openapi_config=None, logging_config=None)
    config = uvicorn.Config(app, http="h11", port=0, log_level="error", lifespan="off")
    serving = uvicorn.Server(config)
    served = asyncio.create_task(serving.serve())
    await until(lambda: serving.started, PATIENCE)
    port = serving.servers[0].sockets[0].getsockname()[1]
    say(origin=f"http://127.0.0.1:{port}", path="/events", secret="")
    await opened.wait()
    begun = time.process_time()
    for index in range(number):
        event = msgspec.structs.replace(delta(index), seq=index + 1)
        waiting.append(b"id: %d\ndata: %b\n\n" % (index + 1, encoder.encode(event)))
        arrived.set()
        if index % BURST == 0:
            await asyncio.sleep(0)
            if len(waiting) > BEHIND_EVENTS:
                await until(lambda: len(waiting) <= BEHIND_EVENTS, PATIENCE)
    ended.set()
    arrived.set()
    await until(lambda: not waiting, PATIENCE)
    say(cpu=time.process_time() - begun)
    serving.should_exit = True
    await served


async def ours(port: int, folder: Path) -> None:
    """Our server alone."""
    await make_server(Hub(), folder, port).start()
    await asyncio.Event().wait()


def plain(port: int) -> None:
    """A plain application of the framework with forty routes."""
    import uvicorn
    from litestar import Litestar, get

    def route(number: int) -> object:
        @get("/" if number == 0 else f"/route{number}", name=f"route{number}")
        async def answer() -> str:
            return "hello"

        return answer

    routes = [route(number) for number in range(40)]
    app = Litestar(routes, openapi_config=None)  # pyright: ignore[reportArgumentType]
    uvicorn.run(app, port=port, log_level="error")


def main(kind: str, number: int, folder: Path) -> None:
    match kind:
        case "stream":
            asyncio.run(stream(number, folder))
        case "single":
            asyncio.run(single(number))
        case "ours":
            asyncio.run(ours(number, folder))
        case _:
            plain(number)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
