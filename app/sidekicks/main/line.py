"""Speaking with the instance that runs for a configuration file, or else with one of our own."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from sidekicks.contract.errors import SidekicksError
from sidekicks.main.instance import socket_path
from sidekicks.main.words import say

Value = TypeVar("Value")


class Line:
    """A line of JSON to the instance: its private socket, from wherever it runs."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader: Final = reader
        self._writer: Final = writer

    @classmethod
    async def open(cls, config: Path) -> "Line":
        """Connect to the running instance.

        Raises:
            OSError: where none listens.
        """
        path = socket_path(config)
        return cls(*await asyncio.open_unix_connection(path, limit=64 * 1024 * 1024))

    async def invoke(self, command: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """Run a command; return its value and the hub's number with it.

        Raises:
            SidekicksError: what the bridge answered.
        """
        reply = await self._talk({"invoke": command})
        if not reply["ok"]:
            error = reply["error"]
            raise SidekicksError(error["code"], error["message"], **error["data"])
        return reply["value"], reply["seq"]

    async def follow(self, after: int) -> None:
        """From now on `events` gives what happens after this number."""
        self._writer.write(msgspec.json.encode({"events": after}) + b"\n")
        await self._writer.drain()

    async def events(self) -> list[dict[str, Any]]:
        """Return the next events; empty at the end."""
        line = await self._reader.readline()
        return msgspec.json.decode(line) if line else []

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
        await self._writer.wait_closed()

    async def _talk(self, request: dict[str, Any]) -> dict[str, Any]:
        self._writer.write(msgspec.json.encode(request) + b"\n")
        await self._writer.drain()
        line = await self._reader.readline()
        if not line:
            raise SidekicksError("unavailable", say("gone"))
        return msgspec.json.decode(line)


def run_with_instance(config: Path, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
    """Run `work`, which opens a `Line`; where no instance runs, one is up meanwhile.

    It comes up without a window, and ends with the work.

    Raises:
        SidekicksError: where it cannot come up, and what `work` raises.
    """
    try:
        return asyncio.run(work())
    except (FileNotFoundError, ConnectionRefusedError):
        pass  # no instance runs for this configuration file
    # Here, as it is the whole app, and whoever speaks with one that runs should be quick.
    from sidekicks.main.host import Host

    with Host(config) as host:
        host.start()
        return asyncio.run(work())


def find_agent(agents: list[dict[str, Any]], who: str) -> str:
    """Return the id of the agent that `who` names, by id or else by shown name.

    Raises:
        SidekicksError: `not_found`, with those that there are.
    """
    for key in ("agentId", "name"):
        for agent in agents:
            if agent[key].casefold() == who.casefold():
                return agent["agentId"]
    names = ", ".join(agent["agentId"] for agent in agents)
    raise SidekicksError("not_found", say("no_such_agent", who=who, names=names))
