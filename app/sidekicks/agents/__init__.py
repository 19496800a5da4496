"""Agents: as configured, their programs and places, sessions and permissions."""

from sidekicks.agents.agent import Agent
from sidekicks.agents.connection import Connection
from sidekicks.agents.permissions import CANCELLED, Permissions
from sidekicks.agents.places import Room
from sidekicks.agents.roster import Conversation, Roster
from sidekicks.agents.rules import Rules
from sidekicks.agents.sessions import Sessions

__all__ = (
    "CANCELLED",
    "Agent",
    "Connection",
    "Conversation",
    "Permissions",
    "Room",
    "Roster",
    "Rules",
    "Sessions",
)
