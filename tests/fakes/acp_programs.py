"""A program at the other end of an ACP connection, over real pipes."""

import asyncio
import os
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fakes.robot import Robot
from sidekicks.acp import AgentConnection, ClientConnection, ClientPeer
from sidekicks.base.supervisor import Supervisor


class Program:
    """A program whose stdin is a `Pipe`; what it writes to stderr is nobody's."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._ended = asyncio.Event()

    def write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._stdin.fileno(), data) :]
        except BrokenPipeError:
            return

    async def drain(self) -> None:
        return

    def read_into(self, connection: ClientConnection | AgentConnection) -> None:
        """From now on feed the connection with what the program writes."""
        loop, descriptor = asyncio.get_running_loop(), self._stdout.fileno()

        def read() -> None:
            if data := os.read(descriptor, 65536):
                connection.feed(data)
            else:
                loop.remove_reader(descriptor)
                connection.end()
                self._ended.set()

        loop.add_reader(descriptor, read)

    async def wait_for_end(self, seconds: float = 50) -> None:
        """Wait until the program has closed its stdout."""
        async with asyncio.timeout(seconds):
            await self._ended.wait()

    def close(self) -> None:
        """Kill it and let go of it."""
        asyncio.get_running_loop().remove_reader(self._stdout.fileno())
        self._process.kill()
        self._process.wait()
        self._stdin.close()
        self._stdout.close()


@asynccontextmanager
async def connect(command: list[str], peer: ClientPeer) -> AsyncGenerator[ClientConnection]:
    """Run an agent's program and talk with it; at the end it is killed."""
    program = Program(command)
    connection = ClientConnection(program, peer)
    program.read_into(connection)
    try:
        yield connection
    finally:
        connection.end()
        program.close()


async def serve(command: list[str], robot: Robot) -> list[str]:
    """Run a client's program and be its agent until it ends; return what was noise."""
    noise: list[str] = []
    program, supervisor = Program(command), Supervisor()
    connection = robot.connection = AgentConnection(program, robot, supervisor, noise.append)
    program.read_into(connection)
    try:
        await program.wait_for_end()
    finally:
        connection.end()
        program.close()
        await supervisor.stop(5)
    return noise
