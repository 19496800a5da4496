"""Files stay inside the folder, whatever they are called and whatever is in the way."""

import os
import socket
from pathlib import Path

import pytest

from sidekicks.companion.folder import FILE_BYTES, LISTED_ENTRIES, Folder
from sidekicks.contract.errors import ErrorCode, SidekicksError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    return root


def refused(code: ErrorCode, folder: Folder, path: str) -> None:
    with pytest.raises(SidekicksError) as error:
        folder.read(path)
    assert error.value.code == code, error.value.message
    with pytest.raises(SidekicksError) as error:
        folder.replace(path, None, "x")
    assert error.value.code == code, error.value.message


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "sub/../../secret.txt",
        "sub/../a.txt",
        "..",
        "/etc/passwd",
        "a\0b",
    ],
)
def test_a_path_that_leaves_the_folder_is_refused(root: Path, path: str) -> None:
    (root / "sub").mkdir()
    refused("outside", Folder(root), path)


def test_a_neighbour_with_the_same_beginning_is_outside(root: Path) -> None:
    (root.parent / "workshop").mkdir()
    (root.parent / "workshop/a").write_text("a")
    refused("outside", Folder(root), str(root.parent / "workshop/a"))


@pytest.mark.parametrize("target", ["../secret.txt", "..", "/etc", "../missing"])
def test_a_link_that_points_out_is_refused(root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    refused("outside", Folder(root), "link")
    if target == "..":
        refused("outside", Folder(root), "link/secret.txt")
        with pytest.raises(SidekicksError):
            Folder(root).list("link")
    assert (root.parent / "secret.txt").read_text() == "secret"
    assert not (root.parent / "missing").exists()


def test_a_link_inside_is_followed_and_stays_a_link(root: Path) -> None:
    (root / "real.txt").write_text("old")
    (root / "link").symlink_to("real.txt")
    folder = Folder(root)
    assert folder.read("link") == "old"
    folder.replace("link", "old", "new")
    assert (root / "link").is_symlink()
    assert (root / "real.txt").read_text() == "new"


def test_links_in_a_circle_are_refused(root: Path) -> None:
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    with pytest.raises(SidekicksError):
        Folder(root).read("a")


def test_a_folder_reached_by_a_link_works(root: Path) -> None:
    (root / "a.txt").write_text("a")
    by_link = root.parent / "alias"
    by_link.symlink_to("work")
    folder = Folder(by_link)
    assert folder.read("a.txt") == "a"
    assert folder.read(str(by_link / "a.txt")) == "a"
    assert folder.read(str(root / "a.txt")) == "a"


def test_pipes_sockets_and_devices_are_never_opened(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(root)  # the path of a socket is short
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        refused("invalid", Folder(root), "pipe")
        refused("invalid", Folder(root), "socket")


@pytest.mark.parametrize("path", [".", "sub", ""])
def test_a_folder_is_not_a_file(root: Path, path: str) -> None:
    (root / "sub").mkdir()
    refused("invalid", Folder(root), path)


def test_a_file_is_not_a_folder(root: Path) -> None:
    (root / "a").write_text("a")
    folder = Folder(root)
    refused("not_found", folder, "a/b")
    with pytest.raises(SidekicksError):
        folder.list("a")


def test_a_megabyte_is_read_and_a_byte_more_is_not(root: Path) -> None:
    (root / "fits").write_bytes(b"x" * FILE_BYTES)
    (root / "large").write_bytes(b"x" * (FILE_BYTES + 1))
    folder = Folder(root)
    assert len(folder.read("fits")) == FILE_BYTES
    refused("too_large", folder, "large")


def test_more_than_a_megabyte_is_not_written(root: Path) -> None:
    (root / "a").write_text("old")
    with pytest.raises(SidekicksError) as error:
        Folder(root).replace("a", "old", "é" * FILE_BYTES)
    assert error.value.code == "too_large"
    assert (root / "a").read_text() == "old"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a\0b"])
def test_what_is_no_text_is_left_alone(root: Path, content: bytes) -> None:
    (root / "binary").write_bytes(content)
    refused("not_text", Folder(root), "binary")
    assert (root / "binary").read_bytes() == content


@pytest.mark.parametrize("text", ["", "a\r\nb", "\ufeffa", "é\n", "no end"])
def test_a_text_is_read_and_written_exactly(root: Path, text: str) -> None:
    folder = Folder(root)
    folder.replace("a", None, text)
    assert (root / "a").read_bytes() == text.encode()
    assert folder.read("a") == text


@pytest.mark.parametrize("name", ["a b", "-rf", "quote'\"", "new\nline", "😀", " "])
def test_any_name_works(root: Path, name: str) -> None:
    folder = Folder(root)
    folder.replace(name, None, "x")
    assert folder.read(name) == "x"
    assert [entry.name for entry in folder.list().entries] == [name]


def test_a_name_that_is_no_utf8_can_be_told(root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9")).write_text("x")
    (entry,) = Folder(root).list().entries
    assert entry.name == "caf\ufffd"


def test_what_changed_meanwhile_is_not_overwritten(root: Path) -> None:
    (root / "a").write_text("theirs")
    folder = Folder(root)
    for old in ("mine", None):
        with pytest.raises(SidekicksError) as error:
            folder.replace("a", old, "new")
        assert error.value.code == "conflict"
    with pytest.raises(SidekicksError) as error:
        folder.replace("gone", "old", "new")
    assert error.value.code == "conflict"
    assert (root / "a").read_text() == "theirs"
    assert not (root / "gone").exists()


def test_a_file_is_replaced_and_keeps_its_mode(root: Path) -> None:
    (root / "run").write_text("old")
    (root / "run").chmod(0o754)
    with (root / "run").open() as reader:
        Folder(root).replace("run", "old", "new")
        assert reader.read() == "old"
    assert (root / "run").stat().st_mode & 0o777 == 0o754
    assert [entry.name for entry in Folder(root).list().entries] == ["run"]
    assert sorted(path.name for path in root.iterdir()) == ["run"]


def test_a_file_that_nobody_may_write_is_kept(root: Path) -> None:
    (root / "kept").write_text("old")
    (root / "kept").chmod(0o444)
    with pytest.raises(SidekicksError) as error:
        Folder(root).replace("kept", "old", "new")
    assert error.value.code == "no_access"
    assert (root / "kept").read_text() == "old"


def test_a_write_that_fails_leaves_nothing_behind(root: Path) -> None:
    (root / "taken").mkdir()
    folder = Folder(root)
    with pytest.raises(SidekicksError):
        folder.replace("x" * 300, None, "new")
    assert sorted(path.name for path in root.iterdir()) == ["taken"]


def test_whether_a_file_is_there(root: Path) -> None:
    (root / "a").write_text("a")
    folder = Folder(root)
    assert folder.read_if_there("a") == "a"
    assert folder.read_if_there("b") is None
    with pytest.raises(SidekicksError) as error:
        folder.read_if_there("missing/b")
    assert error.value.code == "not_found"


def test_a_listing_has_folders_first_and_is_bounded(root: Path) -> None:
    (root / "zoo").mkdir()
    (root / ".sidekicks-1234.tmp").write_text("half")
    for number in range(LISTED_ENTRIES + 5):
        (root / f"{number:04}").write_text("12345")
    contents = Folder(root).list()
    assert contents.total == LISTED_ENTRIES + 6
    assert len(contents.entries) == LISTED_ENTRIES
    assert contents.entries[0].name == "zoo"
    assert contents.entries[0].is_folder
    assert (contents.entries[1].name, contents.entries[1].size) == ("0000", 5)


def test_whether_the_folder_is_there(root: Path) -> None:
    assert Folder(root).is_there()
    assert not Folder(root / "gone").is_there()
    assert not Folder(Path("relative")).is_there()
    assert not Folder(Path("/bad\0name")).is_there()
