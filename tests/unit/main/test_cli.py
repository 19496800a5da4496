"""The command line: options, help in both languages, exit codes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.cli import run_sidekicks
from sidekicks import __version__
from sidekicks.base import words
from sidekicks.main.cli import parse

COMMANDS = ("serve", "ask", "doctor", "agent")


@pytest.fixture(autouse=True)
def _language_restored() -> Iterator[None]:
    before = words.language()
    yield
    words.set_language(before)


def help_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        parse([*arguments, "--help"])
    assert ended.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def test_the_version_is_told() -> None:
    assert run_sidekicks("--version") == (0, f"sidekicks {__version__}\n", "")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"LANG": "en_GB.UTF-8"}, "One person, several AI agents"),
        ({"LANG": "fr_FR.UTF-8"}, "Une personne, plusieurs agents IA"),
        ({"LANG": "de_DE.UTF-8"}, "One person, several AI agents"),
        ({"LANG": "C"}, "One person, several AI agents"),
    ],
    ids=str,
)
def test_help_speaks_the_persons_language(variables: dict[str, str], said: str) -> None:
    unset = {"LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": ""}
    done = run_sidekicks("--help", env={**unset, **variables})
    assert (done.code, done.err) == (0, "")
    assert said in done.out


def test_help_names_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    told = help_of(capsys)
    assert all(f" {command} " in told for command in COMMANDS)
    for option in ("--config", "--version", "--selftest"):
        assert option in told
    served = help_of(capsys, "serve")
    assert all(option in served for option in ("--port", "--json", "--open", "--config"))
    assert "WHO" in help_of(capsys, "ask")


def test_help_of_each_command_is_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS[:-1]:
        told: list[str] = []
        for language in ("en", "fr"):
            words.set_language("fr" if language == "fr" else "en")
            told.append(help_of(capsys, command))
        assert told[0] != told[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["--nonsense"],
        ["ask"],
        ["ask", "alice"],
        ["ask", "alice", "hi", "there"],
        ["serve", "--port", "many"],
        ["--config"],
    ],
    ids=str,
)
def test_what_is_no_command_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(arguments)
    assert ended.value.code == 2
    assert "usage: sidekicks" in capsys.readouterr().err


def test_the_exit_code_of_what_is_no_command() -> None:
    done = run_sidekicks("fly")
    assert (done.code, done.out) == (2, "")
    assert "fly" in done.err


@pytest.mark.parametrize(
    ("arguments", "config"),
    [
        ([], None),
        (["--config", "a"], "a"),
        (["serve"], None),
        (["serve", "--config", "a"], "a"),
        (["--config", "a", "serve"], "a"),
        (["--config", "a", "serve", "--config", "b"], "b"),
        (["ask", "--config", "a", "alice", "hi"], "a"),
        (["--config", "a", "ask", "alice", "hi"], "a"),
    ],
    ids=str,
)
def test_the_configuration_is_named_before_or_after_the_command(
    arguments: list[str], config: str | None
) -> None:
    assert parse(arguments).config == (None if config is None else Path(config))


def test_a_text_may_begin_with_a_dash() -> None:
    assert parse(["ask", "alice", "-"]).text == "-"
    assert parse(["ask", "alice", "--", "--really?"]).text == "--really?"


def test_a_port_that_cannot_be_is_refused(home: Path, tmp_path: Path) -> None:
    config = tmp_path / "sidekicks.yaml"
    config.write_text("agents: {}\n")
    done = run_sidekicks("--config", config, "serve", "--port", "99999")
    assert (done.code, done.out) == (2, "")
    assert "99999" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("module", ["sidekicks.main.cli", "sidekicks.main.ask"])
def test_speaking_with_an_app_that_runs_does_not_load_another(module: str) -> None:
    script = f"import {module}, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"peewee", "litestar", "uvicorn", "webview", "watchdog"}.isdisjoint(loaded)
    assert "sidekicks.main.compose" not in loaded
