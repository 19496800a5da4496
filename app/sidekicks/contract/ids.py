"""Identifiers. All are text; the type says of what."""

import secrets
from typing import NewType

AgentId = NewType("AgentId", str)
"""The key under `agents:` in the configuration."""
ChannelId = NewType("ChannelId", str)
MessageId = NewType("MessageId", str)
PartId = NewType("PartId", str)
"""Unique within its message."""
TurnId = NewType("TurnId", str)
PermissionId = NewType("PermissionId", str)
RuleId = NewType("RuleId", str)
ReaderId = NewType("ReaderId", str)


def make_id(prefix: str) -> str:
    """Return a new identifier that nothing else has: `prefix` and 64 random bits."""
    return f"{prefix}_{secrets.token_hex(8)}"
