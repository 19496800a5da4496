"""The model servers, as the bundled agent sees them."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from sidekicks.base.findings import FindingList
from sidekicks.companion import Listing, ModelServer, list_models, servers_from
from sidekicks.contract.config import AgentConfig
from sidekicks.main.computer.words import say

BUNDLED: Final = "sidekicks"
SHOWN_MODELS: Final = 8


async def look_at_models(
    env: Mapping[str, str], agents: Iterable[AgentConfig], found: FindingList
) -> None:
    """Say which model servers answer, and with what; of those that the bundled agents look for."""
    bundled = [agent.env for agent in agents if agent.command == BUNDLED]
    environments = [{**env, **own} for own in bundled] or [env]
    wanted = dict.fromkeys(server for each in environments for server in servers_from(each))
    if not wanted:
        found.add("models", "ok", say("models_none"))
        return
    listings = await asyncio.gather(*map(list_models, wanted))
    # One that the person named must answer; of the usual ones, any may.
    lost = [listing for listing in listings if listing.server.kind == "other" and listing.trouble]
    answering = [listing for listing in listings if listing.models]
    details = [_describe(listing) for listing in listings]
    if lost:
        names = ", ".join(listing.server.name for listing in lost)
        advice = say("models_lost_advice")
        found.add(
            "models", "problem", say("models_lost", names=names), advice=advice, details=details
        )
    elif answering:
        names = ", ".join(listing.server.name for listing in answering)
        found.add("models", "ok", say("models", names=names), details=details)
    else:
        sentence, advice = say("no_models"), say("no_models_advice")
        found.add("models", "note", sentence, advice=advice, details=details)


def _describe(listing: Listing) -> str:
    shown = _name(listing.server)
    if listing.trouble is not None:
        return f"{shown}: {say(f'model_server_{listing.trouble}')}"
    ids = [model.model_id + (" *" if model.loaded else "") for model in listing.models]
    more = f" (+{len(ids) - SHOWN_MODELS})" if len(ids) > SHOWN_MODELS else ""
    return f"{shown}: {', '.join(ids[:SHOWN_MODELS]) or say('model_server_empty')}{more}"


def _name(server: ModelServer) -> str:
    # The address that the person gave may hold a password.
    return server.name if server.kind == "other" else f"{server.name} ({server.root})"
