"""An answer while it is written: what its parts are, and how and when they are told."""

import asyncio

import pytest

from fakes.answers import ReadAnswer, said, thought
from fakes.loop import run_stepped
from sidekicks.acp import (
    AgentMessageChunk,
    AudioContent,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ModeUpdate,
    Notice,
    PlanEntry,
    PlanUpdate,
    Resource,
    ResourceLink,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    UnknownContent,
    UnknownUpdate,
    Update,
    UserMessageChunk,
)
from sidekicks.turns.answer import FLUSH_SECONDS, utf16_length


@pytest.fixture
async def read() -> ReadAnswer:
    return ReadAnswer()


def apply(read: ReadAnswer, *updates: Update) -> list[tuple[str, str]]:
    """Apply updates that come together; return (type, text or title) of each part."""
    for update in updates:
        read.answer.apply(update)
    read.answer.flush()
    assert read.parts() == list(read.page.values())
    return [(p["type"], p.get("text", p.get("title", ""))) for p in read.parts()]


def plan(*entries: tuple[str, str]) -> PlanUpdate:
    return PlanUpdate(entries=tuple(PlanEntry(content=c, status=s) for c, s in entries))


def tool(name: str = "t1", title: str | None = None, status: str | None = None) -> ToolCallUpdate:
    return ToolCallUpdate(tool_call_id=name, title=title, status=status)


async def test_chunks_join(read: ReadAnswer) -> None:
    assert apply(read, said("Hel"), said("lo"), said(" you")) == [("text", "Hello you")]
    assert read.told == [("p1", "Hello you")]
    assert apply(read, said("!")) == [("text", "Hello you!")]
    assert read.told[1:] == [("p1", "!")]


async def test_a_thought_and_text_are_parts_of_their_own(read: ReadAnswer) -> None:
    parts = apply(read, thought("hm "), thought("so"), said("Yes"), said("."), thought("done"))
    assert parts == [("thought", "hm so"), ("text", "Yes."), ("thought", "done")]


async def test_text_after_a_tool_is_another_part(read: ReadAnswer) -> None:
    parts = apply(read, said("before"), tool(title="Read"), said("after"))
    assert parts == [("text", "before"), ("tool", "Read"), ("text", "after")]


async def test_a_known_tool_that_goes_on_does_not_cut_the_text(read: ReadAnswer) -> None:
    apply(read, tool(title="Build"), said("mean"))
    parts = apply(read, tool(status="completed"), said("while"))
    assert parts == [("tool", "Build"), ("text", "meanwhile")]


async def test_a_message_of_another_id_is_another_part(read: ReadAnswer) -> None:
    parts = apply(read, said("a", "m1"), said("b", "m1"), said("c", "m2"), said("d"), said("e"))
    assert parts == [("text", "ab"), ("text", "c"), ("text", "de")]


async def test_a_plan_updates_in_place(read: ReadAnswer) -> None:
    apply(read, plan(("one", "pending")), said("I sh"))
    apply(read, plan(("one", "completed"), ("two", "in_progress")), said("all"))
    first, text = read.parts()
    assert (first["partId"], text["text"]) == ("p1", "I shall")
    assert first["entries"] == [
        {"content": "one", "status": "completed", "priority": "medium"},
        {"content": "two", "status": "in_progress", "priority": "medium"},
    ]


async def test_a_tool_call_updates_in_place_and_can_be_found(read: ReadAnswer) -> None:
    apply(read, ToolCall(tool_call_id="t1", title="Read", kind="read"), said("x"), tool("t2"))
    apply(read, tool(status="failed"))
    known = read.answer.tool("t1")
    assert known is not None
    assert (known.title, known.kind, known.status, known.part_id) == (
        "Read",
        "read",
        "failed",
        "p1",
    )
    assert [p["type"] for p in read.parts()] == ["tool", "text", "tool"]
    assert read.answer.tool("t9") is None


async def test_what_came_together_is_told_once_in_the_order_of_its_coming(
    read: ReadAnswer,
) -> None:
    apply(
        read,
        said("a"),
        tool(title="T"),
        said("b"),
        tool(status="in_progress"),
        said("c"),
        tool(status="completed"),
    )
    assert read.told == [("p1", "a"), ("p2", "tool"), ("p3", "bc")]
    assert read.page["p2"]["status"] == "completed"


async def test_text_is_told_before_what_comes_after_it(read: ReadAnswer) -> None:
    read.answer.apply(said("I ask:"))
    read.answer.put_tool(tool(title="Write"))
    read.answer.flush()
    assert read.told == [("p1", "I ask:"), ("p2", "tool")]


async def test_offsets_count_as_javascript_does(read: ReadAnswer) -> None:
    for text in ("é", "🎉", "a", "👩‍👩‍👧", "ü", "\u2028", "z"):
        apply(read, said(text))
    assert [offset for _, offset in read.offsets] == [0, 1, 3, 4, 12, 13, 14]
    assert read.text() == "é🎉a👩‍👩‍👧ü\u2028z"


@pytest.mark.parametrize(
    ("text", "units"), [("", 0), ("abc", 3), ("é", 1), ("🎉", 2), ("\ufeff", 1), ("a🎉b", 4)]
)
def test_utf16_length(text: str, units: int) -> None:
    assert utf16_length(text) == units


async def test_an_image_is_a_part(read: ReadAnswer) -> None:
    image = ImageContent(data="aGk=", mime_type="image/png")
    apply(read, said("See"), AgentMessageChunk(content=image), said("it"))
    assert [p["type"] for p in read.parts()] == ["text", "image", "text"]
    assert read.parts()[1]["mimeType"] == "image/png"
    assert read.answer.wrote_text


@pytest.mark.parametrize(
    "content",
    [
        AudioContent(data="aGk=", mime_type="audio/wav"),
        ResourceLink(uri="file:///a", name="a"),
        EmbeddedResource(resource=Resource(uri="file:///a", text="x")),
        ImageContent(data="", mime_type="image/png", uri="https://example.org/a.png"),
        UnknownContent(kind="hologram", raw={"type": "hologram", "shape": [1]}),
    ],
    ids=lambda content: type(content).__name__,
)
async def test_content_of_another_kind_is_kept_as_a_note(
    read: ReadAnswer, content: ContentBlock
) -> None:
    apply(read, AgentMessageChunk(content=content))
    (note,) = read.parts()
    assert note["type"] == "note"
    assert note["raw"]["type"] in note["text"]


async def test_an_unknown_update_is_kept_as_a_note(read: ReadAnswer) -> None:
    raw = {"sessionUpdate": "hologram", "shape": [1, None]}
    apply(read, said("a"), UnknownUpdate(kind="hologram", raw=raw), said("b"))
    text, note, more = read.parts()
    assert "hologram" in note["text"]
    assert note["raw"] == raw
    assert (text["text"], more["text"]) == ("a", "b")


async def test_a_notice_says_what_the_agent_says(read: ReadAnswer) -> None:
    apply(
        read,
        Notice(severity="warning", title="Low on tokens", description="Ten are left."),
        Notice(severity="info", title="Hello"),
    )
    assert [p["text"] for p in read.parts()] == ["Low on tokens\nTen are left.", "Hello"]


@pytest.mark.parametrize(
    "update",
    [
        said(""),
        thought(""),
        UserMessageChunk(content=TextContent(text="my own words")),
        ModeUpdate(current_mode_id="ask"),
    ],
)
async def test_what_says_nothing_new_makes_no_part(read: ReadAnswer, update: Update) -> None:
    assert apply(read, update) == []
    assert read.told == []
    assert not read.answer.wrote_text


async def test_only_what_people_read_counts_as_having_spoken(read: ReadAnswer) -> None:
    apply(read, thought("hm"), tool(title="Read"), plan(("one", "pending")))
    assert not read.answer.wrote_text
    apply(read, said("Yes"))
    assert read.answer.wrote_text


async def test_tools_that_are_still_open_get_the_status_of_the_end(read: ReadAnswer) -> None:
    states = ("pending", "in_progress", "completed", "failed", "brewing")
    apply(read, *(tool(f"t{i}", status=status) for i, status in enumerate(states)))
    read.answer.close_tools("cancelled")
    read.answer.flush()
    statuses = [p["status"] for p in read.parts()]
    assert statuses == ["cancelled", "cancelled", "completed", "failed", "brewing"]
    assert list(read.page.values()) == read.parts()


async def test_a_note_of_ours_ends_the_text_before_it(read: ReadAnswer) -> None:
    read.answer.apply(said("a"))
    read.answer.add_note("allowed by a rule")
    assert apply(read, said("b")) == [
        ("text", "a"),
        ("note", "allowed by a rule"),
        ("text", "b"),
    ]


def test_the_first_text_after_a_pause_is_told_at_once_and_a_flood_now_and_then() -> None:
    async def write() -> list[float]:
        loop = asyncio.get_running_loop()
        read = ReadAnswer()
        times: list[float] = []

        async def note() -> None:
            if len(read.told) > len(times):
                times.append(loop.time())

        await asyncio.sleep(1)
        for _ in range(100):
            read.answer.apply(said("x"))
            await asyncio.sleep(0)
            await note()
            await asyncio.sleep(0.001)
            await note()
        await asyncio.sleep(1)
        await note()
        assert read.text() == "x" * 100
        return times

    times = run_stepped(write())
    assert times[0] == 1.0
    assert 0.1 / FLUSH_SECONDS - 2 <= len(times) <= 0.1 / FLUSH_SECONDS + 2


def test_nothing_is_told_again_after_the_last_flush() -> None:
    async def end() -> int:
        read = ReadAnswer()
        for _ in range(3):
            read.answer.apply(said("x"))
            read.answer.flush()
        told = len(read.told)
        await asyncio.sleep(10)
        assert len(read.told) == told
        return told

    assert run_stepped(end()) == 3


@pytest.mark.parametrize("raw", [[{"type": "text"}], 7, "x", None, True], ids=repr)
async def test_content_that_is_no_object_is_kept_as_a_note(read: ReadAnswer, raw: object) -> None:
    chunk = AgentMessageChunk(content=UnknownContent(kind="", raw=raw))
    assert apply(read, chunk, said("after")) == [("note", "content “?”"), ("text", "after")]
    assert read.parts()[0].get("raw") == raw
