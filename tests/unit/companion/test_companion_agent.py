"""The bundled agent as its client sees it, in this process."""

import asyncio
from pathlib import Path

import pytest

from fakes.companion_peers import MemoryPipe, Person, meet
from fakes.model_server import ModelServer as FakeServer
from sidekicks.acp import (
    AcpError,
    AgentConnection,
    ClientConnection,
    CommandsUpdate,
    ConfigOptionsUpdate,
    DiffToolContent,
    ResourceLink,
    SelectOption,
    ToolCall,
)
from sidekicks.base.supervisor import Supervisor
from sidekicks.companion.agent import Companion
from sidekicks.companion.chat import Limits
from sidekicks.companion.models import Models
from sidekicks.companion.tour import TOUR_FILE

SECONDS = 20.0


def names(folder: Path) -> list[str]:
    """Return what is in the folder."""
    return sorted(path.name for path in folder.iterdir())


def env(fake: FakeServer, **more: str) -> dict[str, str]:
    return {"SIDEKICKS_MODEL_URL": fake.url, **more}


async def test_the_commands_are_announced_after_the_session(tmp_path: Path) -> None:
    async with meet(tmp_path) as person:
        (update,) = (u for u in person.updates if isinstance(u, CommandsUpdate))
    commands = {command.name: command for command in update.available_commands}
    assert list(commands) == ["help", "tour", "files", "read", "write", "model"]
    assert all(command.description for command in commands.values())
    assert {name for name, command in commands.items() if command.input} == {
        "files",
        "read",
        "write",
        "model",
    }


async def test_sessions_are_not_kept_and_that_is_said(tmp_path: Path) -> None:
    person, to_agent, to_client = Person(), MemoryPipe(), MemoryPipe()
    supervisor = Supervisor()
    companion = Companion(Models(()))
    agent = AgentConnection(to_client, companion, supervisor, person.on_noise)
    client = ClientConnection(to_agent, person)
    to_agent.feed, to_client.feed = agent.feed, client.feed
    told = await client.initialize("test", "1")
    assert told.protocol_version == 1
    assert told.agent_info is not None
    assert told.agent_info.name == "sidekicks"
    assert not told.agent_capabilities.load_session
    with pytest.raises(AcpError) as error:
        await client.load_session("s", str(tmp_path))
    assert error.value.code == -32601
    await supervisor.stop(SECONDS)


@pytest.mark.parametrize("folder", ["gone", ""])
async def test_a_session_needs_a_folder(tmp_path: Path, folder: str) -> None:
    async with meet(tmp_path) as person:
        with pytest.raises(AcpError) as error:
            await person.connection.new_session(str(tmp_path / folder) if folder else "relative")
    assert "Create it" in error.value.message


async def test_without_a_model_the_guide_says_so_and_what_to_do(tmp_path: Path) -> None:
    async with meet(tmp_path, {"SIDEKICKS_MODEL_URL": "http://127.0.0.1:1"}) as person:
        assert await person.say("What is 2 + 2?") == "end_turn"
        assert "I only know my commands" in person.text
        assert "http://127.0.0.1:1/v1" in person.text
        assert "nobody listens there" in person.text
        assert person.thoughts == ""
        assert await person.say("And 3 + 3?") == "end_turn"
        assert person.text.startswith("Still no model")
        assert person.options == ()


async def test_a_server_without_a_model_to_talk_with_is_named(tmp_path: Path) -> None:
    async with FakeServer(("nomic-embed-text",)) as fake, meet(tmp_path, env(fake)) as person:
        await person.say("hello")
        assert "runs on this computer, but has no model" in person.text


async def test_a_model_server_that_comes_later_is_found(tmp_path: Path) -> None:
    fake = FakeServer(("a", "b"))
    await fake.start()
    environment = env(fake)
    port = int(fake.url.rpartition(":")[2])
    await fake.stop()
    async with meet(tmp_path, environment) as person:
        await person.say("hello")
        assert "guide" in person.text
        await fake.start(port)
        try:
            assert await person.say("hello again") == "end_turn"
            assert person.text == "You said: hello again "
            assert any(isinstance(update, ConfigOptionsUpdate) for update in person.updates)
        finally:
            await fake.stop()
        with pytest.raises(AcpError) as error:
            await person.say("still there?")
        assert "does not answer" in error.value.message
        await person.say("and now?")
        assert "Still no model" in person.text


async def test_a_model_answers_with_the_conversation_so_far(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        assert await person.say("!think hm\n!say good\n!say  day") == "end_turn"
        assert (person.text, person.thoughts) == ("good day", "hm")
        await person.say("Bob said: hi", "and you?")
        messages = fake.prompts[-1]
        assert [entry["role"] for entry in messages] == ["system", "user", "assistant", "user"]
        assert messages[2]["content"] == "good day"
        assert messages[3]["content"] == "Bob said: hi\n\nand you?"
        assert "stub-model" in messages[0]["content"]


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "refusal")],
)
async def test_how_the_model_ended_is_told(tmp_path: Path, reason: str, stop: str) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        assert await person.say(f"!say a\n!finish {reason}") == stop


async def test_two_sessions_do_not_know_of_each_other(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        await person.say("my name is Ann")
        await person.open_session(person.connection, tmp_path)
        await person.say("who am I?")
        assert "Ann" not in str(fake.prompts[-1])


async def test_a_failed_exchange_is_not_remembered(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        with pytest.raises(AcpError) as error:
            await person.say("!say half\n!error 0 out of memory")
        assert "out of memory" in error.value.message
        assert person.text == "half"
        await person.say("again")
        assert len(fake.prompts[-1]) == 2


async def test_stop_ends_the_stream_at_once_and_what_was_said_stays(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        saying = asyncio.ensure_future(person.say("!say one\n!hold"))
        await person.until(lambda: person.text == "one")
        person.stop()
        assert await saying == "cancelled"
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()
        await person.say("go on")
        assert [entry["content"] for entry in fake.prompts[-1][1:]] == [
            "!say one\n!hold",
            "one",
            "go on",
        ]


async def test_stop_before_the_first_word(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        saying = asyncio.ensure_future(person.say("!hold"))
        async with asyncio.timeout(SECONDS):
            await fake.holding.wait()
        person.stop()
        assert await saying == "cancelled"
        assert await person.say("go on") == "end_turn"


async def test_a_stop_when_nothing_runs_does_nothing(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        person.stop()
        assert await person.say("hello") == "end_turn"


async def test_a_request_that_is_taken_back_is_answered_so(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        saying = asyncio.ensure_future(person.say("!say one\n!hold"))
        await person.until(lambda: person.text == "one")
        saying.cancel()
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()
        assert await person.say("hello") == "end_turn"


async def test_a_silent_server_is_shown_as_a_card_that_ends(tmp_path: Path) -> None:
    limits = Limits(quiet=0.02, give_up=SECONDS)
    async with FakeServer() as fake, meet(tmp_path, env(fake), limits=limits) as person:
        saying = asyncio.ensure_future(person.say("!hold\n!say one"))
        await person.until(lambda: person.tools)
        fake.release()
        assert await saying == "end_turn"
        ((title, states),) = person.tools.items()
        assert "stub-model" in title
        assert states == ["in_progress", "completed"]


async def test_a_server_that_stays_silent_is_given_up(tmp_path: Path) -> None:
    limits = Limits(quiet=0.02, give_up=0.1)
    async with FakeServer() as fake, meet(tmp_path, env(fake), limits=limits) as person:
        with pytest.raises(AcpError) as error:
            await person.say("!hold")
        assert "said nothing for" in error.value.message
        assert list(person.tools.values()) == [["in_progress", "failed"]]


async def test_a_session_answers_one_prompt_at_a_time(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        saying = asyncio.ensure_future(person.say("!say one\n!hold\n!say two"))
        await person.until(lambda: person.text == "one")
        with pytest.raises(AcpError) as error:
            await person.say("another")
        assert "already answering" in error.value.message
        fake.release()
        assert await saying == "end_turn"


async def test_a_closed_session_stops_and_is_gone(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        saying = asyncio.ensure_future(person.say("!say one\n!hold"))
        await person.until(lambda: person.text == "one")
        await person.close_session()
        assert await saying == "cancelled"
        with pytest.raises(AcpError):
            await person.say("hello")


async def test_the_model_can_be_chosen(tmp_path: Path) -> None:
    async with FakeServer(("qwen3:4b", "gemma3")) as fake, meet(tmp_path, env(fake)) as person:
        (option,) = person.options
        assert isinstance(option, SelectOption)
        values = [choice.value for choice in option.choices()]
        assert option.current_value == values[0]
        await person.choose(values[1])
        await person.say("hello")
        assert fake.asked_models[-1] == "gemma3"
        await person.say("/model qwen")
        assert "**qwen3:4b**" in person.text
        (option,) = person.options
        assert isinstance(option, SelectOption)
        assert option.current_value == values[0]
        await person.say("hello")
        assert fake.asked_models[-1] == "qwen3:4b"
        with pytest.raises(AcpError):
            await person.choose("nothing/like-it")


async def test_the_environment_names_the_model(tmp_path: Path) -> None:
    environment = {"SIDEKICKS_MODEL": "b"}
    async with (
        FakeServer(("a", "b")) as fake,
        meet(tmp_path, env(fake, **environment)) as person,
    ):
        await person.say("hello")
        assert fake.asked_models[-1] == "b"


async def test_the_models_are_listed(tmp_path: Path) -> None:
    async with FakeServer(("qwen3:4b", "gemma3")) as fake, meet(tmp_path, env(fake)) as person:
        await person.say("/model")
        assert "**`qwen3:4b`**" in person.text
        assert "`gemma3`" in person.text
        await person.say("/model nope")
        assert "no one model “nope”" in person.text
    async with meet(tmp_path, {"SIDEKICKS_MODEL_URL": "http://127.0.0.1:1"}) as person:
        await person.say("/model")
        assert "http://127.0.0.1:1/v1: nobody listens there" in person.text
    async with meet(tmp_path) as person:
        await person.say("/model")
        assert "do not look for a model server" in person.text


async def test_a_model_that_only_we_used_is_freed_at_the_end(tmp_path: Path) -> None:
    async with FakeServer(ollama=True) as fake:
        async with meet(tmp_path, env(fake)) as person:
            await person.say("hello")
        assert fake.unloaded == ["stub-model"]


async def test_attached_files_of_the_folder_are_told_to_the_model(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the answer is 42")
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        await person.say("look", ResourceLink(uri=(tmp_path / "a.txt").as_uri(), name="a.txt"))
        assert "the answer is 42" in fake.prompts[-1][-1]["content"]


@pytest.mark.parametrize("model", [False, True])
async def test_help_says_who_answers(tmp_path: Path, model: bool) -> None:
    async with FakeServer() as fake:
        async with meet(tmp_path, env(fake) if model else None) as person:
            assert await person.say("/help") == "end_turn"
            assert ("**stub-model**" in person.text) is model
            for command in ("/tour", "/files [folder]", "/read FILE", "/write FILE text…"):
                assert f"`{command}`" in person.text
        assert fake.prompts == []


async def test_an_unknown_command_is_not_passed_to_the_model(tmp_path: Path) -> None:
    async with FakeServer() as fake, meet(tmp_path, env(fake)) as person:
        await person.say("/nope")
        assert "no command `/nope`" in person.text
        assert fake.prompts == []
        await person.say("/usr/bin/env: what is it?")
        assert len(fake.prompts) == 1


async def test_files_and_reading(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("x = 1\n")
    (tmp_path / "empty").touch()
    async with meet(tmp_path) as person:
        await person.say("/files")
        assert "- `src/`\n- `empty` · 0 B" in person.text
        await person.say("/files src")
        assert "- `a.py` · 6 B" in person.text
        await person.say("/read src/a.py")
        assert person.text == "`src/a.py`\n\n```py\nx = 1\n```"
        await person.say("/read empty")
        assert person.text == "`empty` is empty."
        await person.say("/read")
        assert "/read FILE" in person.text
        for path in ("../x", "/etc/passwd", "nope"):
            assert await person.say(f"/read {path}") == "end_turn"
            assert path in person.text


async def test_writing_is_asked_for_with_its_diff(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old\n")
    async with meet(tmp_path) as person:
        assert await person.say("/write a.txt new") == "end_turn"
        assert file.read_text() == "new\n"
        (asked,) = person.asked
        assert [option.kind for option in asked.options] == ["allow_once", "reject_once"]
        for call in (asked.tool_call, next(u for u in person.updates if isinstance(u, ToolCall))):
            assert call.kind == "edit"
            assert call.content is not None
            (diff,) = call.content
            assert isinstance(diff, DiffToolContent)
            assert diff.path.endswith("/a.txt")
            assert (diff.old_text, diff.new_text) == ("old\n", "new\n")
        assert list(person.tools.values()) == [["pending", "in_progress", "completed"]]
        assert person.text == "`a.txt` is written."
        await person.say("/write a.txt new")
        assert "nothing to write" in person.text
        assert len(person.asked) == 1


@pytest.mark.parametrize("answer", ["reject", "made up", ""])
async def test_nothing_but_allow_allows(tmp_path: Path, answer: str) -> None:
    async with meet(tmp_path, answer=None) as person:
        saying = asyncio.ensure_future(person.say("/write a.txt new"))
        await person.until(lambda: person.asked)
        if answer == "reject":
            person.asked[0].select(answer)
        else:
            # A client that answers with an option that was never offered.
            person.asked[0]._reply(answer)  # pyright: ignore[reportPrivateUsage]
        assert await saying == "end_turn"
        assert "did not allow" in person.text
        assert list(person.tools.values()) == [["pending", "failed"]]
    assert names(tmp_path) == []


async def test_a_question_that_is_withdrawn_ends_the_turn(tmp_path: Path) -> None:
    async with meet(tmp_path, answer=None) as person:
        saying = asyncio.ensure_future(person.say("/write a.txt new"))
        await person.until(lambda: person.asked)
        person.asked[0].cancel()
        assert await saying == "cancelled"
        assert list(person.tools.values()) == [["pending", "failed"]]
    assert names(tmp_path) == []


async def test_a_file_that_changed_while_the_question_was_open_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old\n")
    async with meet(tmp_path, answer=None) as person:
        saying = asyncio.ensure_future(person.say("/write a.txt new"))
        await person.until(lambda: person.asked)
        (tmp_path / "a.txt").write_text("theirs\n")
        person.asked[0].select("allow")
        assert await saying == "end_turn"
        assert "was changed while the question was open" in person.text
        assert list(person.tools.values()) == [["pending", "in_progress", "failed"]]
    assert (tmp_path / "a.txt").read_text() == "theirs\n"


@pytest.mark.parametrize("rest", ["", "a.txt", "../a.txt x", "/etc/x y"])
async def test_what_cannot_be_written_is_not_asked_for(tmp_path: Path, rest: str) -> None:
    async with meet(tmp_path) as person:
        assert await person.say(f"/write {rest}") == "end_turn"
        assert person.text
        assert person.asked == []


async def test_the_tour_allowed(tmp_path: Path) -> None:
    async with meet(tmp_path) as person:
        assert await person.say("/tour") == "end_turn"
        assert f"`{TOUR_FILE}` is in the folder now" in person.text
        assert "because you allowed it" in (tmp_path / TOUR_FILE).read_text()
        assert list(person.tools.values()) == [["pending", "in_progress", "completed"]] * 2
        assert [sum(state == "completed" for _, state in plan) for plan in person.plans] == [
            0,
            1,
            3,
            4,
        ]


async def test_a_second_tour_asks_before_it_replaces_the_file(tmp_path: Path) -> None:
    (tmp_path / TOUR_FILE).write_text("from an earlier tour")
    async with meet(tmp_path) as person:
        assert await person.say("/tour") == "end_turn"
        (asked,) = person.asked
        assert "from an earlier tour" in str(asked.tool_call.content)


async def test_the_tour_rejected(tmp_path: Path) -> None:
    async with meet(tmp_path, answer="reject") as person:
        assert await person.say("/tour") == "end_turn"
        assert "no file was written" in person.text
        assert "not allowed, left out" in str(person.plans[-1])
    assert names(tmp_path) == []


async def test_the_tour_stopped_at_its_question(tmp_path: Path) -> None:
    async with meet(tmp_path, answer=None) as person:
        saying = asyncio.ensure_future(person.say("/tour"))
        await person.until(lambda: person.asked)
        person.stop()
        assert await saying == "cancelled"
        assert list(person.tools.values())[-1] == ["pending", "failed"]
        assert await person.say("/files") == "end_turn"
    assert names(tmp_path) == []


async def test_the_end_of_the_connection_ends_a_turn(tmp_path: Path) -> None:
    async with FakeServer() as fake:
        async with meet(tmp_path, env(fake)) as person:
            saying = asyncio.ensure_future(person.say("!say one\n!hold"))
            await person.until(lambda: person.text == "one")
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()
        with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the client makes of it
            await saying
