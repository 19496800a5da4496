"""Which models a server holds in memory, where it tells, and freeing those we made it load.

Only Ollama's own interface tells until when a model stays and frees one when asked; LM Studio's
tells what it holds. Of others nothing is known, and nothing is freed.
"""

import time
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import msgspec

from sidekicks.companion.exchange import open_exchange
from sidekicks.companion.servers import ModelServer

SLACK_SECONDS: Final = 5.0
"""How much later than expected a model may end before we conclude that somebody else used it."""


class LoadedModel(msgspec.Struct, frozen=True):
    """A model in memory; `until` is the time of day (seconds) at which its server lets it go."""

    model_id: str
    until: float | None = None


async def list_loaded(server: ModelServer, seconds: float) -> tuple[LoadedModel, ...]:
    """Return what `server` holds in memory; empty where it does not tell.

    Raises:
        OSError: it is gone, or too slow.
    """
    match server.kind:
        case "ollama" | "other":
            entries = await _entries(server, "/api/ps", "models", seconds)
            return tuple(
                LoadedModel(entry["name"], _seconds(entry.get("expires_at")))
                for entry in entries
                if isinstance(entry.get("name"), str)
            )
        case "lm-studio":
            entries = await _entries(server, "/api/v0/models", "data", seconds)
            return tuple(
                LoadedModel(entry["id"])
                for entry in entries
                if isinstance(entry.get("id"), str) and entry.get("state") == "loaded"
            )
        case "llama.cpp" | "docker":
            return ()


def is_same(one: str, other: str) -> bool:
    """Tell whether two names mean one model: Ollama takes `qwen3` for `qwen3:latest`."""
    return _full(one) == _full(other)


def _full(model_id: str) -> str:
    return model_id if ":" in model_id else f"{model_id}:latest"


async def _entries(
    server: ModelServer, path: str, field: str, seconds: float
) -> list[dict[str, Any]]:
    async with open_exchange(
        server.root + path, key=server.key, connect_seconds=seconds
    ) as exchange:
        body = await exchange.body(seconds)
    try:
        decoded = msgspec.json.decode(body, type=dict[str, Any])
        return msgspec.convert(decoded.get(field) or [], list[dict[str, Any]])
    except msgspec.MsgspecError:
        # Something else answers there, such as a page for an unknown address: it tells nothing.
        return []


def _seconds(moment: object) -> float | None:
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except ValueError:
        return None


class _Use:
    """Our last use of a model: when it was, and how long the server keeps a model after one."""

    def __init__(self) -> None:
        self.at = 0.0
        self.stay: float | None = None


class LoadedByUs:
    """The models that this process made a server load, to be freed at its end.

    A model is freed only if it was not in memory before our first use, and if it would end when our
    own last use explains it: else somebody else uses it too.
    """

    def __init__(self) -> None:
        self._uses: Final[dict[tuple[ModelServer, str], _Use | None]] = {}
        """Null for a model that is not ours to free."""

    async def before_use(self, server: ModelServer, model_id: str, seconds: float) -> None:
        """Note whether the model is in memory already; asked once per model."""
        used = (server, model_id)
        if used in self._uses or server.kind not in ("ollama", "other"):
            return
        self._uses[used] = None
        with suppress(OSError):
            if await _find(server, model_id, seconds) is None:
                self._uses[used] = _Use()

    def touch(self, server: ModelServer, model_id: str) -> None:
        """Note that our use of the model ends now."""
        if (use := self._uses.get((server, model_id))) is not None:
            use.at = time.time()

    async def after_use(self, server: ModelServer, model_id: str, seconds: float) -> None:
        """Note how long the model stays after an answer that was completed."""
        if (use := self._uses.get((server, model_id))) is None:
            return
        with suppress(OSError):
            there = await _find(server, model_id, seconds)
            if there is not None and there.until is not None:
                use.stay = there.until - time.time()

    async def free(self, seconds: float) -> None:
        """Free those that nobody else uses; each step within `seconds`."""
        for (server, model_id), use in self._uses.items():
            if use is None or use.stay is None:
                continue
            with suppress(OSError):
                there = await _find(server, model_id, seconds)
                if there is None or there.until is None:
                    continue
                if there.until <= use.at + use.stay + SLACK_SECONDS:
                    await _free(server, model_id, seconds)


async def _free(server: ModelServer, model_id: str, seconds: float) -> None:
    body = msgspec.json.encode({"model": model_id, "keep_alive": 0})
    url = f"{server.root}/api/generate"
    async with open_exchange(url, body=body, key=server.key, connect_seconds=seconds) as exchange:
        await exchange.body(seconds)


async def _find(server: ModelServer, model_id: str, seconds: float) -> LoadedModel | None:
    loaded = await list_loaded(server, seconds)
    return next((model for model in loaded if is_same(model.model_id, model_id)), None)
