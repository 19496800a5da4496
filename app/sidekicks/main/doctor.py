"""`sidekicks doctor [WHO]`: what is wrong, on standard output.

Where the app runs for this configuration file it looks there, and what runs goes on; else the app
comes up without a window meanwhile.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from sidekicks.main.line import Line, find_agent, run_with_instance

EXIT_PROBLEM: Final = 1


def print_diagnosis(config: Path, who: str | None, *, json: bool) -> int:
    """Have everything, or one agent, examined; print the report and return the exit code.

    Raises:
        SidekicksError: where the agent is not there, or the app cannot come up.
    """
    diagnosis = run_with_instance(config, lambda: _ask(config, who))
    print(msgspec.json.encode(diagnosis).decode() if json else diagnosis["report"].rstrip())
    return EXIT_PROBLEM if diagnosis["level"] == "problem" else 0


async def _ask(config: Path, who: str | None) -> dict[str, Any]:
    line = await Line.open(config)
    try:
        agent_id = None
        if who is not None:
            snapshot, _ = await line.invoke({"type": "get_snapshot"})
            agent_id = find_agent(snapshot["agents"], who)
        diagnosis, _ = await line.invoke({"type": "doctor", "agentId": agent_id})
        return diagnosis
    finally:
        await line.close()
