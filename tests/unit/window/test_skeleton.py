"""What the window shows before the page is there."""

import re
from pathlib import Path

from sidekicks.window import window as module

FOLDER = Path(module.__file__).parent
TOKENS = Path(__file__).parents[3] / "ui" / "src" / "kit" / "tokens.css"


def colours(css: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, value in re.findall(r"(--[a-z0-9-]+):\s*(#[0-9a-f]{3,8})", css):
        found.setdefault(name, set()).add(value)
    return found


def test_its_colours_are_the_pages() -> None:
    skeleton = colours((FOLDER / "skeleton.html").read_text())
    page = colours(TOKENS.read_text())
    assert skeleton
    assert {name: page.get(name) for name in skeleton} == skeleton


def test_the_colour_before_the_first_paint_is_the_pages() -> None:
    page = colours(TOKENS.read_text())
    assert set(module.BACKGROUND.values()) == page["--bg"]


def test_it_fetches_nothing() -> None:
    text = (FOLDER / "skeleton.html").read_text()
    assert not re.search(r"src=|href=|url\(|@import|<script", text)
