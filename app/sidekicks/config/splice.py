"""Edits by the app: only the bytes that have to change do.

An edit is text put in at a mark of the tree. The result is read again, and refused unless it means
exactly what was to change and holds every comment that it held (but those inside what was taken
out): comments, order, blank lines, line ends and a byte order mark stay. The file is the
person's; where the two cannot be had together, they are asked to change it themselves.
"""

from collections.abc import Callable
from typing import Any

from sidekicks.config import tree
from sidekicks.config.agent import ID_PATTERN, TAKEN_IDS
from sidekicks.config.edits import Edit, Page, replace, take_out
from sidekicks.config.emit import Block, Json, check_value, write_inline
from sidekicks.config.meaning import Meaning, comments, drop, meaning, put
from sidekicks.config.source import Text, UnreadableError, decode
from sidekicks.config.words import say
from sidekicks.contract.errors import SidekicksError


def add_agent(data: bytes, agent_id: str, entry: dict[str, Any]) -> bytes:
    """Return the file with one more agent, behind the others.

    Raises:
        SidekicksError: `exists`, `invalid` or `conflict`.
    """
    if not ID_PATTERN.fullmatch(agent_id) or agent_id in TAKEN_IDS:
        raise SidekicksError("invalid", say("edit_bad_id", name=agent_id))
    if _find(_open(data)[1], ("agents", agent_id)) is not None:
        raise SidekicksError("exists", say("edit_exists", name=agent_id))
    return set_value(data, ("agents", agent_id), Block(entry))


def set_value(data: bytes, path: tuple[str, ...], value: Json) -> bytes:
    """Return the file with `value` at a key path, such as `("agents", "alice", "args")`.

    Keys of a mapping that is there keep their order, their comments and, where they mean the same,
    their writing; new ones come last.

    Raises:
        SidekicksError: `invalid` if the file or the value is, `conflict` if something else would
            change too.
    """
    check_value(value)
    text, root = _open(data)
    old = _find(root, path)
    value = _in_order(old, value)
    try:
        intended = put(meaning(root), path, meaning(tree.compose(write_inline(value)).root))
    except LookupError:
        raise SidekicksError("conflict", say("edit_elsewhere")) from None
    return _apply(text, root, lambda page: replace(page, root, path, value), intended)


def remove_agent(data: bytes, agent_id: str) -> bytes:
    """Return the file without an agent's entry, and without the comments inside it.

    Raises:
        SidekicksError: `not_found`, `invalid` or `conflict`.
    """
    text, root = _open(data)
    path = ("agents", agent_id)
    if root is None or _find(root, path) is None:
        raise SidekicksError("not_found", say("edit_no_agent", name=agent_id))
    intended = drop(meaning(root), path)
    return _apply(text, root, lambda page: take_out(page, root, path), intended)


def _open(data: bytes) -> tuple[Text, tree.Node | None]:
    try:
        text = decode(data)
    except UnreadableError as error:
        fault = error.fault
    else:
        composed = tree.compose(text.text)
        if (fault := text.damage or composed.fault) is None:
            return text, composed.root
    reason = say(fault.word, **dict(fault.values))
    raise SidekicksError("invalid", say("edit_unreadable", reason=reason), line=fault.line)


def _find(root: tree.Node | None, path: tuple[str, ...]) -> tree.Node | None:
    node = root
    for name in path:
        mapping = node and tree.follow(node)
        if not isinstance(mapping, tree.Mapping):
            return None
        node = tree.value_of(mapping, name)
    return node


def _in_order(old: tree.Node | None, value: Json) -> Json:
    """Return a mapping with its keys in the order in which the file has them, new ones last."""
    mapping = old and tree.follow(old)
    if not isinstance(value, dict) or not isinstance(mapping, tree.Mapping):
        return value
    names = [key.text for key, _ in mapping.entries if isinstance(key, tree.Scalar)]
    order = [*dict.fromkeys(name for name in names if name in value)]
    order += [name for name in value if name not in order]
    return {name: _in_order(tree.value_of(mapping, name), value[name]) for name in order}


def _apply(
    text: Text,
    root: tree.Node | None,
    plan: Callable[[Page], list[Edit]],
    intended: Meaning,
) -> bytes:
    page = Page(text.text)
    edits = sorted(plan(page), key=lambda edit: (edit.start, edit.end))
    kept = [
        comment
        for at, comment in comments(text.text)
        if not any(edit.takes_out and edit.start <= at < edit.end for edit in edits)
    ]
    new = text.text
    for edit in reversed(edits):
        new = new[: edit.start] + edit.text + new[edit.end :]
    composed = tree.compose(new)
    if (
        composed.fault is not None
        or meaning(composed.root) != intended
        or [comment for _, comment in comments(new)] != kept
    ):
        raise SidekicksError("conflict", say("edit_elsewhere"))
    return text.encode(new)
