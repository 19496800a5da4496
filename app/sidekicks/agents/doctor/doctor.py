"""Who examines agents: one after the other, until the app ends."""

import asyncio
from typing import Final

from sidekicks.agents.doctor.examination import Examination, Limits
from sidekicks.agents.doctor.preparation import Surroundings
from sidekicks.agents.doctor.words import say
from sidekicks.base.clock import Clock
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.results import AgentFindings
from sidekicks.system import Leftovers, LoginEnvironment


class Doctor:
    """Starts agents to see what is wrong with them.

    Args:
        login: the environment that agents get.
        leftovers: where what runs is written down, for the start after a crash.
        clock: of their logs.
        limits: how long each step may take.
    """

    def __init__(
        self,
        login: LoginEnvironment,
        leftovers: Leftovers,
        clock: Clock,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._login: Final = login
        self._leftovers: Final = leftovers
        self._clock: Final = clock
        self._limits: Final = limits
        self._one: Final = asyncio.Lock()
        self._examination: Examination | None = None
        self._looking: asyncio.Task[AgentFindings] | None = None
        self._closed = False

    async def examine(self, config: AgentConfig) -> AgentFindings:
        """Start an agent as it is configured, and return what was found.

        Raises:
            SidekicksError: `unavailable`, where the app ends meanwhile.
        """
        async with self._one:
            around = Surroundings(
                environment=await self._login.get(),
                given=self._login.given(),
                problem=self._login.problem,
            )
            if self._closed:
                raise SidekicksError("unavailable", say("app_ends"))
            examination = Examination(config, around, self._leftovers, self._clock, self._limits)
            looking = asyncio.get_running_loop().create_task(examination.run())
            self._examination, self._looking = examination, looking
            try:
                return await looking
            except asyncio.CancelledError:
                if not self._closed:
                    raise
                raise SidekicksError("unavailable", say("app_ends")) from None
            finally:
                self._examination = self._looking = None

    async def close(self) -> None:
        """End what is being examined: the app is about to end itself."""
        self._closed = True
        examination, looking = self._examination, self._looking
        if examination is None or looking is None:
            return
        examination.hurry()
        looking.cancel()
        try:
            await asyncio.wait([looking])
        finally:
            # Also when the time for this is over: better killed than left.
            examination.kill()
