"""Where the text of an edit goes: positions are characters of the file as it is."""

import re
from dataclasses import dataclass
from typing import Final

from sidekicks.config import tree
from sidekicks.config.emit import Json, write_entry, write_inline
from sidekicks.config.meaning import NOTHING, meaning
from sidekicks.config.values import is_nothing
from sidekicks.config.words import say
from sidekicks.contract.errors import SidekicksError

_LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")
_COMMENT_LINE: Final = re.compile(r"([ ]*)#[^\r\n]*")
_STEP: Final = 2


@dataclass(frozen=True, slots=True)
class Edit:
    """Text in the place of the characters from `start` to before `end`."""

    start: int
    end: int
    text: str
    takes_out: bool = False
    """Comments between the two go too: they are about what goes."""


class Page:
    """The file's text, by lines."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        found = _LINE_BREAK.search(text)
        self.newline: Final = found.group() if found else "\n"

    def line_start(self, index: int) -> int:
        """Return where the line of a character begins."""
        return max(self.text.rfind("\n", 0, index), self.text.rfind("\r", 0, index)) + 1

    def column(self, index: int) -> int:
        """Return how far a character is indented."""
        return index - self.line_start(index)

    def next_line(self, index: int) -> int:
        """Return where the line after a character begins; where a line begins, that one."""
        if index > 0 and self.text[index - 1] in "\r\n":
            return index
        found = _LINE_BREAK.search(self.text, index)
        return found.end() if found else len(self.text)

    def past_comments(self, index: int, column: int) -> int:
        """Return where the comment lines end that begin here, indented to `column` or more."""
        while (found := _COMMENT_LINE.match(self.text, index)) and len(found.group(1)) >= column:
            index = self.next_line(found.end())
        return index

    def insert_lines(self, index: int, lines: list[str], column: int) -> Edit:
        """Return the edit that puts lines where a line begins, or at the end of the file."""
        block = self.newline.join(" " * column + line for line in lines)
        ends_open = index == len(self.text) and self.line_start(index) != index
        return Edit(index, index, self.newline + block if ends_open else block + self.newline)


def replace(page: Page, root: tree.Node | None, path: tuple[str, ...], value: Json) -> list[Edit]:
    """Return the edits that put a value at a key path."""
    if root is None or is_nothing(root):
        return [page.insert_lines(len(page.text), write_entry(*_nest(path, value), _STEP), 0)]
    node = root
    for depth, name in enumerate(path):
        mapping = tree.follow(node)
        if not isinstance(mapping, tree.Mapping):
            raise SidekicksError("conflict", say("edit_elsewhere"))
        below = tree.value_of(mapping, name)
        if below is None:
            return [_add(page, mapping, *_nest(path[depth:], value))]
        rest = path[depth + 1 :]
        if not rest or meaning(below) == NOTHING:
            new = value if not rest else dict([_nest(rest, value)])
            return _change(page, mapping, name, new)
        node = below
    return []


def take_out(page: Page, root: tree.Node, path: tuple[str, ...]) -> list[Edit]:
    """Return the edits that take out what is at a key path, which is there."""
    node = root
    for name in path[:-1]:
        node = _below(node, name)
    mapping = tree.follow(node)
    assert isinstance(mapping, tree.Mapping)
    return [_remove(page, mapping, path[-1])]


def _nest(path: tuple[str, ...], value: Json) -> tuple[str, Json]:
    for name in reversed(path[1:]):
        value = {name: value}
    return path[0], value


def _below(node: tree.Node, name: str) -> tree.Node:
    mapping = tree.follow(node)
    below = tree.value_of(mapping, name) if isinstance(mapping, tree.Mapping) else None
    assert below is not None
    return below


def _change(page: Page, mapping: tree.Mapping, name: str, value: Json) -> list[Edit]:
    """Put another value behind a key that is there."""
    key, old = _entry(mapping, name)
    if meaning(old) == meaning(tree.compose(write_inline(value)).root):
        return []
    if isinstance(value, dict) and value and isinstance(old, tree.Mapping) and not old.flow:
        return _change_each(page, old, value)
    column = page.column(key.start)
    lines = write_entry("k", value, _step(page, mapping))
    inline = write_inline(value) if mapping.flow else lines[0].removeprefix("k:").strip()
    end = len(page.text[: _end(old)].rstrip()) if _end(old) > old.start else old.end
    if mapping.flow or len(lines) == 1:
        colon = page.text.find(":", key.end) + 1
        if old.start == old.end or not page.text[colon : old.start].strip():
            return [Edit(colon, end, f" {inline}")]
        return [Edit(old.start, end, inline)]
    # Below the key, so that a comment behind the key stays there.
    block = page.insert_lines(page.next_line(end), lines[1:], column)
    return [Edit(len(page.text[: old.start].rstrip()), end, ""), block]


def _change_each(page: Page, old: tree.Mapping, value: dict[str, Json]) -> list[Edit]:
    edits: list[Edit] = []
    for name in dict.fromkeys(key.text for key, _ in old.entries if isinstance(key, tree.Scalar)):
        if name in value:
            edits += _change(page, old, name, value[name])
        else:
            edits.append(_remove(page, old, name))
    known = {key.text for key, _ in old.entries if isinstance(key, tree.Scalar)}
    return edits + [_add(page, old, name, value[name]) for name in value if name not in known]


def _add(page: Page, mapping: tree.Mapping, name: str, value: Json) -> Edit:
    """Put a key behind the last one."""
    if mapping.flow:
        written = write_inline({name: value})[1:-1]
        if not mapping.entries:
            brace = page.text.find("{", mapping.start)
            return Edit(brace + 1, brace + 1, written)
        end = _last(mapping.entries[-1])
        return Edit(end, end, f", {written}")
    column = page.column(mapping.entries[0][0].start)
    place = page.past_comments(page.next_line(_end(mapping)), column)
    return page.insert_lines(place, write_entry(name, value, _step(page, mapping)), column)


def _remove(page: Page, mapping: tree.Mapping, name: str) -> Edit:
    key, old = _entry(mapping, name)
    if mapping.flow:
        return _remove_inline(mapping, key)
    start = page.line_start(key.start)
    column = key.start - start
    end = page.past_comments(page.next_line(_end(old)), column + 1)
    if page.text[start : key.start].strip():
        raise SidekicksError("conflict", say("edit_elsewhere"))
    if end == len(page.text) and page.column(end):
        # The file had no last line end, and gets none.
        start = len(page.text[:start].removesuffix(page.newline))
    return Edit(start, end, "", takes_out=True)


def _remove_inline(mapping: tree.Mapping, key: tree.Node) -> Edit:
    number = next(n for n, (each, _) in enumerate(mapping.entries) if each is key)
    if number > 0:
        start = _last(mapping.entries[number - 1])
        return Edit(start, _last(mapping.entries[number]), "", takes_out=True)
    end = mapping.entries[1][0].start if len(mapping.entries) > 1 else _last(mapping.entries[0])
    return Edit(key.start, end, "", takes_out=True)


def _entry(mapping: tree.Mapping, name: str) -> tuple[tree.Scalar, tree.Node]:
    return next(
        (key, value)
        for key, value in mapping.entries
        if isinstance(key, tree.Scalar) and key.text == name
    )


def _last(entry: tuple[tree.Node, tree.Node]) -> int:
    return max(entry[0].end, _end(entry[1]))


def _end(node: tree.Node) -> int:
    """Where the last thing written of a node ends: PyYAML's mark is where the next one begins."""
    match node:
        case tree.Mapping() if node.entries and not node.flow:
            return _last(node.entries[-1])
        case tree.Sequence() if node.items and not node.flow:
            return _end(node.items[-1])
        case _:
            return node.end


def _step(page: Page, mapping: tree.Mapping) -> int:
    """Return how far what is below the keys of a mapping is indented."""
    for key, value in mapping.entries:
        if isinstance(value, tree.Mapping) and not value.flow and value.entries:
            step = page.column(value.entries[0][0].start) - page.column(key.start)
            return min(max(step, 2), 9)
    return _STEP
