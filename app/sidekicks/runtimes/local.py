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
    if config.command is None:
        raise SidekicksError("unsupported", say("no_command", name=config.name))
    check_folder(config.workspace)
    env = {**login_env, **config.env}
    env["PATH"] = join_paths(env.get("PATH", ""), usual_folders())
    if config.command == "sidekicks":
        program = self_command()
    else:
        program = [str(resolve_command(config.command, env["PATH"], config.workspace))]
    return Launch(
        argv=(*program, *config.args),
        env=env,
        cwd=config.workspace,
        where=describe_place(config),
    )
