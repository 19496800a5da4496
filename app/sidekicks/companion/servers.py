"""The model servers that we look for, and where.

Without a word from the person only this computer's own address is tried, at the usual ports. The
environment names another: `SIDEKICKS_MODEL_URL` (an address, or `none` to look for none), with
`SIDEKICKS_MODEL_KEY` where it asks for one. The key goes to that server only, never to whatever
listens at a usual port.
"""

from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

ServerKind = Literal["ollama", "llama.cpp", "lm-studio", "docker", "other"]


class ModelServer(msgspec.Struct, frozen=True):
    """A server that speaks OpenAI's chat completions below `root` + `path`."""

    kind: ServerKind
    name: str
    root: str
    path: str = "/v1"
    key: str | None = None

    @property
    def base(self) -> str:
        """The address below which `/models` and `/chat/completions` are."""
        return self.root + self.path

    @property
    def slug(self) -> str:
        """What tells its models from another server's."""
        return self.kind if self.kind != "other" else urlsplit(self.root).netloc.rpartition("@")[2]


USUAL: Final = (
    ModelServer("ollama", "Ollama", "http://127.0.0.1:11434"),
    ModelServer("llama.cpp", "llama.cpp", "http://127.0.0.1:8080"),
    ModelServer("lm-studio", "LM Studio", "http://127.0.0.1:1234"),
    ModelServer("docker", "Docker Model Runner", "http://127.0.0.1:12434", "/engines/v1"),
)


def servers_from(environment: Mapping[str, str]) -> tuple[ModelServer, ...]:
    """Return the servers to look for: the one the environment names, else the usual ones."""
    address = environment.get("SIDEKICKS_MODEL_URL", "").strip()
    if address.lower() == "none":
        return ()
    if address:
        return (_named(address, environment.get("SIDEKICKS_MODEL_KEY", "").strip() or None),)
    return USUAL


def _named(address: str, key: str | None) -> ModelServer:
    """Understand an address as people write it: with or without scheme, `/v1`, last slash."""
    if "://" not in address:
        address = f"http://{address}"
    parts = urlsplit(address)
    path = parts.path.rstrip("/").removesuffix("/chat/completions").removesuffix("/models")
    root = f"{parts.scheme}://{parts.netloc}"
    return ModelServer("other", parts.netloc.rpartition("@")[2], root, path or "/v1", key)
