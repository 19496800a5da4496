"""What leaves the computer has no secret in it, and does not tell whose it is."""

from pathlib import Path

import pytest

from sidekicks.base.log import mask
from sidekicks.base.sharing import secret_values, shareable


def test_secrets_are_known_by_their_names() -> None:
    named = [
        ("OPENAI_API_KEY", "hunter2-long"),
        ("GITHUB_TOKEN", "hunter3-long"),
        ("--password", "hunter4-long"),
        ("EDITOR", "vi-improved"),
        ("PIN_TOKEN", "1234"),
        ("EMPTY_SECRET", ""),
    ]
    assert secret_values(named) == {"hunter2-long", "hunter3-long", "hunter4-long"}


def test_a_known_secret_is_hidden_wherever_it_stands() -> None:
    text = shareable("401 for hunter2-long-tail and hunter2-long", ["hunter2-long", "hunter2"])
    assert text == "401 for ***-tail and ***"


def test_what_looks_like_a_secret_is_hidden_too() -> None:
    assert shareable("api_key: hunter2, fine") == "api_key: ***, fine"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{home}", "~"),
        ("The folder {home}/work is there.", "The folder ~/work is there."),
        ("in {home}.", "in ~."),
        ("PATH={home}/bin:{home}/go", "PATH=~/bin:~/go"),
        ("{home}stead", "{home}stead"),
        ("{home}-old/x", "{home}-old/x"),
        ("{home}.bak", "{home}.bak"),
        ("/mnt{home}/x", "/mnt{home}/x"),
    ],
)
def test_the_home_folder_is_shown_as_a_tilde(home: Path, text: str, shown: str) -> None:
    # A test's home looks like a key itself (`sk-…`), and is masked where it stays.
    assert shareable(text.format(home=home)) == mask(shown.format(home=home))


def test_a_home_of_the_root_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    assert shareable("/usr/bin") == "/usr/bin"
