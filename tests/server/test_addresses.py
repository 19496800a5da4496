"""What can be asked for, and in which way; everything else is not there."""

import pytest

from fakes.raw_http import ask
from fakes.tool import allowed, assert_refused
from sidekicks.server import Server


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
