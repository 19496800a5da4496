"""The configuration file, read. Whatever it is, the answer is a `Reading`, never an exception.

What is wrong is left out and told; all else counts. `parse_config` takes bytes and touches no
disk.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from sidekicks.config import tree
from sidekicks.config.agent import ID_PATTERN, TAKEN_IDS, AgentReader
from sidekicks.config.example import create_example, example_text
from sidekicks.config.findings import Findings
from sidekicks.config.source import Fault, UnreadableError, decode, read_source
from sidekicks.config.values import Fields, Value, is_nothing
from sidekicks.contract.config import AgentConfig, Config, RecapConfig
from sidekicks.contract.ids import AgentId
from sidekicks.contract.state import Problem

TOP_KEYS: Final = ("maxRunning", "maxAnswering", "recap", "agents")
RECAP_KEYS: Final = ("messages", "characters", "total")
PRIVATE_PREFIX: Final = "x-"
"""Top-level keys that begin with it are not ours: a place for what anchors name."""

_MOST_PROCESSES: Final = 1000
_MOST_RECAP: Final = 10_000_000


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What the file says. `config.agents` holds the agents that are fine, in the file's order.

    An agent that is not there is gone only if `complete`, and if it is not in `broken`: else the
    file, or its entry, could not be understood, and an agent that runs is as before.
    """

    config: Config
    problems: tuple[Problem, ...] = ()
    broken: tuple[AgentId, ...] = ()
    """Agents that have an entry, but one that cannot be used."""
    complete: bool = True
    """False where the file, or the rest of it, could not be understood."""


def read_config(path: Path, environment: Mapping[str, str] | None = None) -> Reading:
    """Read the file; a missing one is first created, as an example with the bundled agent.

    Where it cannot be created, the example counts as if it were there, with the home folder as
    the agent's. Blocks on the disk.
    """
    path = path.absolute()
    try:
        return parse_config(_source(path), path, environment)
    except UnreadableError as error:
        return _unread(path, error.fault)
    except OSError as error:
        return _uncreated(path, error, environment)


def parse_config(data: bytes, path: Path, environment: Mapping[str, str] | None = None) -> Reading:
    """Understand the bytes of a file that lies at `path`.

    Paths expand with `environment`; it is the process's unless given.
    """
    path = path.absolute()
    try:
        text = decode(data)
    except UnreadableError as error:
        return _unread(path, error.fault)
    findings = Findings(path)
    composed = tree.compose(text.text)
    for fault in (text.damage, composed.fault):
        if fault is not None:
            findings.fault(fault)
    findings.damaged = text.damage is not None
    root = _RootReader(path.parent, os.environ if environment is None else environment, findings)
    root.complete = composed.fault is None and text.damage is None
    config = root.read(composed.root)
    return Reading(
        config=config,
        problems=findings.problems(),
        broken=tuple(root.broken),
        complete=root.complete,
    )


def _source(path: Path) -> bytes:
    try:
        return read_source(path)
    except FileNotFoundError:
        create_example(path)
        return read_source(path)


def _uncreated(path: Path, error: OSError, environment: Mapping[str, str] | None) -> Reading:
    # The folder beside the file is not there either: the agent gets the home folder.
    example = parse_config(example_text(workspace='"~"').encode(), path, environment)
    findings = Findings(path)
    reason = error.strerror or type(error).__name__
    findings.error("not_created", folder=str(path.parent), reason=reason)
    return msgspec.structs.replace(example, problems=findings.problems() + example.problems)


def _unread(path: Path, fault: Fault) -> Reading:
    findings = Findings(path)
    findings.fault(fault)
    return Reading(config=Config(), problems=findings.problems(), complete=False)


class _RootReader:
    def __init__(self, folder: Path, environment: Mapping[str, str], findings: Findings) -> None:
        self._folder: Final = folder
        self._environment: Final = environment
        self._findings: Final = findings
        self.broken: Final[list[AgentId]] = []
        self.complete = True

    def read(self, root: tree.Node | None) -> Config:
        """Return what is sound of the file; with the usual numbers where those are not."""
        if root is None or is_nothing(root):
            if self.complete:
                self._findings.warn("no_agents", expected="agents")
            return Config()
        if not root.whole and not isinstance(root, tree.Mapping):
            # What is no YAML at all is told once.
            return Config()
        fields = Value(root, (), root.line, self._findings).fields("a_file")
        if fields is None:
            self.complete = False
            return Config()
        fields.check(TOP_KEYS, {}, PRIVATE_PREFIX)
        running = _number(fields, "maxRunning", 1, _MOST_PROCESSES) or Config().max_running
        answering = _number(fields, "maxAnswering", 1, _MOST_PROCESSES)
        return Config(
            agents=self._read_agents(fields.take("agents")),
            max_running=running,
            max_answering=answering or running,
            recap=_recap(fields.take("recap")),
        )

    def _read_agents(self, value: Value | None) -> tuple[AgentConfig, ...]:
        entries = value.fields("agents") if value else None
        if self.complete and (value is None or (entries is not None and not entries)):
            self._findings.warn("no_agents", key=("agents",), expected="agents")
        if entries is None:
            self.complete = self.complete and value is None
            return ()
        named = {name: entry for name, entry in entries if self._check_id(name, entry)}
        reader = AgentReader(self._folder, self._environment, named)
        agents: list[AgentConfig] = []
        for name, entry in named.items():
            agent_id = AgentId(name)
            agent = reader.read(agent_id, entry) if entry.whole else None
            if agent is None:
                self.broken.append(agent_id)
            else:
                agents.append(agent)
        return tuple(agents)

    def _check_id(self, name: str, entry: Value) -> bool:
        if name in TAKEN_IDS:
            word = "id_taken"
        elif not ID_PATTERN.fullmatch(name):
            word = "bad_id"
        else:
            return True
        self._findings.error(word, key=entry.key, line=entry.line, expected="an_id", name=name)
        return False


def _number(fields: Fields, name: str, least: int, most: int) -> int | None:
    value = fields.take(name)
    return value.number(least, most, "a_number") if value else None


def _recap(value: Value | None) -> RecapConfig:
    fields = value.fields("a_recap") if value and value.whole else None
    if fields is None:
        return RecapConfig()
    fields.check(RECAP_KEYS, {})
    said = {name: _number(fields, name, 0, _MOST_RECAP) for name in RECAP_KEYS}
    return RecapConfig(**{name: number for name, number in said.items() if number is not None})
