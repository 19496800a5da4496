"""The write-ahead log as it lies on the disk (https://sqlite.org/fileformat.html#the_write_ahead_log).

SQLite takes a log up to its first bad frame and forgets the rest without a word. Here the rest is
looked at, too: a whole transaction behind a bad frame means that the log was damaged, whereas a
crash leaves at most an unfinished one at its end.
"""

import struct
from pathlib import Path
from typing import Final, NamedTuple

PAGE_BYTES: Final = 4096
"""Of a page of the history. Fixed when it is made, so that it is known when the header is not."""
HEADER_BYTES: Final = 32
FRAME_BYTES: Final = 24 + PAGE_BYTES
_MAGIC: Final = 0x377F0682
_MASK: Final = 0xFFFFFFFF


class Wal(NamedTuple):
    """What a log holds. `pages` are the last committed ones, by number."""

    pages: dict[int, bytes]
    whole: bool
    """Nothing that was committed lies behind damage."""


def read_wal(path: Path) -> Wal:
    """Read the log of a database; an empty one where there is none.

    Raises:
        OSError: where it is there and cannot be read.
    """
    # Never a pipe or the like: to open one may wait forever.
    data = path.read_bytes() if path.is_file() else b""
    if len(data) < HEADER_BYTES + FRAME_BYTES:
        return Wal({}, whole=True)
    magic, _, page_bytes, _, *salts, one, two = struct.unpack_from(">8I", data)
    order = ">" if magic & 1 else "<"
    good = (
        magic & ~1 == _MAGIC
        and page_bytes == PAGE_BYTES
        and _checksum(order, data[:24], (0, 0)) == (one, two)
    )
    if not good:
        # The frames know them as well. They are this log's: it is written from its beginning.
        salts = list(struct.unpack_from(">2I", data, HEADER_BYTES + 8))
        order = ">" if order == ">" and magic & ~1 == _MAGIC else "<"
    return _read_frames(data, order, (salts[0], salts[1]), (one, two), good)


def _read_frames(
    data: bytes, order: str, salts: tuple[int, int], seed: tuple[int, int], good: bool
) -> Wal:
    pages: dict[int, bytes] = {}
    open_pages: dict[int, bytes] = {}
    whole = True
    for start in range(HEADER_BYTES, len(data) - FRAME_BYTES + 1, FRAME_BYTES):
        number, size, first, second, one, two = struct.unpack_from(">6I", data, start)
        page = data[start + 24 : start + FRAME_BYTES]
        # Frames of an older round of the log have other salts; what they hold is in the file.
        mine = (first, second) == salts
        summed = mine and _checksum(order, data[start : start + 8] + page, seed) == (one, two)
        seed = (one, two)
        if not summed:
            good = False
            continue
        open_pages[number] = page
        if size:
            pages |= open_pages
            open_pages = {}
            whole = whole and good
    return Wal(pages, whole)


def _checksum(order: str, data: bytes, seed: tuple[int, int]) -> tuple[int, int]:
    one, two = seed
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for first, second in zip(words, words, strict=True):
        one = (one + first + two) & _MASK
        two = (two + second + one) & _MASK
    return one, two
