"""Text that may leave the computer: no secret in it, and the home folder as `~`."""

import os
import re
from collections.abc import Iterable
from typing import Final

from sidekicks.base.log import MASK, mask

_SHORTEST: Final = 6
"""A shorter secret stands in too many words to be looked for."""


def secret_values(named: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the values whose names say that they are secret, out of names and values."""
    return frozenset(
        value
        for name, value in named
        if len(value) >= _SHORTEST and mask(f"{name}=x") != f"{name}=x"
    )


def shareable(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` without what looks like a secret, without `secrets`, and without the home."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
    for folder in {home, os.path.realpath(home)} - {"/", "~"}:
        text = re.sub(rf"(?<![\w./-]){re.escape(folder)}(?![\w-]|\.\w)", "~", text)
    return mask(text)
