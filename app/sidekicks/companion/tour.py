"""The tour: what an agent does in this app, shown by doing it.

Nothing in it is played: the folder is really listed, the question's answer is honoured, and the
file is there afterwards if, and only if, it was allowed.
"""

from datetime import datetime
from typing import Final

from sidekicks.acp import BlockToolContent, TextContent, ToolCall, ToolCallUpdate, ToolLocation
from sidekicks.companion.folder import shown
from sidekicks.companion.listing import describe_folder
from sidekicks.companion.markdown import quote
from sidekicks.companion.turn import Turn
from sidekicks.companion.words import words
from sidekicks.companion.writing import write_file

TOUR_FILE: Final = "sidekicks-tour.md"


async def give_tour(turn: Turn) -> None:
    """Give the tour.

    Raises:
        SidekicksError: the folder or the file refuses.
        TurnStopped: the question was withdrawn.
    """
    await turn.say(words("tour_start"))
    await _tell_plan(turn, 0)
    await turn.pause()
    total = await _look(turn)
    await turn.say("\n\n" + words("tour_looked", total=total))
    await _tell_plan(turn, 1)
    await turn.pause()
    # The moment makes each tour's file another one, so that there is always something to ask.
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
    allowed = await write_file(turn, TOUR_FILE, words("tour_file", when=when)) != "not allowed"
    await _tell_plan(turn, 3, allowed=allowed)
    await turn.pause()
    told = "tour_written" if allowed else "tour_not_written"
    await turn.say("\n\n" + words(told, path=quote(TOUR_FILE)))
    await _tell_plan(turn, 4, allowed=allowed)


async def _look(turn: Turn) -> int:
    """List the folder as a tool call; return how many entries it has."""
    folder = turn.session.folder
    call = ToolCall(
        tool_call_id=turn.session.new_call_id(),
        title=words("tour_list_title"),
        kind="read",
        status="pending",
        locations=(ToolLocation(path=shown(str(folder.root))),),
        raw_input={"path": "."},
    )
    async with turn.tool(call):
        await turn.pause()
        await turn.update(ToolCallUpdate(tool_call_id=call.tool_call_id, status="in_progress"))
        contents = folder.list()
        await turn.pause()
        listing = TextContent(text=describe_folder(".", contents))
        await turn.update(
            ToolCallUpdate(
                tool_call_id=call.tool_call_id,
                status="completed",
                content=(BlockToolContent(content=listing),),
                raw_output={"total": contents.total},
            )
        )
    return contents.total


async def _tell_plan(turn: Turn, done: int, *, allowed: bool = True) -> None:
    """Tell the plan with its first `done` steps completed and the next one in progress."""
    steps = (
        words("tour_step_look"),
        words("tour_step_ask"),
        words("tour_step_write" if allowed else "tour_step_not_written", path=TOUR_FILE),
        words("tour_step_tell"),
    )
    states = ["completed"] * done + ["in_progress"] + ["pending"] * len(steps)
    await turn.plan(*zip(steps, states, strict=False))
