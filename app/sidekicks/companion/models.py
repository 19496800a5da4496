"""Which models there are to talk with, as last looked, and which one answers unless said.

Looking is short and bounded, all servers at once; what else may listen at one of the ports (a page,
something that never answers) is taken for no model server, and never waited for.
"""

import asyncio
import re
from typing import Any, Final, Literal, cast

import msgspec

from sidekicks.companion.exchange import open_exchange
from sidekicks.companion.loaded import is_same, list_loaded
from sidekicks.companion.servers import ModelServer

LOOK_SECONDS: Final = 1.0
"""How long a server may take to say what it has."""

_NO_CHAT: Final = re.compile(
    r"embed|rerank|minilm|whisper|stable-diffusion|(^|[/_-])(bge|gte|e5|tts|sdxl|flux)[-:._]", re.I
)
"""Models that measure, transcribe or draw: they are listed with the others but cannot talk."""

Trouble = Literal["absent", "silent", "denied", "strange"]
"""Nobody listens there, it says nothing, it wants a key, or it is something else."""


class Model(msgspec.Struct, frozen=True):
    """A model of a server; `value` names it among all."""

    server: ModelServer
    model_id: str
    loaded: bool = False

    @property
    def value(self) -> str:
        """What names it in the session's option, the same on every look."""
        return f"{self.server.slug}/{self.model_id}"


class Listing(msgspec.Struct, frozen=True):
    """What one server said: its models that can talk, or what is wrong with it."""

    server: ModelServer
    models: tuple[Model, ...] = ()
    trouble: Trouble | None = None


class Models:
    """The models as last looked: one listing per server, in the order of preference.

    Args:
        servers: where to look.
        wanted: the model that the environment names (`SIDEKICKS_MODEL`), if any.
    """

    def __init__(self, servers: tuple[ModelServer, ...], wanted: str = "") -> None:
        self.servers: Final = servers
        self.wanted: Final = wanted
        self.listings: tuple[Listing, ...] = ()
        self.doubtful = False
        """A server failed since the last look, and may be gone."""

    @property
    def models(self) -> tuple[Model, ...]:
        """All models of all servers."""
        return tuple(model for listing in self.listings for model in listing.models)

    async def look(self) -> None:
        """Ask every server, all at once."""
        self.listings = tuple(await asyncio.gather(*map(list_models, self.servers)))
        self.doubtful = False

    def find(self, name: str) -> Model | None:
        """Return the model of that value or id, or the only one whose name contains `name`."""
        for model in self.models:
            if name in (model.value, model.model_id):
                return model
        near = [model for model in self.models if name.lower() in model.model_id.lower()]
        return near[0] if name and len(near) == 1 else None

    def choose(self, value: str | None = None) -> Model | None:
        """Return who answers: the chosen model, the environment's, a loaded one, the first."""
        models = self.models
        for model in models:
            if model.value == value:
                return model
        if self.wanted:
            return self._wanted()
        return next((model for model in models if model.loaded), models[0] if models else None)

    def _wanted(self) -> Model | None:
        for model in self.models:
            if is_same(model.model_id, self.wanted):
                return model
        # Not listed, as servers do that load any file by its name: the server has the last word.
        reachable = [listing for listing in self.listings if listing.trouble in (None, "denied")]
        return Model(reachable[0].server, self.wanted) if reachable else None


async def list_models(server: ModelServer, seconds: float = LOOK_SECONDS) -> Listing:
    """Ask a server for its models, within `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            (status, body), loaded = await asyncio.gather(
                _get(server, seconds), _loaded_ids(server, seconds)
            )
    except TimeoutError:
        return Listing(server, trouble="silent")
    except ConnectionRefusedError:
        return Listing(server, trouble="absent")
    except (OSError, ValueError):
        return Listing(server, trouble="strange")
    if status in (401, 403):
        return Listing(server, trouble="denied")
    ids = _read_ids(body) if status == 200 else None
    if ids is None:
        return Listing(server, trouble="strange")
    return Listing(
        server,
        tuple(
            Model(server, model_id, loaded=held or any(is_same(model_id, one) for one in loaded))
            for model_id, held in ids.items()
            if not _NO_CHAT.search(model_id)
        ),
    )


async def _get(server: ModelServer, seconds: float) -> tuple[int, bytes]:
    url = f"{server.base}/models"
    async with open_exchange(url, key=server.key, connect_seconds=seconds) as exchange:
        body = await exchange.body(seconds)
    return exchange.status, body


async def _loaded_ids(server: ModelServer, seconds: float) -> tuple[str, ...]:
    try:
        return tuple(model.model_id for model in await list_loaded(server, seconds))
    except OSError:
        return ()


def _read_ids(body: bytes) -> dict[str, bool] | None:
    """Return id -> loaded (as llama.cpp tells it), or null if this is no list of models."""
    try:
        answer = msgspec.json.decode(body, type=dict[str, Any])
        entries = msgspec.convert(answer["data"] or [], list[dict[str, Any]])
    except (msgspec.MsgspecError, KeyError):
        return None
    ids: dict[str, bool] = {}
    for entry in entries:
        if isinstance(model_id := entry.get("id"), str) and model_id:
            ids[model_id] = _says_loaded(entry.get("status"))
    return ids


def _says_loaded(status: object) -> bool:
    return isinstance(status, dict) and cast(dict[str, Any], status).get("value") == "loaded"
