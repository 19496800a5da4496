"""What is sent: too large, cut short, or no command at all."""

import asyncio

import pytest

from fakes.invoke import FakeInvoke
from fakes.raw_http import ask, connect, encode_request
from fakes.tool import COMMAND, allowed, assert_refused, command
from sidekicks.base.hub import Hub
from sidekicks.server import Server
from sidekicks.server.app import COMMAND_BYTES, EXCHANGE_BYTES


async def test_the_largest_command_is_taken(server: Server, invoke: FakeInvoke) -> None:
    body = b"x" * COMMAND_BYTES
    assert (await command(server, {}, body)).status == 200
    assert len(invoke.asked[0]) == COMMAND_BYTES


LIMITS = [("/invoke", COMMAND_BYTES), ("/exchange", EXCHANGE_BYTES)]


@pytest.mark.parametrize(("target", "limit"), LIMITS)
async def test_a_body_that_says_it_is_too_large_is_refused_unread(
    server: Server, invoke: FakeInvoke, target: str, limit: int
) -> None:
    headers = {**allowed(server), "content-length": str(limit + 1)}
    # Nothing of the body is sent: a server that read before it answered would not answer.
    assert_refused(await ask(server.origin, "POST", target, headers), 413, "too_large")
    assert invoke.asked == []


@pytest.mark.parametrize(("target", "limit"), LIMITS)
async def test_a_body_without_a_length_is_refused_once_it_is_too_large(
    server: Server, invoke: FakeInvoke, target: str, limit: int
) -> None:
    headers = {**allowed(server), "transfer-encoding": "chunked"}
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    # The last piece never comes.
    raw = [piece] * (limit // 0x10000 + 1)
    answer = await ask(server.origin, "POST", target, headers, raw=raw)
    assert_refused(answer, 413, "too_large")
    assert invoke.asked == []


async def test_a_page_that_leaves_while_it_sends_is_no_incident(
    server: Server, invoke: FakeInvoke, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {**allowed(server), "content-length": "100"}
    async with connect(server.origin) as stream:
        stream.writer.write(encode_request(server.origin, "POST", "/invoke", headers) + b"half")
        await stream.writer.drain()
    assert (await command(server, {})).status == 200
    await asyncio.sleep(0)
    assert invoke.asked == [COMMAND]
    assert caplog.records == []


async def test_a_command_goes_on_when_its_page_leaves(server: Server, invoke: FakeInvoke) -> None:
    invoke.open.clear()
    async with connect(server.origin) as stream:
        stream.writer.write(
            encode_request(server.origin, "POST", "/invoke", allowed(server), COMMAND)
        )
        await asyncio.wait_for(invoke.begun.wait(), 10)
    invoke.open.set()
    assert (await command(server, {})).status == 200
    assert len(invoke.asked) == 2


@pytest.mark.parametrize("after", ["x", "1.5", "0x1", "1%20"])
async def test_a_number_that_is_none_is_refused(server: Server, hub: Hub, after: str) -> None:
    answer = await ask(server.origin, "GET", f"/events?after={after}", allowed(server))
    assert_refused(answer, 400, "invalid")
    assert hub.readers == ()


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b'{"code": 1}', b'{"code": null}', b"\xff", b"{" * 4000]
)
async def test_an_exchange_that_is_none_is_refused(server: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    assert_refused(await ask(server.origin, "POST", "/exchange", headers, body), 400, "invalid")
