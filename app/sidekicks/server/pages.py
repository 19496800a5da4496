"""The page's own files: read once, listed by their exact address; nothing else can be asked for."""

import re
from pathlib import Path
from typing import Final

from litestar.types import Receive, Scope, Send

from sidekicks.contract.errors import SidekicksError
from sidekicks.server.words import say

INDEX: Final = "index.html"

# Not `mimetypes`: it follows the computer's own tables, where a script may be called plain text.
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".ttf": "font/ttf",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_HASHED_FOLDER: Final = "assets"
"""Where the build puts the files whose names change with their content."""


class PageFile:
    """One file, as an ASGI answer."""

    def __init__(self, name: str, body: bytes, *, hashed: bool) -> None:
        kind = _TYPES.get(Path(name).suffix.lower(), "application/octet-stream")
        kept = "public, max-age=31536000, immutable" if hashed else "no-store"
        self._body: Final = body
        self._headers: Final = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", kept.encode()),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; for HEAD the server itself leaves the body out."""
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        await send({"type": "http.response.body", "body": self._body, "more_body": False})


def read_page(folder: Path) -> dict[str, PageFile]:
    """Return the page's files by their address; `/` is the page itself.

    Raises:
        SidekicksError: `unavailable` if the page is not there.
    """
    files: dict[str, PageFile] = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not path.is_symlink() and all(map(_NAME.fullmatch, parts)):
            address = "/" if parts == (INDEX,) else "/" + "/".join(parts)
            hashed = len(parts) > 1 and parts[0] == _HASHED_FOLDER
            files[address] = PageFile(path.name, path.read_bytes(), hashed=hashed)
    if "/" not in files:
        raise SidekicksError("unavailable", say("no_page", folder=folder))
    return files
