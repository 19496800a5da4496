"""Sentences in two languages."""

from collections.abc import Iterator

import pytest

from sidekicks.base.words import Words, language, set_language, system_language

WORDS = Words({"greeting": ("Hello, {name}.", "Bonjour {name}.")})


@pytest.fixture(autouse=True)
def _language_restored() -> Iterator[None]:
    before = language()
    yield
    set_language(before)


def test_a_sentence_is_said_in_the_language_set() -> None:
    set_language("en")
    assert WORDS("greeting", name="Ada") == "Hello, Ada."
    set_language("fr")
    assert WORDS("greeting", name="Ada") == "Bonjour Ada."
    assert language() == "fr"


def test_what_is_filled_in_is_not_a_pattern() -> None:
    assert "{name}" in WORDS("greeting", name="{name}")


def test_a_gap_may_be_called_key() -> None:
    set_language("en")
    assert (
        Words({"bad": ("What is {key}?", "Qu’est-ce que {key} ?")})("bad", key="x") == "What is x?"
    )


@pytest.mark.parametrize(
    ("variables", "spoken"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "fr_CA", "LANG": "en_US"}, "fr"),
        ({"LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "en_US"}, "fr"),
        ({"LANGUAGE": "fr:en"}, "fr"),
    ],
)
def test_the_system_language_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], spoken: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_language() == spoken
