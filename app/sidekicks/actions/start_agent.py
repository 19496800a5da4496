"""Start, stop and restart an agent's program."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import RestartAgent, SignIn, StartAgent, StopAgent
from sidekicks.contract.wire import Done


async def start_agent(app: App, command: StartAgent) -> Done:
    """Start it, taking a place; returns when it is ready."""
    await app.roster.start(app.roster.get(command.agent_id))
    return Done()


async def stop_agent(app: App, command: StopAgent) -> Done:
    """End it and all that it started; its turn ends as stopped."""
    agent = app.roster.get(command.agent_id)
    app.turns.stop_of(agent)
    await agent.stop()
    return Done()


async def restart_agent(app: App, command: RestartAgent) -> Done:
    """Stop and start it, with the configuration as it is now."""
    agent = app.roster.get(command.agent_id)
    app.turns.stop_of(agent)
    await agent.stop()
    await app.roster.start(agent)
    return Done()


async def sign_in(app: App, command: SignIn) -> Done:
    """Have the agent sign in, started if it does not run."""
    agent = app.roster.get(command.agent_id)
    await app.roster.start(agent)
    await agent.sign_in(command.method_id)
    return Done()
