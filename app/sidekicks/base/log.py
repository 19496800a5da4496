"""The app's log: one bounded file, and on request warnings on stderr; no secret in either.

What is written goes through `mask`, traceback and all; so does what the person copies out of a log.
"""

import logging
import re
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

FILE_NAME: Final = "sidekicks.log"
FILE_BYTES: Final = 1024 * 1024
FILES: Final = 3

MASK: Final = "***"

logger = logging.getLogger(__name__)

_SECRET_NAME: Final = (
    r"(?:key(?!error|board|word|s\b)|token(?!s|iz)|secret|passw(?:or)?d|passphrase|credential"
    r"|authorization|cookie)"
)
# No run of name characters before the word: what comes before stays as it is, and a long run of
# letters (an image in base64) would be read anew from each of them.
_REST_OF_NAME: Final = r"[\w.-]{0,40}"
_QUOTED: Final = (
    r'"(?:[^"\\\n]|\\.)*"?'
    r"|'(?:[^'\\\n]|\\.)*'?"
    # JSON within JSON: the quote is itself behind backslashes.
    r"""|(?P<quote>\\+["'])(?:(?!(?P=quote)).)*(?:(?P=quote))?"""
)

_PATTERNS: Final = (
    re.compile(r"(?P<kept>\bBearer\s+)[^\s\"'\\,;]+", re.IGNORECASE),
    re.compile(r"(?P<kept>\bcode=)[^\s\"'\\&#,;]+", re.IGNORECASE),
    # A list of variables or headers, as ACP writes it: {"name": "API_KEY", "value": "…"}.
    re.compile(
        r"""(?P<kept>\\*["']name\\*["']\s*:\s*\\*["'][\w.-]{0,80}?"""
        rf"""{_SECRET_NAME}{_REST_OF_NAME}\\*["']\s*,\s*\\*["']value\\*["']\s*:\s*)(?:{_QUOTED})""",
        re.IGNORECASE,
    ),
    re.compile(
        rf"""(?P<kept>{_SECRET_NAME}{_REST_OF_NAME}\\*["']?\s*[:=]\s*(?:Bearer\s+|Basic\s+)?)"""
        rf"""(?:{_QUOTED}|[^\s"'\\,;&)\]}}]+)""",
        re.IGNORECASE,
    ),
    # Keys that tell by themselves what they are, wherever they stand.
    re.compile(r"(?P<kept>\b(?:sk|ghp|gho|ghs|github_pat|xox[abp])[-_])[\w-]{8,}"),
)


def mask(text: str) -> str:
    """Return `text` with what looks like a secret replaced by `***`; its name stays."""
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\g<kept>{MASK}", text)
    return text


class MaskingFormatter(logging.Formatter):
    """Masks the finished text. A filter would not see the traceback, where secrets stand too."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's text without secrets, as a file can take it."""
        text = mask(super().format(record))
        # A byte of a file's name that is no UTF-8 is a lone surrogate, which no file would take.
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def set_up_logging(folder: Path, *, stderr: bool = False) -> Callable[[], None]:
    """Log to a file in `folder` from now on; return what ends that.

    Args:
        folder: is made if it is not there, for the person alone.
        stderr: show warnings there as well. So it is, too, where the file cannot be written: an app
            that cannot log must still run.
    """
    handlers: list[logging.Handler] = []
    failure: OSError | None = None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handlers.append(
            RotatingFileHandler(
                folder / FILE_NAME, maxBytes=FILE_BYTES, backupCount=FILES - 1, encoding="utf-8"
            )
        )
    except OSError as error:
        failure = error
    if stderr or failure is not None:
        shown = logging.StreamHandler()
        shown.setLevel(logging.WARNING)
        handlers.append(shown)
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    for handler in handlers:
        handler.setFormatter(
            MaskingFormatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s")
        )
        root.addHandler(handler)
    if failure is not None:
        logger.warning("No log file can be written in %s: %s", folder, failure)

    def end() -> None:
        root.setLevel(level)
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()

    return end
