"""Every sentence exists in both languages, fills in the same values, and is said somewhere."""

import re
from pathlib import Path
from string import Formatter

import pytest

import sidekicks.config
from fakes.config_files import entry, read
from sidekicks.base.words import set_language
from sidekicks.config.words import say

SOURCES = "".join(
    path.read_text()
    for path in Path(sidekicks.config.__file__).parent.glob("*.py")
    if not path.name.startswith("sentences_")
)


def filled_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("key", sorted(say.table))
def test_a_sentence_fills_in_the_same_in_both_languages(key: str) -> None:
    english, french = say.table[key]
    assert filled_in(english) == filled_in(french)
    assert english != french or key == "a_flag"


@pytest.mark.parametrize("key", sorted(say.table))
def test_a_sentence_is_said_somewhere(key: str) -> None:
    docker_names = ("a_container", "a_sandbox", "a_context")
    assert f'"{key}"' in SOURCES or key in docker_names


def test_a_french_problem_is_french() -> None:
    set_language("fr")
    problem = entry("args: acp").problems[0]
    assert problem.message == "« args » doit être une liste, et c’est un texte."
    assert problem.expected == "une liste, comme [acp, --verbose]"


def test_a_sentence_quotes_no_more_than_a_line() -> None:
    reading = read('agents: {a: {workspace: /a, runtime: {type: "' + "x\\n" * 500 + '"}}}')
    (problem,) = reading.problems
    assert len(problem.message) < 120
    assert re.search(r"[\x00-\x1f]", problem.message) is None
