"""Rules: answers that the person keeps, per agent and kind of tool.

A rule chooses the only `allow_once` (or `reject_once`), never an `_always`: where there is none or
several, or the kind is missing, `other` or `execute`, the person is asked (`product.md` 6).
"""

from collections.abc import Callable, Iterable
from typing import Final, Literal

from sidekicks.agents.words import say
from sidekicks.base.clock import Clock
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId, RuleId, make_id
from sidekicks.contract.state import Permission, PermissionOption, Rule

NEVER: Final = (None, "", "other", "execute")
"""Kinds of tools that say too little, or can do too much, to be answered by a rule."""
ONCE: Final[dict[str, Literal["allow", "reject"]]] = {
    "allow_once": "allow",
    "reject_once": "reject",
}


class Rules:
    """The kept answers.

    Args:
        stored: those of earlier runs.
        add: stores a rule.
        remove: removes it from the store.
    """

    def __init__(
        self,
        clock: Clock,
        stored: Iterable[Rule],
        add: Callable[[Rule], None],
        remove: Callable[[RuleId], None],
    ) -> None:
        self._clock: Final = clock
        self._rules: Final = {rule.rule_id: rule for rule in stored}
        self._add: Final = add
        self._remove: Final = remove

    def of(self, agent_id: AgentId | None) -> tuple[Rule, ...]:
        """Return the rules of an agent, or all, oldest first."""
        return tuple(r for r in self._rules.values() if agent_id in (None, r.agent_id))

    def choose(self, asked: Permission) -> PermissionOption | None:
        """Return the option that a rule chooses; null where the person is to be asked."""
        kind = asked.tool_call.kind
        if kind in NEVER:
            return None
        for rule in self._rules.values():
            if rule.agent_id == asked.agent_id and rule.kind == kind:
                return _only(asked, rule.decision)
        return None

    def keep(self, asked: Permission, option_id: str) -> None:
        """Keep the answer just given as a rule, in place of one for the same.

        Raises:
            SidekicksError: `invalid` for an answer that no rule could give.
        """
        kind = asked.tool_call.kind
        chosen = next((o for o in asked.options if o.option_id == option_id), None)
        decision = ONCE.get(chosen.kind or "") if chosen is not None else None
        if kind is None or kind in NEVER or decision is None or _only(asked, decision) != chosen:
            raise SidekicksError("invalid", say("no_remembering"))
        for rule in self.of(asked.agent_id):
            if rule.kind == kind:
                self.delete(rule.rule_id)
        rule = Rule(
            rule_id=RuleId(make_id("u")),
            agent_id=asked.agent_id,
            kind=kind,
            decision=decision,
            created_at=self._clock.now(),
        )
        self._rules[rule.rule_id] = rule
        self._add(rule)

    def delete(self, rule_id: RuleId) -> None:
        """Take a rule back.

        Raises:
            SidekicksError: `not_found`.
        """
        if self._rules.pop(rule_id, None) is None:
            raise SidekicksError("not_found", say("no_rule"))
        self._remove(rule_id)


def _only(asked: Permission, decision: str) -> PermissionOption | None:
    """Return the single option of the kind that a decision comes to."""
    found = [option for option in asked.options if ONCE.get(option.kind or "") == decision]
    return found[0] if len(found) == 1 else None
