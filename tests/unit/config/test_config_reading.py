"""What a sound file means."""

from pathlib import Path

import pytest

from fakes.config_files import FILE, HOME, entry, read, the_agent, the_problem
from sidekicks.config import parse_config
from sidekicks.contract.config import AgentConfig, Config, RecapConfig, RuntimeConfig
from sidekicks.contract.ids import AgentId

WHOLE = """\
maxRunning: 3                 # agent processes at once
maxAnswering: 1
recap: {messages: 5, characters: 100, total: 0}
agents:
  alice:
    name: Alice
    command: mm
    args: [acp, --port, 8080, 1.0, on, 2024-01-01]
    env: {MM_MODEL: qwen3:4b, DEBUG: true, LEVEL: 010, EMPTY: , QUOTED: "~"}
    workspace: ~/work/alice
    keep: true
    runtime:
      type: container
      container: my-box
      context: my-server
      workspacePath: /work/
  notes:
    workspace: $WORK/notes
"""


def test_every_key_is_read() -> None:
    reading = read(WHOLE)
    assert reading.problems == ()
    assert reading.complete
    assert reading.config == Config(
        max_running=3,
        max_answering=1,
        recap=RecapConfig(messages=5, characters=100, total=0),
        agents=(
            AgentConfig(
                agent_id=AgentId("alice"),
                name="Alice",
                command="mm",
                args=("acp", "--port", "8080", "1.0", "on", "2024-01-01"),
                env={
                    "MM_MODEL": "qwen3:4b",
                    "DEBUG": "true",
                    "LEVEL": "010",
                    "EMPTY": "",
                    "QUOTED": "~",
                },
                workspace=Path("/home/ann/work/alice"),
                keep=True,
                runtime=RuntimeConfig(
                    type="container",
                    container="my-box",
                    context="my-server",
                    workspace_path="/work",
                ),
            ),
            AgentConfig(agent_id=AgentId("notes"), name="notes", workspace=Path("/srv/work/notes")),
        ),
    )


def test_what_is_not_said_is_as_usual() -> None:
    config = read("agents: {a: {workspace: /a}}").config
    assert (config.max_running, config.max_answering) == (2, 2)
    assert config.recap == RecapConfig(messages=20, characters=800, total=8000)
    agent = config.agents[0]
    assert (agent.name, agent.command, agent.args, agent.env) == ("a", None, (), {})
    assert (agent.keep, agent.runtime.type, agent.mcp_servers) == (False, "local", ())


def test_as_many_answer_as_run_unless_said() -> None:
    config = read("maxRunning: 5\nagents: {a: {workspace: /a}}").config
    assert config.max_answering == 5


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("~", "/home/ann"),
        ("'~'", "/home/ann"),
        ("~/work", "/home/ann/work"),
        ("$WORK/a", "/srv/work/a"),
        ("${WORK}x", "/srv/workx"),
        ("~/$$HOME", "/home/ann/$HOME"),
        ("~/a$", "/home/ann/a$"),
        ("here", "/etc/sidekicks/here"),
        (".", "/etc/sidekicks"),
        ("../other//x/", "/etc/other/x"),
        ("/abs/./x", "/abs/x"),
        ("a~b", "/etc/sidekicks/a~b"),
        ('"/été/🦜"', "/été/🦜"),
    ],
)
def test_a_workspace_expands(written: str, path: str) -> None:
    reading = read(f"agents:\n  a:\n    workspace: {written}\n")
    assert reading.problems == ()
    assert the_agent(reading).workspace == Path(path)


def test_a_workspace_that_holds_no_known_home_stays_relative_to_the_file_of_a_relative_path() -> (
    None
):
    reading = parse_config(b"agents: {a: {workspace: w}}", Path("team.yaml"), HOME)
    assert the_agent(reading).workspace == Path.cwd() / "w"


@pytest.mark.parametrize(
    ("written", "command"),
    [
        ("opencode", "opencode"),
        ("sidekicks", "sidekicks"),
        ("~/bin/agent", "/home/ann/bin/agent"),
        ("./run.sh", "/etc/sidekicks/run.sh"),
        ("/opt/my tools/agent", "/opt/my tools/agent"),
    ],
)
def test_a_command_that_is_a_path_expands(written: str, command: str) -> None:
    reading = entry(f"command: {written}")
    assert reading.problems == ()
    assert the_agent(reading).command == command


def test_a_command_inside_a_container_is_left_as_it_is() -> None:
    reading = entry("command: ~/bin/agent\nruntime: {type: sbx, sandbox: milo-sbx}")
    assert reading.problems == ()
    assert the_agent(reading).command == "~/bin/agent"


def test_a_container_needs_no_folder_on_this_computer() -> None:
    reading = read("agents: {a: {runtime: {type: container, container: box, workspacePath: /w}}}")
    assert reading.problems == ()
    assert the_agent(reading).workspace == Path("/w")


@pytest.mark.parametrize("written", ["", "~", "null", " # nothing yet"])
def test_a_key_with_nothing_behind_it_counts_as_not_there(written: str) -> None:
    lines = [f"{key}: {written}" for key in ("name", "command", "args", "env", "keep", "runtime")]
    reading = entry("\n".join([*lines, f"mcpServers: {written}"]))
    assert reading.problems == ()
    assert the_agent(reading).name == "alice"


@pytest.mark.parametrize("agent_id", ["a", "0", "on", "null", "1-x_y", "user2", "123"])
def test_an_id_is_what_is_written(agent_id: str) -> None:
    assert the_agent(read(f"agents:\n  {agent_id}:\n    workspace: /a\n")).agent_id == agent_id


def test_anchors_and_merges_are_understood() -> None:
    reading = read(
        """
        x-common: &common
          command: mm
          env: &env {A: 1}
        agents:
          alice:
            <<: *common
            command: other
            workspace: /a
          bob: {<<: [{args: [x]}, *common, {args: [y], keep: yes}], workspace: /b}
          carol: {env: *env, workspace: /c}
        """
    )
    assert reading.problems == ()
    alice, bob, carol = reading.config.agents
    assert (alice.command, alice.env) == ("other", {"A": "1"})
    assert (bob.command, bob.args, bob.keep) == ("mm", ("x",), True)
    assert carol.env == {"A": "1"}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("encoding", "bom"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
    ],
)
def test_any_line_end_and_any_byte_order_mark_is_read(ends: str, encoding: str, bom: bytes) -> None:
    text = WHOLE.replace("Alice", "Zoé").replace("\n", ends)
    reading = read(bom + text.encode(encoding))
    assert reading.problems == ()
    assert reading.config.agents[0].name == "Zoé"


def test_flow_style_and_json_are_yaml() -> None:
    reading = read('{"maxRunning": 4, "agents": {"a": {"workspace": "/a", "args": ["x"]}}}')
    assert reading.problems == ()
    assert reading.config.max_running == 4
    assert the_agent(reading).args == ("x",)


def test_a_problem_names_its_file() -> None:
    assert the_problem(read("agents: 5")).file == str(FILE)
