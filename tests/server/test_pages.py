"""The page's own files, as a browser gets them."""

import os
from pathlib import Path

import pytest

from fakes.invoke import FakeInvoke
from fakes.raw_http import ask
from sidekicks.base.hub import Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.server import Server
from sidekicks.server.pages import read_page

FILES = [
    ("/", "<!doctype html><title>Sidekicks</title>", "text/html; charset=utf-8", "no-store"),
    ("/icon.svg", "<svg/>", "image/svg+xml", "no-store"),
    (
        "/assets/index-B1x_9.js",
        "export {}",
        "text/javascript; charset=utf-8",
        "public, max-age=31536000, immutable",
    ),
    (
        "/assets/index-C2y.css",
        "p {}",
        "text/css; charset=utf-8",
        "public, max-age=31536000, immutable",
    ),
]


@pytest.mark.parametrize(("address", "content", "kind", "kept"), FILES)
async def test_each_file_is_there_with_its_kind(
    server: Server, address: str, content: str, kind: str, kept: str
) -> None:
    whole = await ask(server.origin, "GET", address)
    head = await ask(server.origin, "HEAD", address)
    assert (whole.status, whole.body.decode()) == (200, content)
    assert (head.status, head.body) == (200, b"")
    for answer in (whole, head):
        assert answer.header("content-type") == kind
        assert answer.header("content-length") == str(len(content))
        assert answer.header("cache-control") == kept
        assert answer.header("x-content-type-options") == "nosniff"


async def test_the_query_of_a_page_does_not_matter(server: Server) -> None:
    assert (await ask(server.origin, "GET", "/?x=../secret.txt")).status == 200


@pytest.mark.parametrize("window", [True, False])
async def test_only_the_window_may_eval(
    hub: Hub, invoke: FakeInvoke, ui_folder: Path, window: bool
) -> None:
    server = Server(invoke=invoke, hub=hub, ui_folder=ui_folder, window=window)
    await server.start()
    try:
        policy = (await ask(server.origin, "GET", "/")).header("content-security-policy")
    finally:
        await server.stop(5)
    assert policy is not None
    assert ("script-src 'self' 'unsafe-eval';" in policy) == window
    assert ("script-src 'self';" in policy) != window
    assert "unsafe-inline" not in policy


def test_what_came_after_the_start_or_leads_elsewhere_is_not_listed(ui_folder: Path) -> None:
    (ui_folder / "link.js").symlink_to(ui_folder.parent / "secret.txt")
    (ui_folder / "linked").symlink_to(ui_folder.parent, target_is_directory=True)
    (ui_folder / ".hidden").write_text("x")
    (ui_folder / "{name}.js").write_text("x")
    (ui_folder / "empty").mkdir()
    os.mkfifo(ui_folder / "pipe.js")
    assert sorted(read_page(ui_folder)) == [
        "/",
        "/assets/index-B1x_9.js",
        "/assets/index-C2y.css",
        "/icon.svg",
    ]


@pytest.mark.parametrize("missing", ["index", "folder"])
async def test_a_start_without_the_page_says_so(
    hub: Hub, invoke: FakeInvoke, ui_folder: Path, missing: str
) -> None:
    folder = ui_folder / "nowhere" if missing == "folder" else ui_folder
    (ui_folder / "index.html").unlink()
    server = Server(invoke=invoke, hub=hub, ui_folder=folder)
    with pytest.raises(SidekicksError) as caught:
        await server.start()
    assert caught.value.code == "unavailable"
    assert str(folder) in caught.value.message
    await server.stop(5)
