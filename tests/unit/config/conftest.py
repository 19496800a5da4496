"""Sentences are English here, whatever a test before has set."""

from collections.abc import Iterator

import pytest

from sidekicks.base.words import language, set_language


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    before = language()
    set_language("en")
    yield
    set_language(before)
