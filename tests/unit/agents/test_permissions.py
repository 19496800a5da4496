"""Questions to the person: asked once, answered once, closed with whom they belong to."""

from typing import Any, Final

import msgspec
import pytest

from fakes.clock import FakeClock
from sidekicks.acp import PermissionAsked, ToolCallUpdate
from sidekicks.acp import PermissionOption as AgentOption
from sidekicks.agents import CANCELLED, Permissions, Rules
from sidekicks.base.hub import Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId, ChannelId, PermissionId, TurnId
from sidekicks.contract.state import Permission, PermissionOption, Rule, ToolCall
from sidekicks.contract.wire import Event

NAMES: Final = ("allow", "reject")


class Desk:
    """The questions, what was told of them and what agents were answered."""

    def __init__(self) -> None:
        self.events: Final[list[dict[str, Any]]] = []
        self.changed: Final[list[str]] = []
        self.answered: Final[dict[str, list[str | None]]] = {}
        hub = Hub()
        hub.listen(self._on_event)
        rules = Rules(FakeClock(), (), lambda rule: None, lambda rule_id: None)
        self.permissions: Final = Permissions(hub, rules)
        self.permissions.listen(lambda permission: self.changed.append(permission.permission_id))

    def ask(self, name: str, agent: str = "alice", kind: str | None = None) -> PermissionAsked:
        """Have an agent ask; return its side of the question."""
        options = tuple(AgentOption(option_id=o, name=o, kind=f"{o}_once") for o in NAMES)
        answers: list[str | None] = []
        self.answered[name] = answers
        asked = PermissionAsked("s1", ToolCallUpdate(tool_call_id="t1"), options, answers.append)
        self.permissions.ask(
            Permission(
                permission_id=PermissionId(name),
                channel_id=ChannelId("c1"),
                agent_id=AgentId(agent),
                turn_id=TurnId("t1"),
                tool_call=ToolCall(tool_call_id="t1", title="Write", kind=kind),
                options=tuple(
                    PermissionOption(option_id=o, name=o, kind=f"{o}_once") for o in NAMES
                ),
                asked_at="2026-11-30T12:00:00.000Z",
            ),
            asked,
        )
        return asked

    def open(self) -> list[str]:
        return [permission.permission_id for permission in self.permissions.open]

    def answer(self, name: str, option: str) -> None:
        self.permissions.answer(PermissionId(name), option)

    def _on_event(self, event: Event) -> None:
        self.events.append(msgspec.to_builtins(event))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_question_is_told_and_is_open(desk: Desk) -> None:
    desk.ask("q1")
    desk.ask("q2")
    assert desk.open() == ["q1", "q2"]
    assert [event["type"] for event in desk.events] == ["permission.asked"] * 2
    assert desk.events[0]["permission"]["permissionId"] == "q1"
    assert desk.changed == ["q1", "q2"]
    assert desk.answered == {"q1": [], "q2": []}


def test_an_answer_goes_to_the_agent_once(desk: Desk) -> None:
    desk.ask("q1")
    desk.answer("q1", "reject")
    assert desk.answered["q1"] == ["reject"]
    assert desk.open() == []
    closed = desk.events[-1]
    assert (closed["type"], closed["permissionId"], closed["outcome"]) == (
        "permission.closed",
        "q1",
        "reject",
    )
    with pytest.raises(SidekicksError) as again:
        desk.answer("q1", "allow")
    assert again.value.code == "not_found"
    assert desk.answered["q1"] == ["reject"]
    assert len(desk.events) == 2


def test_an_option_that_the_agent_does_not_offer_leaves_the_question_open(desk: Desk) -> None:
    desk.ask("q1")
    for option in ("allow_always", "", "Allow", CANCELLED):
        with pytest.raises(SidekicksError) as refused:
            desk.answer("q1", option)
        assert refused.value.code == "invalid"
    assert desk.open() == ["q1"]
    assert desk.answered["q1"] == []
    desk.answer("q1", "allow")
    assert desk.answered["q1"] == ["allow"]


def test_a_question_that_never_was_is_not_found(desk: Desk) -> None:
    with pytest.raises(SidekicksError) as refused:
        desk.answer("q9", "allow")
    assert refused.value.code == "not_found"


def test_cancelling_closes_only_what_it_is_about(desk: Desk) -> None:
    desk.ask("q1", "alice")
    desk.ask("q2", "bob")
    desk.ask("q3", "alice")
    desk.permissions.cancel(lambda asked: asked.agent_id == "alice")
    assert desk.open() == ["q2"]
    assert desk.answered == {"q1": [None], "q2": [], "q3": [None]}
    closed = [(e["permissionId"], e["outcome"]) for e in desk.events if "outcome" in e]
    assert closed == [("q1", CANCELLED), ("q3", CANCELLED)]
    desk.permissions.cancel(lambda asked: asked.agent_id == "alice")
    assert len(desk.events) == 5


def test_a_question_that_the_agent_withdrew_is_closed_and_not_answered(desk: Desk) -> None:
    asked = desk.ask("q1")
    asked.on_withdrawn = lambda: desk.permissions.cancel(lambda one: one.permission_id == "q1")
    assert asked.withdraw()
    assert desk.open() == []
    assert desk.answered["q1"] == []
    assert desk.events[-1]["outcome"] == CANCELLED
    with pytest.raises(SidekicksError):
        desk.answer("q1", "allow")
    assert desk.answered["q1"] == []


def test_questions_may_be_asked_while_others_are_cancelled(desk: Desk) -> None:
    desk.ask("q1")

    def ask_again(changed: Permission) -> None:
        if changed.permission_id == "q1":
            desk.ask("q2")

    desk.permissions.listen(ask_again)
    desk.permissions.cancel(lambda asked: True)
    assert desk.open() == ["q2"]


@pytest.mark.parametrize("kind", [None, "other", "execute"])
def test_an_answer_that_no_rule_could_give_is_not_remembered(desk: Desk, kind: str | None) -> None:
    desk.ask("q1", kind=kind)
    with pytest.raises(SidekicksError) as refused:
        desk.permissions.answer(PermissionId("q1"), "allow", remember=True)
    assert refused.value.code == "invalid"
    assert desk.open() == ["q1"]
    assert desk.answered["q1"] == []


def test_a_remembered_answer_is_kept_as_a_rule(desk: Desk) -> None:
    desk.ask("q1", kind="read")
    desk.permissions.answer(PermissionId("q1"), "allow", remember=True)
    assert desk.answered["q1"] == ["allow"]
    (rule,) = desk.permissions.rules.of(AgentId("alice"))
    assert isinstance(rule, Rule)
    assert (rule.kind, rule.decision) == ("read", "allow")
