"""The whole app without a window or a server, on the test's own loop, with scripted agents.

async with Stage(tmp_path, alice=script(on_prompt(say("hi")))) as stage:
    await stage.say("alice", "hello")
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import msgspec

from fakes.scripts import Script, agent_command
from fakes.waiting import until
from sidekicks.contract.wire import Event
from sidekicks.main.run import Ready, Run

PATIENCE = 20.0
Json = dict[str, Any]


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """A command was refused; `error` is the envelope's."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.error = error
        self.code: str = error["code"]


class Stage:
    """The app, its events so far, and commands as a page gives them."""

    def __init__(
        self, folder: Path, *, settings: Json | None = None, **agents: Script | None
    ) -> None:
        self.folder = folder
        self.config = folder / "sidekicks.yaml"
        self.settings = settings or {}
        self.events: list[Json] = []
        self._arrived = asyncio.Event()
        self._run: Run | None = None
        self._main: asyncio.Task[None] | None = None
        self.write_config(**agents)

    def write_config(self, **agents: Script | Json | None) -> None:
        """Write the configuration anew. YAML is a superset of JSON. Null: a workspace only."""
        entries: Json = {}
        for name, told in agents.items():
            workspace = self.folder / name
            workspace.mkdir(exist_ok=True)
            entries[name] = {"name": name.title(), "workspace": str(workspace)}
            if told is not None and "command" in told:
                entries[name] |= told
            elif told is not None:
                command, *args = agent_command(told, self.folder / f"{name}.json")
                entries[name] |= {"command": command, "args": args}
        self.config.write_text(json.dumps({**self.settings, "agents": entries}, indent=1))

    def keep(self, agent: str) -> None:
        """Mark an agent in the configuration as never to be stopped to make room."""
        told = json.loads(self.config.read_text())
        told["agents"][agent]["keep"] = True
        self.config.write_text(json.dumps(told, indent=1))

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Come up."""
        self._run = Run(
            self.config, make_server=None, on_loop=lambda stop: None, on_show=lambda: False
        )
        self._main = asyncio.get_running_loop().create_task(self._run.main())
        self.ready = await asyncio.wrap_future(self._run.ready)
        self.ready.domains.app.hub.listen(self._on_event)

    async def close(self) -> None:
        """Stop in order, as the app does."""
        assert self._run is not None
        assert self._main is not None
        self._run.request_stop()
        await self._main

    @property
    def up(self) -> Ready:
        """What the run offers."""
        return self.ready

    async def invoke(self, type_: str, **params: Any) -> Any:
        """Run a command and return its value; raise `Refused` for an error."""
        raw = msgspec.json.encode({"type": type_, **params})
        reply = msgspec.json.decode((await self.ready.bridge.invoke(raw)).body)
        if not reply["ok"]:
            raise Refused(reply["error"])
        return reply["value"]

    async def snapshot(self) -> Json:
        """Return a fresh snapshot."""
        return await self.invoke("get_snapshot")

    async def direct(self, agent: str) -> str:
        """Return the id of an agent's direct conversation."""
        return (await self.invoke("open_direct", agentId=agent))["channelId"]

    async def send(self, agent: str, text: str, **params: Any) -> Json:
        """Send a message in an agent's direct conversation."""
        channel = await self.direct(agent)
        return await self.invoke("send_message", channelId=channel, text=text, **params)

    async def say(self, agent: str, text: str) -> Json:
        """Send a message and return the `turn.ended` of its answer."""
        sent = await self.send(agent, text)
        return await self.ended(sent["turns"][0]["turnId"])

    async def ended(self, turn_id: str) -> Json:
        """Wait for a turn's end."""
        return await self.event("turn.ended", turnId=turn_id)

    async def event(self, type_: str, **fields: Any) -> Json:
        """Wait for (or find) the first event of this type whose fields are these."""

        def fits(event: Json) -> bool:
            return event["type"] == type_ and all(event.get(k) == v for k, v in fields.items())

        return await self.until(fits)

    async def state(self, agent: str, state: str) -> Json:
        """Wait until an agent is in a state, and return it."""
        await self.holds(lambda: self.ready.domains.app.roster.get(agent).state == state)  # pyright: ignore[reportArgumentType]
        return next(a for a in (await self.snapshot())["agents"] if a["agentId"] == agent)

    async def until(self, fits: Callable[[Json], bool]) -> Json:
        """Wait for (or find) the first event that fits."""
        seen = 0
        async with asyncio.timeout(PATIENCE):
            while True:
                for event in self.events[seen:]:
                    if fits(event):
                        return event
                seen = len(self.events)
                self._arrived.clear()
                await self._arrived.wait()

    async def holds(self, condition: Callable[[], object]) -> None:
        """Wait until something is so."""
        await until(condition, PATIENCE)

    async def messages(self, agent: str, **params: Any) -> list[Json]:
        """Return the messages of an agent's direct conversation."""
        channel = await self.direct(agent)
        return (await self.invoke("get_messages", channelId=channel, **params))["messages"]

    def of(self, type_: str) -> list[Json]:
        """Return the events so far of a type."""
        return [event for event in self.events if event["type"] == type_]

    def _on_event(self, event: Event) -> None:
        self.events.append(msgspec.json.decode(msgspec.json.encode(event)))
        self._arrived.set()


def text_of(message: Json) -> str:
    """Return what a message says."""
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")
