"""Slash commands: a message whose first character is `/` goes alone and as typed."""

import re
from typing import Final

from sidekicks.contract.ids import AgentId

_FOR_AGENT: Final = re.compile(r"/([a-z0-9][a-z0-9_-]*):", re.IGNORECASE)


def is_command(text: str, *, as_text: bool) -> bool:
    """Return whether a message is a command; a leading space makes it an ordinary one."""
    return text.startswith("/") and not as_text


def command_for(text: str, agent_id: AgentId) -> str:
    """Return the command as the agent gets it: `/alice:plan x` is `/plan x` for Alice."""
    found = _FOR_AGENT.match(text)
    if found is not None and found.group(1).casefold() == agent_id:
        return "/" + text[found.end() :]
    return text
