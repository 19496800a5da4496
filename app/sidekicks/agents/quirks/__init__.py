"""What single agents get wrong, one module each; nowhere else does an agent's name matter."""

from sidekicks.agents.quirks.hermes import breaks_session

__all__ = ("breaks_session",)
