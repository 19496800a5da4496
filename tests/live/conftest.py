"""The whole app as a program, with one real agent and a fake model; skipped where none is there.

`SIDEKICKS_TEST_AGENTS` names the folder in which `real_agents.py` installed the agents.
"""

import json
import os
import sys
import threading
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.acp_schema import faults_of, is_installed
from fakes.program import Program
from fakes.running_app import RunningApp, serving
from fakes.waiting import wait_until
from live.real_agents import AGENTS, RealAgent
from sidekicks.agents.log import SHOWN_CHARACTERS

Json = dict[str, Any]
PATIENCE: Final = 100.0
"""Seconds: the first start of an agent of this size, on a busy computer."""


class Model:
    """The fake model server's program, and the requests that it got."""

    def __init__(self, url: str, log: Path) -> None:
        self.url: Final = url
        self._log: Final = log

    def requests(self) -> list[Json]:
        """Return the bodies of the requests so far that a model answers."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        told = [json.loads(line) for line in lines]
        return [
            each["body"] for each in told if each["path"].endswith(("completions", "responses"))
        ]


class Desk:
    """The app with one agent, and the person at it.

    Args:
        folder: holds the configuration, the workspace and the agent's home.
    """

    def __init__(self, agent: RealAgent, root: Path, model: Model, folder: Path) -> None:
        self.agent: Final = agent
        self.model: Final = model
        self.workspace: Final = folder / "workspace"
        self.workspace.mkdir()
        self.config: Final = folder / "sidekicks.yaml"
        entry = agent.entry(root, folder / "home", model.url)
        entry["workspace"] = str(self.workspace)
        self.config.write_text(json.dumps({"agents": {"alice": entry}}))
        self.events: list[Json] = []
        self.app: RunningApp
        self._folder: Final = folder

    @contextmanager
    def open(self) -> Generator[None]:
        """Run the app; all its events are kept."""
        self.events = []
        with serving(self.config, dict(os.environ), self._folder / "app.log") as self.app:
            reader = threading.Thread(target=self._follow, args=(self.events,), name="events")
            reader.start()
            self.channel = self.app.invoke("open_direct", agentId="alice")["channelId"]
            try:
                yield
                if self.app.program.process.poll() is None:
                    assert self._frame_faults() == []
            finally:
                if self.app.program.process.poll() is None:
                    self.app.program.stop()
                reader.join(10)

    def send(self, text: str) -> str:
        """Send a message and return the id of the turn that answers it."""
        sent = self.app.invoke("send_message", channelId=self.channel, text=text)
        return sent["turns"][0]["turnId"]

    def say(self, text: str) -> Json:
        """Send a message and return the answer with how it ended."""
        return self.answer(self.send(text))

    def answer(self, turn_id: str) -> Json:
        """Wait for a turn's end and return what it wrote."""
        self.event("turn.ended", turnId=turn_id)
        return next(m for m in self.messages() if m["turnId"] == turn_id)

    def messages(self) -> list[Json]:
        """Return the conversation."""
        return self.app.invoke("get_messages", channelId=self.channel)["messages"]

    def stop(self, **how: bool) -> None:
        """Stop what is being answered."""
        self.app.invoke("stop_turn", channelId=self.channel, **how)

    def writes(self, turn_id: str, text: str) -> None:
        """Wait until a turn has written a word."""
        self.until(
            lambda event: (
                event["type"] == "turn.delta"
                and event["turnId"] == turn_id
                and text in event["text"]
            )
        )

    def asked(self, turn_id: str) -> Json:
        """Wait for a question of a turn."""
        found = self.until(
            lambda event: (
                event["type"] == "permission.asked" and event["permission"]["turnId"] == turn_id
            )
        )
        return found["permission"]

    def choose(self, asked: Json, kind: str) -> str:
        """Answer a question with the first option of a kind, and return the option's id."""
        option = next(o["optionId"] for o in asked["options"] if o["kind"] == kind)
        self.app.invoke("answer_permission", permissionId=asked["permissionId"], optionId=option)
        return option

    def event(self, kind: str, **fields: object) -> Json:
        """Wait for (or find) the first event of a type whose fields are these."""
        return self.until(
            lambda event: (
                event["type"] == kind
                and all(event.get(name) == value for name, value in fields.items())
            )
        )

    def until(self, fits: Callable[[Json], bool]) -> Json:
        """Wait for (or find) the first event that fits."""
        wait_until(lambda: any(map(fits, list(self.events))), PATIENCE)
        return next(event for event in self.events if fits(event))

    def snapshot(self) -> Json:
        """Return a fresh snapshot."""
        return self.app.invoke("get_snapshot")

    def shown(self) -> Json:
        """Return the agent as it is shown."""
        return next(a for a in self.snapshot()["agents"] if a["agentId"] == "alice")

    def log(self, *, frames: bool = False) -> list[Json]:
        """Return the agent's log."""
        return self.app.invoke("get_log", agentId="alice", frames=frames)["entries"]

    def _frame_faults(self) -> list[str]:
        """Return what is wrong with the frames that we sent, where the schema is there to say."""
        frames = [entry for entry in self.log(frames=True) if entry["kind"] == "frame"]
        # A long one is cut in the log; only agents send these.
        whole = [entry for entry in frames if len(entry["text"]) < SHOWN_CHARACTERS]
        told = [(entry["direction"], json.loads(entry["text"])) for entry in whole]
        return faults_of(told) if is_installed() else []

    def _follow(self, events: list[Json]) -> None:
        request = urllib.request.Request(
            f"{self.app.origin}/events?after=0",
            headers={"Authorization": f"Bearer {self.app.secret}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=600) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        events.extend(json.loads(line[6:]))
        except OSError:
            # The app was killed, as some tests do.
            return


@pytest.fixture(scope="session")
def installed() -> Path:
    """Return the folder in which the agents are installed."""
    if not (folder := os.environ.get("SIDEKICKS_TEST_AGENTS")):
        pytest.skip("SIDEKICKS_TEST_AGENTS names no folder with real agents")
    return Path(folder).expanduser().resolve()


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """The fake model, as a program: what an agent does cannot hold it up."""
    folder = tmp_path_factory.mktemp("model")
    tests = Path(__file__).parent.parent
    env = {**os.environ, "PYTHONPATH": str(tests)}
    command = [sys.executable, "-m", "fakes.model_server", str(folder / "requests")]
    with Program(command, env=env, log=folder / "log") as program:
        ready = program.expect(lambda line: "url" in line)
        yield Model(ready["url"], folder / "requests")


@pytest.fixture(params=AGENTS, ids=lambda agent: agent.name)
def desk(
    request: pytest.FixtureRequest, installed: Path, model: Model, home: Path, tmp_path: Path
) -> Desk:
    """The app with a real agent; `open` it."""
    agent: RealAgent = request.param
    if not agent.program_in(installed).exists():
        pytest.skip(f"{agent.name} is not installed in {installed}")
    return Desk(agent, installed, model, tmp_path)
