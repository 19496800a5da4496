"""What a child gets as its environment: what this program was started with, and nothing of its own.

The app changes its own environment in many places: the freezing's boot loader, the AppImage's
runtime and the window's toolkit all do. A child that inherited it would load the bundle's
libraries instead of the system's (git, curl, Chromium) or take itself for a part of us. What
belongs to one terminal or one login is left out as well.
"""

import os
import pwd
import sys
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Final

LAUNCH_MARK: Final = "LAUNCHED_BY"
"""The one variable that a child does get from us: its value is different for every process that
`start_process` starts, so that what detached itself from it can be told from a stranger's."""

_LIBRARY_PATHS: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
"""The boot loader puts its libraries first and keeps the old value as `NAME_ORIG`."""

_OURS: Final = frozenset({
    LAUNCH_MARK, "_MEIPASS2", "PYSIDE6_OPTION_PYTHON_ENUM",
    "APPDIR", "APPIMAGE", "APPIMAGE_UUID", "ARGV0", "OWD",
    "__PYVENV_LAUNCHER__", "__CFBundleIdentifier", "XPC_SERVICE_NAME",
})  # fmt: skip
_OUR_PREFIXES: Final = ("_PYI_", "PYINSTALLER_", "SIDEKICKS_")
_FOR_THE_BUNDLED_AGENT: Final = "SIDEKICKS_MODEL"
"""`SIDEKICKS_MODEL…` is set by the person, and the bundled agent is a child like any other."""

_TOOLKIT: Final = ("QT_", "QTWEBENGINE", "QML", "PYSIDE", "PYWEBVIEW_", "FORCE_QT_", "EGL_LOG_")
"""The window's toolkit sets these in our own environment. A child gets what the person had set."""
_TOOLKIT_AT_START: Final = {
    name: text for name, text in os.environ.items() if name.startswith(_TOOLKIT)
}

_SESSION: Final = frozenset({
    "_", "PWD", "OLDPWD", "SHLVL", "TERM", "TERMCAP", "COLORTERM", "COLUMNS", "LINES",
    "WINDOWID", "WINDOW", "STY", "TMUX", "TMUX_PANE", "VTE_VERSION", "GPG_TTY", "SSH_TTY",
    "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "SECURITYSESSIONID",
    "XDG_SESSION_ID", "XDG_SESSION_CLASS", "XDG_SESSION_PATH", "XDG_SEAT", "XDG_SEAT_PATH",
    "XDG_VTNR", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "BAMF_DESKTOP_FILE_HINT",
    "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "SYSTEMD_EXEC_PID", "NOTIFY_SOCKET",
    "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
})  # fmt: skip
_SESSION_PREFIXES: Final = (
    "ALACRITTY_", "GHOSTTY_", "GIO_LAUNCHED_", "GNOME_TERMINAL_", "ITERM_", "KITTY_", "KONSOLE_",
    "LC_TERMINAL", "WEZTERM_", "ZELLIJ",
)  # fmt: skip


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a child: our own without what is ours, and `extra`, which wins."""
    environment = own_environment() | dict(extra or {})
    add_utf8(environment)
    return environment


def own_environment() -> dict[str, str]:
    """Return what this program was started with, as far as it is a child's business."""
    now = {name: text for name, text in os.environ.items() if not name.startswith(_TOOLKIT)}
    return clean(_account() | now | _TOOLKIT_AT_START)


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """Return `environ` without what belongs to this program, or to one terminal or login."""
    environment = dict(environ)
    _restore_library_paths(environment)
    _leave_bundle(environment, tuple(environment), environ.get("APPDIR"))
    for name in environ:
        ours = name.startswith(_OUR_PREFIXES) and not name.startswith(_FOR_THE_BUNDLED_AGENT)
        if ours or name in _OURS or name in _SESSION or name.startswith(_SESSION_PREFIXES):
            environment.pop(name, None)
    return environment


def clean_own_environment() -> None:
    """Give this very process its library path back: the first thing to do in a frozen app.

    The loader has read it by now, and what the app opens later is found without it; but whatever
    opens a program behind our back (`webbrowser`, the toolkit) would hand it on.
    """
    _restore_library_paths(os.environ)
    _leave_bundle(os.environ, _LIBRARY_PATHS, None)


def _account() -> dict[str, str]:
    """Return what every login sets, for a program that was started without (cron, `env -i`)."""
    try:
        account = pwd.getpwuid(os.getuid())
    except KeyError:
        return {}
    name = account.pw_name
    return {"HOME": account.pw_dir, "USER": name, "LOGNAME": name, "SHELL": account.pw_shell}


def add_utf8(environment: MutableMapping[str, str]) -> None:
    """Where nothing says the encoding, say UTF-8: an app started from the Finder has no LANG."""
    if not any(environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        environment["LANG"] = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"


def _restore_library_paths(environment: MutableMapping[str, str]) -> None:
    for name in _LIBRARY_PATHS:
        if (before := environment.pop(f"{name}_ORIG", None)) is not None:
            environment[name] = before


def _leave_bundle(
    environment: MutableMapping[str, str], names: Iterable[str], mounted: str | None
) -> None:
    """Take what lies in the bundle, or in an AppImage's mount, out of paths and lists of paths."""
    bundle = getattr(sys, "_MEIPASS", None) if getattr(sys, "frozen", False) else None
    roots = [root for root in (bundle, mounted) if root]
    folders = {folder.rstrip("/") for root in roots for folder in (root, os.path.realpath(root))}
    folders.discard("")
    for name in names:
        text = environment.get(name, "")
        if not any(folder in text for folder in folders):
            continue
        kept = [
            entry
            for entry in text.split(os.pathsep)
            if not any(entry == folder or entry.startswith(f"{folder}/") for folder in folders)
        ]
        if kept:
            environment[name] = os.pathsep.join(kept)
        else:
            del environment[name]
