"""Rows read from the pages themselves (https://sqlite.org/fileformat.html#b_tree_pages).

SQLite comes to a row from the root of its table, and to a table from the first page: one bad byte
there, and it reads nothing. Here every page that holds rows is read on its own, whatever became of
the others, the log's over the file's. Nothing is written, not even locked.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from sidekicks.store.tables import Value
from sidekicks.store.wal import PAGE_BYTES, read_wal

_ROWS: Final = 0x0D
_OTHERS: Final = frozenset((0x00, 0x02, 0x05, 0x0A))
"""Pages that hold no rows: index pages and inner ones; an overflow page begins with zero."""
_INTEGER_BYTES: Final = (0, 1, 2, 3, 4, 6, 8)


class Row(NamedTuple):
    """A row of some table: its number, and its columns."""

    number: int
    values: Sequence[Value]


class Pages:
    """The pages of a database while it is entered; nobody may write to it meanwhile.

    Raises:
        OSError: where the file, or its log, is there and cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._file = -1
        self._log: dict[int, bytes] = {}
        self._count = 0

    def __enter__(self) -> Self:
        self._log = read_wal(self._path.with_name(f"{self._path.name}-wal")).pages
        if self._path.is_file():
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            size = os.fstat(self._file).st_size
            self._count = -(-size // PAGE_BYTES)
        self._count = max(self._count, *self._log, 0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file >= 0:
            os.close(self._file)

    def rows(self) -> Iterator[Row]:
        """Yield every row that can be read, of any table, in the order of the pages."""
        free = self._free()
        # The first page holds the schema, which we know.
        for number in range(2, self._count + 1):
            if number in free:
                continue
            page = self._page(number)
            # A kind that does not exist may have been rows before it was damaged.
            if page[0] == _ROWS or page[0] not in _OTHERS:
                yield from self._rows_on(page)

    def _page(self, number: int) -> bytes:
        """Return a page; zeros for what of it is not there or cannot be read."""
        if (page := self._log.get(number)) is not None:
            return page
        page = b""
        if self._file >= 0 and number > 0:
            try:
                page = os.pread(self._file, PAGE_BYTES, (number - 1) * PAGE_BYTES)
            except (OSError, OverflowError):
                page = b""  # a bad sector, or no number of a page
        return page.ljust(PAGE_BYTES, b"\0")

    def _free(self) -> set[int]:
        """Return the pages that were given up: what stands there was deleted."""
        free: set[int] = set()
        (trunk,) = struct.unpack_from(">I", self._page(1), 32)
        while 1 < trunk <= self._count and trunk not in free:
            page = self._page(trunk)
            following, count = struct.unpack_from(">2I", page)
            free.add(trunk)
            free.update(struct.unpack_from(f">{min(count, PAGE_BYTES // 4 - 2)}I", page, 8))
            trunk = following
        return free

    def _rows_on(self, page: bytes) -> Iterator[Row]:
        (count,) = struct.unpack_from(">H", page, 3)
        count = min(count, (PAGE_BYTES - 8) // 4)
        for start in struct.unpack_from(f">{count}H", page, 8):
            try:
                yield self._row(page, start)
            except (IndexError, OverflowError, ValueError, struct.error):
                continue  # no row begins there

    def _row(self, page: bytes, start: int) -> Row:
        size, start = _varint(page, start)
        number, start = _varint(page, start)
        if number >= 2**63:
            number -= 2**64
        return Row(number, _columns(self._payload(page, start, size)))

    def _payload(self, page: bytes, start: int, size: int) -> bytes:
        most = PAGE_BYTES - 35
        if size <= most:
            return page[start : start + size]
        if size > self._count * PAGE_BYTES:
            raise ValueError("longer than the whole file")
        least = (PAGE_BYTES - 12) * 32 // 255 - 23
        here = least + (size - least) % (PAGE_BYTES - 4)
        if here > most:
            here = least
        found = [page[start : start + here]]
        (following,) = struct.unpack_from(">I", page, start + here)
        left = size - here
        while left > 0:
            if not 1 < following <= self._count:
                raise ValueError("it ends before its end")
            page = self._page(following)
            found.append(page[4 : 4 + left])
            left -= PAGE_BYTES - 4
            (following,) = struct.unpack_from(">I", page)
        return b"".join(found)


def _columns(record: bytes) -> list[Value]:
    start, at = _varint(record, 0)
    end = start
    values: list[Value] = []
    while at < end:
        kind, at = _varint(record, at)
        value, start = _value(record, kind, start)
        values.append(value)
    if start > len(record):
        raise ValueError("it ends before its end")
    return values


def _value(record: bytes, kind: int, start: int) -> tuple[Value, int]:
    """Return the value of this kind that begins there, and where it ends."""
    if kind >= 12:
        end = start + (kind - 12) // 2
        value = record[start:end]
        return (value.decode(errors="replace") if kind % 2 else value), end
    if kind == 0:
        return None, start
    if kind <= 6:
        end = start + _INTEGER_BYTES[kind]
        return int.from_bytes(record[start:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", record, start)[0], start + 8
    if kind <= 9:
        return kind - 8, start
    raise ValueError("no kind of value")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number of variable length that begins there, and where it ends."""
    if (number := data[at]) < 0x80:
        return number, at + 1
    number = 0
    for index in range(at, at + 8):
        byte = data[index]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, index + 1
    return number << 8 | data[at + 8], at + 9
