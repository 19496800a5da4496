"""Whom the server turns away: one test for each rule, over a real socket."""

import pytest

from fakes.invoke import FakeInvoke
from fakes.raw_http import Answer, Headers, ask, connect
from fakes.tool import COMMAND, allowed, assert_refused, assert_sealed, command
from sidekicks.base.hub import Hub
from sidekicks.server import Server


def browser(server: Server, **headers: str | None) -> Headers:
    """Return what our own page's request says of itself, but for `headers`."""
    own: dict[str, str | None] = {"origin": server.origin, "sec-fetch-site": "same-origin"}
    return own | {name.replace("_", "-"): value for name, value in headers.items()}


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


async def test_a_stranger_is_not_kept_connected(server: Server) -> None:
    headers = {**allowed(server), "origin": "http://evil.test", "content-length": "1000000"}
    answer = await ask(server.origin, "POST", "/invoke", headers)
    assert_refused(answer, 403, "no_access")
    assert answer.header("connection") == "close"
