"""Every package's sentences: in both languages, with the same gaps to fill."""

import importlib
import pkgutil
import string

import pytest

import sidekicks
from sidekicks.base.words import Words

MODULES = [
    module.name
    for module in pkgutil.walk_packages(sidekicks.__path__, "sidekicks.")
    if module.name.rpartition(".")[2] == "words" and module.name != "sidekicks.base.words"
]


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("name", MODULES)
def test_both_languages_say_the_same(name: str) -> None:
    module = importlib.import_module(name)
    tables = [value for value in vars(module).values() if isinstance(value, Words)]
    assert tables
    for table in tables:
        for key, (english, french) in table.table.items():
            assert english.strip(), key
            assert french.strip(), key
            assert english != french, key
            assert gaps(english) == gaps(french), key
