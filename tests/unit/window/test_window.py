"""The real window, with a page of the test's own in it."""

import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page

from fakes import window_program
from fakes.browser import drive_window
from fakes.display import Display
from fakes.program import Line, Program, free_port

pytestmark = [
    pytest.mark.window,
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform != "linux", reason="only QtWebEngine can be driven"),
]

SECRET = window_program.SECRET


def program(display: Display, folder: Path, *arguments: str, **env: str) -> Program:
    command = [sys.executable, window_program.__file__, *arguments]
    return Program(command, env={**display.env, **env}, log=folder / "log")


Open = tuple[Program, Page]


@contextmanager
def opened(display: Display, folder: Path) -> Generator[Open]:
    port = free_port()
    with (
        program(display, folder, SIDEKICKS_DEBUG_PORT=str(port)) as running,
        drive_window(port) as page,
    ):
        yield running, page


@pytest.fixture(scope="module")
def shared(display: Display, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """A window for the tests that leave it as it was."""
    with opened(display, tmp_path_factory.mktemp("window")) as both:
        yield both


@pytest.fixture
def fresh(display: Display, tmp_path: Path) -> Iterator[Open]:
    """A window of the test's own, to be ended by it."""
    with opened(display, tmp_path) as both:
        yield both


def event(name: str, **more: str) -> Callable[[Line], bool]:
    def matches(line: Line) -> bool:
        return line["event"] == name and all(line[key] == more[key] for key in more)

    return matches


def click(page: Page, name: str) -> None:
    # Not Playwright's own click: it waits for the end of a navigation that is refused.
    page.evaluate("name => document.getElementById(name).click()", name)


def test_the_page_has_one_function_and_no_more_of_python(shared: Open) -> None:
    _, page = shared
    assert page.evaluate("Object.keys(pywebview.api)") == ["invoke"]
    call = "secret => pywebview.api.invoke(secret, JSON.stringify('é\\u2028</script>'))"
    assert page.evaluate(f"({call})").startswith('{"ok":false')
    answer = page.evaluate(call, SECRET)
    assert "é\\u2028</script>" in answer or "\\u00e9\\u2028</script>" in answer


def test_a_link_to_another_origin_opens_outside_and_the_window_stays(shared: Open) -> None:
    window, page = shared
    home = page.url
    click(page, "away")
    outside = window.expect(event("outside"))
    assert outside["url"].startswith("http://localhost:")
    click(page, "blank")
    assert window.expect(event("outside"))["url"] == "https://example.org/blank"
    assert page.url == home
    assert not any(line.get("path") == "/elsewhere" for line in window.seen)


def test_a_programs_own_scheme_opens_nothing(shared: Open) -> None:
    window, page = shared
    for name in ("file", "mail", "blank"):
        click(page, name)
    # What is told in order: had one of the others opened, it had come before.
    assert window.expect(event("outside"))["url"] == "https://example.org/blank"


def test_an_answer_on_its_way_survives_a_navigation_that_was_refused(shared: Open) -> None:
    _, page = shared
    answer = page.evaluate(
        """async secret => {
            const waiting = pywebview.api.invoke(secret, "first")
            document.getElementById("away").click()
            await new Promise(done => setTimeout(done, 300))
            const after = await pywebview.api.invoke(secret, "second")
            return [await waiting, after]
        }""",
        SECRET,
    )
    assert "first" in answer[0]
    assert "second" in answer[1]


def test_the_apps_own_pages_keep_the_function(shared: Open) -> None:
    _, page = shared
    click(page, "own")
    page.wait_for_url("**/second")
    page.wait_for_function("window.pywebview?.api?.invoke && pywebview._QWebChannel")
    assert "hello" in page.evaluate("s => pywebview.api.invoke(s, 'hello')", SECRET)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("document.title", {"value": "page"}),
        ("Promise.resolve({deep: [1, null, 'é']})", {"value": {"deep": [1, None, "é"]}}),
        ("undefined", {"value": None}),
        ("nothing.at.all", {"code": "internal"}),
        ("Promise.reject(new Error('no'))", {"code": "internal"}),
        ("not a script", {"code": "internal"}),
        ("new Promise(() => 0)", {"code": "unavailable"}),
    ],
)
def test_python_asks_the_page_with_a_limit(
    shared: Open, script: str, told: dict[str, object]
) -> None:
    window, page = shared
    page.evaluate(
        "([s, script]) => pywebview.api.invoke(s, script)", [SECRET, f"evaluate {script}"]
    )
    assert window.expect(event("evaluated")) == {"event": "evaluated", **told}


def test_going_back_does_not_reach_the_skeleton(shared: Open) -> None:
    window, page = shared
    page.evaluate("history.go(1 - history.length)")
    # This goes the same way, after it.
    click(page, "blank")
    window.expect(event("outside", url="https://example.org/blank"))
    assert page.url.startswith("http://127.0.0.1:")
    assert page.title() == "page"


def test_it_closes_from_any_thread_and_the_process_ends(fresh: Open) -> None:
    window, page = fresh
    with pytest.raises(Error, match="closed"):
        page.evaluate(
            "s => pywebview.api.invoke(s, 'close').then(() => new Promise(() => 0))", SECRET
        )
    assert window.expect(event("closed"))["on"] == "MainThread"
    assert window.wait() == 0


def test_a_call_that_is_under_way_does_not_keep_the_process(fresh: Open) -> None:
    window, page = fresh
    page.evaluate("s => { pywebview.api.invoke(s, 'wait') }", SECRET)
    window.expect(event("invoked", json="wait"))
    page.evaluate("s => { pywebview.api.invoke(s, 'close') }", SECRET)
    window.expect(event("end"))
    assert window.wait() == 0


@pytest.mark.parametrize("when", ["--close-at-once", "--close-in-start"])
def test_closing_before_it_is_shown_ends_it(display: Display, tmp_path: Path, when: str) -> None:
    with program(display, tmp_path, when) as running:
        running.expect(event("end"))
        assert running.wait() == 0
        assert not any(line["event"] == "request" for line in running.seen)


def test_an_app_that_cannot_come_up_closes_the_window_and_says_why(
    display: Display, tmp_path: Path
) -> None:
    with program(display, tmp_path, "--fail") as running:
        assert running.expect(event("error"))["message"] == "it cannot come up"
        assert running.wait() == 2


def test_an_interrupt_stays_with_who_runs_the_window(fresh: Open) -> None:
    window, page = fresh
    # pywebview puts a handler of its own in place, which ends the window and nothing else.
    window.process.send_signal(signal.SIGINT)
    window.expect(event("interrupted"))
    assert "late" in page.evaluate("s => pywebview.api.invoke(s, 'late')", SECRET)


def test_without_a_display_it_says_so_and_starts_nothing(tmp_path: Path) -> None:
    command = [sys.executable, window_program.__file__]
    with Program(command, env=dict(os.environ), log=tmp_path / "log") as running:
        assert "sidekicks serve" in running.expect(event("error"))["message"]
        assert running.wait() == 2
        assert not any(line["event"] == "started" for line in running.seen)
