"""What is told: the bridge's answer as it is, a failure under an incident, a refusal in words."""

import json
from collections.abc import Iterator

import pytest

from fakes.invoke import FakeInvoke
from fakes.raw_http import ask
from fakes.tool import assert_refused, command
from sidekicks.base.hub import Hub
from sidekicks.base.words import set_language
from sidekicks.contract.events import ProblemClosed
from sidekicks.server import Server


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
