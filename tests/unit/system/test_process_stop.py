"""The end of a child and of all that it started, and of nothing else."""

import asyncio
from pathlib import Path

import psutil

from fakes.children import PYTHON, runs, start, stranger
from fakes.waiting import until
from sidekicks.system import Exit, Leftover, end_processes

IGNORES_EOF = "import sys, time; print('up', flush=True); sys.stdin.read(); time.sleep(600)"
IGNORES_TERM = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + IGNORES_EOF
DAEMON = """
import os, sys, time
if os.fork():
    os.wait()
    sys.stdin.read()
    sys.exit()
os.setsid()
if os.fork():
    os._exit(0)
print(os.getpid(), flush=True)
null = os.open(os.devnull, os.O_RDWR)
for fd in 0, 1, 2:
    os.dup2(null, fd)
time.sleep(600)
"""
OWN_SESSION = """
import subprocess, sys
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
print(child.pid, flush=True)
sys.stdin.read()
"""
ZOMBIE = """
import os, sys
child = os.fork()
if not child:
    os._exit(0)
print(child, flush=True)
sys.stdin.read()
"""


async def test_one_that_ends_at_end_of_file_gets_the_chance(tmp_path: Path) -> None:
    program = (
        "import sys, time; print('up', flush=True); sys.stdin.read(); time.sleep(0.2);"
        "open(sys.argv[1], 'w').write('clean exit')"
    )
    process, heard = await start(*PYTHON, program, str(tmp_path / "end"))
    await heard.line()
    assert await process.stop() == ()
    assert (tmp_path / "end").read_text() == "clean exit"
    assert heard.exits == [Exit(code=0)]


async def test_one_that_ignores_end_of_file_gets_sigterm() -> None:
    process, heard = await start(*PYTHON, IGNORES_EOF)
    await heard.line()
    assert await process.stop(0.1) == ()
    assert heard.exits == [Exit(signal="SIGTERM")]


async def test_one_that_ignores_sigterm_gets_sigkill() -> None:
    process, heard = await start(*PYTHON, IGNORES_TERM)
    await heard.line()
    assert await process.stop(0.1, 0.1) == ()
    assert heard.exits == [Exit(signal="SIGKILL")]


async def test_sigterm_comes_once() -> None:
    counts = """
import signal, sys, time
def count(*_):
    print("term", flush=True)
signal.signal(signal.SIGTERM, count)
print("up", flush=True)
time.sleep(600)
"""
    process, heard = await start(*PYTHON, counts)
    await heard.line()
    await process.stop(0, 0.5)
    assert heard.stdout == b"term\n"


async def test_a_stopped_process_is_ended() -> None:
    process, _ = await start("sh", "-c", "kill -STOP $$")
    await until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
    assert await process.stop(0.1, 0.1) == ()
    assert process.exit is not None


async def test_the_agent_behind_a_shim_is_ended() -> None:
    process, heard = await start("sh", "-c", "sleep 600 & echo $!; wait")
    agent = await heard.pid()
    assert await process.stop(0.1) == ()
    assert not runs(agent)


async def test_the_agent_is_ended_when_its_shim_was_killed() -> None:
    process, heard = await start("sh", "-c", "sleep 600 & echo $!; wait")
    agent = await heard.pid()
    psutil.Process(process.pid).kill()
    await process.wait()
    assert runs(agent)
    assert await process.stop() == ()
    assert not runs(agent)


async def test_a_child_in_a_session_of_its_own_is_ended_with_its_parent() -> None:
    process, heard = await start(*PYTHON, OWN_SESSION)
    child = await heard.pid()
    assert [found.pid for found in process.descendants()] == [child.pid]
    assert await process.stop() == ()
    assert not runs(child)


async def test_a_daemon_is_named_and_left() -> None:
    process, heard = await start(*PYTHON, DAEMON)
    daemon = await heard.pid()
    left = await process.stop()
    assert [leftover.pid for leftover in left] == [daemon.pid]
    assert "os.fork()" in left[0].command
    assert runs(daemon)
    assert await process.stop() == left
    await end_processes(left)
    assert not runs(daemon)


async def test_of_a_daemon_and_its_children_only_the_daemon_is_named() -> None:
    program = "setsid sh -c 'sleep 600 & echo $$; exec >/dev/null; wait' </dev/null & cat"
    process, heard = await start("sh", "-c", f"({program})")
    daemon = await heard.pid()
    # The shell between ends, as with a double fork: nothing leads from us to the daemon.
    shell = daemon.parent()
    assert shell is not None
    shell.kill()
    await until(lambda: daemon.parent() != shell)
    left = await process.stop()
    assert [leftover.pid for leftover in left] == [daemon.pid]
    children = daemon.children()
    assert len(children) == 1
    await end_processes(left)
    assert not runs(daemon)
    assert not runs(children[0])


async def test_a_zombie_does_not_hold_up_the_end() -> None:
    process, heard = await start(*PYTHON, ZOMBIE)
    zombie = await heard.pid()
    await until(lambda: zombie.status() == psutil.STATUS_ZOMBIE)
    assert process.descendants() == ()
    assert await process.stop() == ()
    assert heard.exits == [Exit(code=0)]


async def test_nobody_else_is_touched() -> None:
    with stranger() as beside, stranger(own_session=True) as alone:
        other, _ = await start("cat")
        process, heard = await start(*PYTHON, IGNORES_TERM)
        await heard.line()
        await process.stop(0, 0.1)
        assert beside.poll() is None
        assert alone.poll() is None
        assert other.exit is None
        await other.stop()


async def test_a_pid_that_was_given_again_is_not_ended() -> None:
    with stranger() as later:
        await end_processes([Leftover(pid=later.pid, created=1.0, command="long gone")])
        assert later.poll() is None


async def test_stop_twice_at_once_and_again_is_one_stop() -> None:
    process, heard = await start(*PYTHON, IGNORES_EOF)
    await heard.line()
    assert await asyncio.gather(process.stop(0.1), process.stop(0.1)) == [(), ()]
    assert await process.stop() == ()
    assert len(heard.exits) == 1


async def test_a_stop_that_is_cancelled_can_be_said_again() -> None:
    process, heard = await start(*PYTHON, IGNORES_EOF)
    await heard.line()
    stopping = asyncio.create_task(process.stop(600))
    await asyncio.sleep(0)
    stopping.cancel()
    await asyncio.wait([stopping])
    assert await process.stop(0) == ()
    assert len(heard.exits) == 1


async def test_kill_ends_the_family_at_once() -> None:
    process, heard = await start("sh", "-c", "trap '' TERM; sleep 600 & echo $!; wait")
    child = await heard.pid()
    process.kill()
    await process.wait()
    await until(lambda: not runs(child))
    assert await process.stop() == ()
    assert heard.exits == [Exit(signal="SIGKILL")]


async def test_what_is_started_during_the_end_is_ended_too() -> None:
    stubborn = "trap 'sleep 600 & echo $!' TERM; echo up; while :; do sleep 0.05; done"
    process, heard = await start("sh", "-c", stubborn)
    await heard.line()
    assert await process.stop(0, 0.5) == ()
    assert not runs(int(await heard.line()))
