"""Whether a window could be shown."""

from sidekicks.base.findings import FindingList
from sidekicks.contract.errors import SidekicksError
from sidekicks.main.computer.words import say
from sidekicks.window import require_window


def look_at_window(found: FindingList) -> None:
    """Say it; without a window, `sidekicks serve` still serves, so that is no problem."""
    try:
        require_window()
    except SidekicksError as error:
        found.add("window", "note", error.message)
    else:
        found.add("window", "ok", say("window"))
