"""The budget of what a model is told of the conversation so far."""

from sidekicks.companion.chat import Said
from sidekicks.companion.history import History


def test_the_conversation_alternates_and_ends_with_the_prompt() -> None:
    history = History()
    history.add("hello", "good day")
    assert history.conversation("be kind", "and now?") == [
        Said("system", "be kind"),
        Said("user", "hello"),
        Said("assistant", "good day"),
        Said("user", "and now?"),
    ]


def test_the_oldest_exchanges_go_first() -> None:
    history = History(characters=20)
    history.add("a" * 5, "A" * 5)
    history.add("b" * 5, "B" * 5)
    history.add("c", "C")
    said = [entry.content for entry in history.conversation("s", "p")]
    assert said == ["s", "bbbbb", "BBBBB", "c", "C", "p"]


def test_one_exchange_beyond_the_budget_is_not_kept() -> None:
    history = History(characters=10)
    history.add("a", "A" * 100)
    assert len(history.conversation("s", "p")) == 2


def test_a_prompt_is_never_cut() -> None:
    prompt = "p" * 1000
    assert History(characters=10).conversation("s", prompt)[-1] == Said("user", prompt)


def test_an_answer_stopped_before_its_first_word_keeps_the_sides_alternating() -> None:
    history = History()
    history.add("hello", "")
    assert [entry.role for entry in history.conversation("s", "p")] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert history.conversation("s", "p")[2].content
