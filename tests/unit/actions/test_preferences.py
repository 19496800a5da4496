"""Settings: only those that there are, with values that there are; the language follows."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import pytest

from sidekicks.actions import Preferences
from sidekicks.base import words
from sidekicks.base.hub import Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.state import Settings
from sidekicks.contract.wire import Event


@pytest.fixture(autouse=True)
def _language_restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = words.language()
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    yield
    words.set_language(before)


class Kept:
    """Preferences, and what was stored and told of them."""

    def __init__(self, stored: dict[str, Any] | None = None) -> None:
        self.stored: Final = dict(stored or {})
        self.told: Final[list[dict[str, Any]]] = []
        hub = Hub()
        hub.listen(self._on_event)
        self.preferences: Final = Preferences(hub, self.stored, self._save)

    def _save(self, key: str, value: Any) -> None:
        self.stored[key] = value

    def _on_event(self, event: Event) -> None:
        self.told.append(msgspec.to_builtins(event))


def test_only_the_given_settings_change_and_are_stored() -> None:
    kept = Kept({"language": "en"})
    assert kept.preferences.change({"theme": "dark"}) == Settings(language="en", theme="dark")
    assert kept.stored == {"language": "en", "theme": "dark"}
    (told,) = kept.told
    assert told["settings"] == {"language": "en", "theme": "dark"}
    assert Kept(kept.stored).preferences.settings == Settings(language="en", theme="dark")


def test_what_is_so_already_is_not_told_again() -> None:
    kept = Kept({"theme": "dark"})
    kept.preferences.change({"theme": "dark"})
    kept.preferences.change({})
    assert kept.told == []


@pytest.mark.parametrize(
    "changes",
    [
        {"colour": "blue"},
        {"theme": "dark", "colour": "blue"},
        {"Theme": "dark"},
        {"theme": "blue"},
        {"theme": None},
        {"theme": ["dark"]},
        {"theme": {"a": {"b": 1}}},
        {"language": "de"},
        {"language": "fr", "theme": 7},
        {"": ""},
    ],
    ids=str,
)
def test_a_setting_or_value_that_does_not_exist_changes_nothing(changes: dict[str, Any]) -> None:
    kept = Kept({"theme": "light"})
    spoken = words.language()
    with pytest.raises(SidekicksError) as refused:
        kept.preferences.change(changes)
    assert refused.value.code == "invalid"
    assert kept.preferences.settings == Settings(theme="light")
    assert kept.stored == {"theme": "light"}
    assert kept.told == []
    assert words.language() == spoken


@pytest.mark.parametrize(
    ("stored", "settings"),
    [
        ({}, Settings()),
        ({"theme": "dark", "wallpaper": "cats"}, Settings(theme="dark")),
        ({"theme": "sepia"}, Settings()),
        ({"language": 3, "theme": "sepia"}, Settings()),
    ],
    ids=str,
)
def test_what_another_version_stored_does_no_harm(
    stored: dict[str, Any], settings: Settings
) -> None:
    kept = Kept(stored)
    assert kept.preferences.settings == settings
    assert kept.preferences.change({"theme": "light"}).theme == "light"


def test_a_value_of_another_version_costs_only_itself() -> None:
    assert Kept({"theme": "sepia", "language": "en"}).preferences.settings.language == "en"


def test_the_language_follows() -> None:
    kept = Kept()
    assert words.language() == "fr"
    kept.preferences.change({"language": "en"})
    assert words.language() == "en"
    assert kept.told[-1]["language"] == "en"
    kept.preferences.change({"language": "system"})
    assert words.language() == "fr"
    assert kept.told[-1]["language"] == "fr"
    Kept({"language": "en"})
    assert words.language() == "en"
