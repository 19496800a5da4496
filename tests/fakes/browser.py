"""Playwright on the system's Chromium, and on the app's real window."""

import json
import shutil
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from fakes.cdp_proxy import CdpProxy

_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


_started: list[Playwright] = []


@contextmanager
def _playwright() -> Generator[Playwright]:
    """Yield the one Playwright of this process: it refuses a second one beside it.

    It ends with the outermost use, because while it lives no test can run a loop of its own.
    """
    if _started:
        yield _started[0]
        return
    with sync_playwright() as playwright:
        _started.append(playwright)
        try:
            yield playwright
        finally:
            _started.clear()


@contextmanager
def open_chromium() -> Generator[Browser]:
    """Yield the system's Chromium, without a window; skip where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("Chromium is not installed")
    with _playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def drive_window(port: int) -> Generator[Page]:
    """Yield the page in the window of a program that was started with `SIDEKICKS_DEBUG_PORT`."""
    _wait_for_page(port)
    with CdpProxy(port) as proxy, _playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(proxy.url)
        try:
            page = next(page for page in browser.contexts[0].pages if page.url.startswith("http"))
            page.wait_for_function("window.pywebview?.api?.invoke && pywebview._QWebChannel")
            yield page
        finally:
            browser.close()


def _wait_for_page(port: int, seconds: float = 40) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=5) as answer:
                if any(target["url"].startswith("http") for target in json.load(answer)):
                    return
        except (urllib.error.URLError, ConnectionError):
            pass
        threading.Event().wait(0.05)
    raise AssertionError(f"no page behind port {port} after {seconds} s")
