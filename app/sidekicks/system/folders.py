"""Where programs lie: folders of a PATH, the usual install folders, and this very program."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_MAC: Final = (
    "/opt/homebrew/bin",
    "/opt/homebrew/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/Applications/Docker.app/Contents/Resources/bin",
    "~/.orbstack/bin",
    "/Applications/OrbStack.app/Contents/MacOS/xbin",
    "/opt/podman/bin",
    "/opt/local/bin",
    "/opt/local/sbin",
    "~/Library/pnpm",
)
_LINUX: Final = (
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/snap/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/var/lib/flatpak/exports/bin",
    "~/.local/share/pnpm",
)
_BOTH: Final = (
    "~/.local/bin",
    "~/bin",
    "~/.cargo/bin",
    "~/.npm-global/bin",
    "~/.bun/bin",
    "~/.deno/bin",
    "~/.volta/bin",
    "~/.yarn/bin",
    "~/.local/share/mise/shims",
    "~/.asdf/shims",
    "~/.opencode/bin",
    "~/go/bin",
    "~/.docker/bin",
    "~/.rd/bin",
    "~/.nix-profile/bin",
    "/nix/var/nix/profiles/default/bin",
    "/run/current-system/sw/bin",
)


def usual_folders() -> list[str]:
    """Return the install folders of this platform that exist, the system's first."""
    folders = (_MAC if sys.platform == "darwin" else _LINUX) + _BOTH
    return [found for folder in folders if Path(found := os.path.expanduser(folder)).is_dir()]  # noqa: PTH111


def search_folders(path: str) -> list[str]:
    """Return the folders of a PATH, each once, in order.

    An empty or relative entry means the current folder, which is the agent's: a program there must
    never be started in place of the system's.
    """
    return list(dict.fromkeys(entry for entry in path.split(os.pathsep) if os.path.isabs(entry)))  # noqa: PTH117


def join_paths(*paths: str | Iterable[str]) -> str:
    """Return one PATH of several, without what is empty, relative or there twice."""
    parts = (path if isinstance(path, str) else os.pathsep.join(path) for path in paths)
    return os.pathsep.join(search_folders(os.pathsep.join(parts)))


def find_executable(name: str, path: str) -> Path | None:
    """Return the program of that name in the folders of `path`; one with a slash is a path itself.

    Links are not followed to their end: many a shim goes by the name that it was called by.
    """
    for candidate in candidates(name, path):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None


def candidates(name: str, path: str) -> list[Path]:
    """Return where `find_executable` looks."""
    if "/" in name:
        return [Path(name)]
    return [Path(folder, name) for folder in search_folders(path)] if name else []


def self_command(*, lasting: bool = False) -> list[str]:
    """Return how to run this very program.

    Args:
        lasting: for what must still work after this run, such as a link. An AppImage's own files
            are gone with its mount, so this is the AppImage itself; for a child that we end
            ourselves that would only mount (or unpack) it once more.
    """
    if not getattr(sys, "frozen", False):
        # -P: without it, Python would import the modules of the folder it is started in, and that
        # folder is the agent's.
        return [sys.executable, "-P", "-m", "sidekicks"]
    image, mounted = os.environ.get("APPIMAGE"), os.environ.get("APPDIR")
    # Both are also inherited from somebody else's AppImage (a terminal, an editor).
    ours = image and mounted and Path(sys.executable).is_relative_to(mounted)
    return [image if lasting and image and ours else sys.executable]
