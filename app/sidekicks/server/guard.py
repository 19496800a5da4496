"""Who may talk to the server, and what every answer says to the browser.

`Guard` stands in front of everything, also of what the framework answers by itself. It turns away
requests that another page or a rebound name sends; what is left must show the secret, but at the
addresses that are marked open.
"""

import re
import secrets
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from sidekicks.base.hub import Hub
from sidekicks.server.errors import JSON_TYPE, RequestError
from sidekicks.server.words import say

AnyConnection = ASGIConnection[Any, Any, Any, Any]

OPEN: Final = "open"
"""The option of a route that does not ask for the secret."""

METHODS: Final = ("GET", "HEAD", "POST")
_PLAIN_PATH: Final = re.compile(rb"(?:/[A-Za-z0-9._~-]+)+|/")

_POLICY: Final = (
    "default-src 'none'; script-src 'self'{eval}; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)


def _seal(window: bool) -> list[tuple[bytes, bytes]]:
    # pywebview reaches its page by eval; nothing else of ours needs it.
    policy = _POLICY.format(eval=" 'unsafe-eval'" if window else "")
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    ]


class Guard:
    """Lets through what may come from our page or from a tool on this computer.

    Args:
        app: what answers.
        port: where we listen; a request's `Host` must be a name of this computer with it.
        window: the page is the app's own window.
    """

    def __init__(self, app: ASGIApp, *, hub: Hub, port: int, window: bool) -> None:
        self._app: Final = app
        self._hub: Final = hub
        # A browser leaves the port out where it is HTTP's own.
        suffixes = (f":{port}", "") if port == 80 else (f":{port}",)
        self._hosts: Final = frozenset(
            f"{name}{suffix}".encode()
            for name in ("127.0.0.1", "localhost", "[::1]")
            for suffix in suffixes
        )
        self._seal: Final = _seal(window)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._seal]
            await send(message)

        try:
            self._check(scope)
        except RequestError as refusal:
            await self._refuse(refusal, send_sealed)
        else:
            await self._app(scope, receive, send_sealed)

    def _check(self, scope: HTTPScope) -> None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            # A name that another site's owner pointed at this computer (DNS rebinding).
            raise RequestError(403, "no_access", say("host"))
        origins = _values(scope, b"origin")
        if origins and origins != [b"http://" + hosts[0].lower()]:
            raise RequestError(403, "no_access", say("origin"))
        if sites := _values(scope, b"sec-fetch-site"):
            self._check_browser(scope, sites, origins)
        if not _PLAIN_PATH.fullmatch(scope["raw_path"]):
            # The router would read `//invoke` and `/%69nvoke` as `/invoke`.
            raise RequestError(404, "not_found", say("not_found"))
        if scope["method"] not in METHODS:
            allowed = ", ".join(METHODS)
            raise RequestError(405, "invalid", say("method", allowed=allowed), {"allow": allowed})

    def _check_browser(self, scope: HTTPScope, sites: list[bytes], origins: list[bytes]) -> None:
        """Check a request that says itself that a browser sent it. Tools never send the header."""
        led_here = scope["method"] == "GET" and _values(scope, b"sec-fetch-mode") == [b"navigate"]
        if sites not in ([b"same-origin"], [b"none"]) and not led_here:
            # To a browser another port of this computer is the same site; it is another page.
            raise RequestError(403, "no_access", say("origin"))
        if scope["method"] == "POST" and not origins:
            raise RequestError(403, "no_access", say("origin"))

    async def _refuse(self, refusal: RequestError, send: Send) -> None:
        body = refusal.encode(self._hub.seq)
        headers = {
            "content-type": JSON_TYPE,
            "content-length": str(len(body)),
            # A stranger's body is not read to its end just to keep the connection.
            "connection": "close",
            **refusal.headers,
        }
        await send(
            {
                "type": "http.response.start",
                "status": refusal.status,
                "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            }
        )
        await send({"type": "http.response.body", "body": body, "more_body": False})


class SecretGuard:
    """Demands the secret of the run wherever a route is not marked open."""

    def __init__(self, secret: str) -> None:
        self._secret: Final = secret.encode()

    def __call__(self, connection: AnyConnection, handler: BaseRouteHandler) -> None:
        """Raise `RequestError` for who does not have the secret."""
        if handler.opt.get(OPEN):
            return
        values = _values(connection.scope, b"authorization")
        scheme, _, given = values[0].partition(b" ") if len(values) == 1 else (b"", b"", b"")
        # Bytes, as text that is not ASCII cannot be compared in constant time.
        if scheme.lower() != b"bearer" or not secrets.compare_digest(given.strip(), self._secret):
            raise RequestError(401, "no_access", say("secret"), {"www-authenticate": "Bearer"})


def demand_json(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Raise `RequestError` for a body that another page could send without asking first (CORS)."""
    if connection.scope["type"] == "http" and connection.scope["method"] == "POST":
        values = _values(connection.scope, b"content-type")
        kinds = [value.partition(b";")[0].strip().lower() for value in values]
        if kinds != [JSON_TYPE.encode()]:
            raise RequestError(415, "invalid", say("json"))


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key == name]
