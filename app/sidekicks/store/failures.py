"""What an error of the database or of its files means."""

import errno
import sqlite3
from typing import Final, Literal

from peewee import PeeweeException

Fault = Literal["damaged", "full", "no_access", "locked", "io"]
"""`damaged`: it does not read. Else it cannot be written now: the disk is full, there is no right
to, another program has locked it, or the disk fails.
"""


class DamagedError(Exception):
    """The history, or something in it, is not what we wrote."""


ERRORS: Final = (PeeweeException, sqlite3.Error, OSError, UnicodeDecodeError, DamagedError)
"""What the database and its files raise; the last but one for a text that is not UTF-8."""

_BY_CODE: Final[dict[int, Fault]] = {
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "no_access",
    sqlite3.SQLITE_PERM: "no_access",
    sqlite3.SQLITE_CANTOPEN: "no_access",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_IOERR: "io",
}
_UNREADABLE: Final = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
_BY_ERRNO: Final[dict[int | None, Fault]] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EACCES: "no_access",
    errno.EPERM: "no_access",
    errno.EROFS: "no_access",
    errno.ENOENT: "no_access",
    errno.ENOTDIR: "no_access",
}


def judge(error: BaseException) -> Fault | None:
    """Return what an error means for the history; null where it is another matter."""
    if isinstance(error, DamagedError | UnicodeDecodeError):
        return "damaged"
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno, "io")
    if isinstance(error, PeeweeException):
        # It wraps the error of the database, which has the code.
        error = getattr(error, "orig", error)
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # The module's own, also for a text that is not UTF-8; only damage can bring that about.
        return "damaged" if "decode" in str(error) else None
    if code in _UNREADABLE:
        return "damaged"
    if code == sqlite3.SQLITE_ERROR and str(error).startswith(("no such table", "no such column")):
        return "damaged"
    return _BY_CODE.get(code & 0xFF)
