"""The doctor leaves nothing: no program, no secret; and it is one at a time, until the app ends."""

import asyncio
import json
import sys
from pathlib import Path

import msgspec
import psutil
import pytest

from fakes.children import runs
from fakes.patient import QUICK, configured, examine, finding, make_doctor
from fakes.scripts import (
    on,
    script,
    silent,
    spawn,
    stderr,
    stdout,
    wait_file,
)
from fakes.waiting import until
from sidekicks.contract.errors import SidekicksError

DAEMON = """
import os, sys, time
parent = os.getpid()
if os.fork():
    os._exit(0)
os.setsid()
while os.getppid() == parent:
    time.sleep(0.01)
with open(sys.argv[1] + "~", "w") as file:
    file.write(str(os.getpid()))
os.rename(sys.argv[1] + "~", sys.argv[1])
time.sleep(600)
"""
"""Its own session, and no parent of ours: nothing but a mark tells whose it was."""


async def test_one_that_stays_is_made_to_end(tmp_path: Path) -> None:
    stays = script(ignoreEof=True, ignoreSigterm=True)
    found = await examine(tmp_path, configured(tmp_path, stays))
    end = finding(found, "exit")
    assert (end.level, found.level) == ("note", "note")
    assert "SIGKILL" in end.message


async def test_what_detached_itself_is_named_and_left(tmp_path: Path) -> None:
    detached = tmp_path / "detached"
    program = spawn(tmp_path / "pid", argv=[sys.executable, "-c", DAEMON, str(detached)])
    alice = script(startup=[program, wait_file(detached)])
    found = await examine(tmp_path, configured(tmp_path, alice))
    left = psutil.Process(int(detached.read_text()))
    assert runs(left)
    left.kill()
    (line,) = finding(found, "left").details
    assert line.endswith(f"(pid {left.pid})")
    await until(lambda: not runs(left))


async def test_no_secret_and_no_home_stands_in_what_is_found(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGIN_TOKEN", "hunter1-of-the-shell")
    words = "refused: hunter1-of-the-shell hunter2-of-env hunter3-of-args hunter4-of-mcp\n"
    loud = script(startup=[stderr(words), stdout(words)])
    agent = configured(home, loud)
    server = {
        "name": "db",
        "command": "true",
        "args": [],
        "env": [{"name": "DB_PASSWORD", "value": "hunter4-of-mcp"}],
    }
    config = msgspec.structs.replace(
        agent,
        env={"MM_API_KEY": "hunter2-of-env", "MM_MODEL": "qwen3"},
        args=(*agent.args, "--api-key", "hunter3-of-args"),
        mcp_servers=(server,),
    )
    found = await examine(tmp_path, config)
    written = msgspec.json.encode(found).decode()
    assert "hunter" not in written
    assert "refused: *** *** *** ***" in written
    assert str(home) not in written
    assert "~/alice" in written
    # Names are no secrets, and tell what was used.
    assert "MM_API_KEY, MM_MODEL" in finding(found, "environment").details[1]


async def test_two_who_ask_at_once_are_served_one_after_the_other(tmp_path: Path) -> None:
    doctor, login = make_doctor(tmp_path, QUICK)
    running, most = tmp_path / "running", 0
    agent = configured(tmp_path, script(startup=[{"describe": str(running)}]))
    login.start()
    looks = [asyncio.create_task(doctor.examine(agent)) for _ in range(2)]
    while not all(look.done() for look in looks):
        children = psutil.Process().children()
        most = max(most, sum("agent.py" in " ".join(c.cmdline()) for c in children if runs(c)))
        await asyncio.sleep(0.01)
    login.close()
    assert [look.result().level for look in looks] == ["ok", "ok"]
    assert most == 1


async def test_closing_ends_what_is_being_examined(tmp_path: Path) -> None:
    up = tmp_path / "up"
    deaf = script(
        on("initialize", silent()),
        startup=[{"describe": str(up)}],
        ignoreSigterm=True,
        ignoreEof=True,
    )
    doctor, login = make_doctor(tmp_path)
    login.start()
    look = asyncio.create_task(doctor.examine(configured(tmp_path, deaf)))
    await until(lambda: up.exists() and up.read_text().endswith("}"))
    await doctor.close()
    login.close()
    assert not runs(json.loads(up.read_text())["pid"])
    with pytest.raises(SidekicksError, match="is closing"):
        await look
    with pytest.raises(SidekicksError, match="is closing"):
        await doctor.examine(configured(tmp_path, script()))
