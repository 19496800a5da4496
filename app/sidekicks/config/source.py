"""The file's bytes: taken without ever hanging or filling the memory, and turned into text.

Only a regular file is opened; a pipe or a device would hang or answer forever. Decoding never
fails: what is no text is replaced and noted, so that one bad byte in a comment costs no agent.
"""

import codecs
import errno
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 1_048_576
REPLACEMENT: Final = "\ufffd"

_LINE_BREAK: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_UNPRINTABLE: Final = re.compile(
    "[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with the file as a whole: a key of `words.say`, where, what fills it in."""

    word: str
    line: int | None = None
    values: tuple[tuple[str, object], ...] = ()


class UnreadableError(Exception):
    """The file cannot be had; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.word)
        self.fault: Final = fault


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded text, and what it takes to encode it again: every valid file survives both ways."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""
    damage: Fault | None = None
    """The first thing that is no text; it and its like read as U+FFFD."""

    def encode(self, text: str) -> bytes:
        """Return `text` as bytes of this file's kind."""
        return self.bom + text.encode(self.encoding)


def line_at(text: str, index: int) -> int:
    """Return the line, from 1, of a character."""
    return sum(1 for _ in _LINE_BREAK.finditer(text, 0, index)) + 1


def read_source(path: Path) -> bytes:
    """Return the file's bytes.

    Raises:
        FileNotFoundError: nothing is there, not even a link.
        UnreadableError: something is there that cannot be read as a configuration.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            word = "file_is_folder" if stat.S_ISDIR(found.st_mode) else "file_is_special"
            raise UnreadableError(Fault(word))
        if found.st_size > MAX_BYTES:
            raise UnreadableError(Fault("file_too_large"))
        # It may have become a pipe since: O_NONBLOCK makes opening one harmless.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb") as file:
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                raise UnreadableError(Fault("file_is_special"))
            # One byte more than may be, so that a file that grew meanwhile is refused later on.
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        if path.is_symlink():
            target = str(path.readlink())
            raise UnreadableError(Fault("file_dangling", values=(("target", target),))) from None
        raise
    except PermissionError:
        raise UnreadableError(Fault("file_no_access")) from None
    except OSError as error:
        raise UnreadableError(_os_fault(error)) from None
    return data


def decode(data: bytes) -> Text:
    """Return the file as text.

    Raises:
        UnreadableError: it is too large, or holds NUL characters and so is no text that we read.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableError(Fault("file_too_large"))
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", ""))
    encoding = encoding or "utf-8"
    data = data[len(bom) :]
    damage: Fault | None = None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, "replace")
        before = data[: error.start].decode(encoding, "replace")
        damage = Fault("not_unicode", line_at(before, len(before)), (("encoding", encoding),))
    if (nul := text.find("\0")) >= 0:
        raise UnreadableError(Fault("nul", line_at(text, nul)))
    if unprintable := _UNPRINTABLE.search(text):
        damage = damage or Fault(
            "control_character",
            line_at(text, unprintable.start()),
            (("character", f"U+{ord(unprintable.group()):04X}"),),
        )
        text = _UNPRINTABLE.sub(REPLACEMENT, text)
    return Text(text, encoding, bom, damage)


def _os_fault(error: OSError) -> Fault:
    match error.errno:
        case errno.ELOOP:
            return Fault("file_loop")
        case errno.ENOTDIR:
            return Fault("folder_is_file")
        case _:
            return Fault("file_unreadable", values=(("reason", error.strerror or str(error)),))
