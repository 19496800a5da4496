"""All looks at the computer, at once, told in one order."""

import asyncio
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Final

import platformdirs

from sidekicks import __version__
from sidekicks.base.findings import FindingList
from sidekicks.base.log import FILE_NAME
from sidekicks.base.sharing import secret_values
from sidekicks.config import database_path
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.results import Finding
from sidekicks.main.computer.files import look_at_folder, look_at_history
from sidekicks.main.computer.models import look_at_models
from sidekicks.main.computer.tools import Tool, look_at_docker, look_at_sbx
from sidekicks.main.computer.view import look_at_window
from sidekicks.main.computer.words import say
from sidekicks.system import LoginEnvironment, search_folders


class Computer:
    """The computer as the app sees it.

    Args:
        config: the configuration file.
        login: the environment that programs get.
        agents: returns the agents as configured now.
    """

    def __init__(
        self,
        config: Path,
        login: LoginEnvironment,
        agents: Callable[[], tuple[AgentConfig, ...]],
    ) -> None:
        self._config: Final = config
        self._login: Final = login
        self._agents: Final = agents

    async def look(self) -> tuple[Finding, ...]:
        """Return what there is to say."""
        env, agents = await self._login.get(), self._agents()
        runtimes = {agent.runtime.type for agent in agents}
        log = Path(platformdirs.user_log_dir("sidekicks"))
        lists = [FindingList(secret_values(env.items())) for _ in range(7)]
        about, docker, sbx, models, window, logs, history = lists
        self._say_what_runs(about)
        self._say_where_programs_are(env, about)
        await asyncio.gather(
            look_at_docker(Tool("docker", env, needed="container" in runtimes, found=docker)),
            look_at_sbx(Tool("sbx", env, needed="sbx" in runtimes, found=sbx)),
            look_at_models(env, agents, models),
            asyncio.to_thread(look_at_window, window),
            asyncio.to_thread(look_at_folder, log, FILE_NAME, logs),
            asyncio.to_thread(look_at_history, database_path(self._config), history),
        )
        return tuple(finding for found in lists for finding in found.all)

    def _say_what_runs(self, found: FindingList) -> None:
        system = f"{platform.system()} {platform.release()} ({platform.machine()})"
        python = platform.python_version()
        found.add("app", "ok", say("app", version=__version__, system=system, python=python))

    def _say_where_programs_are(self, env: dict[str, str], found: FindingList) -> None:
        shell, names = self._login.shell, self._login.given()
        if self._login.problem is not None:
            found.add("login_shell", "problem", self._login.problem)
        elif shell is None:
            found.add("login_shell", "note", say("no_shell"))
        else:
            details = [", ".join(names)] if names else ()
            sentence = say("shell", shell=shell, count=len(names))
            found.add("login_shell", "ok", sentence, details=details)
        folders = search_folders(env.get("PATH", ""))
        found.add("path", "ok", say("path", count=len(folders)), details=folders)
