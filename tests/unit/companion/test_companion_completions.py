"""What servers send, and what is made of it."""

import json
from typing import Any

import pytest

from sidekicks.companion.completions import LINE_BYTES, Completion, EventLines, server_words
from sidekicks.companion.thinking import Text, Thought


def chunk(delta: dict[str, Any] | None, reason: str | None = None) -> bytes:
    return json.dumps({"choices": [{"delta": delta, "finish_reason": reason}]}).encode()


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_lines_are_put_together_wherever_they_are_cut(size: int) -> None:
    stream = b': note\r\nevent: x\r\ndata: {"a":1}\r\n\r\ndata:{"b":"\xc3\xa9"}\n\ndata: [DONE]\n\n'
    lines = EventLines()
    found = [
        data for at in range(0, len(stream), size) for data in lines.feed(stream[at : at + size])
    ]
    assert found == [b'{"a":1}', b'{"b":"\xc3\xa9"}', b"[DONE]"]


def test_a_line_without_an_end_is_not_gathered_for_ever() -> None:
    lines = EventLines()
    lines.feed(b"x" * LINE_BYTES)
    with pytest.raises(ConnectionError):
        lines.feed(b"x")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_have_several_names(field: str) -> None:
    assert Completion().feed(chunk({field: "hm", "content": None})) == [Thought("hm")]


def test_thought_and_text_in_one_chunk() -> None:
    assert Completion().feed(chunk({"reasoning": "hm", "content": "yes"})) == [
        Thought("hm"),
        Text("yes"),
    ]


def test_an_answer_is_complete_by_its_reason_or_its_last_word() -> None:
    completion = Completion()
    completion.feed(chunk({"content": "a"}))
    assert (completion.reason, completion.ended) == ("", False)
    completion.feed(chunk({}, "length"))
    completion.feed(b"[DONE]")
    assert (completion.reason, completion.ended) == ("length", True)
    bare = Completion()
    bare.feed(b"[DONE]")
    assert bare.reason == "stop"


@pytest.mark.parametrize(
    "event",
    [
        b"{",
        b"[]",
        b"null",
        b'{"choices":[]}',
        b'{"choices":[{}]}',
        b'{"choices":[{"delta":{"content":7}}]}',
        b'{"usage":{"total_tokens":3}}',
    ],
)
def test_what_cannot_be_read_is_skipped(event: bytes) -> None:
    completion = Completion()
    assert completion.feed(event) == []
    assert completion.feed(chunk({"content": "a"})) == [Text("a")]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"message": "out of\n memory", "code": 500}, "out of memory"),
        ("out of memory", "out of memory"),
        ({"code": 500}, "500"),
        ({"message": "x" * 1000}, "x" * 300 + "…"),
    ],
)
def test_an_error_in_the_stream_is_told_in_one_line(error: object, told: str) -> None:
    completion = Completion()
    completion.feed(json.dumps({"error": error}).encode())
    assert completion.error == told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"error":{"message":"no key"}}', "no key"),
        (b'{"error":"no key"}', "no key"),
        (b'{"message":"no key"}', "no key"),
        (b'{"detail":"no key"}', "no key"),
        (b"no\nkey", "no key"),
        (b"<html><h1>502</h1></html>", ""),
        (b"[1]", ""),
        (b"", ""),
        (b"\xff", "\ufffd"),
    ],
)
def test_a_servers_own_words(body: bytes, told: str) -> None:
    assert server_words(body) == told
