"""What a file means, and its comments: the two things that an edit by the app is measured by."""

import re
from typing import Any, Final

import yaml
from yaml import tokens

from sidekicks.config import tree

Meaning = tuple[str, Any]
"""Comparable: a tag, and what is below. Aliases are written out; nothing and no keys are one."""

NOTHING: Final[Meaning] = ("map", ())
_COMMENT: Final = re.compile(r"#[^\r\n]*")


def meaning(node: tree.Node | None) -> Meaning:
    """Return what a node means, however it is written."""
    match node and tree.follow(node):
        case tree.Mapping() as mapping:
            pairs = ((meaning(key), meaning(value)) for key, value in mapping.entries)
            return mapping.tag, tuple(pairs)
        case tree.Sequence() as sequence:
            return sequence.tag, tuple(meaning(item) for item in sequence.items)
        case tree.Scalar(tag="null"):
            return NOTHING
        case tree.Scalar() as scalar:
            return scalar.tag, _value(scalar)
        case _:
            return NOTHING


def put(before: Meaning, path: tuple[str, ...], value: Meaning) -> Meaning:
    """Return the meaning with `value` at a key path, in its old place or as the last key.

    Raises:
        LookupError: something on the path holds no keys.
    """
    if not path:
        return value
    tag, pairs = before
    if tag != "map":
        raise LookupError(path[0])
    key: Meaning = ("str", path[0])
    for number, (name, below) in enumerate(pairs):
        if name[1] == path[0]:
            return tag, (*pairs[:number], (name, put(below, path[1:], value)), *pairs[number + 1 :])
    return tag, (*pairs, (key, put(NOTHING, path[1:], value)))


def drop(before: Meaning, path: tuple[str, ...]) -> Meaning:
    """Return the meaning without what is at a key path, which is there."""
    tag, pairs = before
    kept = [
        (name, below if name[1] != path[0] else drop(below, path[1:]))
        for name, below in pairs
        if name[1] != path[0] or len(path) > 1
    ]
    return tag, tuple(kept)


def comments(text: str) -> tuple[tuple[int, str], ...]:
    """Return the comments of a text that is YAML, each with where it begins."""
    found: list[tuple[int, str]] = []
    gap = 0
    loader: Any = yaml.SafeLoader(text)
    while loader.check_token():
        token = loader.get_token()
        start, end = token.start_mark.index, token.end_mark.index
        found += _in(text, gap, start)
        if isinstance(token, tokens.ScalarToken) and token.style in ("|", ">"):
            # What stands behind the sign, on its line.
            found += _in(text, start, start + len(text[start:end].splitlines()[0]))
        gap = max(gap, end)
    return (*found, *_in(text, gap, len(text)))


def _in(text: str, start: int, end: int) -> list[tuple[int, str]]:
    return [(each.start(), each.group()) for each in _COMMENT.finditer(text, start, end)]


def _value(scalar: tree.Scalar) -> str:
    """Comparable: `0x10` and `16` are one number, and so are `yes` and `true`."""
    if scalar.tag not in ("int", "float", "bool"):
        return scalar.text
    loader: Any = yaml.SafeLoader("")
    node = yaml.ScalarNode(f"tag:yaml.org,2002:{scalar.tag}", scalar.text)
    try:
        return repr(loader.construct_object(node))
    except (ValueError, KeyError):
        # An explicit tag can stand before anything: `!!int x`.
        return scalar.text
