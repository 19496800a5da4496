"""The history: one SQLite database per configuration file, in WAL mode.

One thread writes, another reads; the engine hands them functions and never waits inside them.
Rows are plain structs of the contract; nobody else knows SQL or peewee.
"""

from sidekicks.store.channels import ChannelRow, Channels
from sidekicks.store.memory import AgentMemory
from sidekicks.store.messages import Messages, Page
from sidekicks.store.sessions import Rules, SessionRow, Sessions
from sidekicks.store.store import Store
from sidekicks.store.turns import TurnRow, Turns

__all__ = (
    "AgentMemory",
    "ChannelRow",
    "Channels",
    "Messages",
    "Page",
    "Rules",
    "SessionRow",
    "Sessions",
    "Store",
    "TurnRow",
    "Turns",
)
