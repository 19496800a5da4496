"""Where an agent's program runs: what to start, with which environment, in which folder."""

from sidekicks.runtimes.launch import Launch
from sidekicks.runtimes.local import find_program, merge_environment, prepare_local
from sidekicks.runtimes.where import describe_place

__all__ = ("Launch", "describe_place", "find_program", "merge_environment", "prepare_local")
