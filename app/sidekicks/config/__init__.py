"""The configuration file: found, created, read, watched, and edited in place."""

from sidekicks.config.folders import database_path, default_config_path
from sidekicks.config.reading import Reading, parse_config, read_config
from sidekicks.config.splice import add_agent, remove_agent, set_value
from sidekicks.config.watch import ConfigWatcher

__all__ = (
    "ConfigWatcher",
    "Reading",
    "add_agent",
    "database_path",
    "default_config_path",
    "parse_config",
    "read_config",
    "remove_agent",
    "set_value",
)
