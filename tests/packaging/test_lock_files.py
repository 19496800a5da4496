"""What is installed is exactly what was locked, and the locks hold what the settings ask for."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "build" / "locks"
COMMAND = "run: .venv/bin/python build/lock.py"


def pins(*names: str) -> dict[str, Requirement]:
    lines = [line for name in names for line in (LOCKS / f"{name}.txt").read_text().splitlines()]
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def settings() -> dict[str, list[Requirement]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = {"run": project["dependencies"] + extras["qt"], "dev": extras["dev"]}
    return {name: [Requirement(line) for line in lines] for name, lines in asked.items()}


@pytest.mark.parametrize("name", ["run", "dev", "node"])
def test_a_lock_holds_exact_versions_and_no_address(name: str) -> None:
    for line in (LOCKS / f"{name}.txt").read_text().splitlines():
        assert re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.+]*( ; .+)?", line), line


@pytest.mark.parametrize("name", ["run", "dev"])
def test_a_lock_fits_the_settings(name: str) -> None:
    locked = pins("run") if name == "run" else pins("run", "dev")
    for wanted in settings()[name]:
        pin = locked.get(canonicalize_name(wanted.name))
        assert pin is not None, f"{wanted} is not locked; {COMMAND}"
        (version,) = pin.specifier
        assert wanted.specifier.contains(version.version, prereleases=True), (
            f"{pin} is not {wanted}; {COMMAND}"
        )


def test_no_package_is_locked_twice() -> None:
    both = set(pins("run")) & set(pins("dev"))
    assert both == set()


def test_each_platform_gets_its_own_toolkit_and_not_the_others() -> None:
    locked = pins("run")

    def installed_on(platform: str, name: str) -> bool:
        marker = locked[name].marker
        return marker is None or marker.evaluate({"sys_platform": platform})

    for name in ("pyside6-essentials", "pyside6-addons", "pyside6-webengine", "qtpy"):
        assert installed_on("linux", name)
        assert not installed_on("darwin", name)
    for name in ("pyobjc-core", "pyobjc-framework-cocoa", "pyobjc-framework-webkit"):
        assert installed_on("darwin", name)
        assert not installed_on("linux", name)
    assert not any(name.startswith("pyqt") for name in locked)


def test_the_page_is_locked_without_addresses() -> None:
    lock = json.loads((ROOT / "ui" / "package-lock.json").read_text())
    assert len(lock["packages"]) > 1
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []
