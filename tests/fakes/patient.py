"""An agent for the doctor: as it is configured, and what the doctor says about it."""

from pathlib import Path
from typing import Any

from fakes.scripts import Script, agent_command
from sidekicks.agents.doctor import Doctor, Limits
from sidekicks.base.clock import SystemClock
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.ids import AgentId
from sidekicks.contract.results import AgentFindings, Finding
from sidekicks.system import Leftovers, LoginEnvironment

QUICK = Limits(answer=10.0, commands=0.2, removal=2.0)


def configured(folder: Path, told: Script | None = None, **fields: Any) -> AgentConfig:
    """Return alice, whose workspace is below `folder`, with a script or as `fields` say."""
    workspace = folder / "alice"
    workspace.mkdir(exist_ok=True)
    given: dict[str, Any] = {"workspace": workspace}
    if told is not None:
        given["command"], *args = agent_command(told, folder / "alice.json")
        given["args"] = tuple(args)
    return AgentConfig(agent_id=AgentId("alice"), name="Alice", **{**given, **fields})


def make_doctor(folder: Path, limits: Limits = QUICK) -> tuple[Doctor, LoginEnvironment]:
    """Return a doctor without a login shell; the environment is to be started and closed."""
    login = LoginEnvironment(find_shell=lambda _: None)
    return Doctor(login, Leftovers(folder / "running.json"), SystemClock(), limits), login


async def examine(folder: Path, config: AgentConfig, limits: Limits = QUICK) -> AgentFindings:
    """Have an agent examined."""
    doctor, login = make_doctor(folder, limits)
    login.start()
    try:
        return await doctor.examine(config)
    finally:
        login.close()


def finding(findings: AgentFindings, code: str) -> Finding:
    """Return the only finding of that code."""
    (found,) = [found for found in findings.findings if found.code == code]
    return found


def codes(findings: AgentFindings, level: str | None = None) -> list[str]:
    """Return the codes in order, of one level or of all."""
    return [found.code for found in findings.findings if level in (None, found.level)]
