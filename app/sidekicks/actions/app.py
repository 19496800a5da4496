"""What actions act on: the domains, put together once by `main`."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from sidekicks.actions.preferences import Preferences
from sidekicks.agents import Permissions, Roster
from sidekicks.agents.doctor import Doctor
from sidekicks.base.clock import Clock
from sidekicks.base.hub import Hub
from sidekicks.base.problems import Problems
from sidekicks.channels import Channels
from sidekicks.contract.results import Finding
from sidekicks.turns import Turns


class App(msgspec.Struct, frozen=True, kw_only=True):
    """The app's domains.

    `sending` is held while a message is sent, so that the same `localId` sent twice at once finds
    the first. `open_url` opens a link in the system's browser and tells whether it could.
    `look_at_computer` tells what the doctor finds besides the agents.
    """

    hub: Hub
    clock: Clock
    problems: Problems
    preferences: Preferences
    roster: Roster
    permissions: Permissions
    channels: Channels
    turns: Turns
    doctor: Doctor
    look_at_computer: Callable[[], Awaitable[tuple[Finding, ...]]]
    sending: asyncio.Lock
    config_path: str
    open_url: Callable[[str], bool]
