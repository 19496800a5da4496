"""Questions that only the person may answer.

Each belongs to one connection and holds its reply: it is answered once, with one of the agent's
own options or `cancelled`, and never by silence (`product.md` 6).
"""

from collections.abc import Callable
from typing import Final, Protocol

from sidekicks.agents.rules import Rules
from sidekicks.agents.words import say
from sidekicks.base.hub import Hub
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import PermissionAsked, PermissionClosed
from sidekicks.contract.ids import PermissionId
from sidekicks.contract.state import Permission

CANCELLED: Final = "cancelled"


class Reply(Protocol):
    """The way back to the agent; what comes after the first call does nothing."""

    def select(self, option_id: str) -> bool:
        """Choose one of the agent's options."""
        ...

    def cancel(self) -> bool:
        """Say that nobody chose."""
        ...


class Permissions:
    """The open questions of all agents, oldest first."""

    def __init__(self, hub: Hub, rules: Rules) -> None:
        self._hub: Final = hub
        self.rules: Final = rules
        self._open: dict[PermissionId, tuple[Permission, Reply]] = {}
        self._on_changed: Callable[[Permission], None] | None = None

    def listen(self, on_changed: Callable[[Permission], None]) -> None:
        """Call `on_changed` after a question was asked or closed."""
        self._on_changed = on_changed

    @property
    def open(self) -> tuple[Permission, ...]:
        """The questions that wait."""
        return tuple(permission for permission, _ in self._open.values())

    def ask(self, permission: Permission, reply: Reply) -> None:
        """Put a question to the person."""
        self._open[permission.permission_id] = (permission, reply)
        self._hub.publish(PermissionAsked(permission=permission))
        self._changed(permission)

    def answer(
        self, permission_id: PermissionId, option_id: str, *, remember: bool = False
    ) -> None:
        """Answer with one of the agent's options, and keep that as a rule if so wished.

        Raises:
            SidekicksError: `not_found` where the question is closed, `invalid` for another option,
                or one that cannot be kept; the question is then still open.
        """
        if permission_id not in self._open:
            raise SidekicksError("not_found", say("no_permission"))
        permission, reply = self._open[permission_id]
        if all(option.option_id != option_id for option in permission.options):
            raise SidekicksError("invalid", say("no_option", option=option_id))
        if remember:
            self.rules.keep(permission, option_id)
        reply.select(option_id)
        self._close(permission, option_id)

    def cancel(self, which: Callable[[Permission], bool]) -> None:
        """Answer `cancelled` to every open question that `which` is true of."""
        for permission, reply in list(self._open.values()):
            if which(permission):
                reply.cancel()
                self._close(permission, CANCELLED)

    def _close(self, permission: Permission, outcome: str) -> None:
        del self._open[permission.permission_id]
        self._hub.publish(PermissionClosed(permission_id=permission.permission_id, outcome=outcome))
        self._changed(permission)

    def _changed(self, permission: Permission) -> None:
        if self._on_changed is not None:
            self._on_changed(permission)
