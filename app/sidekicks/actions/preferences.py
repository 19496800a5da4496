"""What the person set in the app, kept in the database (a web view's own storage may be none)."""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from sidekicks.actions.words import say
from sidekicks.base import words
from sidekicks.base.hub import Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import SettingsChanged
from sidekicks.contract.state import Settings


class Preferences:
    """The settings; the language spoken follows them."""

    def __init__(
        self, hub: Hub, stored: Mapping[str, Any], save: Callable[[str, Any], None]
    ) -> None:
        self._hub: Final = hub
        self._save: Final = save
        self.settings = Settings()
        for key, value in stored.items():
            # What another version stored costs only itself: better a default than no app.
            with suppress(msgspec.ValidationError):
                self.settings = self._with({key: value})
        self._speak()

    def change(self, changes: Mapping[str, Any]) -> Settings:
        """Change the given settings.

        Raises:
            SidekicksError: `invalid` for a setting or value that does not exist.
        """
        if unknown := [key for key in changes if key not in _FIELDS]:
            raise SidekicksError("invalid", say("bad_setting", error=", ".join(unknown)))
        try:
            settings = self._with(changes)
        except msgspec.ValidationError as error:
            raise SidekicksError("invalid", say("bad_setting", error=error)) from error
        if settings != self.settings:
            self.settings = settings
            self._speak()
            for key in changes:
                self._save(key, changes[key])
            self._hub.publish(SettingsChanged(settings=settings, language=words.language()))
        return settings

    def _with(self, changes: Mapping[str, Any]) -> Settings:
        return msgspec.convert({**msgspec.to_builtins(self.settings), **changes}, Settings)

    def _speak(self) -> None:
        chosen = self.settings.language
        words.set_language(words.system_language() if chosen == "system" else chosen)


_FIELDS: Final = frozenset(field.encode_name for field in msgspec.structs.fields(Settings))
PLATFORM: Final = "darwin" if sys.platform == "darwin" else "linux"
