"""The routes, and how the framework's own errors are told.

This is what makes a start slow (the framework); import it in a thread where time matters.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from litestar import Litestar, Request, Response, get, post, route
from litestar.enums import HttpMethod
from litestar.exceptions import ClientException, HTTPException, InternalServerException
from litestar.params import FromQuery
from litestar.types import ASGIApp

from sidekicks.base.hub import Hub
from sidekicks.base.supervisor import new_incident
from sidekicks.server.codes import Codes
from sidekicks.server.errors import JSON_TYPE, RequestError
from sidekicks.server.guard import METHODS, OPEN, Guard, SecretGuard, demand_json
from sidekicks.server.pages import PageFile, read_page
from sidekicks.server.stream import EventStream
from sidekicks.server.words import say

if TYPE_CHECKING:
    from sidekicks.bridge import Invoke

COMMAND_BYTES: Final = 32 * 1024 * 1024
EXCHANGE_BYTES: Final = 4096

AnyRequest = Request[Any, Any, Any]


class Exchange(msgspec.Struct):
    """What a page sends with the code of its link."""

    code: str


def build_app(
    *,
    invoke: "Invoke",
    hub: Hub,
    ui_folder: Path,
    secret: str,
    codes: Codes,
    on_code_used: Callable[[], None],
    port: int,
    window: bool,
) -> ASGIApp:
    """Return the server's ASGI application.

    Raises:
        SidekicksError: `unavailable` if the page is not in `ui_folder`.
    """
    files = read_page(ui_folder)

    @route(list(files), http_method=[HttpMethod.GET, HttpMethod.HEAD], opt={OPEN: True})
    async def page_file(request: AnyRequest) -> PageFile:
        return files[request.scope["path"]]

    @get("/events")
    async def events(after: FromQuery[int | None] = None) -> EventStream:
        return EventStream(hub, after)

    @post("/invoke", request_max_body_size=COMMAND_BYTES)
    async def run_command(request: AnyRequest) -> Response[bytes]:
        reply = await invoke(await _read(request))
        return Response(reply.body, status_code=reply.status, media_type=JSON_TYPE)

    @post("/exchange", request_max_body_size=EXCHANGE_BYTES, status_code=200, opt={OPEN: True})
    async def exchange_code(request: AnyRequest) -> Response[bytes]:
        try:
            exchange = msgspec.json.decode(await _read(request), type=Exchange)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RequestError(400, "invalid", say("invalid")) from error
        codes.use(exchange.code)
        on_code_used()
        answer = msgspec.json.encode({"secret": secret})
        return Response(answer, media_type=JSON_TYPE, headers={"cache-control": "no-store"})

    def refuse(_: AnyRequest, error: Exception) -> Response[bytes]:
        refusal = _as_refusal(error)
        return Response(
            refusal.encode(hub.seq),
            status_code=refusal.status,
            media_type=JSON_TYPE,
            headers=refusal.headers,
        )

    app = Litestar(
        [page_file, events, run_command, exchange_code],
        guards=[SecretGuard(secret), demand_json],
        exception_handlers={HTTPException: refuse, Exception: refuse},
        openapi_config=None,
        logging_config=None,
        # Both can be switched on by the environment; a page of tracebacks is nobody's to read.
        debug=False,
        pdb_on_exception=False,
    )
    return Guard(app, hub=hub, port=port, window=window)


async def _read(request: AnyRequest) -> bytes:
    try:
        return await request.body()
    except InternalServerException as error:
        # The page went away while it sent; nobody hears the answer, and nothing is wrong here.
        raise RequestError(400, "invalid", say("invalid")) from error


def _as_refusal(error: Exception) -> RequestError:
    match error:
        case RequestError():
            return error
        case HTTPException(status_code=404):
            return RequestError(404, "not_found", say("not_found"))
        case HTTPException(status_code=405):
            known = (error.headers or {}).get("allow", "").split(", ")
            allowed = ", ".join(method for method in METHODS if method in known)
            message = say("method", allowed=allowed)
            return RequestError(405, "invalid", message, {"allow": allowed})
        case HTTPException(status_code=413):
            return RequestError(413, "too_large", say("too_large"))
        case ClientException():
            return RequestError(400, "invalid", say("invalid"))
        case _:
            incident = new_incident(error)
            return RequestError(500, "internal", say("internal", incident=incident))
