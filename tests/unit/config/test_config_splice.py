"""An edit changes what it must and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from fakes.config_files import FILE, HOME
from sidekicks.config import add_agent, parse_config, remove_agent, set_value
from sidekicks.contract.errors import SidekicksError

TEAM = b"""\
# Our team
maxRunning: 2   # two fit into 16 GB

agents:

  # The writer
  alice:
    name: "Alice"      # as she is called
    args: [acp]
    # keep: true

  # The reader
  bob:
    workspace: ~/bob
    env:
      A: 1
      B: 'two' # b

# the end
"""
EMPTY: dict[str, Any] = {}
BOB: dict[str, Any] = {
    "command": "mm",
    "args": ["acp", "on", "1.0"],
    "env": {"MODEL": "qwen3:4b"},
    "runtime": {"type": "container", "container": "box"},
    "mcpServers": [{"name": "f", "command": "/m"}],
}


def spliced(before: bytes, old: bytes, new: bytes) -> bytes:
    """Return `before` with the one `old` in it replaced."""
    assert before.count(old) == 1
    return before.replace(old, new)


def test_an_agent_is_added_behind_the_others() -> None:
    assert add_agent(TEAM, "carol", BOB) == spliced(
        TEAM,
        b"      B: 'two' # b\n",
        b"""\
      B: 'two' # b
  carol:
    command: mm
    args: [acp, 'on', '1.0']
    env: {MODEL: 'qwen3:4b'}
    runtime: {type: container, container: box}
    mcpServers:
      - {name: f, command: /m}
""",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"agents:\n  a:\n    command: x\n"),
        (b"# nothing", b"# nothing\nagents:\n  a:\n    command: x"),
        (b"maxRunning: 2", b"maxRunning: 2\nagents:\n  a:\n    command: x"),
        (b"maxRunning: 2\n...\n", b"maxRunning: 2\nagents:\n  a:\n    command: x\n...\n"),
        (b"agents:\n", b"agents:\n  a:\n    command: x\n"),
        (b"agents:", b"agents:\n  a:\n    command: x"),
        (b"agents: # mine\n", b"agents: # mine\n  a:\n    command: x\n"),
        (b"agents: {} # mine\nx-a: 1", b"agents: # mine\n  a:\n    command: x\nx-a: 1"),
        (b"agents: ~\n", b"agents:\n  a:\n    command: x\n"),
        (b"{}", b"{agents: {a: {command: x}}}"),
        (b"agents: {b: {}}\n", b"agents: {b: {}, a: {command: x}}\n"),
        (b"agents: {b: {},}\n", b"agents: {b: {}, a: {command: x},}\n"),
        (b"agents:\n    b:\n        name: B\n", None),
        (b"agents:\n  b:\n    name: |\n      B\n", None),
        (b"agents:\n  b:\n", None),
        (b"agents:\n  b: {}\n\n\n# end", None),
    ],
)
def test_an_agent_is_added_wherever_it_has_to_go(before: bytes, after: bytes | None) -> None:
    added = add_agent(before, "a", {"command": "x"})
    if after is not None:
        assert added == after
    removed = parse_config(remove_agent(added, "a"), FILE, HOME)
    assert removed.config == parse_config(before, FILE, HOME).config


def test_the_files_own_indentation_is_used() -> None:
    before = b"agents:\n    b:\n        name: B\n"
    assert add_agent(before, "a", {"command": "x"}) == before + b"    a:\n        command: x\n"


def test_windows_line_ends_and_a_byte_order_mark_stay() -> None:
    before = b"\xef\xbb\xbfagents:\r\n  b:\r\n    name: B"
    after = b"\xef\xbb\xbfagents:\r\n  b:\r\n    name: B\r\n  a:\r\n    command: x"
    assert add_agent(before, "a", {"command": "x"}) == after
    assert remove_agent(after, "a") == before


def test_utf_16_stays_utf_16() -> None:
    before = b"\xff\xfe" + "maxRunning: 2 # été\n".encode("utf-16-le")
    after = b"\xff\xfe" + "maxRunning: 3 # été\n".encode("utf-16-le")
    assert set_value(before, ("maxRunning",), 3) == after


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        ("maxRunning", 3, b": 2   #", b": 3   #"),
        ("maxRunning", None, b": 2   #", b": null   #"),
        ("maxAnswering", 1, b"'two' # b\n", b"'two' # b\nmaxAnswering: 1\n"),
        ("recap.total", 9, b"'two' # b\n", b"'two' # b\nrecap: {total: 9}\n"),
        ("agents.alice.name", "Al: the 1st", b'"Alice" ', b"'Al: the 1st' "),
        ("agents.alice.name", "Zoé 🦜", b'"Alice" ', "Zoé 🦜 ".encode()),
        ("agents.alice.args", ["a", "1"], b"[acp]", b"[a, '1']"),
        ("agents.alice.args", [], b"[acp]", b"[]"),
        ("agents.alice.args", "x", b"[acp]", b"x"),
        ("agents.alice.args", [{"a": [1]}], b": [acp]\n", b":\n      - a: [1]\n"),
        ("agents.alice.keep", True, b"# keep: true\n", b"# keep: true\n    keep: true\n"),
        ("agents.alice.env.A", "b", b"# keep: true\n", b"# keep: true\n    env: {A: b}\n"),
        ("agents.bob.env.A", "1", b"A: 1", b"A: '1'"),
        ("agents.bob.env.C", "a\nb", b"'two' # b\n", b"'two' # b\n      C: \"a\\nb\"\n"),
        (
            "agents.bob.env",
            {"B": "2", "C": "3"},
            b"A: 1\n      B: 'two' # b\n",
            b"B: '2' # b\n      C: '3'\n",
        ),
        ("agents.bob.workspace", "~", b"~/bob", b"'~'"),
    ],
)  # fmt: skip
def test_a_value_is_set(path: str, value: Any, old: bytes, new: bytes) -> None:
    assert set_value(TEAM, tuple(path.split(".")), value) == spliced(TEAM, old, new)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("maxRunning", 2),
        ("agents.alice", {"name": "Alice", "args": ["acp"]}),
        ("agents.bob", {"env": {"B": "two", "A": 1}, "workspace": "~/bob"}),
    ],
)
def test_what_means_the_same_already_is_not_written_again(path: str, value: Any) -> None:
    assert set_value(TEAM, tuple(path.split(".")), value) == TEAM


def test_a_whole_entry_is_changed_key_by_key() -> None:
    after = set_value(
        TEAM,
        ("agents", "alice"),
        {"keep": False, "name": "Alice", "args": ["x"], "runtime": {"type": "local"}},
    )
    assert after == spliced(
        spliced(TEAM, b"[acp]", b"[x]"),
        b"# keep: true\n",
        b"# keep: true\n    keep: false\n    runtime: {type: local}\n",
    )


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a:\n- x\n- y\nb: 1\n", ["y"], "a: [y]\nb: 1\n"),
        ("a:\n  - x\n\nb: 1\n", 5, "a: 5\n\nb: 1\n"),
        ("a: |\n  text\n  more\n\nb: 1\n", "t", "a: t\n\nb: 1\n"),
        ("a: # note\n  k: v\n", "t", "a: # note\n  t\n"),
        ("a:\n  k: v\n", [{"x": [1]}], "a:\n  - x: [1]\n"),
        ("a   : 1\n", 2, "a   : 2\n"),
        ('"a": 1\n', 2, '"a": 2\n'),
        ("{a: 1, b: 2}\n", {"x": ["y, z"]}, "{a: {x: ['y, z']}, b: 2}\n"),
    ],
)
def test_any_value_can_take_the_place_of_any_other(before: str, value: Any, after: str) -> None:
    assert set_value(before.encode(), ("a",), value).decode() == after


@pytest.mark.parametrize(
    ("agent_id", "gone"),
    [
        (
            "alice",
            b'  alice:\n    name: "Alice"      # as she is called\n'
            b"    args: [acp]\n    # keep: true\n",
        ),
        ("bob", b"  bob:\n    workspace: ~/bob\n    env:\n      A: 1\n      B: 'two' # b\n"),
    ],
)  # fmt: skip
def test_an_agent_is_removed_with_the_comments_inside(agent_id: str, gone: bytes) -> None:
    assert remove_agent(TEAM, agent_id) == spliced(TEAM, gone, b"")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("agents:\n  a:\n    name: A", "agents:"),
        ("agents:\n  a:\n  b: {}\n", "agents:\n  b: {}\n"),
        ("agents: {a: {}}\n", "agents: {}\n"),
        ("agents: {a: {}, b: {}}\n", "agents: {b: {}}\n"),
        ("agents: {b: {}, a: {}}\n", "agents: {b: {}}\n"),
        ("agents: {b: {}, a: {}, c: {}}\n", "agents: {b: {}, c: {}}\n"),
        ("agents:\n  a:\n    args:\n    - x\n    - |\n      y\n\n  b: {}\n", "agents:\n  b: {}\n"),
    ],
)
def test_an_agent_is_removed_however_it_is_written(before: str, after: str) -> None:
    assert remove_agent(before.encode(), "a").decode() == after


@pytest.mark.parametrize(
    ("data", "edit", "arguments", "code"),
    [
        (b"agents: {a: {}}", add_agent, ("a", EMPTY), "exists"),
        (b"", add_agent, ("A", EMPTY), "invalid"),
        (b"", add_agent, ("all", EMPTY), "invalid"),
        (b"", add_agent, ("a", {"x": float("nan")}), "invalid"),
        (b"", add_agent, ("a", {"x": "\ud800"}), "invalid"),
        (b"", add_agent, ("a", {"x": object()}), "invalid"),
        (b"", remove_agent, ("a",), "not_found"),
        (b"agents: [a]", remove_agent, ("a",), "not_found"),
        (b"agents: [", add_agent, ("a", EMPTY), "invalid"),
        (b"\xff", add_agent, ("a", EMPTY), "invalid"),
        (b"a\0", add_agent, ("a", EMPTY), "invalid"),
        (b"agents: [b]", add_agent, ("a", EMPTY), "conflict"),
        (b"text", add_agent, ("a", EMPTY), "conflict"),
        (b"agents: {a: &x {k: 1}, b: *x}", remove_agent, ("a",), "conflict"),
        (b"agents: {a: &x {k: 1}, b: *x}", set_value, (("agents", "b", "k"), 2), "conflict"),
        (b"a:\n  - x # why\n  - y\n", set_value, (("a",), ["y"]), "conflict"),
        (b"a: | # why\n  x\n", set_value, (("a",), "y"), "conflict"),
        # The text would get a line end that it does not have.
        (b"agents:\n  b:\n    name: >\n      B", add_agent, ("a", EMPTY), "conflict"),
        (b"? agents\n: ? a\n  : 1\n", remove_agent, ("a",), "conflict"),
    ],
)
def test_what_cannot_be_done_is_refused(
    data: bytes, edit: Callable[..., bytes], arguments: tuple[Any, ...], code: str
) -> None:
    with pytest.raises(SidekicksError) as refused:
        edit(data, *arguments)
    assert refused.value.code == code
    assert refused.value.message


def test_a_file_that_has_to_be_mended_first_says_where() -> None:
    with pytest.raises(SidekicksError) as refused:
        add_agent(b"agents:\n  a: [\n", "b", {})
    assert "not closed" in refused.value.message
    assert refused.value.data["line"] == 2


def test_what_is_taken_from_an_anchor_is_said_anew_not_changed_for_all() -> None:
    before = b"agents:\n  a: &x\n    k: 1\n  b:\n    <<: *x\n"
    assert set_value(before, ("agents", "b", "k"), 2) == before + b"    k: 2\n"
