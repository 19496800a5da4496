"""Links that are opened outside: web and mail, whatever an agent writes."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from fakes.stage import Stage
from sidekicks.actions import ACTIONS, App
from sidekicks.contract.commands import OpenExternal
from sidekicks.contract.errors import SidekicksError


@pytest.fixture
def opened() -> list[str]:
    return []


@pytest.fixture
async def app(tmp_path: Path, opened: list[str]) -> AsyncIterator[App]:
    def open_url(url: str) -> bool:
        opened.append(url)
        return True

    async with Stage(tmp_path) as stage:
        yield msgspec.structs.replace(stage.up.domains.app, open_url=open_url)


async def open_external(app: App, url: str) -> None:
    await ACTIONS[OpenExternal](app, OpenExternal(url=url))


GOOD = [
    "https://example.org",
    "http://example.org/a?b=c&d=%20#e",
    "HTTPS://EXAMPLE.ORG/",
    "https://example.org:8443/path;x=1",
    "https://user@example.org/",
    "https://[::1]:8080/",
    "http://127.0.0.1:3000/",
    "https://müller.example/é",
    "https://example.org/" + "a" * 5000,
    "mailto:ada@example.org",
    "mailto:ada@example.org?subject=Hello&body=attach%20it",
    "MAILTO:ada@example.org",
]
HOSTILE = [
    "",
    " ",
    "example.org",
    "//example.org/",
    "/etc/passwd",
    "-version",
    "--help",
    "https:",
    "https://",
    "https:///etc/passwd",
    "https:\\\\example.org",
    "http:--help",
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "javascript:alert(1)",
    "java\tscript:alert(1)",
    "\tjavascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "about:blank",
    "chrome://settings",
    "view-source:https://example.org",
    "smb://server/share",
    "ssh://example.org",
    "ftp://example.org/",
    "tel:+33123456789",
    "ms-msdt:/id",
    "vscode://file/etc/passwd",
    "x-apple.systempreferences:",
    "blob:https://example.org/1",
    "https://example.org/a b",
    " https://example.org",
    "https://example.org\n--help",
    "https://example.org\r\nx",
    "https://example.org\x00",
    "https://example.org\x1b[2J",
    "https://example.org/\u202egpj.exe",
    "https://example.org/\u00a0",
    "https://[::1",
    "https://[not-an-address]/",
    "mailto:",
    "mailto:?subject=x",
    "mailto:ada@example.org?attach=/home/you/.ssh/id_ed25519",
    "mailto:ada@example.org?subject=x&Attachment=/etc/passwd",
    "mailto:ada@example.org?%61ttach=/etc/passwd",
    "mailto:ada@example.org?subject=x;attach=/etc/passwd",
]


async def test_web_and_mail_are_opened_as_they_are(app: App, opened: list[str]) -> None:
    for url in GOOD:
        await open_external(app, url)
    assert opened == GOOD


async def test_nothing_else_is_opened(app: App, opened: list[str]) -> None:
    for url in HOSTILE:
        with pytest.raises(SidekicksError, check=is_invalid):
            await open_external(app, url)
        assert opened == []


def is_invalid(error: SidekicksError) -> bool:
    return error.code == "invalid"


async def test_where_no_browser_starts_the_link_is_told_for_copying(app: App) -> None:
    def open_url(url: str) -> bool:
        return False

    nowhere = msgspec.structs.replace(app, open_url=open_url)
    with pytest.raises(SidekicksError) as refused:
        await open_external(nowhere, "https://example.org")
    assert refused.value.code == "unavailable"
    assert "https://example.org" in refused.value.message


async def test_a_browser_that_is_slow_to_start_keeps_nobody_waiting(app: App) -> None:
    gate = threading.Event()

    def open_url(url: str) -> bool:
        return gate.wait(20)

    slow = msgspec.structs.replace(app, open_url=open_url)
    opening = asyncio.ensure_future(open_external(slow, "https://example.org"))
    await asyncio.sleep(0)
    assert not opening.done()
    gate.set()
    await opening
