"""The computer under us: environment, PATH, executables, and processes with all that they start."""

from sidekicks.system.asking import Answer, ask_program
from sidekicks.system.environment import child_environment, clean_own_environment
from sidekicks.system.executables import check_folder, find_interpreter, resolve_command
from sidekicks.system.family import Descendant, Leftover, end_processes
from sidekicks.system.folders import (
    find_executable,
    join_paths,
    search_folders,
    self_command,
    usual_folders,
)
from sidekicks.system.leftovers import Leftovers
from sidekicks.system.login import LoginEnvironment
from sidekicks.system.machine import boot_id, is_root
from sidekicks.system.process import Exit, Process, start_process

__all__ = (
    "Answer",
    "Descendant",
    "Exit",
    "Leftover",
    "Leftovers",
    "LoginEnvironment",
    "Process",
    "ask_program",
    "boot_id",
    "check_folder",
    "child_environment",
    "clean_own_environment",
    "end_processes",
    "find_executable",
    "find_interpreter",
    "is_root",
    "join_paths",
    "resolve_command",
    "search_folders",
    "self_command",
    "start_process",
    "usual_folders",
)
