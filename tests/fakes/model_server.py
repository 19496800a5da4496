r"""A small model server for tests: completions and responses as OpenAI's, steered by the prompt.

In a test: `async with ModelServer() as server:`. As a program, for agents that are not ours:
`python -m fakes.model_server LOG` (in `tests`) prints one line of JSON with its address and appends
each request, whole, to the file LOG.

The last user message is a script, one step a line; a line without a `!` step is not one, and a
message without any step is echoed:

    !say TEXT       a piece of the answer (`\n` is a newline)
    !slow N         N words, a tenth of a second apart
    !think TEXT     a piece of thought, in a field of its own
    !hold           say nothing until `release()`, or until the client leaves
    !cut            break off the connection
    !error CODE T   an HTTP error; after another step: an error inside the stream
    !raw TEXT       an event with just this text
    !finish REASON  the finish reason; `stop` unless said
    !tool NAME JSON a tool call; once its result is there, the answer is the result. Text, where the
                    request offers no tools (agents also ask for titles)
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import h11

from fakes.model_wires import ChatWire, ResponsesWire, Wire

JSON_TYPE = "application/json"
KEEP_SECONDS = 300.0


class ModelServer:
    """The server, and what it saw.

    With `ollama` it also tells what it holds in memory (`loaded`: name -> time of day at which it
    lets go), as Ollama does.
    """

    def __init__(
        self,
        models: tuple[str, ...] = ("stub-model",),
        *,
        key: str | None = None,
        ollama: bool = False,
        pages: dict[str, Any] | None = None,
        log: Path | None = None,
    ) -> None:
        self.models = models
        self.key = key
        self.ollama = ollama
        self.pages = pages or {}
        """Further addresses, and the JSON that each answers; null for one that never answers."""
        self.requests: list[tuple[str, Any]] = []
        """Path and body of each request, in order."""
        self._log = log
        self.loaded: dict[str, float] = {}
        self.unloaded: list[str] = []
        self.left = asyncio.Event()
        """A client closed its connection while it was being answered."""
        self.holding = asyncio.Event()
        """An answer has come to a `!hold`."""
        self.url = ""
        self._released = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def prompts(self) -> list[list[dict[str, Any]]]:
        """The messages of each chat request."""
        return [body["messages"] for path, body in self.requests if path.endswith("/completions")]

    @property
    def asked_models(self) -> list[str]:
        """The model of each chat request."""
        return [body["model"] for path, body in self.requests if path.endswith("/completions")]

    async def start(self, port: int = 0) -> None:
        """Listen on the loopback address."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Break off what is open and stop listening."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await self._server.wait_closed()

    def note(self, path: str, body: Any) -> None:
        """Keep a request."""
        self.requests.append((path, body))
        if self._log is not None:
            with self._log.open("a") as file:
                file.write(json.dumps({"path": path, "body": body}) + "\n")

    def release(self) -> None:
        """Let answers that hold go on."""
        self._released.set()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            await _Client(self, reader, writer, self._released).serve()
        except (ConnectionError, h11.ProtocolError):
            pass
        finally:
            self._writers.discard(writer)
            writer.transport.abort()


class _Client:
    """One connection."""

    def __init__(
        self,
        server: ModelServer,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        released: asyncio.Event,
    ) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._released = released
        self._http = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        while (request := await self._receive()) is not None:
            path, headers, body = request
            self._server.note(path, body)
            await self._answer(path, headers, body)
            if self._http.our_state is h11.MUST_CLOSE:
                return
            self._http.start_next_cycle()

    async def _receive(self) -> tuple[str, dict[str, str], Any] | None:
        path, headers, body = "", dict[str, str](), b""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(65536))
            elif isinstance(event, h11.Request):
                path = event.target.decode()
                headers = {name.decode(): value.decode() for name, value in event.headers}
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                return path, headers, json.loads(body) if body else None
            else:
                return None

    async def _answer(self, path: str, headers: dict[str, str], body: Any) -> None:
        server = self._server
        if path in server.pages:
            if server.pages[path] is None:
                server.holding.set()
                await self._hold()
            return await self._send_json(200, server.pages[path])
        if server.key is not None and headers.get("authorization") != f"Bearer {server.key}":
            return await self._send_json(401, {"error": {"message": "Invalid API key"}})
        if path.endswith("/models"):
            listed = [{"id": name, "object": "model"} for name in server.models]
            return await self._send_json(200, {"object": "list", "data": listed})
        if path == "/api/ps" and server.ollama:
            running = [
                {"name": name, "expires_at": datetime.fromtimestamp(until, UTC).isoformat()}
                for name, until in server.loaded.items()
            ]
            return await self._send_json(200, {"models": running})
        if path == "/api/generate" and server.ollama:
            server.loaded.pop(body["model"], None)
            server.unloaded.append(body["model"])
            return await self._send_json(200, {"done": True, "done_reason": "unload"})
        if path.endswith("/chat/completions"):
            return await self._complete(body, ChatWire(body))
        if path.endswith("/responses"):
            return await self._complete(body, ResponsesWire(body))
        return await self._send_json(404, {"error": {"message": f"no such page: {path}"}})

    async def _complete(self, body: Any, wire: Wire) -> None:
        server = self._server
        if body["model"] not in server.models:
            message = f"model '{body['model']}' not found"
            return await self._send_json(404, {"error": {"message": message}})
        server.loaded[body["model"]] = time.time() + KEEP_SECONDS
        steps = list(_steps(wire))
        if not body.get("stream"):
            return await self._send_json(200, wire.whole(steps))
        if steps and steps[0][0] == "error":
            code, _, text = steps[0][1].partition(" ")
            return await self._send_json(int(code), {"error": {"message": text}})
        return await self._stream(steps, wire)

    async def _stream(self, steps: list[tuple[str, str]], wire: Wire) -> None:
        reason = "stop"
        self._send(
            h11.Response(
                status_code=200,
                headers=[("content-type", "text/event-stream"), ("transfer-encoding", "chunked")],
            )
        )
        self._send_events(wire.begin())
        for step, text in steps:
            match step:
                case "say":
                    self._send_events(wire.say(text.replace("\\n", "\n")))
                case "slow":
                    await asyncio.sleep(0.1)
                    self._send_events(wire.say(text))
                case "think":
                    self._send_events(wire.think(text))
                case "hold":
                    await self._writer.drain()
                    self._server.holding.set()
                    await self._hold()
                case "cut":
                    await self._writer.drain()
                    raise ConnectionAbortedError
                case "error":
                    error = {"error": {"message": text.partition(" ")[2]}}
                    self._send_events([json.dumps(error)])
                case "raw":
                    self._send_events([text])
                case "tool":
                    reason = "tool_calls"
                    name, _, arguments = text.partition(" ")
                    self._send_events(wire.call(name, arguments or "{}"))
                case "finish":
                    reason = text
                case _:
                    raise AssertionError(f"no such step: {step}")
            await self._writer.drain()
        self._send_events(wire.finish(reason))
        self._send(h11.EndOfMessage())
        await self._writer.drain()

    async def _hold(self) -> None:
        """Wait for the release; if the client leaves first, note it and end the connection."""
        gone = asyncio.ensure_future(self._reader.read(1))
        released = asyncio.ensure_future(self._released.wait())
        await asyncio.wait({gone, released}, return_when=asyncio.FIRST_COMPLETED)
        released.cancel()
        if gone.done():
            gone.exception()
            self._server.left.set()
            raise ConnectionAbortedError
        gone.cancel()
        await asyncio.wait({gone})

    def _send(self, event: h11.Event) -> None:
        self._writer.write(self._http.send(event) or b"")

    def _send_events(self, events: list[str]) -> None:
        for text in events:
            self._send(h11.Data(data=f"data: {text}\n\n".encode()))

    async def _send_json(self, status: int, answer: Any) -> None:
        body = json.dumps(answer).encode()
        headers = [("content-type", JSON_TYPE), ("content-length", str(len(body)))]
        self._send(h11.Response(status_code=status, headers=headers))
        self._send(h11.Data(data=body))
        self._send(h11.EndOfMessage())
        await self._writer.drain()


def _steps(wire: Wire) -> Iterator[tuple[str, str]]:
    """Yield the script of the last user message."""
    if (told := wire.tool_said()) is not None:
        yield "say", f"The tool says: {told}"
        return
    prompt = wire.heard()
    lines = [line.strip() for line in prompt.splitlines() if line.strip().startswith("!")]
    for line in lines:
        step, _, text = line.removeprefix("!").partition(" ")
        if step == "slow":
            yield from (("slow", f"w{number} ") for number in range(int(text)))
        else:
            yield ("say" if step == "tool" and not wire.offers_tools else step), text
    if not lines:
        for word in f"You said: {prompt}".split(" "):
            yield "say", f"{word} "


async def _run(log: Path) -> None:
    server = ModelServer(("stub-model", "gpt-5.1-codex"), log=log)
    await server.start()
    sys.stdout.write(json.dumps({"url": server.url}) + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_run(Path(sys.argv[1])))
