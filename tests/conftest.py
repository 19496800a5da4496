"""For every test: nothing left behind, a home of its own, no network but loopback."""

import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import cast

import hypothesis
import pytest

import leaks
from fakes.display import Display, open_display

hypothesis.settings.register_profile(
    "sidekicks", deadline=None, database=None, derandomize=bool(os.environ.get("CI"))
)
hypothesis.settings.load_profile("sidekicks")

_HOME = {
    "HOME": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_RUNTIME_DIR": "run",
}
_LOCAL = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "::", ""}
_kept: set[str] = set()
"""What fixtures hold that live longer than one test: a browser, a display."""
_session_home: list[Path] = []


def _homes(home: Path) -> dict[str, str]:
    """Make a home and return the variables that point to it."""
    for place in _HOME.values():
        (home / place).mkdir(parents=True, exist_ok=True)
    (home / "run").chmod(0o700)
    return {name: str(home / place) for name, place in _HOME.items()}


def _stay_here(event: str, arguments: tuple[object, ...]) -> None:
    match event:
        case "socket.connect" | "socket.sendto":
            # A UNIX socket's address is a path, not a pair.
            address = arguments[1]
            host = cast("tuple[object, ...]", address)[0] if isinstance(address, tuple) else None
        case "socket.getaddrinfo":
            host = arguments[0]
        case _:
            return
    if isinstance(host, str) and host not in _LOCAL and not host.startswith("127."):
        raise RuntimeError(f"a test reached for {host}, beyond this computer")


def pytest_configure() -> None:
    """Once in each worker, before anything of ours is imported."""
    leaks.mark_descendants()
    # Short: a socket's path may have 107 bytes, and pytest's own folders use up most of them.
    home = Path(tempfile.mkdtemp(prefix="sk-"))
    _session_home.append(home)
    os.environ.update(_homes(home), LANG="C.UTF-8", LC_ALL="C.UTF-8")
    os.environ.pop("LANGUAGE", None)
    # A test with a window starts a display of its own; the others must not need one.
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)
    sys.addaudithook(_stay_here)


def pytest_unconfigure() -> None:
    """Remove what was this worker's home."""
    for home in _session_home:
        shutil.rmtree(home, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object],
) -> Generator[None, object, object]:
    """What a fixture starts that outlives the test is not the test's leak."""
    if fixturedef.scope == "function":
        return (yield)
    before = leaks.held()
    try:
        return (yield)
    finally:
        _kept.update(leaks.held() - before)


@pytest.fixture(autouse=True)
def _no_leaks() -> Iterator[None]:
    """Fail a test that leaves a process, a thread or an open descriptor."""
    before = leaks.held()
    yield
    if left := leaks.wait_for_release(before | _kept):
        pytest.fail("left behind: " + "; ".join(left))


@pytest.fixture(autouse=True, scope="session")
def _nothing_left_at_the_end() -> Iterator[None]:
    """Fail a worker whose long-lived fixtures did not end what they had started."""
    before = leaks.processes()
    yield
    if left := leaks.wait_for_release(before, leaks.processes):
        pytest.fail("left behind at the end: " + "; ".join(left))


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A person's empty home, with the platform's folders in it, for this test alone."""
    with tempfile.TemporaryDirectory(prefix="sk-") as folder:
        path = Path(folder)
        for name, place in _homes(path).items():
            monkeypatch.setenv(name, place)
        yield path


@pytest.fixture(scope="session")
def display() -> Iterator[Display]:
    """An X server of this worker's own: a neighbour's window cannot take the focus."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    before = leaks.held()
    with open_display() as opened:
        # pytest asks the hook above only about what belongs to this folder, and a session does not.
        _kept.update(leaks.held() - before)
        yield opened
