"""Configurations as text, and what comes of reading them."""

from pathlib import Path
from textwrap import dedent

from sidekicks.config import Reading, parse_config
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.state import Problem

FILE = Path("/etc/sidekicks/team.yaml")
HOME = {"HOME": "/home/ann", "WORK": "/srv/work"}


def read(text: str | bytes) -> Reading:
    """Read a configuration that lies at `FILE`, as Ann's."""
    data = text if isinstance(text, bytes) else dedent(text).encode()
    return parse_config(data, FILE, HOME)


def entry(text: str) -> Reading:
    """Read a configuration whose one agent, alice, has these lines besides a workspace."""
    lines = "".join(f"    {line}\n" for line in dedent(text).strip().splitlines())
    return read(f"agents:\n  alice:\n    workspace: /srv/alice\n{lines}")


def the_agent(reading: Reading) -> AgentConfig:
    """Return the only agent of a reading."""
    (agent,) = reading.config.agents
    return agent


def the_problem(reading: Reading) -> Problem:
    """Return the only problem of a reading."""
    (problem,) = reading.problems
    return problem
