"""Open a link outside."""

from asyncio import get_running_loop
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from sidekicks.actions.app import App
from sidekicks.actions.words import say
from sidekicks.contract.commands import OpenExternal
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.wire import Done

SCHEMES: Final = ("http", "https")
FILES_ALONG: Final = ("attach", "attachment")


async def open_external(app: App, command: OpenExternal) -> Done:
    """Open a web or mail link in the system's browser; nothing else ever."""
    try:
        parts = urlsplit(command.url)
    except ValueError:
        raise SidekicksError("invalid", say("bad_link")) from None
    # A control character could make two arguments, or a line, of one.
    plain = command.url.isprintable() and " " not in command.url
    if not plain or not _leads_outside(parts):
        raise SidekicksError("invalid", say("bad_link"))
    opened = await get_running_loop().run_in_executor(None, app.open_url, command.url)
    if not opened:
        raise SidekicksError("unavailable", say("no_browser", url=command.url))
    return Done()


def _leads_outside(parts: SplitResult) -> bool:
    if parts.scheme != "mailto":
        return parts.scheme in SCHEMES and bool(parts.netloc)
    # Some mail programs attach the person's own files when a link asks for it.
    fields = parse_qsl(parts.query.replace(";", "&"), keep_blank_values=True)
    asked = {key.casefold() for key, _ in fields}
    return bool(parts.path) and asked.isdisjoint(FILES_ALONG)
