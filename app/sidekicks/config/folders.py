"""Where the configuration, its history and the agents' folders lie."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

_VARIABLE: Final = re.compile(r"\$(?:(\$)|(\w+)|\{([^{}]*)\})", re.ASCII)


class UndefinedVariableError(Exception):
    """A path names a variable, or a user, that does not exist: `name`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name: Final = name


def default_config_path() -> Path:
    """Return the configuration file's path where none is named: in the platform's config folder."""
    return platformdirs.user_config_path("sidekicks", appauthor=False) / "sidekicks.yaml"


def database_path(config: Path) -> Path:
    """Return the path of the history that belongs to a configuration: `NAME.yaml` -> `NAME.db`.

    Other endings stay (`team.yml` -> `team.yml.db`), so that no two files ever share a history.
    The file is named as it was, not as a link resolves: the history lies beside the link.
    """
    config = config.absolute()
    return config.with_suffix(".db") if config.suffix == ".yaml" else Path(f"{config}.db")


def expand_path(written: str, folder: Path, environment: Mapping[str, str]) -> Path:
    """Return the absolute path that `written` means in a file that lies in `folder`.

    `~`, `~name`, `$NAME` and `${NAME}` expand as in a shell; `$$` is a dollar sign.

    Raises:
        UndefinedVariableError: there is no such variable or user.
    """
    if written.startswith("~"):
        name = written.split("/", 1)[0]
        # The home of the environment that was given, as a shell would take it.
        home = environment.get("HOME") if name == "~" else None
        home = home or os.path.expanduser(name)  # noqa: PTH111 - Path.expanduser raises, and takes no name
        if home.startswith("~"):
            raise UndefinedVariableError(name)
        written = home + _expand(written[len(name) :], environment)
    else:
        written = _expand(written, environment)
    return Path(os.path.normpath(folder / written))


def _expand(written: str, environment: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        dollar, plain, braced = found.groups()
        if dollar:
            return "$"
        name = plain or braced or ""
        if name not in environment:
            raise UndefinedVariableError(f"${name}")
        return environment[name]

    return _VARIABLE.sub(value, written)
