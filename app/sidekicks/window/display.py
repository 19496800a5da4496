"""Can a window be shown here? Asked before Qt is, which would end the process (SIGABRT)."""

import ctypes
import os
import socket
from pathlib import Path

from sidekicks.contract.errors import SidekicksError
from sidekicks.window.libraries import find_missing, name_packages
from sidekicks.window.words import say

_PLUGINS = {"xcb": "libqxcb.so", "wayland": "libqwayland*.so"}


def require_display() -> list[str]:
    """Return Qt's names of the display systems that answer here, the preferred first.

    Raises:
        SidekicksError: `unavailable`, where there is none.
    """
    chosen = os.environ.get("QT_QPA_PLATFORM")
    if chosen:
        # The person, or a test without a display, has decided.
        return [chosen]
    x11, wayland = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    if not (x11 or wayland):
        raise SidekicksError("unavailable", say("no_display"))
    answering = ["wayland"] if wayland and _wayland_answers(wayland) else []
    if x11 and _x11_answers():
        answering.append("xcb")
    if not answering:
        raise SidekicksError("unavailable", say("display_silent", display=wayland or x11))
    return answering


def require_libraries(platforms: list[str], plugins: Path) -> None:
    """See that Qt's own plug-in for one of the display systems can be loaded.

    Args:
        platforms: what `require_display` returned.
        plugins: Qt's folder of platform plug-ins.

    Raises:
        SidekicksError: `unavailable`, with the command that installs what is missing.
    """
    reasons: list[str] = []
    for platform in platforms:
        name = _PLUGINS.get(platform)
        if name is None:
            return
        for file in sorted(plugins.glob(name)):
            try:
                ctypes.CDLL(str(file))
            except OSError as problem:
                reasons.append(str(problem))
            else:
                return
    raise refuse(reasons[0] if reasons else str(plugins))


def refuse(reason: str) -> SidekicksError:
    """Return the error for a toolkit that does not load, with the command that mends it."""
    missing = find_missing()
    if not missing or not Path("/usr/bin/apt-get").exists():
        return SidekicksError("unavailable", say("toolkit", reason=reason))
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    command = " ".join([*sudo, "apt-get", "install", *name_packages(missing.values())])
    return SidekicksError("unavailable", say("libraries", reason=reason, command=command))


def _wayland_answers(name: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        try:
            client.connect(str(Path(os.environ.get("XDG_RUNTIME_DIR", ""), name)))
        except OSError:
            return False
    return True


def _x11_answers() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        # Then Qt's plug-in does not load either, and that error names the package.
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    try:
        return xcb.xcb_connection_has_error(connection) == 0
    finally:
        xcb.xcb_disconnect(connection)
