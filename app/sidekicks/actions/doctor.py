"""The doctor: what is wrong with the configuration, the computer and each agent, if anything."""

from sidekicks.actions.app import App
from sidekicks.actions.report import write_report
from sidekicks.actions.words import say
from sidekicks.agents import Agent
from sidekicks.base.findings import FindingList, worst
from sidekicks.contract.commands import Doctor
from sidekicks.contract.results import AgentFindings, Diagnosis, Finding


async def diagnose(app: App, command: Doctor) -> Diagnosis:
    """Look at everything, and start the agents one after the other, or only the one that is named.

    What runs goes on as it is.
    """
    wanted = command.agent_id
    agents = app.roster.agents if wanted is None else (app.roster.get(wanted),)
    computer = (*_look_at_configuration(app), *await app.look_at_computer())
    examined = [await _examine(app, agent) for agent in agents if not agent.leaving]
    level = worst((*(f.level for f in computer), *(each.level for each in examined)))
    return Diagnosis(
        level=level,
        computer=computer,
        agents=tuple(examined),
        report=write_report(app.clock.now(), level, computer, examined),
    )


async def _examine(app: App, agent: Agent) -> AgentFindings:
    # As the file has it now: what a restart would start.
    return await app.doctor.examine(agent.next_config or agent.config)


def _look_at_configuration(app: App) -> tuple[Finding, ...]:
    found = FindingList()
    for problem in app.problems.open:
        place = (problem.file and f"{problem.file}:{problem.line or 1}", problem.key)
        found.add(
            problem.code,
            "problem" if problem.severity == "error" else "note",
            problem.message,
            advice=problem.expected and say("expected", expected=problem.expected),
            details=[" · ".join(filter(None, place))] if any(place) else (),
        )
    if not any(problem.code == "config" for problem in app.problems.open):
        count = len(app.roster.config.agents)
        found.add("config", "ok", say("config_good", file=app.config_path, count=count))
    return found.all
