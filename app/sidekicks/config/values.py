"""Values of the file as the settings ask for them.

Each is what was expected, or None and a problem noted.

A key with nothing behind it counts as not there: people comment out what stood below it.
Whether something went wrong is told by `Findings.errors`, so a reader of many values need not
look at each.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from sidekicks.config import tree
from sidekicks.config.findings import Findings, KeyPath
from sidekicks.config.source import REPLACEMENT
from sidekicks.config.words import say

_WHOLE_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")
_TEXT_TAGS: Final = ("str", "merge", "value")
"""`<<` and `=` mean something only as keys; as values they are text."""
_PLAIN_TAGS: Final = ("int", "float", "bool", "timestamp")
_TRUE: Final = ("true", "yes", "on")
_CLOSE_ENOUGH: Final = 40
"""Longer keys are compared with nothing: comparing takes time by the square."""


@dataclass(frozen=True, slots=True)
class Value:
    """A node, where it stands, and where its problems go. `line` is its key's."""

    node: tree.Node
    key: KeyPath
    line: int
    findings: Findings

    def text(self, expected: str) -> str | None:
        """Return a text that can be a name, a path or an argument."""
        node = tree.follow(self.node)
        if not isinstance(node, tree.Scalar):
            return self.refuse("expected_text", expected, found=kind(node))
        if node.tag not in _TEXT_TAGS:
            word = "needs_quotes" if node.tag in _PLAIN_TAGS else "expected_text"
            return self.refuse(word, expected, found=kind(node), written=node.text)
        return self._sound(node)

    def written(self, expected: str) -> str | None:
        """Return a text, or a number, a date or yes and no just as its author wrote it.

        Nothing behind the key is the empty text; `null` and `~` could mean either, and are refused.
        """
        node = tree.follow(self.node)
        if isinstance(node, tree.Scalar):
            if node.tag in _TEXT_TAGS or node.tag in _PLAIN_TAGS:
                return self._sound(node)
            if node.tag == "null":
                if not node.text:
                    return ""
                return self.refuse("needs_quotes", expected, written=node.text)
        return self.refuse("expected_text", expected, found=kind(node))

    def number(self, least: int, most: int, expected: str) -> int | None:
        """Return a whole number."""
        node = tree.follow(self.node)
        if not isinstance(node, tree.Scalar):
            return self.refuse("expected_number", expected, found=kind(node))
        if node.tag == "str" and _WHOLE_NUMBER.fullmatch(node.text):
            return self.refuse("needs_no_quotes", expected, written=node.text)
        if node.tag != "int" or not _WHOLE_NUMBER.fullmatch(node.text):
            return self.refuse("not_a_number", expected, written=node.text)
        if not least <= (number := int(node.text)) <= most:
            return self.refuse("out_of_range", expected, written=node.text, least=least, most=most)
        return number

    def flag(self, expected: str) -> bool | None:
        """Return true or false."""
        node = tree.follow(self.node)
        if not isinstance(node, tree.Scalar):
            return self.refuse("expected_flag", expected, found=kind(node))
        if node.tag == "bool":
            return node.text.lower() in _TRUE
        if node.text.lower() in ("true", "false"):
            return self.refuse("needs_no_quotes", expected, written=node.text)
        return self.refuse("not_a_flag", expected, written=node.text)

    def items(self, expected: str) -> "tuple[Value, ...] | None":
        """Return a list's items."""
        node = tree.follow(self.node)
        if not isinstance(node, tree.Sequence) or node.tag != "seq":
            return self.refuse("expected_list", expected, found=kind(node))
        return tuple(
            Value(item, (*self.key, number), tree.follow(item).line, self.findings)
            for number, item in enumerate(node.items)
        )

    def fields(self, expected: str) -> "Fields | None":
        """Return a mapping's keys and values."""
        node = tree.follow(self.node)
        if not isinstance(node, tree.Mapping) or node.tag != "map":
            word = "expected_mapping" if self.key else "file_not_mapping"
            return self.refuse(word, expected, found=kind(node))
        return Fields(node, self)

    @property
    def whole(self) -> bool:
        """Whether the text went on being YAML to the value's end."""
        return tree.follow(self.node).whole

    def refuse(self, word: str, expected: str, **values: object) -> None:
        """Note that the value is not what was expected."""
        line = tree.follow(self.node).line
        self.findings.error(word, key=self.key, line=line, expected=expected, **values)

    def _sound(self, node: tree.Scalar) -> str | None:
        unsound = _unsound(node.text, self.findings)
        return node.text if unsound is None else self.refuse(unsound, "a_text")


class Fields:
    """The keys of one mapping, `value`: merges resolved, keys that stand twice reported."""

    def __init__(self, node: tree.Mapping, value: Value) -> None:
        self.value: Final = value
        self._own: Final[dict[str, Value]] = {}
        self._merged: Final[dict[str, Value]] = {}
        for key, below in node.entries:
            self._add(key, below)

    def take(self, name: str) -> Value | None:
        """Return what stands behind a key, None if nothing does."""
        value = self._own.get(name) or self._merged.get(name)
        return None if value is None or is_nothing(value.node) else value

    def is_tilde(self, name: str) -> bool:
        """Whether `~` stands behind a key: YAML's null, but its author means the home folder."""
        value = self._own.get(name) or self._merged.get(name)
        node = value and tree.follow(value.node)
        return isinstance(node, tree.Scalar) and node.tag == "null" and node.text == "~"

    def __bool__(self) -> bool:
        return bool(self._own or self._merged)

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        """All keys, also those with nothing behind them."""
        yield from (self._merged | self._own).items()

    def missing(self, name: str, expected: str, word: str = "missing", **values: object) -> None:
        """Note that a key that must be there is not."""
        value = self.value
        key = (*value.key, name)
        value.findings.error(word, key=key, line=value.line, expected=expected, **values)

    def check(
        self, known: Collection[str], elsewhere: Mapping[str, str], private: str | None = None
    ) -> None:
        """Warn of unknown keys, naming the nearest known one, or where one belongs.

        Keys that begin with `private` are the author's own.
        """
        for name, value in self:
            if name in known or (private is not None and name.startswith(private)):
                continue
            warn = partial(value.findings.warn, key=value.key, line=value.line, name=name)
            if name in elsewhere:
                warn("unknown_elsewhere", place=elsewhere[name])
            elif (nearest := nearest_key(name, known)) is not None:
                warn("unknown_nearest", nearest=nearest)
            else:
                warn("unknown_key", known=", ".join(known))

    def _add(self, key: tree.Node, below: tree.Node) -> None:
        node = tree.follow(key)
        findings = self.value.findings
        if not isinstance(node, tree.Scalar):
            findings.error("key_not_text", key=self.value.key, line=key.line, found=kind(node))
            return
        if node.tag == "merge":
            self._merge(below)
            return
        if unsound := _unsound(node.text, findings):
            findings.error(unsound, key=self.value.key, line=key.line, expected="a_text")
            return
        value = Value(below, (*self.value.key, node.text), key.line, findings)
        if first := self._own.get(node.text):
            findings.error(
                "duplicate", key=value.key, line=key.line, name=node.text, first=first.line
            )
            return
        self._own[node.text] = value

    def _merge(self, below: tree.Node) -> None:
        node = tree.follow(below)
        sources = node.items if isinstance(node, tree.Sequence) else [node]
        for source in sources:
            mapping = tree.follow(source)
            if not isinstance(mapping, tree.Mapping):
                value = self.value
                value.findings.error(
                    "bad_merge", key=(*value.key, "<<"), line=below.line, found=kind(mapping)
                )
                continue
            for name, value in Fields(mapping, self.value):
                self._merged.setdefault(name, value)


def kind(node: tree.Node) -> str:
    """Return what a node is, in words."""
    return say(_kind(node))


def _kind(node: tree.Node) -> str:
    match node:
        case tree.Mapping(tag="map"):
            return "kind_mapping"
        case tree.Sequence(tag="seq"):
            return "kind_list"
        case tree.Scalar(tag="null"):
            return "kind_nothing"
        case tree.Scalar(tag="str" | "merge" | "value"):
            return "kind_text"
        case tree.Scalar(tag="int" | "float"):
            return "kind_number"
        case tree.Scalar(tag="bool"):
            return "kind_flag"
        case tree.Scalar(tag="timestamp"):
            return "kind_date"
        case _:
            return "kind_foreign"


def nearest_key(name: str, known: Collection[str]) -> str | None:
    """Return the known key that is probably meant."""
    if len(name) > _CLOSE_ENOUGH:
        return None
    folded = {_fold(each): each for each in known}
    close = difflib.get_close_matches(_fold(name), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def _fold(name: str) -> str:
    """`max_running`, `max-running` and `MaxRunning` are one word to their author."""
    return name.replace("_", "").replace("-", "").lower()


def _unsound(text: str, findings: Findings) -> str | None:
    """Why a text cannot be used, as a key of `say`."""
    # Escapes in double quotes can name what no program takes and JSON cannot hold.
    if "\0" in text or any("\ud800" <= each <= "\udfff" for each in text):
        return "no_text"
    return "damaged_text" if findings.damaged and REPLACEMENT in text else None


def is_nothing(node: tree.Node) -> bool:
    """Return whether a node is YAML's null."""
    node = tree.follow(node)
    return isinstance(node, tree.Scalar) and node.tag == "null"
