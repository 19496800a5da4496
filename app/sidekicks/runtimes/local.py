"""An agent on this computer: started directly, in its folder, with the person's environment."""

from collections.abc import Mapping

from sidekicks.contract.config import AgentConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.runtimes.launch import Launch
from sidekicks.runtimes.where import describe_place
from sidekicks.runtimes.words import say
from sidekicks.system import (
    check_folder,
    join_paths,
    resolve_command,
    self_command,
    usual_folders,
)


def prepare_local(config: AgentConfig, login_env: Mapping[str, str]) -> Launch:
    """Return what to start for an agent, sure that all it needs is there.

    The configuration's `env` wins over `login_env`; `sidekicks` is this very program, whatever the
    PATH says.

    Raises:
        SidekicksError: in words; `data["failure"]` is the `FailureCode`, where it is one.
    """
    if config.runtime.type != "local":
        message = say("unsupported", name=config.name, where=describe_place(config))
        raise SidekicksError("unsupported", message, failure="runtime_unsupported")
    check_folder(config.workspace)
    env = merge_environment(config, login_env)
    return Launch(
        argv=(*find_program(config, env), *config.args),
        env=env,
        cwd=config.workspace,
        where=describe_place(config),
    )


def merge_environment(config: AgentConfig, login_env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of an agent's program."""
    env = {**login_env, **config.env}
    env["PATH"] = join_paths(env.get("PATH", ""), usual_folders())
    return env


def find_program(config: AgentConfig, env: Mapping[str, str]) -> list[str]:
    """Return what an agent's command means, in the environment that its program gets.

    Raises:
        SidekicksError: as `prepare_local`.
    """
    if config.command is None:
        raise SidekicksError("unsupported", say("no_command", name=config.name))
    if config.command == "sidekicks":
        return self_command()
    return [str(resolve_command(config.command, env["PATH"], config.workspace))]
