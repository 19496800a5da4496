"""What a run that was killed left over is ended at the next start, and only that."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from fakes.children import runs, start
from fakes.waiting import until
from sidekicks.system import Leftovers, boot_id, end_processes

RUN = """
import asyncio, sys
from pathlib import Path
from sidekicks.system import Leftovers, child_environment, start_process

async def main():
    leftovers = Leftovers(Path(sys.argv[1]))
    await leftovers.end()
    process = await start_process(
        ["sh", "-c", "trap '' HUP PIPE; sleep 600 & setsid sleep 600 & sleep 600; true"],
        env=child_environment(), cwd=Path("/"),
        on_stdout=lambda _: None, on_stderr=lambda _: None, on_exit=lambda _: None,
    )
    leftovers.add(process)
    while sum("sleep" in child.command for child in process.descendants()) < 3:
        await asyncio.sleep(0.01)
    leftovers.refresh()
    print(process.pid, *(child.pid for child in process.descendants()), flush=True)
    await process.wait()

asyncio.run(main())
"""


async def killed_run(file: Path) -> list[psutil.Process]:
    """Let a run start an agent and kill it; return what it left over."""
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUN, str(file), stdout=subprocess.PIPE
    )
    assert run.stdout is not None
    pids = (await run.stdout.readline()).split()
    run.kill()
    await run.communicate()
    assert len(pids) == 4
    return [psutil.Process(int(pid)) for pid in pids]


async def test_the_next_start_ends_what_a_killed_run_left(tmp_path: Path) -> None:
    file = tmp_path / "running.json"
    left = await killed_run(file)
    assert all(runs(process) for process in left)
    ended = await Leftovers(file).end()
    assert {process.pid for process in ended} == {process.pid for process in left}
    assert not any(runs(process) for process in left)
    assert not file.exists()
    assert await Leftovers(file).end() == ()


async def test_what_the_leader_started_is_ended_when_the_leader_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "running.json"
    leader, *others = await killed_run(file)
    leader.kill()
    await until(lambda: not runs(leader))
    ended = await Leftovers(file).end()
    assert {process.pid for process in ended} == {process.pid for process in others}
    assert not any(runs(process) for process in others)


@pytest.mark.parametrize("wrong", ["created", "session", "boot"])
async def test_a_process_that_does_not_match_in_all_is_left_alone(
    tmp_path: Path, wrong: str
) -> None:
    file = tmp_path / "running.json"
    process, _ = await start("cat")
    Leftovers(file).add(process)
    record = json.loads(file.read_bytes())
    assert record["boot"] == boot_id() != ""
    assert [entry["pid"] for entry in record["processes"]] == [process.pid]
    if wrong == "boot":
        record["boot"] = "another"
    else:
        record["processes"][0][wrong] += 1
    file.write_text(json.dumps(record))
    assert await Leftovers(file).end() == ()
    assert process.exit is None
    assert await process.stop() == ()


async def test_what_was_stopped_is_no_longer_written_down(tmp_path: Path) -> None:
    file = tmp_path / "running.json"
    leftovers = Leftovers(file)
    first, _ = await start("cat")
    second, _ = await start("cat")
    leftovers.add(first)
    leftovers.add(second)
    await first.stop()
    leftovers.remove(first)
    entries = json.loads(file.read_bytes())["processes"]
    assert [entry["pid"] for entry in entries] == [second.pid]
    await second.stop()
    leftovers.remove(second)
    assert json.loads(file.read_bytes())["processes"] == []
    assert file.stat().st_mode & 0o777 == 0o600


async def test_what_has_detached_itself_is_no_longer_written_down(tmp_path: Path) -> None:
    file = tmp_path / "running.json"
    leftovers = Leftovers(file)
    script = "(setsid sleep 600 >/dev/null 2>&1 & echo $!; read go); exec cat"
    process, heard = await start("sh", "-c", script)
    daemon = await heard.pid()
    between = daemon.parent()
    leftovers.add(process)
    assert daemon.pid in pids_in(file)
    process.write(b"go\n")
    await until(lambda: daemon.parent() != between)
    assert daemon.pid not in {child.pid for child in process.descendants()}
    leftovers.refresh()
    assert pids_in(file) == {process.pid}
    left = await process.stop()
    assert [leftover.pid for leftover in left] == [daemon.pid]
    await end_processes(left)


def pids_in(file: Path) -> set[int]:
    return {entry["pid"] for entry in json.loads(file.read_bytes())["processes"]}


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b'{"boot": "", "processes": []}'])
async def test_a_damaged_file_ends_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "running.json"
    file.write_bytes(content)
    assert await Leftovers(file).end() == ()


async def test_a_file_that_cannot_be_written_hinders_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    leftovers = Leftovers(tmp_path / "file" / "running.json")
    assert await leftovers.end() == ()
    process, _ = await start("cat")
    leftovers.add(process)
    await process.stop()
    leftovers.remove(process)
