"""Updates of sessions that are not known yet: kept for those who come, and for nobody else."""

from sidekicks.acp import AgentMessageChunk, TextContent
from sidekicks.agents.early import KEPT_UPDATES, EarlyUpdates


def chunk(text: str) -> AgentMessageChunk:
    return AgentMessageChunk(content=TextContent(text=text))


def test_each_session_gets_its_own_in_order() -> None:
    early = EarlyUpdates()
    with early.opening():
        for session, text in (("a", "1"), ("b", "2"), ("a", "3")):
            early.keep(session, chunk(text))
        assert early.take("a") == [chunk("1"), chunk("3")]
        assert early.take("a") == []
        assert early.take("b") == [chunk("2")]


def test_nothing_is_kept_while_nothing_is_opened() -> None:
    early = EarlyUpdates()
    early.keep("inner", chunk("1"))
    with early.opening():
        assert early.take("inner") == []


def test_what_nobody_came_for_goes_with_the_last_opening() -> None:
    early = EarlyUpdates()
    with early.opening():
        with early.opening():
            early.keep("a", chunk("1"))
        assert early.take("a") == [chunk("1")]
        early.keep("b", chunk("2"))
    with early.opening():
        assert early.take("b") == []


def test_a_flood_is_kept_up_to_a_limit() -> None:
    early = EarlyUpdates()
    with early.opening():
        for number in range(KEPT_UPDATES + 10):
            early.keep("a", chunk(str(number)))
        assert len(early.take("a")) == KEPT_UPDATES
