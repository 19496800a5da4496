"""The wiring: every domain, put together once. Nothing is started here but the store."""

import asyncio
import contextlib
import webbrowser
from pathlib import Path
from typing import Final

import msgspec

from sidekicks.actions import App, Preferences
from sidekicks.agents import Permissions, Roster, Rules, Sessions
from sidekicks.agents.doctor import Doctor
from sidekicks.base.clock import SystemClock
from sidekicks.base.hub import Hub
from sidekicks.base.problems import Problems
from sidekicks.base.supervisor import Supervisor
from sidekicks.bridge import Bridge
from sidekicks.channels import Channels
from sidekicks.config import Reading, database_path
from sidekicks.contract.events import ConfigChanged
from sidekicks.contract.state import Problem
from sidekicks.main.computer import Computer
from sidekicks.main.words import say
from sidekicks.store import AgentMemory, Store
from sidekicks.store import Channels as ChannelRows
from sidekicks.store import Rules as RuleRows
from sidekicks.store import Sessions as SessionRows
from sidekicks.system import Leftovers, LoginEnvironment
from sidekicks.turns import Turns, recover_turns

FAULT: Final = "fault"
WATCH_PROBLEM: Final = "config:watch"


class Domains:
    """What was put together, with what only the start and the stop need."""

    def __init__(self, app: App, store: Store, supervisor: Supervisor) -> None:
        self.app: Final = app
        self.store: Final = store
        self.supervisor: Final = supervisor
        self.bridge: Final = Bridge(app)
        self._reading: Reading | None = None

    def take(self, reading: Reading) -> None:
        """Take over what the configuration says.

        An agent whose entry is broken now stays as it was: its problem is shown, its work goes on.
        """
        if reading == self._reading:
            return
        self._reading = reading
        read = reading.config
        there = {entry.agent_id for entry in read.agents}
        kept = tuple(
            agent.config
            for agent in self.app.roster.agents
            if agent.agent_id not in there
            and (agent.agent_id in reading.broken or not reading.complete)
        )
        self.app.roster.apply(msgspec.structs.replace(read, agents=(*read.agents, *kept)))
        self.app.hub.publish(
            ConfigChanged(
                max_running=read.max_running,
                max_answering=read.max_answering,
                agent_ids=tuple(agent.agent_id for agent in self.app.roster.agents),
            )
        )
        watching = [p for p in self.app.problems.open if p.problem_id == WATCH_PROBLEM]
        self.app.problems.replace("config", (*reading.problems, *watching))

    def show_watch(self, problem: Problem | None) -> None:
        """Say that the configuration is not watched as it should be, or that it is again."""
        self.app.problems.show(WATCH_PROBLEM, problem)


async def compose(
    config_path: Path, reading: Reading, environment: LoginEnvironment, leftovers: Leftovers
) -> Domains:
    """Open the history and put the domains together on the running loop.

    Raises:
        SidekicksError: `unavailable`, where the history is of a newer app.
    """
    hub, clock = Hub(), SystemClock()
    problems = Problems(hub)

    def on_fault(name: str, incident: str) -> None:
        problems.raise_(
            Problem(
                problem_id=f"{FAULT}:{name}",
                code=FAULT,
                message=say("fault", name=name, incident=incident),
            )
        )

    supervisor = Supervisor(on_fault)
    loop = asyncio.get_running_loop()

    def on_lost_write(incident: str) -> None:
        # From the store's thread, which may outlive the loop by a moment.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(on_fault, "store", incident)

    def on_history(problem_id: str, problem: Problem | None) -> None:
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(problems.show, problem_id, problem)

    store = await Store.open(database_path(config_path), on_lost_write, on_history)
    memory = AgentMemory(store)
    rows = await store.read(ChannelRows(store).all)
    preferences = Preferences(
        hub,
        await store.read(memory.settings),
        lambda key, value: store.post(lambda: memory.save_setting(key, value)),
    )
    session_rows, rule_rows = SessionRows(store), RuleRows(store)
    sessions = Sessions(
        hub,
        await store.read(session_rows.all),
        lambda row: store.post(lambda: session_rows.put(row)),
    )
    rules = Rules(
        clock,
        await store.read(rule_rows.all),
        lambda rule: store.post(lambda: rule_rows.add(rule)),
        lambda rule_id: store.post(lambda: rule_rows.remove(rule_id)),
    )
    roster = Roster(
        hub,
        clock,
        supervisor,
        environment.get,
        leftovers,
        sessions,
        lambda agent_id, commands: store.post(lambda: memory.save_commands(agent_id, commands)),
        await store.read(memory.commands),
    )
    channels = Channels(hub, clock, store, rows)
    permissions = Permissions(hub, rules)
    turns = Turns(
        hub=hub,
        clock=clock,
        store=store,
        supervisor=supervisor,
        channels=channels,
        roster=roster,
        permissions=permissions,
    )
    computer = Computer(config_path, environment, lambda: roster.config.agents)
    app = App(
        hub=hub,
        clock=clock,
        problems=problems,
        preferences=preferences,
        roster=roster,
        permissions=permissions,
        channels=channels,
        turns=turns,
        doctor=Doctor(environment, leftovers, clock),
        look_at_computer=computer.look,
        sending=asyncio.Lock(),
        config_path=str(config_path),
        open_url=webbrowser.open,
    )
    domains = Domains(app, store, supervisor)
    domains.take(reading)
    await recover_turns(store, channels)
    return domains
