"""A program that is asked one thing and answers at once, such as `docker version`."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from sidekicks.system.process import start_process

OUTPUT_BYTES: Final = 64 * 1024


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """How the program ended (null: by a signal), and what it wrote, cut where it is too long."""

    code: int | None
    stdout: str
    stderr: str


async def ask_program(argv: Sequence[str], *, env: Mapping[str, str], seconds: float) -> Answer:
    """Run a program that reads nothing, to its end; what it started ends with it.

    Raises:
        SidekicksError: it could not be started.
        TimeoutError: it was not done within `seconds`, and was ended.
    """
    written = {1: bytearray(), 2: bytearray()}

    def keep(stream: int, data: bytes) -> None:
        written[stream] += data[: OUTPUT_BYTES - len(written[stream])]

    process = await start_process(
        argv,
        env=env,
        cwd=Path("/"),
        on_stdout=lambda data: keep(1, data),
        on_stderr=lambda data: keep(2, data),
        on_exit=lambda _: None,
    )
    try:
        process.close_stdin()
        async with asyncio.timeout(seconds):
            exit_ = await process.wait()
    finally:
        await process.stop(0, grace=0.2)
    stdout, stderr = (bytes(written[stream]).decode("utf-8", "replace") for stream in (1, 2))
    return Answer(code=exit_.code, stdout=stdout.strip(), stderr=stderr.strip())
