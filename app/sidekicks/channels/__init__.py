"""Channels: conversations, their messages in order, and who answers."""

from sidekicks.channels.channels import USER, Channels
from sidekicks.channels.router import must_route, route

__all__ = ("USER", "Channels", "must_route", "route")
