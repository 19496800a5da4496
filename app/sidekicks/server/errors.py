"""What a request that is turned away is answered: a sentence in the envelope of every answer."""

from typing import Final

import msgspec

from sidekicks.contract.errors import ErrorCode, SidekicksError

JSON_TYPE: Final = "application/json"


class RequestError(SidekicksError):
    """An error of the request itself, with the HTTP status and headers that say the same."""

    def __init__(
        self, status: int, code: ErrorCode, message: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(code, message)
        self.status: Final = status
        self.headers: Final = {"cache-control": "no-store", **(headers or {})}

    def encode(self, seq: int) -> bytes:
        """Return the envelope, with the hub's number as every answer has it."""
        return msgspec.json.encode({"ok": False, "error": self.body(), "seq": seq})
