"""The slash commands: what is announced, and what each does. They work with a model and without."""

from collections.abc import Awaitable, Callable
from pathlib import PurePath
from typing import Final

import msgspec

from sidekicks.acp import AvailableCommand, CommandInput
from sidekicks.companion.guide import describe_looking
from sidekicks.companion.listing import describe_folder
from sidekicks.companion.markdown import fence, quote
from sidekicks.companion.models import Models
from sidekicks.companion.prompts import SlashCommand
from sidekicks.companion.tour import give_tour
from sidekicks.companion.turn import Turn
from sidekicks.companion.words import words
from sidekicks.companion.writing import write_file


class Known(msgspec.Struct, frozen=True):
    """A command: what runs it, and whether something may follow it."""

    run: Callable[[Turn, Models, SlashCommand], Awaitable[None]]
    takes: bool


def announce() -> tuple[AvailableCommand, ...]:
    """Return the commands as the client shows them."""
    return tuple(
        AvailableCommand(
            name=name,
            description=words(f"command_{name}"),
            input=CommandInput(hint=words(f"hint_{name}")) if known.takes else None,
        )
        for name, known in COMMANDS.items()
    )


async def run_command(turn: Turn, models: Models, command: SlashCommand) -> None:
    """Run a command, known or not.

    Raises:
        SidekicksError: it cannot be done, in one sentence.
        TurnStopped: a question was withdrawn.
    """
    known = COMMANDS.get(command.name)
    if known is None:
        await turn.say(words("unknown_command", name=command.name))
    else:
        await known.run(turn, models, command)


async def _help(turn: Turn, models: Models, _: SlashCommand) -> None:
    if not models.models:
        await models.look()
    model = models.choose(turn.session.model_value)
    who = (
        words("help_no_model")
        if model is None
        else words("help_model", model=model.model_id, server=model.server.name)
    )
    lines = [
        f"- `/{command.name}{f' {command.input.hint}' if command.input else ''}`: "
        f"{command.description}"
        for command in announce()
    ]
    await turn.say(words("help", who=who, commands="\n".join(lines)))


async def _tour(turn: Turn, _: Models, __: SlashCommand) -> None:
    await give_tour(turn)


async def _files(turn: Turn, _: Models, command: SlashCommand) -> None:
    path = command.split()[0] or "."
    await turn.say(describe_folder(path, turn.session.folder.list(path)))


async def _read(turn: Turn, _: Models, command: SlashCommand) -> None:
    path = command.split()[0]
    if not path:
        return await turn.say(words("usage_read"))
    text = turn.session.folder.read(path)
    if not text:
        return await turn.say(words("file_empty", path=quote(path)))
    return await turn.say(f"{quote(path)}\n\n{fence(text, PurePath(path).suffix[1:])}")


async def _write(turn: Turn, _: Models, command: SlashCommand) -> None:
    path, text = command.split()
    if not path or not text:
        return await turn.say(words("usage_write"))
    text = text if text.endswith("\n") else f"{text}\n"
    written = await write_file(turn, path, text)
    told = {"written": "written", "not allowed": "not_allowed", "unchanged": "unchanged"}
    return await turn.say(words(told[written], path=quote(path)))


async def _model(turn: Turn, models: Models, command: SlashCommand) -> None:
    await models.look()
    session = turn.session
    if name := command.split()[0]:
        found = models.find(name)
        if found is None and models.models:
            listed = _list_models(models, None)
            return await turn.say(words("model_unknown", name=name, models=listed))
        if found is not None:
            session.model_value = found.value
    await turn.tell_options(models)
    model = models.choose(session.model_value)
    if model is None:
        return await turn.say(describe_looking(models))
    said = {"model": model.model_id, "server": model.server.name}
    if name or len(models.models) < 2:
        return await turn.say(words("model_now", **said))
    return await turn.say(words("model_list", **said, models=_list_models(models, model.value)))


def _list_models(models: Models, current: str | None) -> str:
    return "\n".join(
        f"- {'**' if model.value == current else ''}{quote(model.model_id)}"
        f"{'**' if model.value == current else ''} ({model.server.name})"
        for model in models.models
    )


COMMANDS: Final = {
    "help": Known(_help, takes=False),
    "tour": Known(_tour, takes=False),
    "files": Known(_files, takes=True),
    "read": Known(_read, takes=True),
    "write": Known(_write, takes=True),
    "model": Known(_model, takes=True),
}
