"""The whole app, driven as its user drives it: in Chromium over `serve`, and in the real window.

A test module says which scripted agents there are by a fixture `agents` of its own; the bundled one
is always there.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect

from fakes.browser import drive_window, open_chromium
from fakes.display import Display
from fakes.program import free_port
from fakes.running_app import RunningApp, serving, windowed, write_config
from fakes.scripts import Script

# The machine that runs these beside others may be a slow one.
expect.set_options(timeout=20_000)
VIEWPORT = ViewportSize(width=1180, height=780)


@pytest.fixture
def agents() -> dict[str, Script]:
    """Return the scripts of the scripted agents, by id; overridden where some are needed."""
    return {}


@pytest.fixture
def config(home: Path, agents: dict[str, Script]) -> Path:
    """Return the configuration file of an app that has never run."""
    folder = home / "sidekicks"
    folder.mkdir()
    return write_config(folder, agents)


@pytest.fixture
def app(config: Path, tmp_path: Path) -> Iterator[RunningApp]:
    """The app, serving; stopped by SIGTERM, which must end it cleanly."""
    with serving(config, dict(os.environ), tmp_path / "app.log") as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with open_chromium() as chromium:
        yield chromium


@pytest.fixture
def page(browser: Browser, app: RunningApp) -> Iterator[Page]:
    """The app's page in Chromium, by its link; what it complains about fails the test."""
    context = browser.new_context(viewport=VIEWPORT, locale="en-US", reduced_motion="reduce")
    opened = context.new_page()
    complaints = _listen(opened)
    opened.goto(app.url)
    yield opened
    context.close()
    assert complaints == []


@pytest.fixture
def window_page(display: Display, config: Path, tmp_path: Path) -> Iterator[Page]:
    """The app's page in its real window; SIGTERM must end it cleanly."""
    port = free_port()
    with windowed(config, display.env, port, tmp_path / "app.log"), drive_window(port) as opened:
        complaints = _listen(opened)
        yield opened
        assert complaints == []


def _listen(page: Page) -> list[str]:
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints
