"""Where an agent runs, in words."""

from typing import assert_never

from sidekicks.contract.config import AgentConfig
from sidekicks.runtimes.words import say


def describe_place(config: AgentConfig) -> str:
    """Return where the agent runs: `this computer`, `container my-box`, `sandbox milo-sbx`."""
    runtime = config.runtime
    match runtime.type:
        case "local":
            return say("local")
        case "container" if runtime.context:
            return say("container_there", name=runtime.container, context=runtime.context)
        case "container":
            return say("container", name=runtime.container)
        case "sbx":
            return say("sandbox", name=runtime.sandbox)
        case _:
            assert_never(runtime.type)
