"""The system libraries that Qt's window needs on Linux, and the packages that bring them on Debian.

The standard library only: the project's set-up reads this very file before anything is installed.
"""

import shutil
import subprocess
from collections.abc import Iterable
from typing import Final

QT_LIBRARIES: Final = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libXcomposite.so.1": "libxcomposite1",
    "libXdamage.so.1": "libxdamage1",
    "libXrandr.so.2": "libxrandr2",
    "libXrender.so.1": "libxrender1",
    "libXtst.so.6": "libxtst6",
    "libasound.so.2": "libasound2",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgbm.so.1": "libgbm1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libnspr4.so": "libnspr4",
    "libnss3.so": "libnss3",
    "libudev.so.1": "libudev1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-server.so.0": "libwayland-server0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbfile.so.1": "libxkbfile1",
}
"""Shared object -> package, of all that PySide6's wheels load and do not bring."""


def find_missing() -> dict[str, str]:
    """Return the part of `QT_LIBRARIES` that this computer has not."""
    # Not in a person's PATH on Debian.
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    try:
        listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False)
    except OSError:
        # A system without glibc's cache: Qt itself will tell what it does not find.
        return {}
    present = {line.split()[0] for line in listing.stdout.splitlines()[1:] if line.strip()}
    return {name: package for name, package in QT_LIBRARIES.items() if name not in present}


def name_packages(packages: Iterable[str]) -> list[str]:
    """Return the packages by the names that this release gives them.

    Debian 13 and Ubuntu 24.04 renamed some (libasound2t64) and kept the old name as one that
    several packages provide, which apt-get refuses to choose from.
    """
    listing = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=False)
    known = set(listing.stdout.split())
    return [f"{name}t64" if f"{name}t64" in known else name for name in sorted(set(packages))]
