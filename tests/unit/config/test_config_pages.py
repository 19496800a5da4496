"""The reference pages tell every key, and what they show works."""

import re
from pathlib import Path

import pytest

from fakes.config_files import read
from sidekicks.config.agent import AGENT_KEYS, TAKEN_IDS
from sidekicks.config.reading import RECAP_KEYS, TOP_KEYS
from sidekicks.config.runtime import RUNTIME_KEYS

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [DOCS / language / "reference" / "configuration.md" for language in ("en", "fr")]


@pytest.mark.parametrize("page", PAGES, ids=["en", "fr"])
def test_a_page_tells_every_key(page: Path) -> None:
    text = page.read_text()
    for key in (*TOP_KEYS, *RECAP_KEYS, *AGENT_KEYS, *RUNTIME_KEYS, *TAKEN_IDS):
        assert f"`{key}`" in text


@pytest.mark.parametrize("page", PAGES, ids=["en", "fr"])
def test_what_a_page_shows_is_read_without_a_problem(page: Path) -> None:
    shown = re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(shown) == 2
    for text in shown:
        reading = read(text)
        assert reading.problems == ()
        assert reading.config.agents


def test_both_pages_have_the_same_parts() -> None:
    english, french = (
        [
            line.split(" ")[0]
            for line in page.read_text().splitlines()
            if line.startswith(("#", "|"))
        ]
        for page in PAGES
    )
    assert english == french
