"""What the person set."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import GetSettings, SetSettings
from sidekicks.contract.results import SettingsTaken


async def get_settings(app: App, command: GetSettings) -> SettingsTaken:
    """Return them."""
    return SettingsTaken(settings=app.preferences.settings)


async def set_settings(app: App, command: SetSettings) -> SettingsTaken:
    """Change the given ones and return all."""
    return SettingsTaken(settings=app.preferences.change(command.settings))
