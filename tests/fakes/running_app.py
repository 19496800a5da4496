"""The whole app as a program: `sidekicks serve` for a browser, or its real window."""

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from fakes.program import Line, Program
from fakes.scripts import Script, agent_command

COMPANION: Final = "sidekick"
"""The id of the bundled agent in the configuration that is written here."""

# On a developer's computer there may be a model server; here the bundled agent is always the guide.
_ALONE: Final = {"SIDEKICKS_MODEL_URL": "none"}


class AppError(Exception):
    """A command was refused; `body` is the contract's `{"code", "message", "data"}`."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(f"{body['code']}: {body['message']}")
        self.body: Final = body


class RunningApp:
    """An app that serves, and what a tool does with it."""

    def __init__(self, program: Program, ready: Line, folder: Path) -> None:
        self.program: Final = program
        self.folder: Final = folder
        """Holds the configuration, and each agent's workspace under its id."""
        self.url: Final[str] = ready["url"]
        """The link with its one-time code: good for one page."""
        self.secret: Final[str] = ready["secret"]
        self.origin: Final = self.url.partition("#")[0].rstrip("/")

    def invoke(self, command: str, /, **params: Any) -> Any:
        """Return the value of a command.

        Raises:
            AppError: it was refused.
        """
        request = urllib.request.Request(
            f"{self.origin}/invoke",
            data=json.dumps({"type": command, **params}).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self.secret}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as refusal:
            with refusal:
                answer = json.load(refusal)
        if not answer["ok"]:
            raise AppError(answer["error"])
        return answer["value"]


def write_config(folder: Path, scripts: Mapping[str, Script], **settings: Any) -> Path:
    """Write a configuration with the bundled agent and one scripted agent for each script."""
    agents: dict[str, Any] = {
        COMPANION: {"name": "Sidekick", "command": "sidekicks", "args": ["agent"]}
    }
    for agent_id, script in scripts.items():
        command, *arguments = agent_command(script)
        agents[agent_id] = {"name": agent_id.title(), "command": command, "args": arguments}
    for agent_id, agent in agents.items():
        workspace = folder / agent_id
        workspace.mkdir(parents=True, exist_ok=True)
        agent["workspace"] = str(workspace)
    file = folder / "sidekicks.yaml"
    # JSON is YAML too.
    file.write_text(json.dumps({**settings, "agents": agents}, indent=2), encoding="utf-8")
    return file


@contextmanager
def serving(
    config: Path, env: Mapping[str, str], log: Path, within: Sequence[str] = ()
) -> Generator[RunningApp]:
    """Yield the app as `sidekicks serve --json` runs it; it must end when it is told to.

    Args:
        config: the configuration file.
        env: its environment.
        log: takes what it writes to stderr.
        within: a command that becomes the one that follows it, with other rights or mounts.
    """
    command = [*within, *_PROGRAM, "serve", "--json", "--config", str(config)]
    with Program(command, env={**env, **_ALONE}, log=log) as program:
        yield RunningApp(program, program.expect(lambda line: "url" in line), config.parent)
        if program.process.poll() is None:
            assert program.stop() == 0, program.errors()


@contextmanager
def windowed(config: Path, env: Mapping[str, str], port: int, log: Path) -> Generator[Program]:
    """Yield the app with its window, which can be driven through the debugging port."""
    command = [*_PROGRAM, "--config", str(config)]
    with Program(
        command, env={**env, **_ALONE, "SIDEKICKS_DEBUG_PORT": str(port)}, log=log
    ) as program:
        yield program
        if program.process.poll() is None:
            assert program.stop() == 0, program.errors()


_PROGRAM: Final = (sys.executable, "-m", "sidekicks")
