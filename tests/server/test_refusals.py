"""Whom the server turns away: one test for each rule, over a real socket."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from fakes.invoke import FakeInvoke
from fakes.raw_http import Answer, Headers, ask, connect, encode_request
from sidekicks.base.hub import Hub
from sidekicks.base.words import set_language
from sidekicks.contract.events import ProblemClosed
from sidekicks.server import Server
from sidekicks.server.app import COMMAND_BYTES, EXCHANGE_BYTES

COMMAND = b'{"type": "get_snapshot"}'


def allowed(server: Server) -> dict[str, str]:
    """Return the headers of a tool's command."""
    return {"authorization": f"Bearer {server.secret}", "content-type": "application/json"}


async def command(server: Server, headers: Headers, body: bytes = COMMAND) -> Answer:
    """Send a command as a tool would, but for `headers`."""
    return await ask(server.origin, "POST", "/invoke", {**allowed(server), **headers}, body)


def browser(server: Server, **headers: str | None) -> Headers:
    """Return what our own page's request says of itself, but for `headers`."""
    own: dict[str, str | None] = {"origin": server.origin, "sec-fetch-site": "same-origin"}
    return own | {name.replace("_", "-"): value for name, value in headers.items()}


def assert_refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.error["code"]) == (status, code)
    assert answer.error["message"].endswith(".")
    assert answer.header("cache-control") == "no-store"
    assert_sealed(answer)


def assert_sealed(answer: Answer) -> None:
    """Check the headers that every answer has, and that it opens nothing to other pages."""
    policy = answer.header("content-security-policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'; base-uri 'none'; form-action 'none'" in policy
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert answer.header("cross-origin-opener-policy") == "same-origin"
    assert answer.header("cross-origin-resource-policy") == "same-origin"
    names = {name for name, _ in answer.headers}
    assert not any(name.startswith("access-control-") for name in names)
    assert names.isdisjoint({"server", "date", "set-cookie"})


async def test_a_tool_with_the_secret_is_answered(server: Server, invoke: FakeInvoke) -> None:
    answer = await command(server, {})
    assert (answer.status, answer.body) == (200, invoke.reply.body)
    assert invoke.asked == [COMMAND]
    assert_sealed(answer)


async def test_our_own_page_is_answered(server: Server) -> None:
    assert (await command(server, browser(server))).status == 200


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LocalHost"])
async def test_every_name_of_this_computer_is_ours(server: Server, name: str) -> None:
    host = f"{name}:{server.origin.rpartition(':')[2]}"
    assert (await command(server, {"host": host})).status == 200
    page = {"host": host.lower(), "origin": f"http://{host.lower()}"}
    assert (await command(server, page)).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.test:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}.evil.test",
        "127.0.0.1.evil.test:{port}",
        "localhost.:{port}",
        "0.0.0.0:{port}",
        "user@127.0.0.1:{port}",
        "",
        b"\xff\xfe:{port}",
    ],
)
async def test_another_host_is_refused(
    server: Server, invoke: FakeInvoke, host: str | bytes
) -> None:
    port = server.origin.rpartition(":")[2]
    text = host if isinstance(host, str) else host.decode("latin-1")
    headers = {"host": text.replace("{port}", port).encode("latin-1")}
    assert_refused(await command(server, headers), 403, "no_access")
    assert_refused(await ask(server.origin, "GET", "/", headers), 403, "no_access")
    assert invoke.asked == []


async def test_a_request_without_a_host_is_refused(server: Server) -> None:
    # HTTP/1.1 without it is malformed and never reaches the guard; HTTP/1.0 may leave it out.
    async with connect(server.origin) as stream:
        stream.writer.write(b"GET / HTTP/1.0\r\n\r\n")
        await stream.read_head()
        answer = Answer(stream.status, stream.headers, await stream.read_body())
    assert_refused(answer, 403, "no_access")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.test",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "null",
        "",
        "http://127.0.0.1:{port}/",
    ],
)
async def test_another_origin_is_refused(server: Server, invoke: FakeInvoke, origin: str) -> None:
    origin = origin.replace("{port}", server.origin.rpartition(":")[2])
    assert_refused(await command(server, {"origin": origin}), 403, "no_access")
    answer = await ask(server.origin, "GET", "/", {"origin": origin})
    assert_refused(answer, 403, "no_access")
    assert invoke.asked == []


async def test_two_origins_are_refused(server: Server) -> None:
    headers = {**allowed(server), "origin": server.origin, "Origin": "http://evil.test"}
    answer = await ask(server.origin, "POST", "/invoke", headers, COMMAND)
    assert_refused(answer, 403, "no_access")


@pytest.mark.parametrize("site", ["same-origin", "none", "same-site", "cross-site"])
async def test_a_browsers_command_without_an_origin_is_refused(
    server: Server, invoke: FakeInvoke, site: str
) -> None:
    assert_refused(await command(server, {"sec-fetch-site": site}), 403, "no_access")
    assert invoke.asked == []


@pytest.mark.parametrize("site", ["same-site", "cross-site", "new-word"])
async def test_a_command_of_another_site_is_refused(server: Server, site: str) -> None:
    answer = await command(server, browser(server, sec_fetch_site=site))
    assert_refused(answer, 403, "no_access")


async def test_another_page_cannot_embed_ours_but_may_link_to_it(server: Server) -> None:
    embedded = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert_refused(await ask(server.origin, "GET", "/", embedded), 403, "no_access")
    linked = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert (await ask(server.origin, "GET", "/", linked)).status == 200


PROTECTED = [("GET", "/events"), ("GET", "/events?after=0"), ("POST", "/invoke")]


@pytest.mark.parametrize(("method", "target"), PROTECTED)
async def test_without_the_secret_nothing_is_told(
    server: Server, invoke: FakeInvoke, hub: Hub, method: str, target: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = await ask(server.origin, method, target, headers, COMMAND if method == "POST" else b"")
    assert_refused(answer, 401, "no_access")
    assert answer.header("www-authenticate") == "Bearer"
    assert invoke.asked == []
    assert hub.readers == ()


@pytest.mark.parametrize(
    "given",
    [
        "Bearer wrong",
        "Bearer",
        "Bearer ",
        "",
        "Basic {secret}",
        "{secret}",
        "Bearer {secret}x",
        "Bearer x{secret}",
        "Bearer {secret} {secret}",
        b"Bearer \xc3\xa9\xff",
        "Bearer " + "x" * 10_000,
    ],
)
@pytest.mark.parametrize(("method", "target"), PROTECTED)
async def test_a_wrong_secret_is_refused(
    server: Server, invoke: FakeInvoke, given: str | bytes, method: str, target: str
) -> None:
    if isinstance(given, str):
        given = given.replace("{secret}", server.secret)
    headers = {"content-type": "application/json", "authorization": given}
    answer = await ask(server.origin, method, target, headers, COMMAND if method == "POST" else b"")
    assert_refused(answer, 401, "no_access")
    assert invoke.asked == []


async def test_the_secret_is_not_taken_from_the_address_or_a_cookie(server: Server) -> None:
    cookie = {"cookie": f"secret={server.secret}"}
    answer = await ask(server.origin, "GET", f"/events?secret={server.secret}", cookie)
    assert_refused(answer, 401, "no_access")


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "",
        "text/plain",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-patch+json",
        b"application/json\xff",
    ],
)
@pytest.mark.parametrize("target", ["/invoke", "/exchange"])
async def test_another_content_type_is_refused(
    server: Server, invoke: FakeInvoke, kind: str | bytes | None, target: str
) -> None:
    headers = {**allowed(server), "content-type": kind}
    code = server.new_link().partition("=")[2]
    answer = await ask(server.origin, "POST", target, headers, b'{"code": "%b"}' % code.encode())
    assert_refused(answer, 415, "invalid")
    assert invoke.asked == []


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON"])
async def test_json_may_be_said_in_other_ways(server: Server, kind: str) -> None:
    assert (await command(server, {"content-type": kind})).status == 200


@pytest.mark.parametrize(
    "target",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "/assets/../index.html",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/./index-B1x_9.js",
        "/./",
        "//",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/etc/passwd",
        "//invoke",
        "/invoke/",
        "/%69nvoke",
        "/index.html%00",
        "/%00",
        "/icon.svg%00.html",
        "/icon.svg/",
        "/icon.svg;x",
        "/ICON.SVG",
        "/assets",
        "/assets/",
        "/nothing",
        "/secret.txt",
        "/schema",
        "/%E2%80%A5/",
        "/..%c0%afsecret.txt",
        "http://127.0.0.1/secret.txt",
        "*",
    ],
)
async def test_what_is_not_listed_is_not_there(server: Server, target: str) -> None:
    for headers in ({}, allowed(server)):
        assert_refused(await ask(server.origin, "GET", target, headers), 404, "not_found")


async def test_bytes_that_no_address_has_are_refused(server: Server) -> None:
    for target in (b"/\x00", b"/\xff", b"/a b"):
        answer = await ask(server.origin, "GET", target)
        assert answer.status == 400
        assert b"Sidekicks" not in answer.body


@pytest.mark.parametrize(
    ("method", "target", "takes"),
    [
        ("GET", "/invoke", "POST"),
        ("HEAD", "/invoke", "POST"),
        ("POST", "/events", "GET"),
        ("GET", "/exchange", "POST"),
        ("POST", "/", "GET, HEAD"),
        ("POST", "/assets/index-B1x_9.js", "GET, HEAD"),
        ("PUT", "/invoke", "GET, HEAD, POST"),
        ("DELETE", "/", "GET, HEAD, POST"),
        ("OPTIONS", "/invoke", "GET, HEAD, POST"),
        ("TRACE", "/", "GET, HEAD, POST"),
        ("BREW", "/", "GET, HEAD, POST"),
    ],
)
async def test_another_method_is_refused(
    server: Server, method: str, target: str, takes: str
) -> None:
    answer = await ask(server.origin, method, target, allowed(server))
    assert answer.status == 405
    assert answer.header("allow") == takes
    if method != "HEAD":
        assert_refused(answer, 405, "invalid")


async def test_another_pages_preflight_is_not_granted(server: Server) -> None:
    asking = {
        "origin": "http://evil.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
    }
    assert_refused(await ask(server.origin, "OPTIONS", "/invoke", asking), 403, "no_access")


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


async def test_the_bridges_answer_goes_out_as_it_is(server: Server, invoke: FakeInvoke) -> None:
    invoke.reply = type(invoke.reply)(b'{"ok":false}', 409)
    answer = await command(server, {})
    assert (answer.status, answer.body) == (409, b'{"ok":false}')


async def test_a_failure_is_told_under_an_incident_and_nothing_more(
    server: Server, invoke: FakeInvoke, caplog: pytest.LogCaptureFixture
) -> None:
    invoke.failure = RuntimeError("something that nobody should read")
    answer = await command(server, {})
    assert_refused(answer, 500, "internal")
    assert b"nobody should read" not in answer.body
    (record,) = caplog.records
    incident = record.getMessage().removeprefix("incident ")
    assert incident in answer.error["message"]
    assert server.secret not in caplog.text


async def test_a_refusal_says_the_hubs_number(server: Server, hub: Hub) -> None:
    hub.publish(ProblemClosed(problem_id="x"))
    for headers in ({}, {"host": "evil.test"}):
        answer = await ask(server.origin, "GET", "/nothing", headers)
        assert json.loads(answer.body)["seq"] == 1


@pytest.fixture
def french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("en")


@pytest.mark.usefixtures("french")
async def test_a_refusal_speaks_the_persons_language(server: Server) -> None:
    answer = await ask(server.origin, "GET", "/nothing")
    assert answer.error["message"] == "Il n’y a rien à cette adresse."


async def test_a_stranger_is_not_kept_connected(server: Server) -> None:
    headers = {**allowed(server), "origin": "http://evil.test", "content-length": "1000000"}
    answer = await ask(server.origin, "POST", "/invoke", headers)
    assert_refused(answer, 403, "no_access")
    assert answer.header("connection") == "close"
