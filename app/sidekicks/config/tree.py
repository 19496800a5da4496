"""The file's YAML as a tree with positions, made from PyYAML's events.

Nothing is constructed and nothing is expanded: an alias stays an alias. What it would come to when
expanded is counted first and bounded, as are depth and size, so whoever walks the tree later
needs no bounds of its own. The walk here keeps its own stack: no depth of nesting ends in a
RecursionError. Where the text stops being YAML the tree holds what came before; a node that was
not closed by then says so (`whole`).
"""

from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from yaml import events

from sidekicks.config.faults import explain
from sidekicks.config.source import Fault

MAX_NODES: Final = 20_000
"""As if every alias were written out. A hundred agents with forty lines each come to a third."""
MAX_DEPTH: Final = 40

_CORE: Final = "tag:yaml.org,2002:"


@dataclass(slots=True, eq=False)
class Node:
    """A node; `start` and `end` are characters of the text, `line` counts from 1.

    `tag` is YAML's without its usual prefix: `str`, `int`, `float`, `bool`, `null`, `timestamp`,
    `merge`, `value`, `seq`, `map`; a foreign one is as written.
    """

    tag: str
    start: int
    end: int
    line: int
    whole: bool = True
    size: int = 1
    height: int = 1


@dataclass(slots=True, eq=False)
class Scalar(Node):
    """A single value: `text` is what its author wrote, without quotes and escapes."""

    text: str = ""


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """A list."""

    items: list["Node"] = field(default_factory=list["Node"])
    flow: bool = False


@dataclass(slots=True, eq=False)
class Mapping(Node):
    """Keys and values in their order, duplicates and merge keys as they stand."""

    entries: list[tuple["Node", "Node"]] = field(default_factory=list[tuple["Node", "Node"]])
    flow: bool = False


@dataclass(slots=True, eq=False)
class Alias(Node):
    """A mention of a node that stands elsewhere."""

    target: Node | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """`root` is None where the file holds nothing; `fault` is where understanding ended."""

    root: Node | None
    fault: Fault | None = None


def follow(node: Node) -> Node:
    """Return the node itself, or the one that an alias means."""
    while isinstance(node, Alias) and node.target is not None:
        node = node.target
    return node


def compose(text: str) -> Tree:
    """Return the tree of the first document in `text`."""
    return _Composer(text).compose()


class _StoppedError(Exception):
    """The tree ends here."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.word)
        self.fault: Final = fault


class _Composer:
    def __init__(self, text: str) -> None:
        self._text: Final = text
        self._root: Node | None = None
        self._open: list[Sequence | Mapping] = []
        self._key: list[Node | None] = []
        """For each open node the key that waits for its value."""
        self._anchors: dict[str, Node] = {}
        self._count = 0
        self._documents = 0

    def compose(self) -> Tree:
        loader: Any = None
        try:
            loader = yaml.SafeLoader(self._text)
            while not isinstance(event := loader.get_event(), events.StreamEndEvent):
                self._take(event, loader)
        except _StoppedError as stopped:
            return Tree(self._root, stopped.fault)
        except yaml.MarkedYAMLError as error:
            self._doubt_last()
            return Tree(self._root, self._unclosed(error) or explain(error, self._text))
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._doubt_last()
            # PyYAML lets some through raw: chr() of "\UFFFFFFFF", int() of a %YAML version.
            line = 1 if loader is None else loader.line + 1
            return Tree(self._root, Fault("yaml_other", line, (("problem", str(error)[:200]),)))
        finally:
            if loader is not None:
                loader.dispose()
        return Tree(self._root)

    def _unclosed(self, error: yaml.MarkedYAMLError) -> Fault | None:
        """The file ends inside brackets: PyYAML says so only of its end."""
        opened = self._open[-1] if self._open else None
        if opened is None or not opened.flow or "<stream end>" not in str(error.problem):
            return None
        return Fault("yaml_bracket" if isinstance(opened, Sequence) else "yaml_brace", opened.line)

    def _doubt_last(self) -> None:
        """What ended just above the fault may not have ended there in its author's mind.

        `   args: [acp]` a column too far to the left ends the entry above it, which would then
        start its program without them.
        """
        if self._open and self._key[-1] is None:
            parent = self._open[-1]
            if isinstance(parent, Mapping) and parent.entries:
                parent.entries[-1][1].whole = False

    def _take(self, event: Any, loader: Any) -> None:
        match event:
            case events.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise _StoppedError(Fault("documents", _span(event)[2]))
            case events.AliasEvent():
                self._add(self._alias(event))
            case events.ScalarEvent():
                self._add(self._anchored(event, self._scalar(event, loader)))
            case events.SequenceStartEvent():
                self._enter(
                    event, Sequence(_tag(event, "seq"), *_span(event), flow=bool(event.flow_style))
                )
            case events.MappingStartEvent():
                self._enter(
                    event, Mapping(_tag(event, "map"), *_span(event), flow=bool(event.flow_style))
                )
            case events.SequenceEndEvent() | events.MappingEndEvent():
                self._leave(event)
            case _:
                pass

    def _scalar(self, event: Any, loader: Any) -> Scalar:
        resolved: str = loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        tag = _tag(event, resolved.removeprefix(_CORE))
        return Scalar(tag, *_span(event), text=event.value)

    def _alias(self, event: Any) -> Alias:
        start, end, line = _span(event)
        named = (("name", event.anchor),)
        target = self._anchors.get(event.anchor)
        if target is None:
            raise _StoppedError(Fault("alias_unknown", line, named))
        if any(target is opened for opened in self._open):
            raise _StoppedError(Fault("alias_of_itself", line, named))
        self._check(target.size, target.height, line)
        return Alias(
            "", start, end, line, size=target.size, height=target.height, target=follow(target)
        )

    def _anchored(self, event: Any, node: Node) -> Node:
        self._check(1, 1, node.line)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _check(self, size: int, height: int, line: int) -> None:
        self._count += size
        if self._count > MAX_NODES:
            raise _StoppedError(Fault("too_many" if size == 1 else "alias_bomb", line))
        if len(self._open) + height > MAX_DEPTH:
            raise _StoppedError(Fault("too_deep", line))

    def _enter(self, event: Any, node: Sequence | Mapping) -> None:
        self._add(self._anchored(event, node))
        node.whole = False
        self._open.append(node)
        self._key.append(None)

    def _leave(self, event: Any) -> None:
        node = self._open.pop()
        self._key.pop()
        node.whole = True
        node.end = event.end_mark.index
        if isinstance(node, Sequence):
            below = node.items
        else:
            below = [each for entry in node.entries for each in entry]
        node.size = 1 + sum(each.size for each in below)
        node.height = 1 + max((each.height for each in below), default=0)

    def _add(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif (key := self._key[-1]) is None:
            self._key[-1] = node
        else:
            self._key[-1] = None
            parent.entries.append((key, node))


def _tag(event: Any, implied: str) -> str:
    written: str | None = event.tag
    return implied if written is None or written == "!" else written.removeprefix(_CORE)


def _span(event: Any) -> tuple[int, int, int]:
    return event.start_mark.index, event.end_mark.index, event.start_mark.line + 1


def value_of(mapping: Mapping, name: str) -> Node | None:
    """Return what stands behind a key; the first, where it stands twice."""
    for key, value in mapping.entries:
        if isinstance(key, Scalar) and key.text == name:
            return value
    return None
