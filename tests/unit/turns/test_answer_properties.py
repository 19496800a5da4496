"""However an answer's updates are told, a page ends up with the same parts."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fakes.answers import ReadAnswer, said, thought
from fakes.loop import run_stepped
from sidekicks.acp import (
    AgentMessageChunk,
    ImageContent,
    PlanEntry,
    PlanUpdate,
    TerminalOutput,
    TerminalToolContent,
    ToolCallUpdate,
    ToolMeta,
    UnknownUpdate,
    Update,
)

Parts = list[dict[str, Any]]
texts = st.text(st.sampled_from("ab é🎉\n"), max_size=4)
names = st.sampled_from(["t1", "t2", "t3"])
message_ids = st.sampled_from([None, None, "m1", "m2"])
tools = st.builds(
    ToolCallUpdate,
    tool_call_id=names,
    title=st.sampled_from([None, "", "Read"]),
    status=st.sampled_from([None, "pending", "in_progress", "completed"]),
    content=st.sampled_from([None, (), (TerminalToolContent(terminal_id="x"),)]),
    meta=st.none()
    | st.builds(
        ToolMeta, terminal_output=st.builds(TerminalOutput, terminal_id=st.just("x"), data=texts)
    ),
)
updates = st.one_of(
    st.builds(said, texts, message_ids),
    st.builds(said, texts),
    st.builds(thought, texts),
    tools,
    st.builds(
        PlanUpdate,
        entries=st.lists(st.builds(PlanEntry, content=texts), max_size=2).map(tuple),
    ),
    st.just(UnknownUpdate(kind="odd", raw={"sessionUpdate": "odd"})),
    st.just(AgentMessageChunk(content=ImageContent(data="aGk=", mime_type="image/png"))),
    st.just("close"),
)
Step = Update | str


async def write(steps: list[Step], pauses: list[float | None]) -> tuple[Parts, Parts]:
    """Apply the steps, each with a pause behind it (null: none); return what is and what is told.

    A pause of less than nothing is a flush that somebody asked for.
    """
    read = ReadAnswer()
    for step, pause in zip(steps, pauses, strict=True):
        if isinstance(step, str):
            read.answer.close_tools("cancelled")
        else:
            read.answer.apply(step)
        if pause is not None and pause < 0:
            read.answer.flush()
        elif pause is not None:
            await asyncio.sleep(pause)
    read.answer.flush()
    return read.parts(), list(read.page.values())


pause = st.sampled_from([None, None, -1.0, 0.0, 0.005, 0.1])


@given(st.data())
def test_one_flush_or_many_make_the_same_answer_and_the_page_has_it(data: st.DataObject) -> None:
    steps = data.draw(st.lists(updates, max_size=25))
    often = data.draw(st.lists(pause, min_size=len(steps), max_size=len(steps)))
    once, told_once = run_stepped(write(steps, [None] * len(steps)))
    many, told_often = run_stepped(write(steps, often))
    each, told_each = run_stepped(write(steps, [-1.0] * len(steps)))
    assert once == many == each
    assert told_once == told_often == told_each == once
