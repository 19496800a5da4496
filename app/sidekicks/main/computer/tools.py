"""Docker and sbx: whether they are there, and answer. Only what changes nothing is run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sidekicks.base.findings import FindingList
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.results import FindingLevel
from sidekicks.main.computer.words import say
from sidekicks.system import Answer, ask_program, find_executable

SECONDS: Final = 5.0
"""sbx takes two seconds for anything on a computer without a keychain (docker/sbx-releases 456)."""
FORMAT: Final = "{{.Client.Version}}{{with .Server}} {{.Version}}{{end}}"


async def look_at_docker(env: Mapping[str, str], needed: bool, found: FindingList) -> None:
    """Say whether Docker and its engine answer; a problem only where an agent needs them."""
    program = find_executable("docker", env.get("PATH", ""))
    if program is None:
        found.add("docker", *_missing(needed, "no_docker"))
        return
    answer = await _ask([program, "version", "--format", FORMAT], env, found, "docker", needed)
    if answer is None:
        return
    client, _, engine = answer.stdout.partition(" ")
    if answer.code == 0 and engine:
        sentence = say("docker", program=program, client=client, engine=engine)
        found.add("docker", "ok", sentence)
        return
    lines = answer.stderr.splitlines()
    denied = "permission denied" in answer.stderr.lower()
    found.add(
        "docker",
        _level(needed),
        say("docker_engine_silent", program=program, client=client or "?"),
        advice=say("docker_group" if denied else "docker_start"),
        details=lines,
    )


async def look_at_sbx(env: Mapping[str, str], needed: bool, found: FindingList) -> None:
    """Say whether sbx is there, and that sandboxes have yet to be tried with a real one."""
    program = find_executable("sbx", env.get("PATH", ""))
    if program is None:
        level, sentence = _missing(needed, "no_sbx")
        found.add("sbx", level, f"{sentence} {say('sbx_untried')}")
        return
    answer = await _ask([program, "version"], env, found, "sbx", needed)
    if answer is not None and answer.code != 0:
        answer = await _ask([program, "--version"], env, found, "sbx", needed)
    if answer is None:
        return
    written = (answer.stdout or answer.stderr).splitlines()
    if answer.code == 0:
        sentence = say("sbx", program=program, version=written[0] if written else "?")
        found.add("sbx", "note", f"{sentence} {say('sbx_untried')}")
    else:
        found.add("sbx", _level(needed), say("sbx_failed", program=program), details=written)


async def _ask(
    argv: list[Path | str], env: Mapping[str, str], found: FindingList, code: str, needed: bool
) -> Answer | None:
    program = str(argv[0])
    try:
        return await ask_program([str(word) for word in argv], env=env, seconds=SECONDS)
    except TimeoutError:
        sentence = say("tool_silent", program=program, seconds=f"{SECONDS:g}")
        found.add(code, _level(needed), sentence)
    except SidekicksError as error:
        found.add(code, _level(needed), error.message)
    return None


def _missing(needed: bool, word: str) -> tuple[FindingLevel, str]:
    return ("problem", say(f"{word}_needed")) if needed else ("ok", say(word))


def _level(needed: bool) -> FindingLevel:
    return "problem" if needed else "note"
