"""Answer an agent's question; the answers that are kept as rules."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import AnswerPermission, DeleteRule, ListRules
from sidekicks.contract.results import RuleList
from sidekicks.contract.wire import Done


async def answer_permission(app: App, command: AnswerPermission) -> Done:
    """Answer with one of the agent's own options, once."""
    app.permissions.answer(command.permission_id, command.option_id, remember=command.remember)
    return Done()


async def list_rules(app: App, command: ListRules) -> RuleList:
    """Return the kept answers."""
    return RuleList(rules=app.permissions.rules.of(command.agent_id))


async def delete_rule(app: App, command: DeleteRule) -> Done:
    """Take a kept answer back."""
    app.permissions.rules.delete(command.rule_id)
    return Done()
