"""What is said where no model answers: that it is so, why, and what to do about it."""

from sidekicks.companion.models import Listing, Models
from sidekicks.companion.words import words


def describe_no_model(models: Models) -> str:
    """Return the guide's answer to a message that only a model could answer."""
    why, how = _why_and_how(models)
    return words("guide", why=why, how=how)


def describe_looking(models: Models) -> str:
    """Return where a model was looked for, and what was found in each place."""
    if not models.listings:
        return words("looked_nowhere")
    return words("no_model_found", places="\n".join(map(_place, models.listings)))


def _why_and_how(models: Models) -> tuple[str, str]:
    if not models.listings:
        return words("why_off"), words("how_off")
    empty = next((listing for listing in models.listings if listing.trouble is None), None)
    if empty is not None:
        server = empty.server
        how = words("how_pull" if server.kind == "ollama" else "how_load", server=server.name)
        return words("why_empty", server=server.name), how
    first = models.listings[0]
    if first.server.kind == "other":
        why = words("why_named", url=first.server.base, trouble=_trouble(first))
        return why, words("how_named")
    return words("why_none"), words("how_install")


def _place(listing: Listing) -> str:
    server = listing.server
    return words("looked_at", server=server.name, url=server.base, trouble=_trouble(listing))


def _trouble(listing: Listing) -> str:
    return words(f"trouble_{listing.trouble or 'empty'}")
