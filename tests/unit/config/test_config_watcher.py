"""A change of the file is noticed, however it came about, and nothing else is."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sidekicks.config import ConfigWatcher
from sidekicks.config.folder_watch import FolderWatch

LONG = 3600.0
"""Looks so rare that only what the system tells is noticed."""
SOON = 20.0
"""Seconds in which a change must have been noticed, on a busy machine."""
QUIET = 0.7
"""Seconds in which nothing may be noticed: several times what a change takes."""


class Changes:
    """What the file was at each call, and waiting for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: list[str] = []
        self._changed = threading.Condition()

    def __call__(self) -> None:
        with self._changed:
            self._seen.append(self._look())
            self._changed.notify_all()

    def wait(self, content: str) -> None:
        """Return when the last call found this content."""
        with self._changed:
            there = self._changed.wait_for(lambda: self._seen[-1:] == [content], SOON)
            assert there, f"{content} was not noticed, only {self._seen}"

    def none_for_a_while(self) -> None:
        """Fail if there is a call."""
        with self._changed:
            count = len(self._seen)
            assert not self._changed.wait_for(lambda: len(self._seen) > count, QUIET)

    def __len__(self) -> int:
        return len(self._seen)

    def _look(self) -> str:
        if not self._path.exists():
            return "missing"
        return self._path.read_text() if self._path.is_file() else "no file"


@contextmanager
def watching(path: Path, look_seconds: float = LONG) -> Generator[Changes, None, None]:
    changes = Changes(path)
    watcher = ConfigWatcher(path, changes, look_seconds=look_seconds)
    watcher.start()
    try:
        yield changes
    finally:
        watcher.stop()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "conf" / "team.yaml"
    path.parent.mkdir()
    path.write_text("one")
    return path


def write_over(path: Path, text: str) -> None:
    path.write_text(text)


def rename_over(path: Path, text: str) -> None:
    (path.parent / "team.yaml.tmp").write_text(text)
    (path.parent / "team.yaml.tmp").replace(path)


def move_away_and_write(path: Path, text: str) -> None:
    path.rename(path.parent / "team.yaml~")
    path.write_text(text)


def write_from_elsewhere(path: Path, text: str) -> None:
    (path.parent.parent / "new").write_text(text)
    (path.parent.parent / "new").replace(path)


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


SAVES = [write_over, rename_over, move_away_and_write, write_from_elsewhere, append]


@pytest.mark.parametrize("save", SAVES)
def test_a_save_is_noticed_each_time(file: Path, save: Callable[[Path, str], None]) -> None:
    with watching(file) as changes:
        for number in range(3):
            save(file, f"content {number}")
            changes.wait(file.read_text())
        changes.none_for_a_while()


def test_a_file_is_noticed_when_it_goes_and_when_it_is_back(file: Path) -> None:
    with watching(file) as changes:
        file.unlink()
        changes.wait("missing")
        file.write_text("two")
        changes.wait("two")


def test_an_edit_between_start_and_the_first_watch_is_noticed(file: Path) -> None:
    with watching(file) as changes:
        file.write_text("two")
        changes.wait("two")


def test_only_another_content_counts(file: Path) -> None:
    with watching(file) as changes:
        rename_over(file, "one")
        file.chmod(0o600)
        os.utime(file)
        changes.none_for_a_while()
        assert len(changes) == 0
        rename_over(file, "two")
        changes.wait("two")


def test_what_else_is_written_beside_the_file_wakes_nobody(file: Path) -> None:
    with watching(file) as changes:
        for name in ("team.db", "team.db-wal", "other.yaml", "team.yaml.swp"):
            (file.parent / name).write_text("x")
        (file.parent / "folder").mkdir()
        (file.parent / "folder").rmdir()
        changes.none_for_a_while()


def test_many_writes_are_fewer_changes(file: Path) -> None:
    with watching(file) as changes:
        for number in range(200):
            rename_over(file, f"content {number}")
        changes.wait("content 199")
        assert len(changes) < 200


def test_the_folder_may_come_later(tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet" / "team.yaml"
    with watching(path, look_seconds=0.05) as changes:
        path.parent.mkdir(parents=True)
        path.write_text("one")
        changes.wait("one")
        rename_over(path, "two")
        changes.wait("two")


def test_a_folder_that_was_replaced_is_followed(file: Path) -> None:
    with watching(file, look_seconds=0.05) as changes:
        file.parent.rename(file.parent.parent / "away")
        changes.wait("missing")
        file.parent.mkdir()
        file.write_text("two")
        changes.wait("two")
        rename_over(file, "three")
        changes.wait("three")


def test_a_folder_that_was_removed_is_followed_when_it_is_back(file: Path) -> None:
    with watching(file, look_seconds=0.05) as changes:
        file.unlink()
        file.parent.rmdir()
        changes.wait("missing")
        file.parent.mkdir()
        file.write_text("one")
        changes.wait("one")


def test_the_file_that_a_link_means_is_watched(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    with watching(link) as changes:
        rename_over(file, "two")
        changes.wait("two")
        (tmp_path / "other.yaml").write_text("three")
        (tmp_path / "new-link").symlink_to("other.yaml")
        (tmp_path / "new-link").replace(link)
        changes.wait("three")


def test_a_folder_behind_a_link_is_watched(file: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("conf")
    with watching(tmp_path / "link" / "team.yaml") as changes:
        rename_over(file, "two")
        changes.wait("two")


def test_what_becomes_no_file_is_noticed_and_not_opened(file: Path) -> None:
    with watching(file) as changes:
        file.unlink()
        changes.wait("missing")
        os.mkfifo(file)
        changes.wait("no file")


def test_reading_the_file_is_no_event(file: Path) -> None:
    events: list[int] = []
    told = threading.Event()

    def count() -> None:
        events.append(0)
        told.set()

    watch = FolderWatch([file], count)
    try:
        for _ in range(50):
            file.read_text()
        os.utime(file)
        assert told.wait(SOON)
    finally:
        watch.stop()
    assert len(events) < 10


def test_it_can_be_stopped_from_its_own_call(file: Path) -> None:
    called = threading.Event()
    watcher: list[ConfigWatcher] = []

    def stop() -> None:
        watcher[0].stop()
        called.set()

    watcher.append(ConfigWatcher(file, stop, look_seconds=LONG))
    watcher[0].start()
    file.write_text("two")
    assert called.wait(SOON)
    watcher[0].stop()


def test_nothing_is_left_of_it(file: Path) -> None:
    before = set(threading.enumerate())
    for _ in range(3):
        with watching(file):
            pass
        assert set(threading.enumerate()) == before


def test_stopping_what_was_never_started_is_fine(file: Path) -> None:
    ConfigWatcher(file, Changes(file)).stop()


WITHOUT_WATCHES = """
import os, resource, sys, threading
from pathlib import Path
import sidekicks.config.folder_watch
from sidekicks.config import ConfigWatcher

path = Path(sys.argv[1])
changed, problems, woken = threading.Event(), [], threading.Event()
def on_problem(problem):
    problems.append(problem)
    woken.set()

# A watch needs three descriptors, reading the file one: with two left the system refuses the watch.
taken = os.open("/dev/null", os.O_RDONLY)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (taken + 3, hard))
threads = threading.active_count()
watcher = ConfigWatcher(path, changed.set, on_problem, look_seconds=0.05)
watcher.start()
assert woken.wait(20), "not told"
assert problems[0].severity == "warning", problems
assert "Too many open files" in problems[0].message, problems
path.write_text("two")
assert changed.wait(20), "not compared"
changed.clear(), woken.clear()
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
assert woken.wait(20), "not asked for again"
assert problems[1:] == [None], problems
path.write_text("three")
assert changed.wait(20), "not watched again"
watcher.stop()
assert threading.active_count() == threads
"""


def test_where_the_system_refuses_a_watch_the_file_is_compared(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_WATCHES, str(file)],
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )
    assert done.returncode == 0, done.stderr
