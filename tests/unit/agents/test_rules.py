"""Rules: what a kept answer chooses, and what is never chosen by one."""

from typing import Final

import pytest

from fakes.clock import FakeClock
from sidekicks.agents import Rules
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId, ChannelId, PermissionId, RuleId
from sidekicks.contract.state import Permission, PermissionOption, Rule, ToolCall

USUAL: Final = ("allow_once", "allow_always", "reject_once", "reject_always")


def asked(kind: str | None, options: tuple[str, ...] = USUAL, agent: str = "alice") -> Permission:
    """Return a question whose options are called after their kinds, and numbered."""
    return Permission(
        permission_id=PermissionId("q1"),
        channel_id=ChannelId("c1"),
        agent_id=AgentId(agent),
        turn_id=None,
        tool_call=ToolCall(tool_call_id="t1", title="Work", kind=kind),
        options=tuple(
            PermissionOption(option_id=f"{number} {option}", name=option, kind=option)
            for number, option in enumerate(options)
        ),
        asked_at="2026-11-30T12:00:00.000Z",
    )


class Book:
    """Rules, and what is stored of them."""

    def __init__(self, *stored: Rule) -> None:
        self.stored: Final = {rule.rule_id: rule for rule in stored}
        self.clock: Final = FakeClock()
        self.rules: Final = Rules(
            self.clock,
            stored,
            lambda rule: self.stored.update({rule.rule_id: rule}),
            self._remove,
        )

    def _remove(self, rule_id: RuleId) -> None:
        del self.stored[rule_id]

    def choose(self, question: Permission) -> str | None:
        chosen = self.rules.choose(question)
        return None if chosen is None else chosen.option_id


def rule(kind: str, decision: str = "allow", agent: str = "alice") -> Rule:
    return Rule(
        rule_id=RuleId(f"u_{agent}_{kind}"),
        agent_id=AgentId(agent),
        kind=kind,
        decision="allow" if decision == "allow" else "reject",
        created_at="2026-11-30T12:00:00.000Z",
    )


@pytest.mark.parametrize(
    ("kept", "question", "chosen"),
    [
        pytest.param(rule("read"), asked("read"), "0 allow_once", id="allowed once"),
        pytest.param(rule("read", "reject"), asked("read"), "2 reject_once", id="rejected once"),
        pytest.param(rule("read"), asked("edit"), None, id="another kind"),
        pytest.param(rule("read"), asked("read", agent="bob"), None, id="another agent"),
        pytest.param(rule("read"), asked("read", ("allow_always",)), None, id="only an always"),
        pytest.param(rule("read"), asked("read", ("allow_once", "allow_once")), None, id="several"),
        pytest.param(rule("read"), asked("read", ("reject_once",)), None, id="only the other"),
        pytest.param(rule("read"), asked("read", ()), None, id="no options"),
        pytest.param(rule("read"), asked("read", ("yes",)), None, id="a kind of its own"),
        pytest.param(rule("execute"), asked("execute"), None, id="execute is always asked"),
        pytest.param(rule("other"), asked("other"), None, id="other is always asked"),
        pytest.param(rule(""), asked(""), None, id="an empty kind is always asked"),
        pytest.param(rule(""), asked(None), None, id="no kind is always asked"),
    ],
)
def test_a_rule_chooses(kept: Rule, question: Permission, chosen: str | None) -> None:
    assert Book(kept).choose(question) == chosen


@pytest.mark.parametrize(
    ("question", "option"),
    [
        pytest.param(asked("read"), "1 allow_always", id="an always"),
        pytest.param(asked("read"), "3 reject_always", id="a never"),
        pytest.param(asked("execute"), "0 allow_once", id="execute"),
        pytest.param(asked("other"), "0 allow_once", id="other"),
        pytest.param(asked(None), "0 allow_once", id="no kind"),
        pytest.param(asked("read", ("allow_once", "allow_once")), "0 allow_once", id="several"),
        pytest.param(asked("read", ("yes",)), "0 yes", id="a kind of its own"),
        pytest.param(asked("read"), "9 nothing", id="no option of the question"),
    ],
)
def test_an_answer_that_no_rule_could_give_is_not_kept(question: Permission, option: str) -> None:
    book = Book()
    with pytest.raises(SidekicksError) as refused:
        book.rules.keep(question, option)
    assert refused.value.code == "invalid"
    assert book.stored == {}
    assert book.rules.of(None) == ()


def test_an_answer_that_is_kept_answers_the_next_question() -> None:
    book = Book()
    book.rules.keep(asked("read"), "0 allow_once")
    assert book.choose(asked("read", ("reject_once", "allow_once"))) == "1 allow_once"
    (kept,) = book.stored.values()
    assert (kept.agent_id, kept.kind, kept.decision) == ("alice", "read", "allow")
    assert kept.created_at == book.clock.now()


def test_another_answer_to_the_same_takes_the_place_of_the_first() -> None:
    book = Book(rule("edit"), rule("read", agent="bob"))
    book.rules.keep(asked("read"), "0 allow_once")
    book.rules.keep(asked("read"), "2 reject_once")
    assert book.choose(asked("read")) == "2 reject_once"
    assert book.choose(asked("read", agent="bob")) == "0 allow_once"
    kinds = sorted((r.agent_id, r.kind, r.decision) for r in book.stored.values())
    assert kinds == [
        ("alice", "edit", "allow"),
        ("alice", "read", "reject"),
        ("bob", "read", "allow"),
    ]


def test_a_rule_that_is_taken_back_chooses_no_more() -> None:
    kept = rule("read")
    book = Book(kept)
    book.rules.delete(kept.rule_id)
    assert book.choose(asked("read")) is None
    assert book.stored == {}
    with pytest.raises(SidekicksError) as refused:
        book.rules.delete(kept.rule_id)
    assert refused.value.code == "not_found"


def test_rules_are_listed_by_agent_and_in_all() -> None:
    book = Book(rule("read"), rule("edit", agent="bob"), rule("edit"))
    assert [r.kind for r in book.rules.of(AgentId("alice"))] == ["read", "edit"]
    assert [r.agent_id for r in book.rules.of(None)] == ["alice", "bob", "alice"]
    assert book.rules.of(AgentId("nobody")) == ()
