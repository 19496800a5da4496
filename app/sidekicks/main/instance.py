"""One instance per configuration file: a lock, and a private socket by which others speak to it.

The socket lies in a folder that only its owner can enter, and speaks lines of JSON: `{"invoke":
command}` is answered with the bridge's envelope; `{"events": after}` with a line per batch of
events until either side closes; `{"show": true}` brings the window to the front.
"""

import asyncio
import fcntl
import hashlib
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import platformdirs

from sidekicks.base.hub import Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.main.words import say

if TYPE_CHECKING:
    from sidekicks.bridge import Bridge

LINE_BYTES: Final = 32 * 1024 * 1024
SHOW_SECONDS: Final = 3.0
PATH_BYTES: Final = 103
"""Of a socket's path on a Mac; on Linux it may have four more."""


def state_folder() -> Path:
    """Return the folder of what the app keeps for itself between starts."""
    return Path(platformdirs.user_state_dir("sidekicks"))


def instance_name(config: Path) -> str:
    """Return a short name that only this configuration file has."""
    return hashlib.sha256(os.fsencode(config.resolve())).hexdigest()[:16]


def socket_path(config: Path) -> Path:
    """Return where the instance for a configuration file listens.

    In the person's home, not in the system's run-time folder: that may be missing, or be a folder
    in /tmp which anybody could have made first.

    Raises:
        SidekicksError: `unavailable`, where that path is longer than a socket's may be.
    """
    path = state_folder() / "run" / f"{instance_name(config)}.sock"
    if len(os.fsencode(path)) > PATH_BYTES:
        raise SidekicksError("unavailable", say("long_path", path=path, limit=PATH_BYTES))
    return path


class InstanceLock:
    """Held by the one instance; the system lets go of it whatever way the process ends."""

    def __init__(self, config: Path) -> None:
        self._path: Final = socket_path(config).with_suffix(".lock")
        self._config: Final = config
        self._file: int | None = None

    def take(self) -> None:
        """Take the lock.

        Raises:
            SidekicksError: `busy`, where another instance holds it; `no_access`, where there can be
                none.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            folder = self._path.parent
            raise SidekicksError(
                "no_access", say("no_state", path=folder, error=error.strerror)
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise SidekicksError("busy", say("running_already", path=self._config)) from None
        self._file = file

    def release(self) -> None:
        """Let go of the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Request(msgspec.Struct):
    """What is asked of the instance on one line; one of these."""

    invoke: msgspec.Raw = msgspec.Raw()
    events: int | None = None
    show: bool = False


_decoder: Final = msgspec.json.Decoder(Request)


class InstanceSocket:
    """Where the instance listens for `ask` and for a second start."""

    def __init__(
        self, config: Path, bridge: "Bridge", hub: Hub, on_show: Callable[[], bool]
    ) -> None:
        self._path: Final = socket_path(config)
        self._bridge: Final = bridge
        self._hub: Final = hub
        self._on_show: Final = on_show
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen. What a crashed instance left is replaced: we hold the lock."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._talk, self._path, limit=LINE_BYTES)
        self._path.chmod(0o600)

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                request = _decoder.decode(line)
                if request.invoke:
                    reply = await self._bridge.invoke(bytes(request.invoke))
                    writer.write(reply.body + b"\n")
                elif request.events is not None:
                    await self._stream(request.events, writer)
                    return
                elif request.show:
                    writer.write(msgspec.json.encode({"shown": self._on_show()}) + b"\n")
                else:
                    return
                await writer.drain()
        except (ConnectionError, ValueError, RecursionError, msgspec.DecodeError):
            return  # whoever spoke is gone, or is none of ours
        finally:
            writer.close()

    async def _stream(self, after: int, writer: asyncio.StreamWriter) -> None:
        events = self._hub.open_reader(after)
        try:
            async for frame in events.frames():
                for line in frame.splitlines():
                    if line.startswith(b"data: ["):
                        writer.write(line.removeprefix(b"data: ") + b"\n")
                await writer.drain()
        finally:
            events.leave()


def show_running(config: Path) -> bool:
    """Ask the running instance to bring its window to the front; false where it has none.

    Raises:
        OSError: where it does not listen.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
        talk.settimeout(SHOW_SECONDS)
        talk.connect(str(socket_path(config)))
        talk.sendall(b'{"show": true}\n')
        return b"true" in talk.recv(64)
