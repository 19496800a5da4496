"""Where the built interface lies: beside the source, or inside the frozen app."""

import sys
from pathlib import Path

from sidekicks.contract.errors import SidekicksError
from sidekicks.main.words import say


def ui_folder() -> Path:
    """Return the folder of the built interface.

    Raises:
        SidekicksError: `unavailable`, where it is not built.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        folder = Path(bundle) / "ui_dist"
    else:
        folder = Path(__file__).parents[3] / "ui" / "dist"
    if not (folder / "index.html").is_file():
        raise SidekicksError("unavailable", say("no_ui"))
    return folder
