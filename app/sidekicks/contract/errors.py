"""The one family of errors. Raised where a thing goes wrong, translated once, by the bridge."""

from typing import Any, Literal

from sidekicks.contract.wire import Wire

ErrorCode = Literal[
    "invalid",
    "not_found",
    "outside",
    "conflict",
    "exists",
    "too_large",
    "not_text",
    "no_access",
    "ambiguous",
    "unavailable",
    "busy",
    "unsupported",
    "sign_in",
    "internal",
]


class ErrorBody(Wire, frozen=True, kw_only=True):
    """An error as the page gets it: a sentence for the person, a code and data for programs."""

    code: ErrorCode
    message: str
    data: dict[str, Any] = {}


class SidekicksError(Exception):
    """Something that the person can be told in one sentence.

    Args:
        code: what programs go by.
        message: one sentence in the person's language, with what to do about it.
        data: what a program needs besides, such as the members to choose from.
    """

    def __init__(self, code: ErrorCode, message: str, **data: Any) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.data: dict[str, Any] = data

    def body(self) -> ErrorBody:
        """Return the error as it goes to the page."""
        return ErrorBody(code=self.code, message=self.message, data=self.data)
