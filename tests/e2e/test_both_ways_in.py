"""The same page, in a browser and in the window, from the first start on."""

import pytest
from playwright.sync_api import Page, expect

from fakes.running_app import COMPANION, AppError, RunningApp

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


def test_a_browser_shows_the_bundled_agent_by_the_link_alone(page: Page, app: RunningApp) -> None:
    expect(page.get_by_role("button", name="Sidekick").first).to_be_visible()
    # The code is used up and gone from the address, so that it cannot be seen or sent on.
    assert page.url.rstrip("/") == app.origin


def test_a_tool_with_the_secret_is_answered_and_one_without_is_not(app: RunningApp) -> None:
    agents = app.invoke("get_snapshot")["agents"]
    assert [agent["agentId"] for agent in agents] == [COMPANION]
    with pytest.raises(AppError) as refused:
        app.invoke("get_messages", channelId="none-of-that-name")
    assert refused.value.body["code"] == "not_found"


@pytest.mark.window
def test_the_window_shows_the_same_page_with_its_one_function(window_page: Page) -> None:
    expect(window_page.get_by_role("button", name="Sidekick").first).to_be_visible()
    assert window_page.evaluate("Object.keys(pywebview.api)") == ["invoke"]
