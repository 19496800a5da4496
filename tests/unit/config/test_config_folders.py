"""Where the history lies."""

from pathlib import Path

import pytest

from sidekicks.config import database_path


@pytest.mark.parametrize(
    ("config", "database"),
    [
        ("/a/sidekicks.yaml", "/a/sidekicks.db"),
        ("/a/team.prod.yaml", "/a/team.prod.db"),
        ("/a/team.yml", "/a/team.yml.db"),
        ("/a/team", "/a/team.db"),
        ("/a/team.db", "/a/team.db.db"),
        ("/a/.yaml", "/a/.yaml.db"),
    ],
)
def test_each_configuration_has_a_history_beside_it(config: str, database: str) -> None:
    assert database_path(Path(config)) == Path(database)


def test_the_history_lies_beside_a_link_not_beside_its_target(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "real.yaml").touch()
    (tmp_path / "team.yaml").symlink_to("dotfiles/real.yaml")
    assert database_path(tmp_path / "team.yaml") == tmp_path / "team.db"


def test_a_relative_path_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert database_path(Path("team.yaml")) == tmp_path / "team.db"
