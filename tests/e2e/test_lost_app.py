"""The app goes away under the page, and what a page may not do."""

import re
import signal
import stat
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fakes.running_app import RunningApp
from fakes.scripts import Script, on_prompt, say, script
from fakes.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script> "
    "[click](javascript:document.title='owned') ![pixel](http://127.0.0.1:9/pixel.png) "
    "[the docs](https://example.org/docs)"
)


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for the system's browser; returns where it writes down what it is to open."""
    links = tmp_path / "links"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {links}\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    return links


@pytest.fixture
def agents(opened: Path) -> dict[str, Script]:
    return {"alice": script(on_prompt(say(HOSTILE), when="hostile"))}


def ask(page: Page, text: str) -> None:
    page.get_by_role("navigation").get_by_role("button", name="Alice").first.click()
    page.get_by_role("combobox").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("finished")).to_be_visible()


def test_nothing_that_an_agent_writes_runs_or_loads(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ask(page, "hostile")
    expect(page.get_by_text("the docs")).to_be_visible()
    assert page.title() != "owned"
    assert not [url for url in asked if "pixel" in url]
    assert page.locator("main script").count() == 0


def test_a_link_opens_in_the_systems_browser_and_leaves_the_page(
    page: Page, app: RunningApp, opened: Path
) -> None:
    ask(page, "hostile")
    page.get_by_role("link", name="the docs").click()
    wait_until(opened.exists)
    assert opened.read_text().strip() == "https://example.org/docs"
    assert page.url.startswith(app.origin)


def test_the_page_says_that_the_app_has_stopped(page: Page, app: RunningApp) -> None:
    ask(page, "hello")
    app.program.stop(signal.SIGTERM)
    expect(page.get_by_text(re.compile("Sidekicks has stopped"))).to_be_visible()


def test_a_page_without_the_secret_says_how_to_get_a_link(page: Page, app: RunningApp) -> None:
    page.evaluate("sessionStorage.clear()")
    page.goto(app.origin)
    page.reload()
    expect(page.get_by_text("This page needs a link from Sidekicks")).to_be_visible()
