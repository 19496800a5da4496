"""Stop what runs, withdraw what waits, ask again."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import RetryTurn, StopTurn, WithdrawTurn
from sidekicks.contract.results import TextBack, TurnQueuedAgain
from sidekicks.contract.wire import Done


async def stop_turn(app: App, command: StopTurn) -> Done:
    """Cancel the turn that runs; where nothing runs, nothing is sent. `force` ends the program."""
    app.channels.get(command.channel_id)
    run = app.turns.stop(command.channel_id)
    if run is not None and command.force:
        await run.agent.stop()
    return Done()


async def withdraw_turn(app: App, command: WithdrawTurn) -> TextBack:
    """Take a queued turn back."""
    return TextBack(text=app.turns.withdraw(command.turn_id))


async def retry_turn(app: App, command: RetryTurn) -> TurnQueuedAgain:
    """Ask the same agent for another answer to the same message."""
    turn = await app.turns.retry(command.turn_id)
    return TurnQueuedAgain(turn_id=turn.turn_id)
