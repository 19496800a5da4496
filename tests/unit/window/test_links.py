"""The window shows the app's own pages and nothing else."""

import pytest

from sidekicks.window.links import is_own, may_open_outside

HOME = "http://127.0.0.1:4321/#code"


@pytest.mark.parametrize("url", ["http://127.0.0.1:4321/", "http://127.0.0.1:4321/x?y#z", HOME])
def test_pages_of_the_app_are_its_own(url: str) -> None:
    assert is_own(url, HOME)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:4322/",
        "http://localhost:4321/",
        "https://127.0.0.1:4321/",
        "http://127.0.0.1:4321@example.org/",
        "http://127.0.0.1.example.org:4321/",
        "data:text/html,<h1>not the skeleton any more</h1>",
        "file:///etc/passwd",
        "chrome-error://chromewebdata/",
        "about:blank",
        "",
    ],
)
def test_anything_else_is_not(url: str) -> None:
    assert not is_own(url, HOME)


def test_before_there_is_a_page_only_the_skeleton_is() -> None:
    assert is_own("data:text/html;charset=UTF-8,%3Chtml", None)
    assert not is_own("http://127.0.0.1:4321/", None)


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("https://example.org/", True),
        ("HTTP://example.org/", True),
        ("mailto:somebody@example.org", True),
        ("file:///etc/passwd", False),
        ("ssh://example.org/", False),
        ("javascript:alert(1)", False),
        ("vscode://file/etc", False),
        ("", False),
    ],
)
def test_only_the_web_and_mail_open_outside(url: str, may: bool) -> None:
    assert may_open_outside(url) is may
