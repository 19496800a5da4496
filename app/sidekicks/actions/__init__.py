"""Actions: what the person can do. Each checks first, then calls the domains.

`ACTIONS` has one for every command of the contract; a test holds it to `contract.RESULTS`.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from sidekicks.actions.answer_permission import answer_permission, delete_rule, list_rules
from sidekicks.actions.app import App
from sidekicks.actions.doctor import diagnose
from sidekicks.actions.get_log import get_log
from sidekicks.actions.get_messages import get_messages
from sidekicks.actions.get_snapshot import get_snapshot
from sidekicks.actions.list_commands import list_commands
from sidekicks.actions.open_direct import open_direct
from sidekicks.actions.open_external import open_external
from sidekicks.actions.preferences import Preferences
from sidekicks.actions.preview_message import preview_message
from sidekicks.actions.preview_recap import preview_recap
from sidekicks.actions.save_draft import mark_read, save_draft
from sidekicks.actions.send_message import send_message
from sidekicks.actions.set_option import set_option
from sidekicks.actions.settings import get_settings, set_settings
from sidekicks.actions.start_agent import restart_agent, sign_in, start_agent, stop_agent
from sidekicks.actions.stop_turn import retry_turn, stop_turn, withdraw_turn
from sidekicks.contract import commands
from sidekicks.contract.wire import Command, Result

Action = Callable[[App, Any], Awaitable[Result]]
ACTIONS: dict[type[Command], Action] = {
    commands.GetSnapshot: get_snapshot,
    commands.StartAgent: start_agent,
    commands.StopAgent: stop_agent,
    commands.RestartAgent: restart_agent,
    commands.GetLog: get_log,
    commands.SignIn: sign_in,
    commands.OpenDirect: open_direct,
    commands.GetMessages: get_messages,
    commands.SendMessage: send_message,
    commands.PreviewMessage: preview_message,
    commands.PreviewRecap: preview_recap,
    commands.StopTurn: stop_turn,
    commands.RetryTurn: retry_turn,
    commands.WithdrawTurn: withdraw_turn,
    commands.ListCommands: list_commands,
    commands.AnswerPermission: answer_permission,
    commands.ListRules: list_rules,
    commands.DeleteRule: delete_rule,
    commands.SetOption: set_option,
    commands.SaveDraft: save_draft,
    commands.MarkRead: mark_read,
    commands.GetSettings: get_settings,
    commands.SetSettings: set_settings,
    commands.Doctor: diagnose,
    commands.OpenExternal: open_external,
}

__all__ = ("ACTIONS", "Action", "App", "Preferences")
