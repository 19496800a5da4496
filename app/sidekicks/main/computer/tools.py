"""Docker and sbx: whether they are there, and answer. Only what changes nothing is run."""

from collections.abc import Mapping
from typing import Final

from sidekicks.base.findings import FindingList
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.results import FindingLevel
from sidekicks.main.computer.words import say
from sidekicks.system import Answer, ask_program, find_executable

SECONDS: Final = 5.0
"""sbx takes two seconds for anything on a computer without a keychain (docker/sbx-releases 456)."""
FORMAT: Final = "{{.Client.Version}}{{with .Server}} {{.Version}}{{end}}"


class Tool:
    """A program that runs agents elsewhere.

    Args:
        name: of the program.
        env: where it is looked for, and what it gets.
        needed: an agent is to run there: only then is it a problem if it does not answer.
        found: takes what is found.
        seconds: how long it may take to answer.
    """

    def __init__(
        self,
        name: str,
        env: Mapping[str, str],
        *,
        needed: bool,
        found: FindingList,
        seconds: float = SECONDS,
    ) -> None:
        self.program: Final = find_executable(name, env.get("PATH", ""))
        self.needed: Final = needed
        self.found: Final = found
        self._env: Final = env
        self._seconds: Final = seconds

    @property
    def level(self) -> FindingLevel:
        """How bad it is that it does not answer."""
        return "problem" if self.needed else "note"

    async def ask(self, *arguments: str) -> Answer | str:
        """Return what it answers, or in a sentence why it does not."""
        program = str(self.program)
        try:
            return await ask_program([program, *arguments], env=self._env, seconds=self._seconds)
        except TimeoutError:
            return say("tool_silent", program=program, seconds=f"{self._seconds:g}")
        except SidekicksError as error:
            return error.message


async def look_at_docker(docker: Tool) -> None:
    """Say whether Docker and its engine answer."""
    add, program = docker.found.add, docker.program
    if program is None:
        if docker.needed:
            add("docker", "problem", say("no_docker_needed"))
        else:
            add("docker", "ok", say("no_docker"))
        return
    answer = await docker.ask("version", "--format", FORMAT)
    if isinstance(answer, str):
        add("docker", docker.level, answer)
        return
    client, _, engine = answer.stdout.partition(" ")
    if answer.code == 0 and engine:
        add("docker", "ok", say("docker", program=program, client=client, engine=engine))
        return
    denied = "permission denied" in answer.stderr.lower()
    add(
        "docker",
        docker.level,
        say("docker_engine_silent", program=program, client=client or "?"),
        advice=say("docker_group" if denied else "docker_start"),
        details=answer.stderr.splitlines(),
    )


async def look_at_sbx(sbx: Tool) -> None:
    """Say whether sbx is there, and in any case that no real one has been tried."""

    def add(level: FindingLevel, sentence: str, details: str = "") -> None:
        whole = f"{sentence} {say('sbx_untried')}"
        sbx.found.add("sbx", level, whole, details=details.splitlines())

    if sbx.program is None:
        if sbx.needed:
            add("problem", say("no_sbx_needed"))
        else:
            add("ok", say("no_sbx"))
        return
    answer = await sbx.ask("version")
    if isinstance(answer, Answer) and answer.code != 0:
        answer = await sbx.ask("--version")
    if isinstance(answer, str):
        add(sbx.level, answer)
        return
    written = answer.stdout or answer.stderr
    if answer.code == 0:
        add("note", say("sbx", program=sbx.program, version=written.partition("\n")[0] or "?"))
    else:
        add(sbx.level, say("sbx_failed", program=sbx.program), written)
