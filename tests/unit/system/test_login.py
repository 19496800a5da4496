"""The login environment: in the background, kept on disk, merged with our own."""

import asyncio
import json
import stat
from pathlib import Path

import pytest

from fakes.shells import make_shell
from fakes.waiting import until
from sidekicks.system import LoginEnvironment
from sidekicks.system.login import merge


@pytest.fixture
def shell(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell whose start-up file is `rc` beside it, and which counts how often it was asked."""
    path = make_shell(tmp_path, f"echo asked >> {tmp_path}/asked; . {tmp_path}/rc")
    (tmp_path / "rc").write_text("export COLOUR=red PATH=/opt/mine/bin:relative::$PATH\n")
    monkeypatch.setenv("SHELL", str(path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return path


def asked(shell: Path) -> int:
    return len((shell.parent / "asked").read_text().splitlines())


async def take(login: LoginEnvironment) -> dict[str, str]:
    login.start()
    try:
        return await login.get()
    finally:
        login.close()


async def test_it_is_the_shells_with_our_own_and_the_usual_folders(shell: Path) -> None:
    login = LoginEnvironment()
    environment = await take(login)
    assert login.problem is None
    assert environment["COLOUR"] == "red"
    path = environment["PATH"].split(":")
    assert {"/opt/mine/bin", "/usr/bin", "/bin", "/usr/local/bin"} <= set(path)
    assert all(entry.startswith("/") for entry in path)
    assert len(path) == len(set(path))
    assert environment["LANG"] == "C.UTF-8"


async def test_it_tells_the_names_of_what_the_shell_gave(shell: Path) -> None:
    login = LoginEnvironment()
    assert login.given() == ()
    await take(login)
    assert login.given() == ("COLOUR",)


async def test_many_may_wait_and_one_may_give_up(shell: Path) -> None:
    login = LoginEnvironment()
    login.start()
    waiting = [asyncio.create_task(login.get()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    assert (await waiting[1])["COLOUR"] == (await waiting[2])["COLOUR"] == "red"
    login.close()
    assert asked(shell) == 1


def test_other_threads_wait_for_it_too(shell: Path) -> None:
    login = LoginEnvironment()
    login.start()
    assert login.wait()["COLOUR"] == "red"
    login.close()


def test_who_does_not_wait_long_enough_gets_what_is_known(shell: Path) -> None:
    (shell.parent / "rc").write_text("sleep 600")
    login = LoginEnvironment(seconds=600)
    login.start()
    assert "/usr/bin" in login.wait(0.01)["PATH"].split(":")
    login.close()


async def test_a_hanging_shell_costs_its_limit_and_is_said(shell: Path) -> None:
    (shell.parent / "rc").write_text("sleep 600")
    login = LoginEnvironment(seconds=0.3)
    environment = await take(login)
    assert environment["PATH"].startswith("/usr/bin:/bin")
    assert login.problem is not None
    assert str(shell) in login.problem


async def test_without_a_shell_there_is_still_an_environment(
    shell: Path,
) -> None:
    login = LoginEnvironment(find_shell=lambda _: None)
    environment = await take(login)
    assert environment["PATH"].startswith("/usr/bin:/bin")
    assert login.problem is None


async def test_an_answer_is_kept_for_the_person_only(shell: Path, tmp_path: Path) -> None:
    cache = tmp_path / "kept" / "environment.json"
    await take(LoginEnvironment(cache))
    assert stat.S_IMODE(cache.stat().st_mode) == 0o600
    assert json.loads(cache.read_bytes())["environment"]["COLOUR"] == "red"


async def test_a_kept_answer_serves_at_once_and_is_fetched_anew(
    shell: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "environment.json"
    await take(LoginEnvironment(cache))
    (tmp_path / "rc").write_text(
        f"while [ ! -e {tmp_path}/go ]; do sleep 0.02; done; export COLOUR=blue\n"
    )
    login = LoginEnvironment(cache, seconds=60)
    login.start()
    assert (await login.get())["COLOUR"] == "red"
    (tmp_path / "go").touch()
    await until(lambda: login.merged()["COLOUR"] == "blue")
    login.close()
    assert json.loads(cache.read_bytes())["environment"]["COLOUR"] == "blue"


async def test_an_edited_start_up_file_is_not_served_from_before(
    shell: Path, home: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "environment.json"
    await take(LoginEnvironment(cache))
    (home / ".zshrc").write_text("# edited\n")
    (tmp_path / "rc").write_text("export COLOUR=blue\n")
    assert (await take(LoginEnvironment(cache)))["COLOUR"] == "blue"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b'{"origin": 1}', b'{"origin": [], "environment": 3}']
)
async def test_a_damaged_cache_is_as_none(shell: Path, tmp_path: Path, content: bytes) -> None:
    cache = tmp_path / "environment.json"
    cache.write_bytes(content)
    assert (await take(LoginEnvironment(cache)))["COLOUR"] == "red"
    assert json.loads(cache.read_bytes())["environment"]["COLOUR"] == "red"


async def test_a_cache_that_cannot_be_written_is_no_failure(shell: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    login = LoginEnvironment(tmp_path / "file" / "environment.json")
    assert (await take(login))["COLOUR"] == "red"


def test_closing_ends_what_still_asks(shell: Path, tmp_path: Path) -> None:
    (tmp_path / "rc").write_text("sleep 600")
    login = LoginEnvironment(seconds=600)
    login.start()
    login.close()
    login.close()
    assert "/usr/bin" in login.wait()["PATH"].split(":")


def test_one_that_was_never_started_can_be_closed(shell: Path) -> None:
    LoginEnvironment().close()


OWN = {"PATH": "/venv/bin:/usr/bin", "OLLAMA_HOST": "typed", "ONLY_OWN": "1"}
LOGIN = {"PATH": "/opt/homebrew/bin:/usr/bin", "OLLAMA_HOST": "rc", "LANG": "fr_FR.UTF-8"}


def test_what_was_typed_in_a_terminal_wins() -> None:
    merged = merge(OWN, LOGIN, from_terminal=True)
    assert merged["OLLAMA_HOST"] == "typed"
    assert merged["PATH"].startswith("/venv/bin:/usr/bin:/opt/homebrew/bin")
    assert merged["LANG"] == "fr_FR.UTF-8"


def test_of_an_app_from_the_desktop_the_login_shell_wins() -> None:
    merged = merge(OWN, LOGIN, from_terminal=False)
    assert merged["OLLAMA_HOST"] == "rc"
    assert merged["ONLY_OWN"] == "1"
    assert merged["PATH"].startswith("/opt/homebrew/bin:/usr/bin:/venv/bin")
