"""Everything but the messages."""

from typing import Literal

from sidekicks import __version__
from sidekicks.actions.app import App
from sidekicks.actions.preferences import PLATFORM
from sidekicks.base import words
from sidekicks.contract.commands import GetSnapshot
from sidekicks.contract.results import SnapshotTaken
from sidekicks.contract.state import AppInfo


async def get_snapshot(app: App, command: GetSnapshot) -> SnapshotTaken:
    """Take it in one go: no await, so that it is exactly what the hub's number says."""
    config = app.roster.config
    platform: Literal["linux", "darwin"] = PLATFORM
    return SnapshotTaken(
        app=AppInfo(
            version=__version__,
            platform=platform,
            language=words.language(),
            config_path=app.config_path,
            max_running=config.max_running,
            max_answering=config.max_answering,
            settings=app.preferences.settings,
        ),
        agents=tuple(agent.shown() for agent in app.roster.agents),
        channels=app.channels.all,
        sessions=app.roster.sessions.open,
        turns=app.turns.shown,
        permissions=app.permissions.open,
        problems=app.problems.open,
    )
