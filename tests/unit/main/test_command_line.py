"""The options: where they may stand, and which command they belong to."""

from pathlib import Path

import pytest

from sidekicks.main.cli import parse


@pytest.mark.parametrize(
    "arguments",
    [
        ["--config", "team.yaml"],
        ["--config", "team.yaml", "serve"],
        ["serve", "--config", "team.yaml"],
        ["--config", "other.yaml", "doctor", "--config", "team.yaml"],
        ["doctor", "alice", "--config", "team.yaml"],
        ["--config", "team.yaml", "ask", "alice", "hi"],
    ],
)
def test_a_config_before_the_command_was_taken_back_by_the_command(arguments: list[str]) -> None:
    assert parse(arguments).config == Path("team.yaml")


@pytest.mark.parametrize("arguments", [[], ["serve"], ["doctor"], ["ask", "alice", "hi"]])
def test_without_one_it_is_the_default(arguments: list[str]) -> None:
    assert parse(arguments).config is None


def test_the_doctor_looks_at_all_agents_or_at_one() -> None:
    assert parse(["doctor"]).who is None
    assert parse(["doctor", "alice", "--json"]).who == "alice"
    assert parse(["doctor", "alice", "--json"]).json is True
