"""The bridge: whatever comes in, an envelope goes out, and nothing of the inside with it."""

import asyncio
import inspect
import logging
import typing
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from fakes.stage import Stage
from sidekicks.actions import ACTIONS, App
from sidekicks.bridge import Bridge, Reply
from sidekicks.bridge.bridge import STATUS
from sidekicks.contract import RESULTS
from sidekicks.contract.errors import ErrorCode, SidekicksError

OPEN: Final = b'{"type": "open_external", "url": "https://example.org"}'
CODES: Final[tuple[ErrorCode, ...]] = typing.get_args(ErrorCode)


def envelope(reply: Reply) -> dict[str, Any]:
    return msgspec.json.decode(reply.body)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with Stage(tmp_path, alice=None) as stage:
        yield stage.up.domains.app


@pytest.fixture
def bridge(app: App) -> Bridge:
    return Bridge(app)


def opening(app: App, open_url: Callable[[str], bool]) -> Bridge:
    """Return a bridge for which opening a link does what a test says."""
    return Bridge(msgspec.structs.replace(app, open_url=open_url))


def refusal(error: Exception) -> Callable[[str], bool]:
    def open_url(url: str) -> bool:
        raise error

    return open_url


def test_there_is_an_action_for_each_command_and_no_other() -> None:
    assert set(ACTIONS) == set(RESULTS)


@pytest.mark.parametrize("command", sorted(ACTIONS, key=str), ids=lambda c: c.__name__)
def test_an_action_takes_its_command_and_answers_what_the_contract_says(command: type) -> None:
    action = ACTIONS[command]
    hints = typing.get_type_hints(action)
    assert inspect.iscoroutinefunction(action)
    assert list(inspect.signature(action).parameters) == ["app", "command"]
    assert hints["app"] is App
    assert hints["command"] is command
    assert hints["return"] is RESULTS[command]


def test_each_error_has_a_status_of_an_error() -> None:
    assert set(STATUS) == set(CODES)
    assert all(400 <= status < 600 for status in STATUS.values())
    assert {code for code, status in STATUS.items() if status >= 500} == {
        "internal",
        "unavailable",
        "unsupported",
    }


async def test_a_value_comes_with_the_number_at_which_it_was_taken(
    app: App, bridge: Bridge
) -> None:
    reply = await bridge.invoke(b'{"type": "get_settings"}')
    assert reply.status == 200
    assert envelope(reply) == {
        "ok": True,
        "value": {"settings": {"language": "system", "theme": "system"}},
        "seq": app.hub.seq,
    }
    changed = await bridge.invoke(b'{"type": "set_settings", "settings": {"theme": "dark"}}')
    assert envelope(changed)["seq"] == envelope(reply)["seq"] + 1 == app.hub.seq


async def test_a_field_of_a_newer_page_is_ignored(bridge: Bridge) -> None:
    reply = await bridge.invoke(b'{"type": "get_settings", "colour": "blue"}')
    assert reply.status == 200


async def test_a_refusal_says_its_code_sentence_and_data(app: App) -> None:
    for code in CODES:
        failing = opening(app, refusal(SidekicksError(code, "Not so. Do this.", members=["a"])))
        reply = await failing.invoke(OPEN)
        assert reply.status == STATUS[code]
        assert envelope(reply) == {
            "ok": False,
            "error": {"code": code, "message": "Not so. Do this.", "data": {"members": ["a"]}},
            "seq": app.hub.seq,
        }


NO_COMMANDS: Final = [
    b"",
    b"null",
    b"[]",
    b'"get_settings"',
    b"{",
    b"not json",
    b"\xff\xfe",
    b"\x00" * 100,
    b'{"type": "fly_away"}',
    b'{"type": 7}',
    b'{"type": null}',
    b'{"kind": "get_settings"}',
    b'{"type": "get_log"}',
    b'{"type": "get_log", "agentId": 7}',
    b'{"type": "get_log", "agent_id": "alice"}',
    b'{"type": "get_settings"} {"type": "get_settings"}',
    b'{"type": "save_draft", "channelId": "c", "text": "\\ud800"}',
    b'{"type": "save_draft", "channelId": "c", "text": "\xff"}',
    b'{"type": "set_settings", "settings": [["theme", "dark"]]}',
    b"[" * 1_000_000,
    b'{"a":' * 200_000,
    b'{"type": "set_settings", "settings": {"a": ' + b"[" * 500_000 + b"]" * 500_000 + b"}}",
    b"x" * 5_000_000,
    b'{"type": "' + b"x" * 5_000_000 + b'"}',
]


async def test_what_is_no_command_is_refused_shortly(bridge: Bridge) -> None:
    for raw in NO_COMMANDS:
        reply = await bridge.invoke(raw)
        refused = (reply.status, envelope(reply)["error"]["code"])
        assert refused == (400, "invalid"), raw[:60]
        assert len(reply.body) < 1000, raw[:60]


async def test_values_as_deep_as_a_decoder_takes_them_do_not_break_it(bridge: Bridge) -> None:
    for depth in range(100, 1100, 50):
        deep = b"[" * depth + b"]" * depth
        raw = b'{"type": "set_settings", "settings": {"theme": ' + deep + b"}}"
        assert (await bridge.invoke(raw)).status == 400


async def test_a_fault_gives_an_incident_and_leaks_nothing(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    failing = opening(app, refusal(RuntimeError("the password is hunter2")))
    with caplog.at_level(logging.ERROR):
        reply = await failing.invoke(OPEN)
    error = envelope(reply)["error"]
    assert (reply.status, error["code"]) == (500, "internal")
    incident = error["data"]["incident"]
    assert incident in error["message"]
    assert b"hunter2" not in reply.body
    assert b"RuntimeError" not in reply.body
    assert incident in caplog.text
    assert "hunter2" in caplog.text
    assert "Traceback" in caplog.text
    # And the next command is answered as ever.
    assert (await failing.invoke(b'{"type": "get_settings"}')).status == 200


@pytest.mark.parametrize(
    "error",
    [
        SidekicksError("invalid", "What?", of=object()),
        SidekicksError("invalid", "a name with the byte \udcff"),
    ],
    ids=["data", "message"],
)
async def test_a_refusal_that_cannot_be_told_is_a_fault(
    app: App, error: SidekicksError, caplog: pytest.LogCaptureFixture
) -> None:
    # Not logged here: pytest's workers cannot hand such a text to one another.
    with caplog.at_level(logging.CRITICAL + 1):
        reply = await opening(app, refusal(error)).invoke(OPEN)
    assert envelope(reply)["error"]["code"] == "internal"


async def test_nothing_is_run_once_the_app_stops(app: App) -> None:
    opened: list[str] = []
    bridge = opening(app, lambda url: bool(opened.append(url)) or True)
    assert (await bridge.invoke(OPEN)).status == 200
    bridge.close()
    reply = await bridge.invoke(OPEN)
    assert (reply.status, envelope(reply)["error"]["code"]) == (503, "unavailable")
    assert len(opened) == 1


async def test_a_command_that_runs_does_not_keep_others_waiting(app: App) -> None:
    # Opening happens in a thread; until `gate` is set it does not end.
    gate = asyncio.Event()
    loop = asyncio.get_running_loop()

    def open_url(url: str) -> bool:
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()
        return True

    bridge = opening(app, open_url)
    slow = asyncio.ensure_future(bridge.invoke(OPEN))
    assert (await bridge.invoke(b'{"type": "get_settings"}')).status == 200
    assert not slow.done()
    gate.set()
    assert (await slow).status == 200
