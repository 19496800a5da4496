"""Starting a child and speaking with it: streams, exit, what it inherits, what it leaves."""

import asyncio
import json
import os
import threading
import time
from pathlib import Path

import psutil
import pytest

from fakes.children import PYTHON, Heard, runs, start
from fakes.waiting import until
from sidekicks.base.engine import Engine
from sidekicks.contract.errors import SidekicksError
from sidekicks.system import Exit, child_environment, start_process

MEGABYTE = 1024 * 1024


async def test_what_it_writes_is_handed_on_before_its_exit() -> None:
    process, heard = await start("sh", "-c", "cat; echo bye >&2; exit 3")
    process.write(b"hello")
    process.close_stdin()
    assert await process.wait() == Exit(code=3)
    assert (heard.stdout, heard.stderr) == (b"hello", b"bye\n")
    assert heard.exits == [Exit(code=3)]
    assert process.exit == Exit(code=3)
    assert await process.stop() == ()


async def test_a_signal_is_named() -> None:
    process, heard = await start("sh", "-c", "kill -SEGV $$")
    await process.wait()
    assert heard.exits == [Exit(signal="SIGSEGV")]
    assert heard.exits[0].text == "was ended by SIGSEGV"


async def test_what_it_writes_at_once_waits_until_the_caller_has_it() -> None:
    heard = Heard()
    process = await start_process(
        ["sh", "-c", "echo banner; exit 1"],
        env=child_environment(),
        cwd=Path("/"),
        on_stdout=heard.on_stdout,
        on_stderr=heard.on_stderr,
        on_exit=heard.on_exit,
    )
    assert heard.stdout == b""
    assert heard.exits == []
    await process.wait()
    assert heard.stdout == b"banner\n"
    assert heard.exits == [Exit(code=1)]


async def test_a_megabyte_of_stderr_is_drained() -> None:
    program = f"import sys; sys.stderr.write('x' * {MEGABYTE}); print('done')"
    process, heard = await start(*PYTHON, program)
    await process.wait()
    assert len(heard.stderr) == MEGABYTE
    assert heard.stdout == b"done\n"


async def test_a_line_of_five_megabytes_arrives_whole() -> None:
    program = f"import sys; sys.stdout.write('y' * {5 * MEGABYTE} + '\\n')"
    process, heard = await start(*PYTHON, program)
    await process.wait()
    assert heard.stdout == b"y" * (5 * MEGABYTE) + b"\n"


READS_LATE = """
import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
print(len(sys.stdin.buffer.read()))
"""


async def test_a_full_stdin_makes_drain_wait_until_it_is_read(tmp_path: Path) -> None:
    go = tmp_path / "go"
    process, heard = await start(*PYTHON, READS_LATE, str(go))
    await process.drain()
    process.write(b"z" * MEGABYTE)
    drained = asyncio.create_task(process.drain())
    done, _ = await asyncio.wait([drained], timeout=0.2)
    assert not done
    go.touch()
    await drained
    process.close_stdin()
    assert await heard.line() == str(MEGABYTE)
    assert await process.wait() == Exit(code=0)


async def test_who_waits_to_write_goes_on_when_it_ends(tmp_path: Path) -> None:
    process, heard = await start(*PYTHON, READS_LATE, str(tmp_path / "never"))
    process.write(b"z" * MEGABYTE)
    drained = asyncio.create_task(process.drain())
    await process.stop(0)
    await drained
    process.write(b"to nobody")
    await process.drain()
    process.close_stdin()
    assert heard.exits == [Exit(signal="SIGTERM")]


async def test_writing_to_one_that_closed_its_stdin_does_no_harm() -> None:
    process, heard = await start("sh", "-c", "exec 0<&-; echo closed; exec sleep 600")
    await heard.line()
    for _ in range(20):
        process.write(b"x" * 100_000)
        await process.drain()
    process.close_stdin()
    await process.stop()
    assert heard.exits == [Exit(signal="SIGTERM")]


async def test_a_grandchild_that_holds_the_pipes_does_not_hide_the_exit() -> None:
    process, heard = await start("sh", "-c", "sleep 600 & echo $!; exit 7")
    assert await process.wait() == Exit(code=7)
    grandchild = await heard.pid()
    assert runs(grandchild)
    assert await process.stop() == ()
    assert not runs(grandchild)
    assert heard.late == b""


async def test_it_leads_a_session_and_has_three_descriptors() -> None:
    # One that is inheritable, as a library may leave it.
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    program = (
        "import os, json; print(json.dumps([os.getpid(), os.getsid(0), os.getpgid(0),"
        "sorted(int(fd) for fd in os.listdir('/dev/fd'))]), flush=True)"
    )
    first, _ = await start("cat")
    process, heard = await start(*PYTHON, program)
    pid, session, group, descriptors = json.loads(await heard.line())
    assert pid == session == group == process.pid
    # The fourth is the look itself.
    assert len(descriptors) == 4
    await process.stop()
    await first.stop()
    os.close(reading)
    os.close(writing)


async def test_its_environment_is_what_was_given_and_the_mark() -> None:
    heard = Heard()
    process = await start_process(
        ["/usr/bin/env", "-0"],
        env={"PATH": "/bin", "TWO": "two\nlines"},
        cwd=Path("/"),
        on_stdout=heard.on_stdout,
        on_stderr=heard.on_stderr,
        on_exit=heard.on_exit,
    )
    await process.wait()
    entries = sorted(heard.stdout.decode().rstrip("\0").split("\0"))
    assert entries[0].startswith("LAUNCHED_BY=sidekicks-")
    assert entries[1:] == ["PATH=/bin", "TWO=two\nlines"]


async def test_bash_does_not_take_it_for_a_remote_login(home: Path) -> None:
    (home / ".bashrc").write_text("echo noise from bashrc\n")
    process, heard = await start("bash", "-c", "echo ready", env={"HOME": str(home)})
    await process.wait()
    assert heard.stdout == b"ready\n"


async def test_memory_is_that_of_the_whole_tree() -> None:
    eats = f"import time; x = bytes([1]) * {30 * MEGABYTE}; print(1, flush=True); time.sleep(600)"
    process, heard = await start("sh", "-c", f"{' '.join(PYTHON)} '{eats}' & wait")
    await heard.line()
    used = process.memory()
    assert 30 * MEGABYTE < used < 120 * MEGABYTE
    assert any("bytes([1])" in child.command for child in process.descendants())
    await process.stop()
    assert process.memory() == 0
    assert process.descendants() == ()


@pytest.mark.parametrize("name", ["nosuch-agent", "/no/such/agent"])
async def test_a_program_that_is_not_there(name: str) -> None:
    with pytest.raises(SidekicksError) as caught:
        await start(name, env={"PATH": "/bin:/usr/bin"})
    assert caught.value.code == "not_found"
    assert caught.value.data["failure"] == "command_not_found"
    assert name in caught.value.message


async def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SidekicksError) as caught:
        await start("cat", cwd=tmp_path / "gone")
    assert caught.value.data["failure"] == "workspace_missing"
    assert str(tmp_path / "gone") in caught.value.message


async def test_a_script_whose_interpreter_is_missing(tmp_path: Path) -> None:
    script = tmp_path / "agent"
    script.write_text("#!/no/such/node\n")
    script.chmod(0o755)
    with pytest.raises(SidekicksError) as caught:
        await start(str(script))
    assert caught.value.data["failure"] == "interpreter_missing"
    assert "/no/such/node" in caught.value.message


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"just text\n", "neither a program"), (b"MZ\0\0\0\0", "not a program for this computer")],
)
async def test_a_file_that_is_no_program(tmp_path: Path, content: bytes, sentence: str) -> None:
    program = tmp_path / "agent"
    program.write_bytes(content)
    program.chmod(0o755)
    with pytest.raises(SidekicksError, match=sentence) as caught:
        await start(str(program))
    assert caught.value.data["failure"] == "not_executable"


async def test_a_nul_in_an_argument_is_refused() -> None:
    with pytest.raises(SidekicksError) as caught:
        await start("cat", "a\0b")
    assert caught.value.code == "invalid"


async def test_an_argument_longer_than_the_system_takes() -> None:
    with pytest.raises(SidekicksError) as caught:
        await start("cat", "x" * (4 * MEGABYTE))
    assert caught.value.code == "unavailable"
    assert "too long" in caught.value.message


@pytest.mark.timeout(240)
async def test_two_hundred_starts_and_stops_leave_nothing() -> None:
    async def once(number: int) -> None:
        script = "sleep 600 & cat" if number % 5 == 0 else "exec cat"
        process, _ = await start("sh", "-c", script)
        assert await process.stop() == ()

    await once(0)
    me = psutil.Process()
    held = (me.num_fds(), threading.active_count(), len(me.children(recursive=True)))
    for _ in range(20):
        await asyncio.gather(*map(once, range(10)))
    await until(
        lambda: (me.num_fds(), threading.active_count(), len(me.children(recursive=True))) == held
    )


def test_it_works_on_the_engines_loop_and_leaves_no_thread() -> None:
    ended: list[Exit] = []

    async def work() -> None:
        process, _ = await start("cat")
        await process.stop()
        ended.append(await process.wait())

    engine = Engine()
    engine.start(work())
    assert engine.join(20)
    assert ended == [Exit(code=0)]


@pytest.mark.parametrize("turns", range(8))
async def test_a_start_that_is_cancelled_leaves_nothing(turns: int, tmp_path: Path) -> None:
    # What it started holds its pipes, at whatever moment it is cancelled.
    script = f"sleep 600 & echo $! > {tmp_path}/pid; exec sleep 600"
    starting = asyncio.create_task(start("sh", "-c", script))
    before = set(psutil.Process().children())
    for _ in range(turns):
        await asyncio.sleep(0)
        if set(psutil.Process().children()) > before:
            wait_for(tmp_path / "pid")
    if starting.done():
        process, _ = starting.result()
        await process.stop(0)
    else:
        starting.cancel()
        await asyncio.wait([starting], timeout=20)
        assert starting.cancelled()
    await until(lambda: set(psutil.Process().children()) <= before)
    if (tmp_path / "pid").exists():
        assert not runs(int((tmp_path / "pid").read_text()))


def wait_for(file: Path) -> None:
    """Hold up the loop until the file is written, so that the child is ahead of it."""
    for _ in range(1000):
        if file.exists() and file.read_text():
            return
        time.sleep(0.01)
