"""Any bytes are read without an exception, and any edit keeps what it does not change."""

from collections.abc import Callable
from typing import Any

import msgspec
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as some

from fakes.config_files import FILE, HOME
from sidekicks.config import Reading, add_agent, parse_config, remove_agent, set_value
from sidekicks.config.meaning import comments
from sidekicks.config.source import decode
from sidekicks.contract.errors import SidekicksError

PIECES = [
    "agents", "alice", "bob", "command", "args", "env", "workspace", "keep", "runtime", "type",
    "name", "mcpServers", "maxRunning", "recap", "user", "x-a", ":", ": ", " ", "  ", "    ", "\n",
    "\r\n", "\n  ", "\n    ", "- ", "? ", "[", "]", "{", "}", ",", "#", " # c", "'", '"', "|", ">",
    "&a ", "*a", "<<", "!", "!!str ", "!!int ", "!!set ", "%", "---\n", "...\n", "~", "null", "on",
    "1", "-1", "1.0", "2024-13-45", "0x", "1:30", "container", "sbx", "~/x", "$X", "${", "\t",
    "\\", '"\\ud800"', '"\\0"', '"\\UFFFFFFFF"', "\ufeff", "\u2028", "\x85", "é", "🦜", "\ufffd",
]  # fmt: skip


def check(data: bytes) -> Reading:
    reading = parse_config(data, FILE, HOME)
    # All of it goes to the page.
    msgspec.json.encode((reading.config.recap, reading.problems, reading.broken))
    msgspec.json.encode(
        [(agent.name, agent.args, agent.mcp_servers) for agent in reading.config.agents]
    )
    assert len({problem.problem_id for problem in reading.problems}) == len(reading.problems)
    for problem in reading.problems:
        assert problem.message
        assert problem.line is None or 1 <= problem.line <= len(data) + 1
    if not reading.complete or reading.broken:
        assert any(problem.severity == "error" for problem in reading.problems)
    assert not {agent.agent_id for agent in reading.config.agents} & set(reading.broken)
    return reading


@given(some.binary(max_size=100))
def test_any_bytes_are_read(data: bytes) -> None:
    check(data)


@settings(max_examples=150)
@given(some.lists(some.sampled_from(PIECES), max_size=40).map("".join))
@example("%YAML 1." + "9" * 5000 + "\n---\n")
@example('agents: {a: {workspace: "\\UFFFFFFFF"}}')
@example("agents: !!int x")
@example("maxRunning: !!int x")
@example("? [a, b]\n: c")
@example("agents: {alice: {workspace: /a, mcpServers: [{name: a, command: b, <<: {c: d}}]}}")
def test_any_text_that_looks_like_yaml_is_read(text: str) -> None:
    check(text.encode("utf-8", "surrogatepass"))


VALID = """\
# top
maxRunning: 2 # two
agents:
  alice: # the first
    workspace: ~/a
    args: [acp, "x y"]
    env:
      A: b   # why
  # before bob
  bob: {workspace: /b}
# end
"""


@settings(max_examples=80)
@given(some.integers(0, len(VALID)), some.integers(0, 8), some.sampled_from(["", *PIECES]))
def test_any_slip_of_the_hand_is_read(at: int, gone: int, piece: str) -> None:
    check((VALID[:at] + piece + VALID[at + gone :]).encode())


texts = some.text(some.characters(codec="utf-8"), max_size=20)
values: some.SearchStrategy[Any] = some.recursive(
    some.none() | some.booleans() | some.integers(-(2**53), 2**53) | texts,
    lambda below: some.lists(below, max_size=3) | some.dictionaries(texts, below, max_size=3),
    max_leaves=6,
)
entries = some.dictionaries(texts, values, max_size=4)
FREE_PATHS = [
    ("maxRunning",), ("recap",), ("recap", "total"), ("agents", "carol", "env"),
    ("agents", "alice", "args"), ("agents", "alice", "env", "A"), ("agents", "bob", "name"),
    ("agents", "bob"), ("agents", "alice", "workspace"),
]  # fmt: skip
COMMENTED_PATHS = [("agents",), ("agents", "alice"), ("agents", "alice", "env")]
"""What lies there holds comments, so it may be refused to write something else over them."""


def attempt(edit: Callable[[], bytes], *codes: str) -> bytes | None:
    """Return what an edit makes of a file, or None where it is refused with one of `codes`."""
    try:
        return edit()
    except SidekicksError as refused:
        code = refused.code
    assert code in codes
    return None


def texts_of(data: bytes) -> list[str]:
    return [comment for _, comment in comments(decode(data).text)]


def value_at(data: bytes, path: tuple[str, ...]) -> Any:
    found = yaml.safe_load(data)
    for name in path:
        found = found[name]
    return found


@settings(max_examples=100)
@given(some.sampled_from(["\n", "\r\n"]), some.sampled_from(FREE_PATHS), values)
def test_an_edit_keeps_all_comments_and_what_it_does_not_change(
    ends: str, path: tuple[str, ...], value: Any
) -> None:
    before = VALID.replace("\n", ends).encode()
    after = set_value(before, path, value)
    assert texts_of(after) == texts_of(before)
    assert value_at(after, path) == value or value in (None, {})
    assert set_value(after, path, value) == after
    others = [line for line in before.splitlines() if not any(key.encode() in line for key in path)]
    assert [line for line in after.splitlines() if line in others] == others
    if ends == "\r\n":
        assert b"\n" not in after.replace(b"\r\n", b"")


@settings(max_examples=80)
@given(some.sampled_from(COMMENTED_PATHS), entries)
def test_an_edit_over_comments_is_done_or_refused(
    path: tuple[str, ...], value: dict[str, Any]
) -> None:
    before = VALID.encode()
    after = attempt(lambda: set_value(before, path, value), "conflict")
    if after is not None:
        assert value_at(after, path) == value or value in (None, {})
        assert {"# top", "# two", "# end"} <= set(texts_of(after))


@settings(max_examples=60)
@given(entries)
def test_an_agent_that_is_added_and_removed_leaves_the_file_as_it_was(
    entry: dict[str, Any],
) -> None:
    before = VALID.encode()
    after = add_agent(before, "carol", entry)
    assert value_at(after, ("agents", "carol")) == entry
    assert remove_agent(after, "carol") == before


@settings(max_examples=80)
@given(some.lists(some.sampled_from(PIECES), max_size=25).map("".join), entries)
def test_an_edit_of_any_file_is_done_or_refused(text: str, entry: dict[str, Any]) -> None:
    data = text.encode()
    after = attempt(lambda: add_agent(data, "carol", entry), "conflict", "invalid", "exists")
    if after is not None:
        assert texts_of(after) == texts_of(data)
