"""Asking a shell for its environment: every shell, whatever its start-up files do."""

import asyncio
from pathlib import Path

import pytest

from fakes.children import runs
from fakes.shells import INSTALLED, make_shell, write_start_up_files
from fakes.waiting import until
from sidekicks.contract.errors import SidekicksError
from sidekicks.system.environment import own_environment
from sidekicks.system.login_shell import ask_shell, find_login_shell

SHELLS_OWN = ("HOST", "GROUP", "NLSPATH")
"""What tcsh sets, and which does no harm."""


async def ask(shell: Path, home: Path, seconds: float = 20) -> dict[str, str]:
    own = {**own_environment(), "HOME": str(home), "PATH": "/usr/bin:/bin"}
    return await ask_shell(shell, own, seconds)


def still_run(pids: Path) -> list[str]:
    return [pid for pid in pids.read_text().split() if runs(int(pid))]


@pytest.mark.parametrize("shell", INSTALLED)
async def test_every_shell_tells_what_login_and_interactive_files_set(
    shell: str, home: Path
) -> None:
    write_start_up_files(home)
    told = await ask(Path(shell), home)
    assert told["FROM_LOGIN"] == "login"
    assert told["FROM_RC"] == "two\nlines"
    assert f"{home}/rc/bin" in told["PATH"].split(":")
    # Nothing of the shell's own, of this session or of our asking.
    assert set(told) <= {"FROM_LOGIN", "FROM_RC", "PATH", "ENV", *SHELLS_OWN}


@pytest.mark.parametrize("shell", INSTALLED)
async def test_a_home_without_start_up_files_changes_little(shell: str, home: Path) -> None:
    told = await ask(Path(shell), home)
    assert set(told) <= {"PATH", *SHELLS_OWN}


async def test_noise_around_the_answer_is_no_part_of_it(tmp_path: Path, home: Path) -> None:
    shell = make_shell(tmp_path, "echo A=1; printf 'B=2\\000'; echo $*; export REAL=yes")
    assert await ask(shell, home) == {"REAL": "yes"}


async def test_only_an_interactive_shell_has_it_all(tmp_path: Path, home: Path) -> None:
    shell = make_shell(tmp_path, '[ "$interactive" ] && export PATH=/nvm/bin:$PATH')
    assert await ask(shell, home) == {"PATH": "/nvm/bin:/usr/bin:/bin"}


async def test_the_files_can_tell_that_they_are_only_asked(tmp_path: Path, home: Path) -> None:
    shell = make_shell(tmp_path, "export TOLD=$SIDEKICKS_RESOLVING_ENVIRONMENT")
    assert await ask(shell, home) == {"TOLD": "1"}


async def test_stdin_is_empty(tmp_path: Path, home: Path) -> None:
    shell = make_shell(tmp_path, "read answer; export STATUS=$?")
    assert await ask(shell, home) == {"STATUS": "1"}


async def test_a_value_that_is_not_utf8_survives(tmp_path: Path, home: Path) -> None:
    shell = make_shell(tmp_path, "export ODD=$(printf 'a\\377b')")
    assert await ask(shell, home) == {"ODD": "a\udcffb"}


async def test_session_variables_and_ours_are_left_out(tmp_path: Path, home: Path) -> None:
    shell = make_shell(
        tmp_path,
        "export SHLVL=7 TERM=xterm PWD=/x OLDPWD=/y XDG_SESSION_ID=3 TMUX=a _PYI_ARCHIVE_FILE=b"
        " SIDEKICKS_ODD=c SIDEKICKS_MODEL_URL=http://127.0.0.1:1 EDITOR=vi",
    )
    assert await ask(shell, home) == {
        "SIDEKICKS_MODEL_URL": "http://127.0.0.1:1",
        "EDITOR": "vi",
    }


@pytest.mark.parametrize("start_up", ["exit 3", "exec true", "kill -9 $$", "exec 1>&-"])
async def test_a_shell_that_fails_is_said(tmp_path: Path, home: Path, start_up: str) -> None:
    shell = make_shell(tmp_path, start_up)
    with pytest.raises(SidekicksError, match="did not tell its environment"):
        await ask(shell, home)


async def test_a_shell_that_floods_is_given_up(tmp_path: Path, home: Path) -> None:
    with pytest.raises(SidekicksError, match="did not tell its environment"):
        await ask(make_shell(tmp_path, "yes"), home)


HANGS = """
trap '' TERM HUP INT
echo $$ >> {pids}
sleep 600 &
echo $! >> {pids}
sleep 600
"""


async def test_a_shell_that_hangs_is_ended_with_its_session(tmp_path: Path, home: Path) -> None:
    pids = tmp_path / "pids"
    shell = make_shell(tmp_path, HANGS.format(pids=pids))
    with pytest.raises(SidekicksError, match=r"did not answer within 0\.5 seconds"):
        await ask(shell, home, seconds=0.5)
    assert not still_run(pids)


async def test_what_the_files_leave_behind_does_not_delay_the_answer(
    tmp_path: Path, home: Path
) -> None:
    pids = tmp_path / "pids"
    shell = make_shell(tmp_path, f"sleep 600 & echo $! > {pids}; export REAL=yes")
    assert await ask(shell, home) == {"REAL": "yes"}
    await until(lambda: not still_run(pids))


async def test_a_question_that_is_cancelled_leaves_nothing(tmp_path: Path, home: Path) -> None:
    pids = tmp_path / "pids"
    shell = make_shell(tmp_path, HANGS.format(pids=pids))
    asking = asyncio.create_task(ask(shell, home, seconds=600))
    await until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
    asking.cancel()
    await asyncio.wait([asking])
    await until(lambda: not still_run(pids))


@pytest.mark.parametrize(
    ("shell", "found"),
    [("/bin/sh", Path("/bin/sh")), ("/no/such/shell", None), ("sh", None), ("", None)],
)
def test_the_shell_is_the_persons_if_it_is_there(shell: str, found: Path | None) -> None:
    account = find_login_shell({})
    assert find_login_shell({"SHELL": shell}) == (found or account)


def test_a_shell_that_lets_nobody_in_is_none(tmp_path: Path) -> None:
    nologin = tmp_path / "nologin"
    nologin.write_text("#!/bin/sh\n")
    nologin.chmod(0o755)
    assert find_login_shell({"SHELL": str(nologin)}) == find_login_shell({})
