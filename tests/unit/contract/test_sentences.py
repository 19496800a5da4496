"""Every sentence for the person is said somewhere, and whoever says one fills in all its gaps."""

import ast
import importlib
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import sidekicks
from sidekicks.base.words import Words

ROOT: Final = Path(sidekicks.__file__).parent
FILES: Final = sorted(ROOT.rglob("*.py"))
TREES: Final = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}


class Saying(NamedTuple):
    """A place in the source where a sentence is said by its key."""

    where: str
    words: Words
    key: str
    values: frozenset[str]
    all_told: bool
    """Whether `values` is all; false where a dict is unpacked there."""


def package_of(file: Path) -> Path:
    """Return the package of a module, just below the root."""
    return ROOT / file.relative_to(ROOT).parts[0]


def tables() -> dict[str, tuple[Path, Words]]:
    """Return every table of sentences, by the module and name that it has."""
    found: dict[str, tuple[Path, Words]] = {}
    for file, tree in TREES.items():
        if any(isinstance(node, ast.Name) and node.id == "Words" for node in ast.walk(tree)):
            name = ".".join(("sidekicks", *file.relative_to(ROOT).with_suffix("").parts))
            module = importlib.import_module(name.removesuffix(".__init__"))
            for attribute, value in vars(module).items():
                if isinstance(value, Words):
                    found[f"{module.__name__}.{attribute}"] = (file, value)
    return found


TABLES: Final = tables()


def sayings() -> Iterator[Saying]:
    for file, tree in TREES.items():
        names: dict[str, Words] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    known = TABLES.get(f"{node.module}.{alias.name}")
                    if known is not None:
                        names[alias.asname or alias.name] = known[1]
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            words = names.get(node.func.id)
            match node.args:
                case [ast.Constant(value=str(key))] if words is not None:
                    given = [keyword.arg for keyword in node.keywords]
                    yield Saying(
                        where=f"{file.relative_to(ROOT)}:{node.lineno}",
                        words=words,
                        key=key,
                        values=frozenset(name for name in given if name is not None),
                        all_told=None not in given,
                    )
                case _:
                    continue


SAYINGS: Final = list(sayings())


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def literals(package: Path, without: Path) -> set[str]:
    """Return every text in a package's source, but for one file's."""
    return {
        node.value
        for file, tree in TREES.items()
        if file.is_relative_to(package) and file != without
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def beginnings(package: Path) -> tuple[str, ...]:
    """Return how texts begin that a package puts together, as in `say(f"report_{level}")`."""
    found: set[str] = set()
    for file, tree in TREES.items():
        for node in ast.walk(tree) if file.is_relative_to(package) else ():
            match node:
                case ast.Call(
                    func=ast.Name(id="say"),
                    args=[ast.JoinedStr(values=[ast.Constant(value=str(begin)), *_]), *_],
                ):
                    found.add(begin)
                case _:
                    continue
    return tuple(found)


def test_the_sentences_are_found() -> None:
    assert len(TABLES) > 10
    assert len(SAYINGS) > 100


@pytest.mark.parametrize("name", sorted(TABLES))
def test_each_is_there_in_both_languages_with_the_same_gaps(name: str) -> None:
    _, words = TABLES[name]
    for key, (english, french) in words.table.items():
        assert english.strip(), key
        assert french.strip(), key
        assert gaps(english) == gaps(french), key


@pytest.mark.parametrize("name", sorted(TABLES))
def test_each_is_said_somewhere(name: str) -> None:
    file, words = TABLES[name]
    said, begun = literals(package_of(file), without=file), beginnings(package_of(file))
    assert [key for key in words.table if key not in said and not key.startswith(begun)] == []


def test_whoever_says_one_fills_in_just_its_gaps() -> None:
    wrong: list[str] = []
    for saying in SAYINGS:
        if saying.key not in saying.words.table:
            wrong.append(f"{saying.where}: there is no {saying.key!r}")
            continue
        wanted = gaps(saying.words.table[saying.key][0])
        if saying.values - wanted or (saying.all_told and wanted - saying.values):
            wrong.append(f"{saying.where}: {saying.key!r} wants {wanted}, not {saying.values}")
    assert wrong == []
