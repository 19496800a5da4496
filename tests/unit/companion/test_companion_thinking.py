"""Thoughts in tags, in pieces of any size."""

import pytest

from sidekicks.companion.thinking import Piece, Text, ThinkingTags, Thought


def split(*pieces: str) -> list[Piece]:
    tags = ThinkingTags()
    found = [piece for text in pieces for piece in tags.feed(text)]
    return join(found + tags.end())


def join(pieces: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and type(joined[-1]) is type(piece):
            joined[-1] = type(piece)(joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return joined


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_the_size_of_the_pieces_does_not_matter(size: int) -> None:
    answer = "\n<think>\nSo 2 < 3, </thin\nand?</think>\n\nYes: <b>."
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    assert split(*pieces) == [Thought("So 2 < 3, </thin\nand?"), Text("Yes: <b>.")]


def test_text_without_tags_is_text_at_once() -> None:
    assert ThinkingTags().feed("Hello") == [Text("Hello")]


def test_tags_further_on_are_text() -> None:
    assert split("Write ", "<think>x</think>") == [Text("Write <think>x</think>")]


def test_thoughts_that_never_end_stay_thoughts() -> None:
    assert split("<think>on and on</thi") == [Thought("on and on</thi")]


def test_a_beginning_that_looked_like_a_tag_is_not_lost() -> None:
    assert split("<thi") == [Text("<thi")]
    assert split("<", "3") == [Text("<3")]


def test_leading_blanks_of_an_answer_stay() -> None:
    assert split("  ", "- a") == [Text("  - a")]
