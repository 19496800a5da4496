"""Files that are no sound YAML: one clear sentence with the line, and the agents before it work."""

import pytest

from fakes.config_files import read, the_problem
from sidekicks.config.source import MAX_BYTES
from sidekicks.config.tree import MAX_DEPTH, MAX_NODES

GOOD = "agents:\n  good:\n    workspace: /good\n"

AFTER_A_GOOD_AGENT = [
    ("tab_for_indentation", "  bad:\n\tworkspace: /b\n", 5, "tab"),
    ("tab_behind_spaces", "  bad:\n  \tworkspace: /b\n", 5, "tab"),
    ("tab_behind_colon", "  bad:\n    workspace:\t/b\n", 5, "tab"),
    ("open_list", "  bad:\n    args: [acp\n    name: x\n", 5, "“[”"),
    ("open_braces", "  bad:\n    env: {A: b\n", 5, "“{”"),
    ("open_double_quote", '  bad:\n    name: "Bad\n    args: []\n', 5, "quote"),
    ("open_single_quote", "  bad:\n    name: 'Bad\n    args: []\n", 5, "quote"),
    ("text_behind_a_quote", '  bad:\n    name: "Bad" one\n', 5, "quotes"),
    ("colon_in_text", "  bad:\n    name: Bad: the worst\n", 5, "colon"),
    ("no_colon", "  bad:\n    name: Bad\n    keep\n    args: []\n", 6, "colon"),
    ("at_sign", "  bad:\n    name: @bad\n", 5, "“@”"),
    ("backtick", "  bad:\n    command: `mm`\n", 5, "“`”"),
    ("percent", "  bad:\n    name: %x\n", 5, "“%”"),
    ("unknown_escape", '  bad:\n    workspace: "C:\\work"\n', 5, "backslash"),
    ("short_escape", '  bad:\n    name: "\\u12"\n', 5, "backslash"),
    ("impossible_escape", '  bad:\n    name: "\\UFFFFFFFF"\n', 5, "cannot be read"),
    ("unindented_key", "  bad:\n    name: x\n   args: []\n", 6, "indentation"),
    ("list_behind_a_key", "  bad:\n    args: - a\n", 5, "list item"),
    ("lone_star", "  bad:\n    name: *\n", 5, "“*”"),
    ("unknown_alias", "  bad:\n    env: *none\n", 5, "*none"),
    ("alias_of_itself", "  bad: &bad\n    env: *bad\n", 5, "never end"),
    ("second_document", "---\nagents: {}\n", 4, "second document"),
    ("unknown_tag_handle", "  bad:\n    name: !x!y z\n", 5, "cannot be read"),
]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [case[1:] for case in AFTER_A_GOOD_AGENT],
    ids=[case[0] for case in AFTER_A_GOOD_AGENT],
)
def test_the_agents_before_a_bad_line_work(text: str, line: int, said: str) -> None:
    reading = read(GOOD + text)
    problem = the_problem(reading)
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]
    assert problem.line == line
    assert said in problem.message
    assert (problem.severity, problem.code) == ("error", "config")
    assert not reading.complete


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # Either a key of `last` a column too far to the left, or an agent one too far to the right.
        ("   args: [acp]\n    keep: true\n", 6),
        # The rest of `last` may follow below.
        ("<<<<<<< HEAD\n", 6),
        ("    keep\n", 6),
    ],
)
def test_an_agent_that_may_go_on_below_a_bad_line_is_not_started_by_half(
    text: str, line: int
) -> None:
    reading = read(GOOD + "  last:\n    workspace: /last\n" + text)
    assert the_problem(reading).line == line
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]
    assert reading.broken == ("last",)


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_the_line_is_right_with_other_line_ends(ends: str) -> None:
    text = (GOOD + "  bad:\n    args: [acp\n").replace("\n", ends)
    assert the_problem(read(text.encode())).line == 5


def test_an_agent_that_is_cut_short_by_a_bad_line_is_broken_not_gone() -> None:
    reading = read(GOOD + "  bad:\n    args: [acp\n")
    assert reading.broken == ("bad",)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment\n", "---\n", "~", "%YAML 1.2\n---\n"]
)
def test_a_file_without_anything_says_how_to_begin(text: str) -> None:
    reading = read(text)
    problem = the_problem(reading)
    assert "no agents" in problem.message
    assert problem.severity == "warning"
    assert "agents:" in (problem.expected or "")
    assert reading.config.agents == ()
    assert reading.complete


@pytest.mark.parametrize("text", ["agents:\n", "agents: {}\n", "maxRunning: 2\n"])
def test_a_file_without_agents_says_so(text: str) -> None:
    problem = the_problem(read(text))
    assert (problem.key, problem.severity) == ("agents", "warning")


@pytest.mark.parametrize(
    ("text", "found"),
    [("- a\n- b\n", "a list"), ("hello", "text"), ("42", "a number"), ("!!set {a}", "not known")],
)
def test_a_file_of_another_shape_says_what_it_is(text: str, found: str) -> None:
    reading = read(text)
    problem = the_problem(reading)
    assert found in problem.message
    assert problem.line == 1
    assert "agents:" in (problem.expected or "")
    assert not reading.complete


def test_a_billion_laughs_ends_at_once() -> None:
    lines = [GOOD, "x-a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"x-{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n")
    reading = read("".join(lines))
    problem = the_problem(reading)
    assert "aliases" in problem.message
    assert problem.line == 8
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]


def test_aliases_within_reason_are_fine() -> None:
    reading = read("x-a: &a [1, 2]\nx-b: [*a, *a, *a, *a]\n" + GOOD)
    assert reading.problems == ()


@pytest.mark.parametrize("text", ["[" * 100_000, "{" * 100_000, "- " * 100_000, "? " * 100_000])
def test_deep_nesting_is_no_recursion(text: str) -> None:
    problem = the_problem(read(text))
    assert "nested too deeply" in problem.message
    assert problem.line == 1


def test_an_alias_cannot_hide_how_deep_it_is() -> None:
    half = MAX_DEPTH // 2
    text = f"x-a: &a {'[' * half}{']' * half}\nx-b: {'[' * half}*a{']' * half}\n"
    problem = the_problem(read(text))
    assert "nested too deeply" in problem.message
    assert problem.line == 2


def test_more_than_can_be_read_is_cut_off() -> None:
    text = GOOD + "x-many:\n" + "- 1\n" * MAX_NODES
    reading = read(text)
    assert "more than can be read" in the_problem(reading).message
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]


def test_a_file_that_is_too_large_is_not_parsed() -> None:
    problem = the_problem(read(b"#" * (MAX_BYTES + 1)))
    assert "larger than 1 MB" in problem.message
    assert the_problem(read(b"#" * MAX_BYTES)).severity == "warning"


def test_a_byte_that_is_not_utf_8_costs_only_what_holds_it() -> None:
    text = f"# café\n{GOOD}  bad:\n    workspace: /b\n    name: Zoé\n"
    reading = read(text.encode("latin-1"))
    on_file, on_name = reading.problems
    assert (on_file.line, on_file.key) == (1, None)
    assert "UTF-8" in on_file.message
    assert (on_name.line, on_name.key) == (7, "agents.bad.name")
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]
    assert reading.broken == ("bad",)
    assert not reading.complete


@pytest.mark.parametrize("name", ["caf\udce9", "caf\x1b"])
def test_a_damaged_key_is_told(name: str) -> None:
    data = f"{GOOD}  {name}:\n    workspace: /b\n".encode("utf-8", "surrogateescape")
    reading = read(data)
    assert [problem.line for problem in reading.problems] == [4, 4]
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]


def test_a_character_that_replaces_others_may_be_meant() -> None:
    assert read("agents: {a: {workspace: /a, name: '\ufffd'}}").problems == ()


@pytest.mark.parametrize(
    "data",
    [
        b"agents:\n\0\n",
        "agents:\n  a: {}\n".encode("utf-16-le"),
        "agents:\n".encode("utf-32"),
        b"\x7fELF\x02\x01\x01\0\0\0",
    ],
)
def test_what_is_no_text_is_told_once(data: bytes) -> None:
    reading = read(data)
    assert "NUL" in the_problem(reading).message
    assert not reading.complete


def test_half_a_utf_16_character_is_told() -> None:
    reading = read(b"\xff\xfe" + "# x\n# y".encode("utf-16-le") + b"z")
    assert reading.problems[0].line == 2


def test_a_control_character_is_named_at_its_line() -> None:
    reading = read(GOOD + "# \x1b[0m\n")
    problem = the_problem(reading)
    assert "U+001B" in problem.message
    assert problem.line == 4
    assert [agent.agent_id for agent in reading.config.agents] == ["good"]


def test_a_hundred_problems_are_enough() -> None:
    reading = read("agents:\n" + "".join(f"  A{n}: 1\n" for n in range(150)))
    assert len(reading.problems) == 101
    assert reading.problems[-1].message.startswith("50 more")
    assert len({problem.problem_id for problem in reading.problems}) == 101
