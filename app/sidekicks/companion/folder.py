"""The session's folder: listing it, and reading and replacing text files inside it, no others.

A path is resolved, compared with the folder, and then walked again from the folder's descriptor
without following any link, so that nothing swapped in between leads outside. What is no ordinary
file is never opened. The work is short (at most a megabyte) and done at once, without a thread.
"""

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from sidekicks.companion.words import words
from sidekicks.contract.errors import ErrorCode, SidekicksError

FILE_BYTES: Final = 1_048_576
LISTED_ENTRIES: Final = 200

_TEMPORARY: Final = (".sidekicks-", ".tmp")
"""How a file's new content is named until it is whole."""
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Entry(msgspec.Struct, frozen=True):
    """What a folder holds; `size` in bytes, for ordinary files."""

    name: str
    is_folder: bool
    size: int | None = None


class Contents(msgspec.Struct, frozen=True):
    """A folder's first entries, folders before files, and how many there are in all."""

    entries: tuple[Entry, ...]
    total: int


class Folder:
    """A folder of the person's, and the files in it.

    All operations raise SidekicksError: `outside`, `not_found`, `no_access`, `not_text`,
    `too_large`, `conflict`, `invalid` or `unavailable`.
    """

    def __init__(self, root: Path) -> None:
        self.root: Final = root

    def is_there(self) -> bool:
        """Tell whether the folder exists, by an absolute path."""
        return self.root.is_absolute() and os.path.isdir(self.root)  # noqa: PTH112 - never raises

    def locate(self, path: str) -> Path:
        """Return where `path` is, links resolved.

        Raises:
            SidekicksError: `outside`.
        """
        # A `..` is refused even where it would stay inside: it may mean another folder once the
        # one before it is a link.
        if "\0" in path or ".." in Path(path).parts:
            raise _refuse("outside", "outside", path)
        root = os.path.realpath(self.root)
        real = os.path.realpath(os.path.join(root, path))  # noqa: PTH118
        if os.path.commonpath((root, real)) != root:
            raise _refuse("outside", "outside", path)
        return Path(real)

    def list(self, path: str = "") -> Contents:
        """Return what is in the folder `path`."""
        real = self.locate(path)
        entries: list[Entry] = []
        with _told(path), self._opened(real) as folder, os.scandir(folder) as found:
            for entry in found:
                if not _is_temporary(entry.name):
                    entries.append(_describe(entry))
        entries.sort(key=lambda entry: (not entry.is_folder, entry.name.casefold()))
        return Contents(tuple(entries[:LISTED_ENTRIES]), len(entries))

    def read(self, path: str) -> str:
        """Return the text of a file."""
        real = self._locate_file(path)
        with _told(path), self._opened(real.parent) as folder:
            return _read_text(folder, real.name, path)

    def read_if_there(self, path: str) -> str | None:
        """Return the text of a file, null where there is none yet."""
        try:
            return self.read(path)
        except SidekicksError as error:
            if error.code == "not_found" and self.locate(path).parent.is_dir():
                return None
            raise

    def replace(self, path: str, old: str | None, new: str) -> None:
        """Make the file's text `new`, all at once, if it still is `old` (null: does not exist)."""
        if len(new.encode()) > FILE_BYTES:
            raise _refuse("too_large", "too_large_to_write", path)
        real = self._locate_file(path)
        with _told(path), self._opened(real.parent) as folder:
            mode: int | None = None
            with suppress(FileNotFoundError):
                mode = os.stat(real.name, dir_fd=folder, follow_symlinks=False).st_mode
            there = None if mode is None else _read_text(folder, real.name, path)
            if there != old:
                raise _refuse("conflict", "changed_meanwhile", path)
            if mode is not None and not mode & 0o222:
                raise _refuse("no_access", "no_access", path)
            _put(folder, real.name, new, mode)

    def _locate_file(self, path: str) -> Path:
        real = self.locate(path)
        if real == Path(os.path.realpath(self.root)):
            raise _refuse("invalid", "is_folder", path)
        return real

    @contextmanager
    def _opened(self, real: Path) -> Generator[int]:
        """Open the folder `real` from the root on, one step after the other, following no link."""
        root = os.path.realpath(self.root)
        opened = os.open(root, _FOLDER_FLAGS)
        try:
            for part in real.relative_to(root).parts:
                deeper = os.open(part, _FOLDER_FLAGS, dir_fd=opened)
                os.close(opened)
                opened = deeper
            yield opened
        finally:
            os.close(opened)


def shown(name: str) -> str:
    """Return a file's name as text that can be sent: bytes that are no UTF-8 are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _describe(entry: os.DirEntry[str]) -> Entry:
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        # Removed while we looked.
        return Entry(shown(entry.name), is_folder=False)
    ordinary = stat.S_ISREG(found.st_mode)
    return Entry(
        shown(entry.name),
        is_folder=stat.S_ISDIR(found.st_mode),
        size=found.st_size if ordinary else None,
    )


def _is_temporary(name: str) -> bool:
    return name.startswith(_TEMPORARY[0]) and name.endswith(_TEMPORARY[1])


def _read_text(folder: int, name: str, path: str) -> str:
    _check_ordinary(os.stat(name, dir_fd=folder, follow_symlinks=False), path)
    with os.fdopen(os.open(name, _READ_FLAGS, dir_fd=folder), "rb") as file:
        _check_ordinary(os.fstat(file.fileno()), path)
        content = file.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise _refuse("too_large", "too_large", path)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _refuse("not_text", "not_text", path) from error
    if "\0" in text:
        raise _refuse("not_text", "not_text", path)
    return text


def _check_ordinary(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise _refuse("invalid", "is_folder", path)
    if stat.S_ISLNK(found.st_mode):
        raise _refuse("outside", "outside", path)
    if not stat.S_ISREG(found.st_mode):
        raise _refuse("invalid", "not_ordinary", path)
    if found.st_size > FILE_BYTES:
        raise _refuse("too_large", "too_large", path)


def _put(folder: int, name: str, text: str, mode: int | None) -> None:
    """Write beside, flush, and rename over: whoever reads sees the old file or the new one."""
    temporary = secrets.token_hex(6).join(_TEMPORARY)
    try:
        with os.fdopen(os.open(temporary, _CREATE_FLAGS, 0o666, dir_fd=folder), "wb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


@contextmanager
def _told(path: str) -> Generator[None]:
    """Say in a sentence what the system refuses."""
    try:
        yield
    except FileNotFoundError as error:
        raise _refuse("not_found", "not_found", path) from error
    except NotADirectoryError as error:
        raise _refuse("not_found", "not_folder", path) from error
    except PermissionError as error:
        raise _refuse("no_access", "no_access", path) from error
    except OSError as error:
        raise SidekicksError(
            "unavailable", words("file_failed", path=shown(path), reason=error.strerror)
        ) from error


def _refuse(code: ErrorCode, key: str, path: str) -> SidekicksError:
    return SidekicksError(code, words(key, path=shown(path)))
