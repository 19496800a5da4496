"""Where the window may be, and what opens outside of it."""

import webbrowser
from typing import Final
from urllib.parse import urlsplit

_OUTSIDE: Final = frozenset({"http", "https", "mailto"})


def is_own(url: str, home: str | None) -> bool:
    """Tell whether the window may show `url`: the app's page, or the skeleton before it."""
    if home is None:
        return url.startswith("data:text/html") or url == "about:blank"
    there, here = urlsplit(url), urlsplit(home)
    return (there.scheme, there.netloc) == (here.scheme, here.netloc)


def may_open_outside(url: str) -> bool:
    """Tell whether a link may go to the system's browser: not `file:`, nor a program's scheme."""
    return urlsplit(url).scheme.lower() in _OUTSIDE


def open_in_browser(url: str) -> None:
    """Hand a link to the system's browser."""
    webbrowser.open(url)
