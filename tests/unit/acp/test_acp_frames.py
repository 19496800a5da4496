"""What counts as a frame, what is mended, and that what we send is one line of UTF-8."""

import pytest

from sidekicks.acp.content import TextContent
from sidekicks.acp.frames import encode, parse


@pytest.mark.parametrize(
    "line",
    [
        b"npm WARN deprecated something",
        b"\x1b[31mERROR\x1b[0m oops",
        b"[1,2]",
        b"42",
        b"null",
        b'"x"',
        b"true",
        b"NaN",
        b"{}",
        b'{"id":1,"result":{}}',
        b'{"jsonrpc":"1.0","id":1,"result":{}}',
        b'{"jsonrpc":2.0,"id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1',
        b'{"jsonrpc":"2.0"} {"jsonrpc":"2.0"}',
        b'DEBUG sent {"jsonrpc":"2.0","id":1,"result":{}}',
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"jsonrpc":"2.0","id":1,"result":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}",
        b'{"jsonrpc":"2.0","id":NaN,"result":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"\xff\xfe{\x00",
        b'{"jsonrpc":"2.0","id":' + b"1" * 5000 + b"}",
    ],
    ids=lambda line: repr(line[:40]),
)
def test_what_is_no_json_rpc_object_is_no_frame(line: bytes) -> None:
    assert parse(line) is None


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"ok", "ok"),
        (b"\xff", "\ufffd"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (rb"\ud800", "\ufffd"),
        (rb"\udc00\ud800", "\ufffd\ufffd"),
        (rb"\ud83d\ude00\ud83d", "😀\ufffd"),
        (rb"\\ud800", r"\ud800"),
        (rb"\ud800\\ud800", "\ufffd" + r"\ud800"),
        (b"tab\there", "tab\there"),
        (b"esc \x1b[0m", "esc \x1b[0m"),
        ("naïve 😀".encode(), "naïve 😀"),
    ],
)
def test_a_text_is_mended_rather_than_lost(line: bytes, text: str) -> None:
    frame = parse(b'{"jsonrpc":"2.0","id":1,"result":"' + line + b'"}')
    assert frame == {"jsonrpc": "2.0", "id": 1, "result": text}


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999"])
def test_what_is_no_number_in_json_becomes_null(number: bytes) -> None:
    frame = parse(b'{"jsonrpc":"2.0","id":1,"result":[' + number + b",1.5]}")
    assert frame is not None
    assert frame["result"] == [None, 1.5]


def test_a_byte_order_mark_and_a_carriage_return_do_not_matter() -> None:
    assert parse(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{}}\r') is not None


def test_a_file_name_that_is_not_utf8_can_be_sent() -> None:
    block = TextContent(text=b"caf\xe9 \xf0\x9f\x98\x80".decode(errors="surrogateescape"))
    frame = parse(encode(id=1, method="x", params=block))
    assert frame is not None
    assert frame["params"] == {"type": "text", "text": "caf\ufffd 😀"}


def test_what_is_sent_is_one_line_of_utf8() -> None:
    line = encode(id=1, result={"text": 'a\nb\r\u2028\x00"\\é😀'})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.count(b"\r") == 0
    frame = parse(line)
    assert frame is not None
    assert frame["result"]["text"] == 'a\nb\r\u2028\x00"\\é😀'
