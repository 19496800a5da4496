"""Values that are not what was expected: told at their line, and only their agent is left out."""

import pytest

from fakes.config_files import entry, read, the_agent, the_problem

BAD_ENTRIES = [
    ("name_number", "name: 1.0", "name", "Put it in quotes: '1.0'"),
    ("name_date", "name: 2024-01-01", "name", "'2024-01-01'"),
    ("name_flag", "name: on", "name", "'on'"),
    ("name_list", "name: [a]", "name", "a list"),
    ("name_mapping", "name: {a: b}", "name", "keys with values"),
    ("name_blank", "name: '  '", "name", "one line"),
    ("name_lines", 'name: "a\\nb"', "name", "one line"),
    ("name_long", f"name: {'x' * 81}", "name", "80"),
    ("name_taken", "name: All", "name", "taken"),
    ("name_foreign", "name: !secret x", "name", "not known"),
    ("name_surrogate", 'name: "\\ud800"', "name", "escape"),
    ("command_number", "command: 7", "command", "quotes"),
    ("command_list", "command: [npx, x]", "command", "a list"),
    ("command_blank", "command: ''", "command", "empty"),
    ("command_nul", 'command: "a\\0b"', "command", "escape"),
    ("command_variable", "command: $NONE/x", "command", "$NONE"),
    ("args_text", "args: acp", "args", "must be a list"),
    ("args_mapping", "args: {a: b}", "args", "must be a list"),
    ("args_item_list", "args: [a, [b]]", "args[1]", "a list"),
    ("args_item_null", "args: [~]", "args[0]", "'~'"),
    ("args_item_nul", 'args: ["\\0"]', "args[0]", "escape"),
    ("env_text", "env: A=b", "env", "keys with values"),
    ("env_list", "env: [A=b]", "env", "a list"),
    ("env_value_list", "env: {A: [b]}", "env.A", "a list"),
    ("env_value_null", "env: {A: null}", "env.A", "'null'"),
    ("env_name", "env: {A=B: c}", "env.A=B", "A=B"),
    ("env_name_empty", "env: {'': c}", "env.", "name"),
    ("env_name_nul", 'env: {"a\\0": c}', "env", "escape"),
    ("env_name_inside", "runtime: {type: sbx, sandbox: s}\nenv: {a-b: c}", "env.a-b", "a-b"),
    ("keep_text", "keep: maybe", "keep", "neither true nor false"),
    ("keep_quoted", "keep: 'true'", "keep", "without quotes"),
    ("keep_number", "keep: 1", "keep", "neither"),
    ("keep_list", "keep: []", "keep", "true or false"),
    ("runtime_text", "runtime: local", "runtime", "keys with values"),
    ("runtime_type", "runtime: {type: docker}", "runtime.type", "docker"),
    ("runtime_type_number", "runtime: {type: 1}", "runtime.type", "quotes"),
    ("runtime_no_type", "runtime: {container: box}", "runtime.type", "type: container"),
    ("runtime_no_type_sbx", "runtime: {sandbox: box}", "runtime.type", "type: sbx"),
    ("container_missing", "runtime: {type: container}", "runtime.container", "needs"),
    ("container_null", "runtime: {type: container, container: }", "runtime.container", "needs"),
    ("container_dash", "runtime: {type: container, container: -v}", "runtime.container", "-v"),
    ("container_space", "runtime: {type: container, container: a b}", "runtime.container", "a b"),
    ("container_number", "runtime: {type: container, container: 12}", "runtime.container", "quot"),
    ("sandbox_missing", "runtime: {type: sbx}", "runtime.sandbox", "needs"),
    ("sandbox_dash", "runtime: {type: sbx, sandbox: --x}", "runtime.sandbox", "--x"),
    ("context_dash", "runtime: {type: container, container: b, context: -}", "runtime.context", ""),
    (
        "workspace_path_relative",
        "runtime: {type: sbx, sandbox: s, workspacePath: work}",
        "runtime.workspacePath",
        "begin with",
    ),
    ("mcp_mapping", "mcpServers: {files: {command: /x}}", "mcpServers", "must be a list"),
    ("mcp_text", "mcpServers: [files]", "mcpServers[0]", "keys with values"),
    ("mcp_no_name", "mcpServers: [{command: /x}]", "mcpServers[0].name", "missing"),
    ("mcp_no_command", "mcpServers: [{name: x}]", "mcpServers[0].command", "missing"),
    ("mcp_no_url", "mcpServers: [{name: x, type: http}]", "mcpServers[0].url", "missing"),
    ("mcp_tag", "mcpServers: [{name: x, command: /x, a: !x y}]", "mcpServers[0].a", "not known"),
    ("twice", "name: a\nname: b", "name", "twice"),
    ("twice_below", "env: {A: 1, A: 2}", "env.A", "twice"),
    ("key_list", "? [a]\n: b", "", "A key must be text"),
    ("bad_merge", "<<: 5", "<<", "takes keys over"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "key", "said"),
    [case[1:] for case in BAD_ENTRIES],
    ids=[case[0] for case in BAD_ENTRIES],
)
def test_a_bad_value_is_told_and_its_agent_left_out(lines: str, key: str, said: str) -> None:
    reading = entry(lines)
    problem = the_problem(reading)
    path = f"agents.alice.{key}" if key else "agents.alice"
    assert (problem.key, problem.problem_id) == (path, f"config:{path}")
    assert said in problem.message
    assert problem.severity == "error"
    assert problem.line is not None
    assert problem.line >= 3
    assert reading.config.agents == ()
    assert reading.broken == ("alice",)
    assert reading.complete


def test_the_line_is_that_of_the_value() -> None:
    reading = entry(
        """
        args:
          - acp
          - [x]
        name: 5
        """
    )
    assert [problem.line for problem in reading.problems] == [6, 7]


def test_the_line_of_what_is_missing_is_that_of_its_entry() -> None:
    problem = the_problem(read("agents:\n  alice:\n    name: A\n"))
    assert (problem.line, problem.key) == (2, "agents.alice.workspace")
    assert problem.expected == "a folder, such as ~/work/alice"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "missing"),
        ("''", "empty"),
        ("5", "quotes"),
        ("[a]", "a list"),
        ("$NONE/x", "$NONE is not set"),
        ("a/${NONE}", "$NONE is not set"),
        ("${}", "$ is not set"),
        ("~nobody-of-this-name/x", "no user ~nobody-of-this-name"),
    ],
)
def test_a_bad_workspace_is_told(written: str, said: str) -> None:
    problem = the_problem(read(f"agents:\n  a:\n    workspace: {written}\n"))
    assert problem.key == "agents.a.workspace"
    assert said in problem.message


@pytest.mark.parametrize("written", ["alice: 5", "alice: [a]", "alice: text"])
def test_an_entry_that_holds_no_keys_is_told(written: str) -> None:
    reading = read(f"agents:\n  {written}\n  bob: {{workspace: /b}}\n")
    assert the_problem(reading).key == "agents.alice"
    assert the_agent(reading).agent_id == "bob"


@pytest.mark.parametrize(
    "agent_id", ["Alice", "al ice", "-a", "_a", "é", "a.b", "a/b", "user", "all", "''", "'a\\nb'"]
)
def test_a_bad_id_is_told(agent_id: str) -> None:
    reading = read(f"agents:\n  {agent_id}: {{workspace: /a}}\n  bob: {{workspace: /b}}\n")
    problem = the_problem(reading)
    assert problem.line == 2
    assert "id" in problem.message
    assert the_agent(reading).agent_id == "bob"


def test_agents_must_be_a_mapping() -> None:
    reading = read("agents:\n  - name: Alice\n")
    problem = the_problem(reading)
    assert (problem.key, problem.line) == ("agents", 2)
    assert "a list" in problem.message
    assert not reading.complete


@pytest.mark.parametrize(
    "written",
    ["0", "-1", "two", "2.5", "'2'", "1001", "[2]", "true", "0x2", "1:30", "1_0", "9" * 5000],
)
@pytest.mark.parametrize("key", ["maxRunning", "maxAnswering"])
def test_a_bad_number_is_told_and_the_usual_one_counts(key: str, written: str) -> None:
    reading = read(f"agents: {{a: {{workspace: /a}}}}\n{key}: {written}\n")
    problem = the_problem(reading)
    assert (problem.key, problem.line, problem.severity) == (key, 2, "error")
    assert problem.expected == "a whole number, such as 2"
    assert (reading.config.max_running, reading.config.max_answering) == (2, 2)
    assert the_agent(reading).agent_id == "a"


@pytest.mark.parametrize(
    ("written", "key"),
    [("{messages: -1}", "recap.messages"), ("{total: many}", "recap.total"), ("5", "recap")],
)
def test_a_bad_recap_is_told_and_the_rest_counts(written: str, key: str) -> None:
    reading = read(f"recap: {written}\nagents: {{a: {{workspace: /a}}}}\n")
    assert the_problem(reading).key == key
    assert reading.config.recap.messages == 20
    assert len(reading.config.agents) == 1


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("maxrunning: 1", "maxrunning", "“maxRunning”"),
        ("max_running: 1", "max_running", "“maxRunning”"),
        ("agent: {}", "agent", "“agents”"),
        ("zebra: 1", "zebra", "Known are: maxRunning, maxAnswering, recap, agents"),
        (f"{'k' * 1000}: 1", "k" * 60 + "…", "Known are"),
    ],
)
def test_an_unknown_key_names_the_nearest(text: str, key: str, said: str) -> None:
    reading = read(f"agents: {{a: {{workspace: /a}}}}\n{text}\n")
    problem = the_problem(reading)
    assert (problem.key, problem.line, problem.severity) == (key, 2, "warning")
    assert said in problem.message
    assert the_agent(reading).agent_id == "a"


@pytest.mark.parametrize(
    ("lines", "key", "said"),
    [
        ("comand: x", "comand", "“command”"),
        ("workspce: x", "workspce", "“workspace”"),
        ("mcp_servers: []", "mcp_servers", "“mcpServers”"),
        ("arguments: []", "arguments", "“args”"),
        ("container: box", "container", "“runtime”"),
        ("workspacePath: /w", "workspacePath", "“runtime”"),
        ("runtime: {typ: local}", "runtime.typ", "“type”"),
        ("runtime: {container: x, type: local}", "runtime.container", "“local”"),
        ("runtime: {context: x}", "runtime.context", "“local”"),
        ("runtime: {type: sbx, sandbox: s, context: x}", "runtime.context", "“sbx”"),
        ("runtime: {type: container, container: s, sandbox: x}", "runtime.sandbox", "“container”"),
        ("command: npx -y agent", "command", "Put “-y agent” into “args:”"),
    ],
)
def test_what_does_no_harm_is_a_warning(lines: str, key: str, said: str) -> None:
    reading = entry(lines)
    problem = the_problem(reading)
    assert problem.severity == "warning"
    assert problem.key == f"agents.alice.{key}"
    assert said in problem.message
    assert the_agent(reading).agent_id == "alice"


def test_of_two_entries_with_one_id_the_first_counts() -> None:
    reading = read("agents:\n  a: {workspace: /1}\n  a: {workspace: /2}\n")
    problem = the_problem(reading)
    assert (problem.line, problem.key) == (3, "agents.a")
    assert "line 2" in problem.message
    assert str(the_agent(reading).workspace) == "/1"


def test_of_two_blocks_of_agents_the_first_counts() -> None:
    reading = read("agents: {a: {workspace: /1}}\nagents: {b: {workspace: /2}}\n")
    assert the_problem(reading).line == 2
    assert the_agent(reading).agent_id == "a"


@pytest.mark.parametrize(
    ("first", "second", "left", "other"),
    [
        ("Bo", "Bo", "a", "a"),
        ("Bo", " bO ", "a", "a"),
        ("Straße", "STRASSE", "a", "a"),
        ("Ann  Lee", "Ann Lee", "a", "a"),
        ("Bo", "A", "a", "a"),
        ("B", "Cy", "b", "b"),
    ],
)
def test_two_agents_of_one_shown_name_are_a_problem(
    first: str, second: str, left: str, other: str
) -> None:
    reading = read(
        f"agents:\n"
        f"  a:\n    workspace: /a\n    name: {first}\n"
        f"  b:\n    workspace: /b\n    name: {second!r}\n"
    )
    problem = the_problem(reading)
    assert the_agent(reading).agent_id == left
    assert f"“{other}”" in problem.message
    broken = "a" if left == "b" else "b"
    assert problem.key == f"agents.{broken}.name"
    assert problem.line == {"a": 4, "b": 7}[broken]
    assert reading.broken == (broken,)


def test_an_agent_may_be_named_as_its_own_id() -> None:
    assert read("agents: {a: {workspace: /a, name: A}}").problems == ()


def test_all_problems_are_told_at_once_by_line() -> None:
    reading = read(
        """\
        maxRunning: 0
        agents:
          alice: {workspace: /a, args: x, keep: 5}
          Bob: {}
        recap: []
        """
    )
    assert [(problem.line, problem.key) for problem in reading.problems] == [
        (1, "maxRunning"),
        (3, "agents.alice.args"),
        (3, "agents.alice.keep"),
        (4, "agents.Bob"),
        (5, "recap"),
    ]
