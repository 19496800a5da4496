"""One entry under `agents:`.

It is used whole or not at all: half an entry could start the wrong program.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from sidekicks.config.folders import UndefinedVariableError, expand_path
from sidekicks.config.mcp import read_servers
from sidekicks.config.runtime import RUNTIME_KEYS, read_runtime
from sidekicks.config.values import Fields, Value
from sidekicks.contract.config import AgentConfig, RuntimeConfig
from sidekicks.contract.ids import AgentId

ID_PATTERN: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
TAKEN_IDS: Final = ("user", "all")
"""`@all` means every member, and `user` is the person."""
AGENT_KEYS: Final[tuple[str, ...]] = (
    "name", "command", "args", "env", "workspace", "keep", "runtime", "mcpServers",
)  # fmt: skip

_ELSEWHERE: Final[Mapping[str, str]] = dict.fromkeys(RUNTIME_KEYS, "runtime")
_ENV_NAME: Final = re.compile(r"[^=\0]+")
_SHELL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_NAME: Final = 80


class AgentReader:
    """Reads the entries of one file, in their order.

    Args:
        folder: the file's; relative paths begin there.
        environment: what `~` and `$NAME` in paths stand for.
        ids: the ids of all entries, none of which may be another agent's name.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], ids: Collection[str]) -> None:
        self._folder: Final = folder
        self._environment: Final = environment
        self._called: Final = {agent_id: agent_id for agent_id in ids}
        """Who is meant by a name or an id."""

    def read(self, agent_id: AgentId, value: Value) -> AgentConfig | None:
        """Return the agent, or None if anything in its entry is wrong."""
        errors = value.findings.errors
        fields = value.fields("an_entry")
        if fields is None:
            return None
        fields.check(AGENT_KEYS, _ELSEWHERE)
        runtime = read_runtime(fields.take("runtime"))
        agent = AgentConfig(
            agent_id=agent_id,
            name=self._name(fields, agent_id) or agent_id,
            workspace=self._workspace(fields, runtime) or self._folder,
            command=self._command(fields, runtime),
            args=_args(fields),
            env=_env(fields, runtime),
            keep=_keep(fields),
            runtime=runtime,
            mcp_servers=read_servers(fields.take("mcpServers")),
        )
        return agent if value.findings.errors == errors else None

    def _name(self, fields: Fields, agent_id: AgentId) -> str | None:
        value = fields.take("name")
        name = value and value.text("a_name")
        if value is None or name is None:
            return None
        # Shown in one line, and looked for behind an @.
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or not name.isprintable():
            return value.refuse("bad_name", "a_name", most=_LONGEST_NAME)
        folded = _fold_name(name)
        if folded in TAKEN_IDS:
            return value.refuse("name_taken", "a_name", written=name)
        if (other := self._called.setdefault(folded, agent_id)) != agent_id:
            # `@name` must mean one agent.
            return value.refuse("name_twice", "another_name", name=name, other=other)
        return name

    def _command(self, fields: Fields, runtime: RuntimeConfig) -> str | None:
        value = fields.take("command")
        command = value and value.text("a_command")
        if value is None or command is None:
            return None
        if not command.strip():
            return value.refuse("empty", "a_command")
        program, *rest = command.split(maxsplit=1)
        if rest and "/" not in program:
            value.findings.warn(
                "command_with_arguments",
                key=value.key,
                line=value.line,
                expected="a_command",
                program=program,
                rest=rest[0],
            )
        if runtime.type == "local" and "/" in command:
            # A path to a program is a path as `workspace` is; inside a container ~ is another home.
            path = self._path(value, command)
            return str(path) if path else None
        return command

    def _workspace(self, fields: Fields, runtime: RuntimeConfig) -> Path | None:
        value = fields.take("workspace")
        if fields.is_tilde("workspace"):
            return self._path(fields.value, "~")
        if value is None:
            if runtime.type != "local" and runtime.workspace_path:
                # All there is of the folder is inside.
                return Path(runtime.workspace_path)
            fields.missing("workspace", "a_workspace")
            return None
        written = value.text("a_workspace")
        if written is None:
            return None
        if not written.strip():
            return value.refuse("empty", "a_workspace")
        return self._path(value, written)

    def _path(self, value: Value, written: str) -> Path | None:
        try:
            return expand_path(written, self._folder, self._environment)
        except UndefinedVariableError as undefined:
            word = "no_such_user" if undefined.name.startswith("~") else "no_such_variable"
            return value.refuse(word, "a_defined_variable", name=undefined.name)


def _args(fields: Fields) -> tuple[str, ...]:
    value = fields.take("args")
    items = value.items("a_list_of_texts") if value else None
    texts = [item.written("an_argument") for item in items or ()]
    return tuple(text for text in texts if text is not None)


def _keep(fields: Fields) -> bool:
    value = fields.take("keep")
    return bool(value and value.flag("a_flag"))


def _env(fields: Fields, runtime: RuntimeConfig) -> dict[str, str]:
    value = fields.take("env")
    variables = value.fields("a_mapping_of_texts") if value else None
    env: dict[str, str] = {}
    for name, each in variables or ():
        # Inside, a shell sets them, and it takes only names of its own kind.
        pattern = _ENV_NAME if runtime.type == "local" else _SHELL_NAME
        if not pattern.fullmatch(name):
            each.refuse("bad_variable_name", "a_variable_name", name=name)
        text = each.written("a_variable")
        if text is not None:
            env[name] = text
    return env


def _fold_name(name: str) -> str:
    """What two names have in common that a person takes for one."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
