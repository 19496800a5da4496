"""A server on a port of its own, with a small page."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.clock import FakeClock
from fakes.invoke import FakeInvoke
from sidekicks.base.hub import Hub
from sidekicks.server import Server


@pytest.fixture
def ui_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "ui"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Sidekicks</title>")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "index-B1x_9.js").write_text("export {}")
    (folder / "assets" / "index-C2y.css").write_text("p {}")
    (tmp_path / "secret.txt").write_text("not for the page")
    return folder


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def invoke() -> FakeInvoke:
    return FakeInvoke()


@pytest.fixture
async def server(
    hub: Hub, invoke: FakeInvoke, clock: FakeClock, ui_folder: Path
) -> AsyncGenerator[Server]:
    made = Server(invoke=invoke, hub=hub, ui_folder=ui_folder, clock=clock)
    await made.start()
    yield made
    hub.close()
    await made.stop(5)
