"""Take the pictures in `docs/pictures` anew: the real page, with the bundled agent's tour in it.

Run `.venv/bin/python build/pictures.py` after `make test` has set everything up.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from ground import ROOT, say

sys.path.insert(0, str(ROOT / "tests"))
from playwright.sync_api import Page, ViewportSize, expect

from fakes.browser import open_chromium
from fakes.running_app import COMPANION, serving, write_config

_FOLDER = ROOT / "docs" / "pictures"
_VIEWPORT = ViewportSize(width=1000, height=760)
_FILES = {"notes.md": "# Notes\n", "recipes.md": "# Recipes\n", "photos/lake.txt": "blue\n"}
_SECONDS = 30_000


def main() -> None:
    """Serve the app in a home of its own, go through the tour, and take both pictures."""
    # By a name that may be seen: it stands in the pictures.
    home = Path(tempfile.gettempdir(), "ann")
    home.mkdir()
    try:
        _take(home)
    finally:
        shutil.rmtree(home)
    for picture in sorted(_FOLDER.glob("*.png")):
        say(f"{picture.relative_to(ROOT)}: {picture.stat().st_size // 1024} KB")


def _take(home: Path) -> None:
    _FOLDER.mkdir(exist_ok=True)
    config = write_config(home, {})
    for name, text in _FILES.items():
        file = home / COMPANION / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    places = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(home))
    env = {**os.environ, **places, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    with (
        serving(config, env, home / "log") as app,
        open_chromium() as chromium,
        chromium.new_context(
            viewport=_VIEWPORT, device_scale_factor=1.5, locale="en-US", reduced_motion="reduce"
        ) as context,
    ):
        page = context.new_page()
        page.goto(app.url)
        _begin_tour(page)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=_FOLDER / f"conversation-{theme}.png", animations="disabled")


def _begin_tour(page: Page) -> None:
    """Go as far as the question that the tour asks."""
    page.get_by_role("button", name="Sidekick").first.click()
    composer = page.get_by_role("combobox")
    composer.fill("/tour")
    composer.press("Escape")
    composer.press("Enter")
    card = page.locator("[data-permission]")
    expect(card.get_by_role("button").first).to_be_enabled(timeout=_SECONDS)
    card.scroll_into_view_if_needed()
    page.mouse.move(0, 0)


if __name__ == "__main__":
    main()
