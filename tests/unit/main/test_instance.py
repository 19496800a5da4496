"""One instance per configuration file: its lock, and the socket by which others speak to it."""

import asyncio
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from fakes.scripts import on_prompt, say, script
from fakes.stage import Stage
from sidekicks.contract.errors import SidekicksError
from sidekicks.main import instance
from sidekicks.main.instance import InstanceLock, InstanceSocket, show_running, socket_path
from sidekicks.main.line import Line

ALICE = script(on_prompt(say("hello")))


@pytest.fixture
async def stage(home: Path, tmp_path: Path) -> AsyncIterator[Stage]:
    async with Stage(tmp_path, alice=ALICE) as stage:
        yield stage


async def send(stage: Stage, data: bytes) -> list[bytes]:
    """Send bytes, and return the lines that come until the instance hangs up."""
    reader, writer = await asyncio.open_unix_connection(socket_path(stage.config))
    try:
        writer.write(data)
        writer.write_eof()
        return (await asyncio.wait_for(reader.read(), 20)).splitlines()
    except ConnectionError:
        return []
    finally:
        writer.close()


async def still_serves(stage: Stage) -> bool:
    line = await Line.open(stage.config)
    try:
        value, _ = await line.invoke({"type": "get_settings"})
        return "settings" in value
    finally:
        await line.close()


def test_there_is_one_lock_for_a_file_whatever_its_name(home: Path, tmp_path: Path) -> None:
    config = tmp_path / "sidekicks.yaml"
    config.touch()
    link = tmp_path / "link.yaml"
    link.symlink_to(config)
    lock, other = InstanceLock(config), InstanceLock(tmp_path / "other.yaml")
    lock.take()
    other.take()
    for name in (config, link, tmp_path / ".." / tmp_path.name / "sidekicks.yaml"):
        with pytest.raises(SidekicksError) as refused:
            InstanceLock(name).take()
        assert refused.value.code == "busy"
        assert str(name) in refused.value.message
    lock.release()
    lock.release()
    again = InstanceLock(link)
    again.take()
    again.release()
    other.release()


def test_the_lock_of_a_program_that_was_killed_is_free(home: Path, tmp_path: Path) -> None:
    config = tmp_path / "sidekicks.yaml"
    script = (
        "import sys; from pathlib import Path; from sidekicks.main.instance import InstanceLock\n"
        "InstanceLock(Path(sys.argv[1])).take(); print('taken', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(config)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "taken\n"
    lock = InstanceLock(config)
    with pytest.raises(SidekicksError):
        lock.take()
    holder.kill()
    holder.communicate()
    lock.take()
    lock.release()


def test_what_a_child_inherits_does_not_hold_the_lock(home: Path, tmp_path: Path) -> None:
    lock = InstanceLock(tmp_path / "sidekicks.yaml")
    lock.take()
    child = subprocess.Popen(["sleep", "60"], close_fds=False)
    lock.release()
    lock.take()
    lock.release()
    child.kill()
    child.wait()


def test_where_nothing_can_be_written_it_is_said(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = home / "a file"
    blocked.touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    with pytest.raises(SidekicksError) as refused:
        InstanceLock(tmp_path / "sidekicks.yaml").take()
    assert refused.value.code == "no_access"
    assert str(blocked) in refused.value.message


def test_a_folder_that_is_too_deep_for_a_socket_is_said(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/" + "deep/" * 30)
    with pytest.raises(SidekicksError) as refused:
        socket_path(Path("sidekicks.yaml"))
    assert refused.value.code == "unavailable"


async def test_only_its_owner_can_reach_the_socket(stage: Stage) -> None:
    path = socket_path(stage.config)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_command_is_answered_with_the_envelope(stage: Stage) -> None:
    (answered, refused) = await send(
        stage,
        b'{"invoke": {"type": "get_settings"}}\n{"invoke": {"type": "get_log", "agentId": "x"}}\n',
    )
    assert msgspec.json.decode(answered)["value"]["settings"]["theme"] == "system"
    error = msgspec.json.decode(refused)
    assert (error["ok"], error["error"]["code"]) == (False, "not_found")


async def test_a_refusal_comes_to_the_caller_as_it_is(stage: Stage) -> None:
    line = await Line.open(stage.config)
    with pytest.raises(SidekicksError) as refused:
        await line.invoke({"type": "get_log", "agentId": "x"})
    assert refused.value.code == "not_found"
    await line.close()


async def test_events_follow_from_a_number_on(stage: Stage) -> None:
    commands, events = await Line.open(stage.config), await Line.open(stage.config)
    _, seq = await commands.invoke({"type": "get_snapshot"})
    await events.follow(seq)
    sent = await stage.send("alice", "hi")
    types: list[str] = []
    async with asyncio.timeout(20):
        while "turn.ended" not in types:
            batch = await events.events()
            assert batch, "the stream ended"
            types += [event["type"] for event in batch]
    assert types[0] == "reader.opened"
    assert {"message.added", "turn.queued", "turn.delta"} <= set(types)
    await stage.ended(sent["turns"][0]["turnId"])
    await commands.close()
    await events.close()


async def test_events_of_no_such_number_are_a_resync_and_the_end(stage: Stage) -> None:
    for after in (-1, 10**9, 10**300):
        lines = await send(stage, b'{"events": %d}\n' % after)
        types = [event["type"] for line in lines for event in msgspec.json.decode(line)]
        assert types == ["reader.opened", "resync"]


async def test_whoever_follows_and_vanishes_is_forgotten(stage: Stage) -> None:
    hub = stage.up.domains.app.hub
    for _ in range(3):
        line = await Line.open(stage.config)
        await line.follow(hub.seq)
        assert (await line.events())[0]["type"] == "reader.opened"
        await line.close()
    assert len(hub.readers) <= 3
    draft = 0

    async def change() -> bool:
        nonlocal draft
        draft += 1
        channel = await stage.direct("alice")
        await stage.invoke("save_draft", channelId=channel, text=str(draft))
        await asyncio.sleep(0.02)
        return not hub.readers

    async with asyncio.timeout(20):
        while not await change():
            pass
    assert await still_serves(stage)


NO_REQUESTS: Final = [
    b"",
    b"\n",
    b"not json\n",
    b"{}\n",
    b"[]\n",
    b"null\n",
    b"7\n",
    b"\xff\xfe\n",
    b'{"hello": 1}\n',
    b'{"events": null}\n',
    b'{"events": "now"}\n',
    b'{"events": {}}\n',
    b'{"events": 1e999}\n',
    b'{"show": "please"}\n',
    b"[" * 100_000 + b"\n",
    b'{"events": ' + b"[" * 100_000 + b"\n",
    b'{"invoke": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001 + b"\n",
    b'{"invoke"',
]
NO_COMMANDS: Final = [b"7", b"[]", b"null", b'{"type": "fly"}', b'"' + b"x" * 10**6 + b'"']


async def test_who_speaks_otherwise_is_hung_up_on(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    for line in NO_REQUESTS:
        assert await send(stage, line) == [], line[:30]
    assert await still_serves(stage)
    assert caplog.records == []


async def test_what_is_no_command_is_refused_by_the_bridge(stage: Stage) -> None:
    for command in NO_COMMANDS:
        (refused,) = await send(stage, b'{"invoke": ' + command + b"}\n")
        assert msgspec.json.decode(refused)["error"]["code"] == "invalid", command[:30]


async def test_a_line_without_end_is_cut_off(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    _, writer = await asyncio.open_unix_connection(socket_path(stage.config))

    async def write(count: int) -> None:
        for _ in range(count):
            writer.write(b"x" * 2**20)
            await writer.drain()

    with pytest.raises(ConnectionError):
        await write(2 * instance.LINE_BYTES // 2**20)
    writer.close()
    assert await still_serves(stage)
    assert caplog.records == []


async def test_a_client_that_vanishes_before_its_answer_harms_nobody(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        _, writer = await asyncio.open_unix_connection(socket_path(stage.config))
        writer.write(b'{"invoke": {"type": "get_snapshot"}}\n' * 20)
        await writer.drain()
        writer.transport.abort()
    assert await still_serves(stage)
    assert caplog.records == []


async def test_clients_are_served_side_by_side(stage: Stage) -> None:
    lines = [await Line.open(stage.config) for _ in range(10)]
    answers = await asyncio.gather(*(line.invoke({"type": "get_snapshot"}) for line in lines))
    assert len({seq for _, seq in answers}) == 1
    for line in lines:
        await line.close()


async def test_what_a_crashed_instance_left_is_replaced(home: Path, tmp_path: Path) -> None:
    stage = Stage(tmp_path, alice=ALICE)
    path = socket_path(stage.config)
    path.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert path.is_socket()
    async with stage:
        assert await still_serves(stage)
    assert not path.exists()


async def test_the_socket_is_gone_with_the_instance(home: Path, tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=ALICE) as stage:
        line = await Line.open(stage.config)
        await line.follow(stage.up.domains.app.hub.seq)
        await line.events()
    assert await line.events() == []
    await line.close()
    with pytest.raises(FileNotFoundError):
        await Line.open(stage.config)


@pytest.mark.parametrize("has_window", [True, False])
async def test_a_second_start_shows_the_first_where_it_has_a_window(
    stage: Stage, has_window: bool
) -> None:
    asked: list[str] = []

    def show() -> bool:
        asked.append("to the front")
        return has_window

    config = stage.folder / "windowed.yaml"
    up = stage.up
    windowed = InstanceSocket(config, up.bridge, up.domains.app.hub, show)
    await windowed.start()
    assert await asyncio.to_thread(show_running, config) is has_window
    assert asked == ["to the front"]
    await windowed.stop()
    with pytest.raises(OSError, match="No such file"):
        show_running(config)
