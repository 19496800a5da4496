"""What goes wrong between two peers: an error answer, an answer that makes no sense, the end."""

from typing import Any, Final, cast

from sidekicks.acp.lenient import shallow

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
AUTH_REQUIRED: Final = -32000
RESOURCE_NOT_FOUND: Final = -32002
REQUEST_CANCELLED: Final = -32800
SUMMARY_CHARACTERS: Final = 600


class AcpError(Exception):
    """The peer answered a request with an error; raised by our own side, it becomes one.

    Args:
        code: the protocol's, or any number of the agent's own.
        message: the peer's words, as they came.
        data: what the peer added, as it came.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(f"{message} ({code})")
        self.code: Final = code
        self.message: Final = message
        self.data: Final = data

    @property
    def summary(self) -> str:
        """The message, without the stack trace that some agents add to it."""
        first, _, _ = self.message.strip().partition("\n\n")
        return first if len(first) <= SUMMARY_CHARACTERS else f"{first[:SUMMARY_CHARACTERS]}…"


class BadAnswerError(AcpError):
    """The peer answered, but not with what the protocol says; `data` is the answer as it came."""

    def __init__(self, method: str, data: Any) -> None:
        super().__init__(INTERNAL_ERROR, f"The answer to {method} makes no sense", shallow(data))


class ConnectionEnded(Exception):  # noqa: N818 - not a fault in itself: every connection ends
    """The peer is gone; what was asked of it will not be answered."""


def read_error(error: object) -> AcpError:
    """Return an error answer as an exception, however little of it is as it should be."""
    told = shallow(error)
    if not isinstance(told, dict):
        return AcpError(INTERNAL_ERROR, str(told))
    fields = cast("dict[str, Any]", told)
    code, message = fields.get("code"), fields.get("message")
    return AcpError(
        int(code) if isinstance(code, int | float) else INTERNAL_ERROR,
        message if isinstance(message, str) else str(message or "Unknown error"),
        fields.get("data"),
    )
