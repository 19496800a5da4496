"""Ways to sign in, as agents offer them and as the person can use them."""

import shlex

from sidekicks.acp import AuthMethod
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.state import SignInMethod


def show_method(method: AuthMethod, config: AgentConfig) -> SignInMethod:
    """Return a way to sign in as it goes to the page.

    A method of type `terminal` is the agent's own command with further arguments; some agents give
    such a command outside the protocol.
    """
    kind, command = method.type or "agent", None
    if kind == "terminal" and config.command is not None:
        command = _line(method.env, [config.command, *config.args, *method.args])
    elif method.meta is not None and (terminal := method.meta.terminal_auth) is not None:
        kind, command = "terminal", _line(terminal.env, [terminal.command, *terminal.args])
    return SignInMethod(
        method_id=method.id,
        name=method.name or method.id,
        description=method.description,
        type=kind,
        command=command,
    )


def _line(env: dict[str, str], argv: list[str]) -> str:
    return " ".join([*(f"{k}={shlex.quote(v)}" for k, v in env.items()), shlex.join(argv)])
