"""Answer an agent's question."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import AnswerPermission
from sidekicks.contract.wire import Done


async def answer_permission(app: App, command: AnswerPermission) -> Done:
    """Answer with one of the agent's own options, once."""
    app.permissions.answer(command.permission_id, command.option_id)
    return Done()
