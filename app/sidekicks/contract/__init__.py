"""The contract: everything that crosses between the page and the app, and nothing else.

`build/contract.py` writes the page's types from here. Modules import what they need from the
modules by topic; the unions of all commands and events are here.
"""

from sidekicks.contract.commands import RESULTS
from sidekicks.contract.errors import ErrorBody, ErrorCode, SidekicksError
from sidekicks.contract.events import AnyEvent
from sidekicks.contract.wire import Command, Done, Event, Result

__all__ = (
    "RESULTS",
    "AnyEvent",
    "Command",
    "Done",
    "ErrorBody",
    "ErrorCode",
    "Event",
    "Result",
    "SidekicksError",
)
