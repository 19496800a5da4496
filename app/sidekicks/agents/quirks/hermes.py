"""Hermes (seen in 0.19.0): a turn stopped while it asked breaks, and is never over for it."""

from typing import Final

from sidekicks.acp import INTERNAL_ERROR, AcpError, Implementation

NAME: Final = "hermes-agent"


def breaks_session(agent: Implementation | None, error: Exception) -> bool:
    """Return whether the session of a stopped turn that was answered with `error` is of no use.

    Hermes then answers each further prompt with "Queued for the next turn", and nothing more.
    """
    named = agent is not None and agent.name == NAME
    return named and isinstance(error, AcpError) and error.code == INTERNAL_ERROR
