"""What goes into the frozen app and what stays out; used by `sidekicks.spec`, checked by tests.

PyInstaller takes all of Qt that it finds (616 MB). A window with one web view needs two thirds.
"""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

Entry = tuple[str, str, str]
"""One file as PyInstaller lists it: where it goes, where it is from, of what kind."""

ROOT: Final = Path(__file__).resolve().parent.parent

HIDDEN: Final = ["webview.platforms.qt", "PySide6.QtWebEngineWidgets", "watchdog.observers"]
"""Imported by name at run time, where PyInstaller's reading of the source does not see it."""

EXCLUDED: Final = [
    # Tools of development that lie in the same environment.
    *("acp", "hypothesis", "jsonschema", "playwright", "pydantic", "pytest", "uv", "_pytest"),
    # What Litestar brings for its own command line, tests and examples.
    *("faker", "polyfactory", "rich", "rich_click", "httpx", "litestar.cli", "litestar.testing"),
    # Other toolkits, and what only they need.
    *("PyQt5", "PyQt6", "PySide2", "gi", "tkinter"),
    # QtPy takes these if they are there, for names that we do not use.
    *("PySide6.QtDataVisualization", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets"),
    *(f"webview.platforms.{name}" for name in ("android", "cef", "gtk", "mshtml", "winforms")),
    *("IPython", "numpy", "unittest", "test"),
]

_PLUGINS: Final = (
    "iconengines/",
    "imageformats/libqgif",
    "imageformats/libqico",
    "imageformats/libqjpeg",
    "imageformats/libqsvg",
    "platforminputcontexts/libcompose",
    "platforminputcontexts/libibus",
    "platforms/libqoffscreen",
    "platforms/libqwayland",
    "platforms/libqxcb",
    "platformthemes/libqxdgdesktopportal",
    "tls/",
    "wayland-decoration-client/",
    "wayland-graphics-integration-client/",
    "wayland-shell-integration/",
    "xcbglintegrations/",
)
_LOCALES: Final = ("en-US.pak", "fr.pak")
_OF_THE_HOST: Final = re.compile(
    r"lib(X11|X11-xcb|xcb|gbm|drm|stdc\+\+|gcc_s|wayland-client)\.so\.\d+"
)
"""Libraries that must be the host's, because its graphics drivers bring or load the same ones."""


def trim(binaries: list[Entry], datas: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Return what stays of the files that PyInstaller collected on Linux."""
    binaries = [entry for entry in binaries if _is_wanted(entry[0])]
    datas = [entry for entry in datas if _is_wanted(entry[0])]
    reached = _reach(binaries)
    gone = {PurePosixPath(entry[0]).name for entry in binaries if entry[0] not in reached}
    return (
        [entry for entry in binaries if entry[0] in reached],
        # A link to a library that is gone would dangle.
        [e for e in datas if not (e[2] == "SYMLINK" and PurePosixPath(e[0]).name in gone)],
    )


def _is_wanted(target: str) -> bool:
    path = PurePosixPath(target)
    if "PySide6/Qt/qml" in target or _OF_THE_HOST.fullmatch(path.name):
        return False
    if "qtwebengine_locales" in path.parts:
        return path.name in _LOCALES
    if "PySide6/Qt/translations" in target:
        return False
    if "PySide6/Qt/plugins/" in target:
        return any(plugin in target for plugin in _PLUGINS)
    return not re.search(r"qtwebengine_devtools_resources\.pak$|\.debug\.(pak|bin)$", path.name)


def _reach(binaries: list[Entry]) -> set[str]:
    """Return which libraries something that stays can load."""
    by_name = {PurePosixPath(entry[0]).name: entry for entry in binaries}
    waiting = [entry for entry in binaries if _is_root(entry[0])]
    reached: set[str] = set()
    while waiting:
        target, source, _ = waiting.pop()
        if target not in reached:
            reached.add(target)
            waiting += [by_name[name] for name in _needed(source) if name in by_name]
    return reached


def _is_root(target: str) -> bool:
    """Tell whether a file is loaded by itself, not because another names it."""
    name = PurePosixPath(target).name
    if "libQt6WebEngineCore" in name or name.startswith("libpython"):
        return True
    # NSS loads its own parts by name.
    if name.startswith(("libnss", "libsoftokn", "libfreebl")):
        return True
    return "PySide6/Qt/lib/" not in target and not re.match(r"lib[^/]*\.so", target)


def _needed(source: str) -> Iterable[str]:
    listing = subprocess.run(["objdump", "-p", source], capture_output=True, text=True, check=False)
    return re.findall(r"NEEDED\s+(\S+)", listing.stdout)
