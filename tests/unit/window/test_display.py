"""Where no window can be shown, one sentence says what to do, and Qt is not asked to try."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sidekicks.contract.errors import SidekicksError
from sidekicks.window.display import refuse, require_display, require_libraries
from sidekicks.window.libraries import QT_LIBRARIES, find_missing, name_packages

linux = pytest.mark.skipif(sys.platform != "linux", reason="Qt is the toolkit on Linux")


def test_without_a_display_the_way_out_is_named() -> None:
    with pytest.raises(SidekicksError, match="sidekicks serve") as caught:
        require_display()
    assert caught.value.code == "unavailable"


def test_an_x_server_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":6553")
    with pytest.raises(SidekicksError, match=":6553"):
        require_display()


def test_a_wayland_socket_that_nobody_listens_on_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    with pytest.raises(SidekicksError, match="wayland-7"):
        require_display()


def test_a_wayland_socket_that_answers_is_taken(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(home / "run" / "wayland-7"))
        server.listen()
        assert require_display() == ["wayland"]


def test_what_the_person_chose_is_not_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert require_display() == ["offscreen"]


def test_a_plug_in_that_does_not_load_is_an_error_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"not a library")
    with pytest.raises(SidekicksError, match=r"libqxcb\.so"):
        require_libraries(["xcb"], tmp_path)


def test_one_display_system_that_loads_is_enough(tmp_path: Path) -> None:
    require_libraries(["xcb", "offscreen"], tmp_path)


@linux
def test_missing_libraries_are_told_with_the_command() -> None:
    error = refuse("libxcb-cursor.so.0: cannot open shared object file")
    assert error.code == "unavailable"
    assert "libxcb-cursor.so.0" in error.message
    if find_missing() and Path("/usr/bin/apt-get").exists():
        assert re.search(r"apt-get install \w", error.message)


@linux
@pytest.mark.skipif(not Path("/usr/bin/apt-cache").exists(), reason="apt is not here")
def test_every_package_of_the_list_is_one_that_apt_knows() -> None:
    listing = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=True)
    if not listing.stdout:
        pytest.skip("apt has no list of packages yet")
    known = set(listing.stdout.split())
    assert [name for name in name_packages(QT_LIBRARIES.values()) if name not in known] == []
