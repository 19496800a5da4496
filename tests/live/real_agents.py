"""The real agents of the live suite: where each is installed, how it is set up, what it does.

    python tests/live/real_agents.py FOLDER [NAME…]     installs them, each below FOLDER/NAME

The versions are pinned: what an agent does differs from one to the next. None of them may reach
beyond this computer, so each gets a home of its own, with the fake model server in its settings.
"""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool that the model is made to call: its name there, and arguments for a file or command.

    `@FILE@` is the file's absolute path.
    """

    name: str
    arguments: Json

    def script(self, file: Path) -> str:
        """Return the line for the fake model."""
        told = json.dumps(self.arguments).replace("@FILE@", str(file))
        return f"!tool {self.name} {told}"


@dataclass(frozen=True)
class RealAgent:
    """One agent.

    In `files` (settings, below its home) and `env`, `@HOME@` is that home and `@URL@` the fake
    model server's address.
    """

    name: str
    package: str
    program: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, str] = field(default_factory=dict[str, str])
    makes: Tool = Tool("", {})
    """Makes `@FILE@`."""
    removes: Tool = Tool("", {})
    """Removes `@FILE@`."""
    mode: str | None = None
    """The mode in which it asks before it uses a tool; null: the one that it begins with."""
    asks: bool = True
    """Whether it asks at all, of a client that runs no terminals and files for it."""
    python: tuple[str, ...] = ("python3.13", "python3.12")

    @property
    def of_npm(self) -> bool:
        """Whether it comes from npm; the others come from PyPI."""
        return "==" not in self.package

    def program_in(self, root: Path) -> Path:
        """Return its program below the folder that all are installed in."""
        folder = "node_modules/.bin" if self.of_npm else "bin"
        return root / self.name / folder / self.program

    def entry(self, root: Path, home: Path, url: str) -> Json:
        """Return its entry of the configuration, with its home written."""

        def fill(text: str) -> str:
            return text.replace("@HOME@", str(home)).replace("@URL@", url)

        for name, text in self.files.items():
            file = home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(fill(text))
        return {
            "command": str(self.program_in(root)),
            "args": [fill(arg) for arg in self.args],
            "env": {"HOME": str(home), **{key: fill(value) for key, value in self.env.items()}},
        }

    def install(self, root: Path) -> None:
        """Install it below `root`, from its registry."""
        folder = root / self.name
        if self.of_npm:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text('{"private": true}')
            command = ["npm", "install", "--no-audit", "--no-fund", self.package]
            subprocess.run(command, cwd=folder, check=True)
            return
        found = [python for python in self.python if shutil.which(python)]
        if not found:
            raise SystemExit(f"{self.name} needs one of {', '.join(self.python)}")
        subprocess.run([found[0], "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", self.package], check=True)


_OPENCODE: Json = {
    "model": "stub/stub-model",
    "small_model": "stub/stub-model",
    "autoupdate": False,
    "share": "disabled",
    "provider": {
        "stub": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Stub",
            "options": {"baseURL": "@URL@/v1", "apiKey": "x"},
            "models": {"stub-model": {"name": "Stub", "tool_call": True}},
        }
    },
    "permission": {"edit": "ask", "bash": "ask", "webfetch": "deny"},
}
_SWITCHED_OFF = ("AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD")

AGENTS = (
    RealAgent(
        name="hermes",
        package="hermes-agent[acp]==0.19.0",
        program="hermes-acp",
        env={"HERMES_HOME": "@HOME@/.hermes", "OPENAI_API_KEY": "x"},
        files={
            ".hermes/config.yaml": "model:\n  default: stub-model\n  provider: custom\n"
            "  base_url: @URL@/v1\n  api_key: x\n  context_length: 128000\n"
        },
        makes=Tool("write_file", {"path": "@FILE@", "content": "made\n"}),
        removes=Tool("terminal", {"command": "rm -rf @FILE@"}),
    ),
    RealAgent(
        name="fast-agent",
        package="fast-agent-acp==0.10.48",
        program="fast-agent",
        args=(
            *("--no-update-check", "acp", "--config-path", "@HOME@/fastagent.config.yaml"),
            *("--model", "generic.stub-model", "--shell", "--name", "stub"),
        ),
        env={
            "FAST_AGENT_HOME": "@HOME@/.fast-agent",
            "GENERIC_API_KEY": "x",
            "GENERIC_BASE_URL": "@URL@/v1",
        },
        files={
            "fastagent.config.yaml": 'default_model: "generic.stub-model"\n'
            'generic:\n  api_key: "x"\n  base_url: "@URL@/v1"\n'
            "logger:\n  type: none\n  progress_display: false\n  show_chat: false\n",
            ".fast-agent/.keep": "",
        },
        makes=Tool("write_text_file", {"path": "@FILE@", "content": "made\n"}),
        removes=Tool("bash", {"command": "rm -rf @FILE@"}),
        asks=False,
    ),
    RealAgent(
        name="vibe",
        package="mistral-vibe==3.0.2",
        program="vibe-acp",
        env={"VIBE_HOME": "@HOME@/.vibe"},
        files={
            ".vibe/config.toml": 'active_model = "stub"\nenable_telemetry = false\n'
            'enable_update_checks = false\n[[providers]]\nname = "stub"\n'
            'api_base = "@URL@/v1"\napi_key_env_var = ""\n[[models]]\nname = "stub-model"\n'
            'provider = "stub"\nalias = "stub"\n'
        },
        makes=Tool("write_file", {"path": "@FILE@", "content": "made\n"}),
        removes=Tool("bash", {"command": "rm -rf @FILE@"}),
        mode="ask",
    ),
    RealAgent(
        name="opencode",
        package="opencode-ai@1.18.33",
        program="opencode",
        args=("acp",),
        env={
            "XDG_CONFIG_HOME": "@HOME@/.config",
            "XDG_DATA_HOME": "@HOME@/.local/share",
            "XDG_CACHE_HOME": "@HOME@/.cache",
            "XDG_STATE_HOME": "@HOME@/.local/state",
            **{f"OPENCODE_DISABLE_{what}": "1" for what in _SWITCHED_OFF},
        },
        files={".config/opencode/opencode.json": json.dumps(_OPENCODE)},
        makes=Tool("write", {"filePath": "@FILE@", "content": "made\n"}),
        removes=Tool("bash", {"command": "rm -rf @FILE@", "description": "Remove it"}),
    ),
    RealAgent(
        name="codex-acp",
        package="@agentclientprotocol/codex-acp@2.6.0",
        program="codex-acp",
        env={"CODEX_HOME": "@HOME@/.codex", "OPENAI_API_KEY": "sk-x"},
        files={
            ".codex/config.toml": 'model = "gpt-5.1-codex"\nmodel_provider = "stub"\n'
            'approval_policy = "on-request"\nsandbox_mode = "read-only"\n'
            'check_for_update_on_startup = false\n[model_providers.stub]\nname = "Stub"\n'
            'base_url = "@URL@/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n'
            "requires_openai_auth = false\nsupports_websockets = false\n"
            "[analytics]\nenabled = false\n"
        },
        makes=Tool(
            "exec_command",
            {
                "cmd": "touch @FILE@",
                "sandbox_permissions": "require_escalated",
                "justification": "Make it?",
            },
        ),
        removes=Tool("exec_command", {"cmd": "rm -rf @FILE@"}),
        mode="read-only",
    ),
)


if __name__ == "__main__":
    wanted = sys.argv[2:] or [agent.name for agent in AGENTS]
    for each in AGENTS:
        if each.name in wanted:
            each.install(Path(sys.argv[1]).resolve())
