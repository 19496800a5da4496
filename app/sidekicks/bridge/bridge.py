"""Decode a command, run it, encode what it answers; the one place that translates errors.

Everything that comes in is untrusted text; nothing that happens inside gets out but as the envelope
`{"ok", "value" | "error", "seq"}`. `seq` is the hub's number when the value was taken: between the
action's return and here nothing else runs.
"""

from typing import Any, Final, Union

import msgspec

from sidekicks.actions import ACTIONS, App
from sidekicks.base.supervisor import new_incident
from sidekicks.bridge.reply import Reply
from sidekicks.bridge.words import say
from sidekicks.contract.errors import ErrorBody, ErrorCode, SidekicksError
from sidekicks.contract.wire import Result, Wire

STATUS: Final[dict[ErrorCode, int]] = {
    "invalid": 400,
    "not_found": 404,
    "outside": 403,
    "conflict": 409,
    "exists": 409,
    "too_large": 413,
    "not_text": 415,
    "no_access": 403,
    "ambiguous": 409,
    "unavailable": 503,
    "busy": 409,
    "unsupported": 501,
    "sign_in": 403,
    "internal": 500,
}

ERROR_CHARACTERS: Final = 300


class Answered(Wire, frozen=True, kw_only=True):
    """The envelope of a value."""

    ok: bool = True
    value: Result
    seq: int


class Refused(Wire, frozen=True, kw_only=True):
    """The envelope of an error."""

    ok: bool = False
    error: ErrorBody
    seq: int


class Bridge:
    """Runs commands on the engine's loop."""

    def __init__(self, app: App) -> None:
        self._app: Final = app
        commands: Any = Union[tuple(ACTIONS)]  # noqa: UP007 - made from the table
        self._decoder: Final = msgspec.json.Decoder(commands)
        self._encoder: Final = msgspec.json.Encoder()
        self._closed = False

    async def invoke(self, raw: bytes) -> Reply:
        """Run one encoded command and return its encoded answer; never raises."""
        try:
            return await self._run(raw)
        except Exception as error:  # noqa: BLE001 - here, and in the supervisor, every fault ends
            incident = new_incident(error)
            return self._refuse(
                SidekicksError("internal", say("internal", incident=incident), incident=incident)
            )

    def close(self) -> None:
        """Refuse every command from now on: the app stops."""
        self._closed = True

    async def _run(self, raw: bytes) -> Reply:
        try:
            if self._closed:
                raise SidekicksError("unavailable", say("stopping"))
            command = self._decode(raw)
            value = await ACTIONS[type(command)](self._app, command)
            body = Answered(value=value, seq=self._app.hub.seq)
            return Reply(self._encoder.encode(body), 200)
        except SidekicksError as error:
            return self._refuse(error)

    def _decode(self, raw: bytes) -> Any:
        try:
            return self._decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            # It may quote what came, of any length.
            told = str(error)[:ERROR_CHARACTERS]
            raise SidekicksError("invalid", say("bad_command", error=told)) from error

    def _refuse(self, error: SidekicksError) -> Reply:
        body = Refused(error=error.body(), seq=self._app.hub.seq)
        return Reply(self._encoder.encode(body), STATUS[error.code])
