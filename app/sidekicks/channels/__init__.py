"""Channels: conversations, their messages in order, and who answers."""

from sidekicks.channels.channels import USER, Channels
from sidekicks.channels.commands import command_for, is_command
from sidekicks.channels.recap import Recap
from sidekicks.channels.router import must_route, route

__all__ = ("USER", "Channels", "Recap", "command_for", "is_command", "must_route", "route")
