"""The bundled agent as a program: it speaks over stdin and stdout until either ends, or SIGTERM."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping
from typing import Final

from sidekicks.acp import AgentConnection
from sidekicks.base.supervisor import Supervisor
from sidekicks.base.words import set_language, system_language
from sidekicks.companion.agent import Companion
from sidekicks.companion.models import Models
from sidekicks.companion.servers import servers_from
from sidekicks.companion.streams import STDIN, Output, keep_stdout, open_input
from sidekicks.companion.words import words

logger = logging.getLogger(__name__)

STEP_SECONDS: Final = 0.3
"""What each of the three steps of the end may take: a client kills a second after SIGTERM."""


def run() -> int:
    """Run the agent until its client is gone; return the exit code."""
    output = keep_stdout()
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    match os.environ.get("SIDEKICKS_LANGUAGE", "").lower()[:2]:
        case "en" | "fr" as language:
            set_language(language)
        case _:
            set_language(system_language())
    if os.isatty(STDIN):
        sys.stderr.write(words("run_by_hand") + "\n")
    try:
        asyncio.run(_serve(os.dup(STDIN), output, os.environ))
    finally:
        # A terminal is shared with whoever started us, and would stay as the loop wants it.
        os.set_blocking(STDIN, True)
    return 0


async def _serve(input_: int, output: int, environment: Mapping[str, str]) -> None:
    finished = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, finished.set)
    supervisor = Supervisor()
    companion = Companion(Models(servers_from(environment), environment.get("SIDEKICKS_MODEL", "")))
    pipe = Output(output, finished.set)
    await pipe.open()
    connection = AgentConnection(
        pipe, companion, supervisor, lambda text: logger.warning("not understood: %s", text)
    )
    companion.connect(connection)
    close_input = await open_input(input_, connection.feed, finished.set)
    await finished.wait()
    close_input()
    connection.end()
    await supervisor.stop(STEP_SECONDS)
    await companion.close(STEP_SECONDS)
    await pipe.close(STEP_SECONDS)
