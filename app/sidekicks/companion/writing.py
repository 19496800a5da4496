"""Writing a file of the folder: shown as a diff, asked for, and done only if allowed."""

from typing import Literal

from sidekicks.acp import DiffToolContent, ToolCall, ToolCallUpdate, ToolLocation
from sidekicks.companion.folder import shown
from sidekicks.companion.turn import Turn
from sidekicks.companion.words import words

Written = Literal["written", "not allowed", "unchanged"]


async def write_file(turn: Turn, path: str, text: str) -> Written:
    """Ask, then make the file's text `text`.

    Raises:
        SidekicksError: the file cannot be written; nothing was.
        TurnStopped: the question was withdrawn; nothing was written.
    """
    folder = turn.session.folder
    real = shown(str(folder.locate(path)))
    old = folder.read_if_there(path)
    if old == text:
        return "unchanged"
    call = ToolCall(
        tool_call_id=turn.session.new_call_id(),
        title=words("write_title", path=path),
        kind="edit",
        status="pending",
        content=(DiffToolContent(path=real, old_text=old, new_text=text),),
        locations=(ToolLocation(path=real),),
    )
    async with turn.tool(call):
        allowed = await turn.ask(call)
        if allowed:
            await turn.update(ToolCallUpdate(tool_call_id=call.tool_call_id, status="in_progress"))
            folder.replace(path, old, text)
        status = "completed" if allowed else "failed"
        await turn.update(ToolCallUpdate(tool_call_id=call.tool_call_id, status=status))
    return "written" if allowed else "not allowed"
