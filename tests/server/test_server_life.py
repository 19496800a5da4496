"""The server's start and end: ports, secrets, and that nothing holds the end up."""

import asyncio
import logging
import signal
import socket
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from fakes.invoke import FakeInvoke
from fakes.raw_http import ask, connect, encode_request
from fakes.waiting import until
from sidekicks.base.hub import READER_BYTES, Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import ProblemClosed
from sidekicks.server import Server
from sidekicks.server.sockets import listen

Make = Callable[..., Server]

has_ipv6 = sys.platform == "darwin" or Path("/proc/net/if_inet6").exists()


@pytest.fixture
def make(hub: Hub, invoke: FakeInvoke, ui_folder: Path) -> Make:
    def make_server(port: int = 0, secret: str | None = None) -> Server:
        return Server(invoke=invoke, hub=hub, ui_folder=ui_folder, port=port, secret=secret)

    return make_server


@asynccontextmanager
async def running(server: Server) -> AsyncGenerator[Server]:
    await server.start()
    try:
        yield server
    finally:
        await server.stop(5)


def port_of(server: Server) -> int:
    return int(server.origin.rpartition(":")[2])


async def test_it_listens_on_the_loopback_alone(make: Make) -> None:
    async with running(make()) as server:
        assert server.origin.startswith("http://127.0.0.1:")
        assert (await ask(server.origin, "GET", "/")).status == 200
        addresses = {
            each.laddr.ip
            for each in psutil.Process().net_connections("tcp")
            if each.status == psutil.CONN_LISTEN and each.laddr.port == port_of(server)
        }
    assert addresses == ({"127.0.0.1", "::1"} if has_ipv6 else {"127.0.0.1"})


@pytest.mark.skipif(not has_ipv6, reason="this computer has no IPv6")
async def test_it_answers_at_both_loopback_addresses(make: Make) -> None:
    async with running(make()) as server:
        origin = f"http://[::1]:{port_of(server)}"
        assert (await ask(origin, "GET", "/")).status == 200


async def test_small_answers_waited_forty_milliseconds() -> None:
    # asyncio switches Nagle's algorithm off only at sockets that were made with a protocol.
    at_once: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        at_once.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    first, *others = listen(0)
    for other in others:
        other.close()
    origin = f"http://127.0.0.1:{first.getsockname()[1]}"
    async with await asyncio.start_server(accept, sock=first), connect(origin):
        assert await asyncio.wait_for(at_once, 10) != 0


async def test_a_secret_has_256_bits_and_each_run_its_own(make: Make) -> None:
    one, other = make(), make()
    assert one.secret != other.secret
    assert len(one.secret) >= 43
    assert make(secret="given").secret == "given"


async def test_the_secret_is_in_no_log_and_in_no_description(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with running(make()) as server:
        link = server.new_link()
        code = link.partition("=")[2]
        headers = {
            "authorization": f"Bearer {server.secret}",
            "content-type": "application/json",
        }
        body = b'{"code": "%b"}' % code.encode()
        assert (await ask(server.origin, "POST", "/exchange", headers, body)).status == 200
        assert (await ask(server.origin, "POST", "/invoke", headers, b"{}")).status == 200
        assert (await ask(server.origin, "POST", "/nothing", headers, b"{}")).status == 404
        description = repr(server)
    for text in (caplog.text, description):
        assert server.secret not in text
        assert code not in text


async def test_two_servers_run_side_by_side_and_know_only_their_own_secret(make: Make) -> None:
    async with running(make()) as one, running(make()) as other:
        assert one.origin != other.origin
        for server, foreign in ((one, other), (other, one)):
            headers = {
                "authorization": f"Bearer {server.secret}",
                "content-type": "application/json",
            }
            assert (await ask(server.origin, "POST", "/invoke", headers, b"{}")).status == 200
            assert (await ask(foreign.origin, "POST", "/invoke", headers, b"{}")).status == 401


async def test_a_busy_port_is_said(make: Make) -> None:
    async with running(make()) as server:
        second = make(port=port_of(server))
        with pytest.raises(SidekicksError) as caught:
            await second.start()
        assert caught.value.code == "unavailable"
        assert str(port_of(server)) in caught.value.message
        await second.stop(5)
        assert (await ask(server.origin, "GET", "/")).status == 200


@pytest.mark.skipif(not has_ipv6, reason="this computer has no IPv6")
async def test_a_port_that_is_busy_in_the_other_family_is_said(make: Make) -> None:
    with socket.socket(socket.AF_INET6) as other:
        other.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        other.bind(("::1", 0))
        other.listen()
        with pytest.raises(SidekicksError) as caught:
            await make(port=other.getsockname()[1]).start()
    assert caught.value.code == "unavailable"


@pytest.mark.parametrize("port", [65536, -1])
async def test_a_port_that_is_none_is_said(make: Make, port: int) -> None:
    with pytest.raises(SidekicksError) as caught:
        await make(port=port).start()
    assert caught.value.code == "no_access"
    assert str(port) in caught.value.message


async def test_the_same_port_can_be_used_again_at_once(make: Make) -> None:
    async with running(make()) as server, connect(server.origin) as stream:
        port = port_of(server)
        stream.writer.write(encode_request(server.origin, "GET", "/", {}))
        await stream.read_head()
        # The server closes first: its side of the connection is what lingers.
        await server.stop(5)
        async with running(make(port=port)) as again:
            assert (await ask(again.origin, "GET", "/")).status == 200


async def test_signals_stay_as_they_were(make: Make) -> None:
    assert threading.current_thread() is threading.main_thread()
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    async with running(make()):
        during = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    assert during == before


async def test_after_the_stop_nobody_is_answered(make: Make) -> None:
    async with running(make()) as server:
        await server.stop(5)
        with pytest.raises(ConnectionError):
            await ask(server.origin, "GET", "/")


async def test_a_server_that_never_started_stops(make: Make) -> None:
    await make().stop(5)


async def bounded_stop(server: Server, seconds: float) -> None:
    """Stop, and fail if that takes much longer than it may."""
    async with asyncio.timeout(seconds + 10):
        await server.stop(seconds)


async def open_stream(server: Server, writer: asyncio.StreamWriter) -> None:
    headers = {"authorization": f"Bearer {server.secret}"}
    writer.write(encode_request(server.origin, "GET", "/events", headers))
    await writer.drain()


async def test_a_closed_hub_lets_the_end_come_by_itself(make: Make, hub: Hub) -> None:
    async with running(make()) as server, connect(server.origin) as stream:
        await open_stream(server, stream.writer)
        await stream.read_head()
        hub.close()
        await bounded_stop(server, 20)
        await stream.read_events()
        assert await stream.read_frame() == b"event: close\ndata: []"
        assert await stream.read_frame() is None


async def test_a_stream_that_nobody_closed_does_not_hold_up_the_end(
    make: Make, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(make()) as server, connect(server.origin) as stream:
        await open_stream(server, stream.writer)
        await stream.read_events_after_head()
        await bounded_stop(server, 0.5)
        assert hub.readers == ()
        assert caplog.records == []


async def test_a_page_that_does_not_read_does_not_hold_up_the_end(
    make: Make, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(make()) as server, connect(server.origin) as stream:
        await open_stream(server, stream.writer)
        await stream.read_events_after_head()
        for _ in range(READER_BYTES // 100_000):
            hub.publish(ProblemClosed(problem_id="." * 100_000))
        hub.close()
        await bounded_stop(server, 0.5)
        assert hub.readers == ()
        assert caplog.records == []


async def test_a_command_that_does_not_end_does_not_hold_up_the_end(
    make: Make, invoke: FakeInvoke
) -> None:
    invoke.open.clear()
    async with running(make()) as server, connect(server.origin) as stream:
        headers = {
            "authorization": f"Bearer {server.secret}",
            "content-type": "application/json",
        }
        stream.writer.write(encode_request(server.origin, "POST", "/invoke", headers, b"{}"))
        await asyncio.wait_for(invoke.begun.wait(), 10)
        await bounded_stop(server, 0.5)
        await until(lambda: invoke.cancelled == 1)


async def test_a_command_that_is_nearly_done_is_answered_before_the_end(
    make: Make, invoke: FakeInvoke
) -> None:
    invoke.open.clear()
    async with running(make()) as server, connect(server.origin) as stream:
        headers = {
            "authorization": f"Bearer {server.secret}",
            "content-type": "application/json",
        }
        stream.writer.write(encode_request(server.origin, "POST", "/invoke", headers, b"{}"))
        await asyncio.wait_for(invoke.begun.wait(), 10)
        stopping = asyncio.create_task(server.stop(20))
        await asyncio.sleep(0)
        invoke.open.set()
        await stream.read_head()
        assert stream.status == 200
        assert await stream.read_body() == invoke.reply.body
        await asyncio.wait_for(stopping, 30)


async def test_a_half_sent_request_does_not_hold_up_the_end(make: Make) -> None:
    async with running(make()) as server, connect(server.origin) as stream:
        stream.writer.write(b"GET / HTTP/1.1\r\nHost: 127")
        await stream.writer.drain()
        async with connect(server.origin) as sending:
            headers = {
                "authorization": f"Bearer {server.secret}",
                "content-type": "application/json",
                "content-length": "10",
            }
            sending.writer.write(encode_request(server.origin, "POST", "/invoke", headers))
            await sending.writer.drain()
            await bounded_stop(server, 0.5)
