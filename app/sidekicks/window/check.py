"""Whether a window could be shown, found out without bringing anything up."""

import sys
from importlib.util import find_spec
from pathlib import Path

from sidekicks.contract.errors import SidekicksError
from sidekicks.window.display import refuse, require_display
from sidekicks.window.libraries import find_missing
from sidekicks.window.words import say


def require_window() -> None:
    """See that there is a display, and all that a window needs; blocks for a moment.

    Qt itself is not loaded: in a process that lives on it would stay, and cost what it costs.

    Raises:
        SidekicksError: `unavailable`, with what to do.
    """
    if sys.platform == "linux":
        require_display()
    if getattr(sys, "frozen", False):
        return  # everything is inside
    needed = ("webview", "PySide6", "qtpy") if sys.platform == "linux" else ("webview",)
    if not all(find_spec(name) for name in needed) or not _has_web_engine():
        raise SidekicksError("unavailable", say("not_installed"))
    if sys.platform == "linux" and (missing := find_missing()):
        raise refuse(", ".join(missing))


def _has_web_engine() -> bool:
    if sys.platform != "linux":
        return True
    spec = find_spec("PySide6")
    folders = (spec.submodule_search_locations if spec else None) or ()
    return any(file for folder in folders for file in Path(folder).glob("QtWebEngineWidgets.*"))
