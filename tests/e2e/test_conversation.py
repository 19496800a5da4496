"""A conversation as a person has it: in Chromium over `serve`, and in the real window."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fakes.running_app import COMPANION
from fakes.scripts import (
    Script,
    ask,
    crash,
    on_prompt,
    recorded,
    say,
    script,
    think,
    until_cancelled,
)

pytestmark = [pytest.mark.browser, pytest.mark.window, pytest.mark.timeout(180)]

EDIT = {
    "toolCallId": "t1",
    "title": "Edit client.py",
    "kind": "edit",
    "content": [{"type": "diff", "path": "/w/client.py", "oldText": "old\n", "newText": "new\n"}],
}
THREE = [
    {"optionId": "once", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "always", "name": "Always allow edits", "kind": "allow_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]
CARD = re.compile("Alice asks")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Where the scripted agent writes down what it gets."""
    return tmp_path / "wire"


@pytest.fixture
def agents(record: Path) -> dict[str, Script]:
    chosen = {"once": [say("It is done.")], "no": [say("As you wish.")]}
    alice = script(
        on_prompt(think("hm"), say("Hello **you**"), when="hello"),
        on_prompt(ask(EDIT, THREE, chosen), when="edit"),
        on_prompt(say("This will take long. "), until_cancelled(), when="long"),
        on_prompt(say("Half a sen"), *crash(3, "Traceback: boom\n"), when="crash"),
        record=record,
    )
    return {"alice": alice}


@pytest.fixture(params=["browser", "window"])
def here(request: pytest.FixtureRequest) -> Page:
    """The app's page, both ways in."""
    return request.getfixturevalue("page" if request.param == "browser" else "window_page")


def open_agent(page: Page, name: str) -> None:
    page.get_by_role("navigation").get_by_role("button", name=name).first.click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def send(page: Page, text: str) -> None:
    composer = page.get_by_role("combobox")
    composer.fill(text)
    page.get_by_role("button", name="Send").click()
    expect(composer).to_have_value("")


def test_the_tour_of_the_bundled_agent(here: Page, config: Path) -> None:
    open_agent(here, "Sidekick")
    send(here, "/tour")
    expect(here.get_by_text("Plan").first).to_be_visible()
    card = here.get_by_role("region", name=re.compile("Sidekick asks"))
    expect(card).to_contain_text("sidekicks-tour.md")
    card.get_by_role("button", name="Allow").first.click()
    # The view has stayed at the end, whatever grew there.
    expect(here.get_by_text("finished").first).to_be_in_viewport()
    assert (config.parent / COMPANION / "sidekicks-tour.md").is_file()


def test_text_streams_in_as_markdown_and_the_thought_is_folded(here: Page) -> None:
    open_agent(here, "Alice")
    send(here, "hello")
    expect(here.locator("strong", has_text="you")).to_be_visible()
    expect(here.get_by_text("finished")).to_be_visible()
    expect(here.get_by_text("hm", exact=True)).not_to_be_visible()


def test_a_question_is_answered_with_the_keyboard_alone(here: Page, record: Path) -> None:
    open_agent(here, "Alice")
    send(here, "edit")
    card = here.get_by_role("region", name=CARD)
    expect(card.get_by_role("button")).to_contain_text(["Allow once", "Always", "Reject"])
    # It never takes the focus: what is being typed goes where it was going.
    expect(here.get_by_role("combobox")).to_be_focused()
    here.keyboard.type("1")
    expect(here.get_by_role("combobox")).to_have_value("1")
    here.get_by_role("button", name="Go to the question").first.focus()
    here.keyboard.press("Enter")
    expect(card).to_be_focused()
    # It is inert for its first half second.
    expect(card.get_by_role("button", name="Reject")).to_be_enabled()
    here.keyboard.press("3")
    expect(here.get_by_text("As you wish.")).to_be_visible()
    outcomes = [frame["result"]["outcome"] for frame in recorded(record) if "result" in frame]
    assert outcomes == [{"outcome": "selected", "optionId": "no"}]


def test_a_held_enter_that_was_meant_for_the_composer_answers_nothing(
    here: Page, record: Path
) -> None:
    open_agent(here, "Alice")
    here.get_by_role("combobox").fill("edit")
    here.keyboard.down("Enter")
    card = here.get_by_role("region", name=CARD)
    expect(card).to_be_visible()
    for _ in range(30):
        here.keyboard.down("Enter")
    here.keyboard.up("Enter")
    expect(card).to_be_visible()
    assert [frame for frame in recorded(record) if "result" in frame] == []
    here.get_by_role("combobox").press("Escape")
    expect(here.get_by_text("stopped by you")).to_be_visible()


def test_escape_stops_and_the_next_message_is_answered(here: Page, record: Path) -> None:
    open_agent(here, "Alice")
    send(here, "long")
    expect(here.get_by_text("This will take long.")).to_be_visible()
    here.get_by_role("combobox").press("Escape")
    expect(here.get_by_text("stopped by you")).to_be_visible()
    send(here, "hello")
    expect(here.get_by_text("finished")).to_be_visible()
    methods = [frame.get("method") for frame in recorded(record)]
    assert methods.count("session/cancel") == 1


def test_a_second_message_waits_and_comes_back_into_the_composer(here: Page) -> None:
    open_agent(here, "Alice")
    send(here, "long")
    expect(here.get_by_text("This will take long.")).to_be_visible()
    send(here, "the next thing")
    queue = here.get_by_role("list", name="Waiting messages")
    expect(queue).to_contain_text("the next thing")
    queue.get_by_role("button", name="Withdraw").click()
    expect(here.get_by_role("combobox")).to_have_value("the next thing")
    here.get_by_role("combobox").press("Escape")
    expect(here.get_by_text("stopped by you")).to_be_visible()


def test_a_crash_is_told_with_what_to_do_and_the_text_is_kept(here: Page) -> None:
    open_agent(here, "Alice")
    send(here, "crash")
    expect(here.get_by_text("Half a sen")).to_be_visible()
    expect(here.get_by_text(re.compile("ended with exit code 3")).first).to_be_visible()
    expect(here.get_by_role("button", name="Retry")).to_be_visible()


def test_a_draft_outlives_another_conversation_and_a_reload(page: Page) -> None:
    open_agent(page, "Alice")
    page.get_by_role("combobox").fill("half a thou")
    open_agent(page, "Sidekick")
    expect(page.get_by_role("combobox")).to_have_value("")
    open_agent(page, "Alice")
    expect(page.get_by_role("combobox")).to_have_value("half a thou")
    page.reload()
    open_agent(page, "Alice")
    expect(page.get_by_role("combobox")).to_have_value("half a thou")


def test_what_i_send_is_in_sight_wherever_i_was_reading(here: Page) -> None:
    open_agent(here, "Sidekick")
    for _ in range(4):
        send(here, "/help")
        expect(here.get_by_role("button", name="Send")).to_be_visible()
    here.get_by_role("log").or_(here.get_by_label("Conversation with Sidekick")).first.evaluate(
        "element => element.scrollTo(0, 0)"
    )
    send(here, "this is new")
    expect(here.get_by_text("this is new", exact=True)).to_be_in_viewport()
