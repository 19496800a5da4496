"""The computer's boot, and files that only their owner may read."""

import stat
from pathlib import Path

import pytest

from sidekicks.system import boot_id
from sidekicks.system.machine import write_private


def test_a_boot_has_one_id() -> None:
    assert len(boot_id()) >= 16
    assert boot_id() == boot_id()


def test_a_private_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "below" / "kept.json"
    write_private(file, b"one")
    file.chmod(0o644)
    write_private(file, b"two")
    assert file.read_bytes() == b"two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept.json").mkdir()
    (tmp_path / "kept.json" / "in-the-way").touch()
    with pytest.raises(OSError, match="directory"):
        write_private(tmp_path / "kept.json", b"one")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
