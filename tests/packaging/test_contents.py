"""What the frozen app is made of: the recipe holds, and what is trimmed is what may go."""

import ast
import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

import contents

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
SPEC = (PACKAGING / "sidekicks.spec").read_text()
QT = "PySide6/Qt"


def test_the_recipe_is_python_and_names_files_that_exist() -> None:
    compile(SPEC, "sidekicks.spec", "exec")
    for words in ('"packaging" / "entry.py"', '"app"', '"LICENSE"'):
        assert words in SPEC
        assert ROOT.joinpath(*words.replace('"', "").split(" / ")).exists()


@pytest.mark.parametrize("name", contents.HIDDEN)
def test_what_is_added_by_name_exists(name: str) -> None:
    assert importlib.util.find_spec(name) is not None


def test_nothing_is_left_out_that_we_import() -> None:
    ours: set[str] = set()
    for file in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Import(names=names):
                    ours.update(alias.name for alias in names)
                case ast.ImportFrom(module=str(module)):
                    ours.add(module)
                case _:
                    pass
    for excluded in contents.EXCLUDED:
        assert not [name for name in ours if f"{name}.".startswith(f"{excluded}.")], excluded


@pytest.mark.parametrize(
    ("target", "stays"),
    [
        (f"{QT}/qml/QtQuick/libqtquick2plugin.so", False),
        (f"{QT}/translations/qtbase_de.qm", False),
        (f"{QT}/translations/qtwebengine_locales/de.pak", False),
        (f"{QT}/translations/qtwebengine_locales/en-US.pak", True),
        (f"{QT}/translations/qtwebengine_locales/fr.pak", True),
        (f"{QT}/resources/qtwebengine_devtools_resources.pak", False),
        (f"{QT}/resources/qtwebengine_resources.pak", True),
        (f"{QT}/resources/v8_context_snapshot.bin", True),
        (f"{QT}/plugins/platforms/libqxcb.so", True),
        (f"{QT}/plugins/platforms/libqwayland.so", True),
        (f"{QT}/plugins/platforms/libqvnc.so", False),
        (f"{QT}/plugins/wayland-shell-integration/libxdg-shell.so", True),
        (f"{QT}/plugins/wayland-graphics-integration-server/libqt-wayland.so", False),
        (f"{QT}/plugins/sqldrivers/libqsqlite.so", False),
        ("libstdc++.so.6", False),
        ("libX11.so.6", False),
        ("libX11-xcb.so.1", False),
        ("libgbm.so.1", False),
        ("libxcb-cursor.so.0", True),
        ("ui_dist/index.html", True),
        ("sidekicks/window/skeleton.html", True),
    ],
)
def test_what_stays_and_what_goes(target: str, stays: bool) -> None:
    _, datas = contents.trim([], [(target, "", "DATA")])
    assert bool(datas) is stays


@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not installed")
def test_a_library_that_nothing_left_can_load_goes_with_its_link() -> None:
    plain = str(Path(sys.executable).resolve())
    binaries = [
        (f"{QT}/lib/libQt6Charts.so.6", plain, "BINARY"),
        (f"{QT}/plugins/platforms/libqxcb.so", plain, "BINARY"),
        ("msgspec/_core.so", plain, "EXTENSION"),
    ]
    links = [("libQt6Charts.so.6", f"{QT}/lib/libQt6Charts.so.6", "SYMLINK")]
    kept, datas = contents.trim(binaries, links)
    assert [target for target, _, _ in kept] == [target for target, _, _ in binaries[1:]]
    assert datas == []
