"""The link's one-time code, and the secret that the page gets for it."""

import json
from pathlib import Path

import pytest

from fakes.clock import FakeClock
from fakes.invoke import FakeInvoke
from fakes.raw_http import Answer, ask
from sidekicks.base.hub import Hub
from sidekicks.server import Server
from sidekicks.server.codes import CODE_SECONDS, KEPT_CODES, TRIES_SECONDS, WRONG_TRIES


async def exchange(server: Server, code: str) -> Answer:
    headers = {
        "content-type": "application/json",
        "origin": server.origin,
        "sec-fetch-site": "same-origin",
    }
    body = json.dumps({"code": code}).encode()
    return await ask(server.origin, "POST", "/exchange", headers, body)


def code_of(link: str) -> str:
    return link.partition("#code=")[2].partition("&")[0]


def secret_in(answer: Answer) -> str:
    assert answer.status == 200
    assert answer.header("cache-control") == "no-store"
    return json.loads(answer.body)["secret"]


async def test_a_links_code_gives_the_secret(server: Server) -> None:
    link = server.new_link()
    assert link.startswith(f"{server.origin}/#code=")
    assert server.secret not in link
    assert secret_in(await exchange(server, code_of(link))) == server.secret


async def test_the_windows_link_says_that_it_is(server: Server) -> None:
    link = server.new_link(window=True)
    assert link.endswith("&window")
    assert secret_in(await exchange(server, code_of(link))) == server.secret


async def test_a_code_works_once(server: Server) -> None:
    code = code_of(server.new_link())
    secret_in(await exchange(server, code))
    answer = await exchange(server, code)
    assert (answer.status, answer.error["code"]) == (403, "no_access")


async def test_each_link_has_a_code_of_its_own(server: Server) -> None:
    codes = [code_of(server.new_link()) for _ in range(3)]
    assert len(set(codes)) == 3
    for code in reversed(codes):
        secret_in(await exchange(server, code))


async def test_a_code_gets_too_old(server: Server, clock: FakeClock) -> None:
    early, late = code_of(server.new_link()), code_of(server.new_link())
    clock.advance(CODE_SECONDS - 1)
    secret_in(await exchange(server, early))
    clock.advance(1)
    assert (await exchange(server, late)).status == 403


async def test_few_links_wait_to_be_opened(server: Server) -> None:
    codes = [code_of(server.new_link()) for _ in range(KEPT_CODES + 1)]
    assert (await exchange(server, codes[0])).status == 403
    for code in codes[1:]:
        secret_in(await exchange(server, code))


@pytest.mark.parametrize("code", ["", "wrong", "é", "\ud800", "\x00"])
async def test_a_code_that_was_never_given_is_refused(server: Server, code: str) -> None:
    server.new_link()
    assert (await exchange(server, code)).status in (400, 403)


async def test_the_secret_is_no_code(server: Server) -> None:
    assert (await exchange(server, server.secret)).status == 403


async def test_guessing_is_bounded_and_the_bound_passes(server: Server, clock: FakeClock) -> None:
    code = code_of(server.new_link())
    for _ in range(WRONG_TRIES):
        assert (await exchange(server, "wrong")).status == 403
    for tried in ("wrong", code):
        answer = await exchange(server, tried)
        assert (answer.status, answer.error["code"]) == (429, "busy")
    clock.advance(TRIES_SECONDS)
    assert secret_in(await exchange(server, code)) == server.secret


async def test_the_app_hears_of_a_used_code_alone(
    hub: Hub, invoke: FakeInvoke, ui_folder: Path
) -> None:
    links: list[str] = []
    server = Server(
        invoke=invoke,
        hub=hub,
        ui_folder=ui_folder,
        on_code_used=lambda: links.append(server.new_link()),
    )
    await server.start()
    try:
        assert (await exchange(server, "wrong")).status == 403
        assert links == []
        secret_in(await exchange(server, code_of(server.new_link())))
        (link,) = links
        secret_in(await exchange(server, code_of(link)))
        assert len(links) == 2
    finally:
        await server.stop(5)
