"""What a child gets, and what it does not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sidekicks.system import child_environment, clean_own_environment


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """This program as a frozen one, run from an AppImage, as PyInstaller and Qt leave it."""
    mount = tmp_path / "mount"
    bundle = mount / "usr" / "_internal"
    bundle.mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(bundle), raising=False)
    set_here = {
        "LD_LIBRARY_PATH": f"{bundle}:/opt/cuda/lib",
        "LD_LIBRARY_PATH_ORIG": "/opt/cuda/lib",
        "PATH": f"{mount}/usr/bin:/usr/bin:/bin",
        "XDG_DATA_DIRS": f"{mount}/usr/share:/usr/share",
        "GI_TYPELIB_PATH": f"{bundle}/gi_typelibs",
        "SSL_CERT_FILE": f"{bundle}/certifi/cacert.pem",
        "QT_PLUGIN_PATH": f"{bundle}/PySide6/Qt/plugins",
        "QML2_IMPORT_PATH": f"{bundle}/PySide6/Qt/qml",
        "PYSIDE6_OPTION_PYTHON_ENUM": "1",
        "_PYI_ARCHIVE_FILE": "x",
        "_PYI_PARENT_PROCESS_LEVEL": "1",
        "_PYI_LINUX_PROCESS_NAME": "sidekicks",
        "_MEIPASS2": "x",
        "PYINSTALLER_RESET_ENVIRONMENT": "1",
        "APPDIR": str(mount),
        "APPIMAGE": "/home/me/Sidekicks.AppImage",
        "ARGV0": "sidekicks",
        "OWD": "/home/me",
        "QT_STYLE_OVERRIDE": "",
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
        "PYWEBVIEW_GUI": "qt",
        "EGL_LOG_LEVEL": "fatal",
        "SIDEKICKS_SECRET": "x",
        "SIDEKICKS_RESOLVING_ENVIRONMENT": "1",
        "LAUNCHED_BY": "sidekicks-0123",
    }
    for name, value in set_here.items():
        monkeypatch.setenv(name, value)
    return str(mount)


def test_nothing_of_a_frozen_app_reaches_a_child(bundle: str) -> None:
    environment = child_environment()
    assert not [name for name, value in environment.items() if bundle in value]
    prefixes = ("_PYI", "_MEI", "PYI", "APP", "QT", "QML", "PYSIDE", "PYWEB", "EGL", "SIDEKICKS")
    assert not [name for name in environment if name.startswith(prefixes)]
    assert not {"ARGV0", "OWD", "LAUNCHED_BY", "LD_LIBRARY_PATH_ORIG"} & set(environment)
    assert environment["LD_LIBRARY_PATH"] == "/opt/cuda/lib"
    assert environment["PATH"] == "/usr/bin:/bin"
    assert environment["XDG_DATA_DIRS"] == "/usr/share"
    assert "GI_TYPELIB_PATH" not in environment


def test_a_library_path_that_was_not_there_is_gone(
    bundle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{bundle}/usr/_internal")
    assert "LD_LIBRARY_PATH" not in child_environment()


def test_the_persons_library_path_survives_our_own_being_cleaned(bundle: str) -> None:
    clean_own_environment()
    assert os.environ["LD_LIBRARY_PATH"] == "/opt/cuda/lib"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    clean_own_environment()
    assert child_environment()["LD_LIBRARY_PATH"] == "/opt/cuda/lib"


def test_our_own_library_path_goes_where_there_was_none(
    bundle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{bundle}/usr/_internal")
    clean_own_environment()
    assert "LD_LIBRARY_PATH" not in os.environ


def test_what_belongs_to_one_terminal_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TERM", "SHLVL", "PWD", "OLDPWD", "_", "XDG_SESSION_ID", "TMUX", "KITTY_PID"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/run/agent")
    environment = child_environment()
    assert not {"TERM", "SHLVL", "PWD", "OLDPWD", "_", "XDG_SESSION_ID", "TMUX"} & set(environment)
    assert "KITTY_PID" not in environment
    assert environment["SSH_AUTH_SOCK"] == "/run/agent"


def test_what_the_person_says_to_the_bundled_agent_reaches_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SIDEKICKS_MODEL", "qwen3:4b")
    monkeypatch.setenv("SIDEKICKS_MODEL_URL", "http://127.0.0.1:1234")
    environment = child_environment()
    assert environment["SIDEKICKS_MODEL"] == "qwen3:4b"
    assert environment["SIDEKICKS_MODEL_URL"] == "http://127.0.0.1:1234"


def test_extra_wins() -> None:
    assert child_environment({"PATH": "/mine", "TERM": "dumb"})["PATH"] == "/mine"
    assert child_environment({"TERM": "dumb"})["TERM"] == "dumb"


@pytest.mark.parametrize(
    ("given", "language"),
    [
        ({}, "C.UTF-8"),
        ({"LANG": ""}, "C.UTF-8"),
        ({"LANG": "fr_FR.UTF-8"}, "fr_FR.UTF-8"),
        ({"LC_ALL": "de_DE.UTF-8"}, None),
    ],
)
def test_the_encoding_is_utf8_where_nothing_says_it(
    given: dict[str, str], language: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    if language == "C.UTF-8" and sys.platform == "darwin":
        language = "en_US.UTF-8"
    assert child_environment().get("LANG") == language


def test_the_persons_toolkit_settings_are_kept_and_our_own_are_not() -> None:
    program = (
        "import os, json; from sidekicks.system import child_environment;"
        "os.environ['QT_STYLE_OVERRIDE'] = '';"
        "os.environ['QTWEBENGINE_CHROMIUM_FLAGS'] = '--no-sandbox';"
        "print(json.dumps(child_environment()))"
    )
    env = {**os.environ, "QT_STYLE_OVERRIDE": "kvantum", "QT_SCALE_FACTOR": "2"}
    answer = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, check=True, timeout=30
    )
    environment = json.loads(answer.stdout)
    assert environment["QT_STYLE_OVERRIDE"] == "kvantum"
    assert environment["QT_SCALE_FACTOR"] == "2"
    assert "QTWEBENGINE_CHROMIUM_FLAGS" not in environment


def test_a_program_that_was_started_without_an_environment_knows_its_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HOME", "USER", "LOGNAME", "SHELL"):
        monkeypatch.delenv(name, raising=False)
    environment = child_environment()
    assert Path(environment["HOME"]).is_absolute()
    assert environment["USER"] == environment["LOGNAME"] != ""
