"""`sidekicks ask`: one answer on standard output, from the app that runs or one of its own."""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.cli import Terminal, ask, run_sidekicks
from fakes.running_app import serving, write_config
from fakes.scripts import ask as ask_step
from fakes.scripts import (
    on_prompt,
    recorded,
    say,
    script,
    stop,
    think,
    until_cancelled,
)
from fakes.stage import Stage, text_of
from sidekicks.main.instance import socket_path

WRITE = {"toolCallId": "t1", "title": "Write a.txt", "kind": "edit"}
QUESTION = ask_step(WRITE, then={"allow": [say("written")], "reject": [say("left alone")]})


@pytest.fixture
async def stage(home: Path, tmp_path: Path) -> AsyncIterator[Stage]:
    alice = script(
        on_prompt(QUESTION, when="write"),
        on_prompt(say("half"), stop("refusal"), when="refuse"),
        on_prompt(say("begun"), until_cancelled(), when="slow"),
        on_prompt(think("hm"), say("Hello "), say("you 🎉\nand all")),
        record=tmp_path / "wire",
    )
    async with Stage(tmp_path, alice=alice) as stage:
        yield stage


async def outcomes(stage: Stage) -> list[object]:
    """Return what the agent's questions were answered with."""
    return [f["result"]["outcome"] for f in recorded(stage.folder / "wire") if "result" in f]


async def test_the_running_app_answers_and_keeps_it(stage: Stage) -> None:
    assert await ask(stage.config, "ALICE", "hi") == (0, "Hello you 🎉\nand all\n", "")
    mine, answer = await stage.messages("alice")
    assert (text_of(mine), text_of(answer)) == ("hi", "Hello you 🎉\nand all")
    assert answer["ending"]["outcome"] == "finished"


async def test_an_agent_is_found_by_its_id_before_another_by_its_name(
    home: Path, tmp_path: Path
) -> None:
    stage = Stage(tmp_path, alice=script(on_prompt(say("I am alice"))), bob=script())
    told = json.loads(stage.config.read_text())
    told["agents"] = dict(reversed(told["agents"].items()))
    told["agents"]["bob"]["name"] = "ALICE"
    stage.config.write_text(json.dumps(told))
    async with stage:
        assert (await ask(stage.config, "alice", "who?")).out == "I am alice\n"


async def test_json_is_one_line_with_all_of_it(stage: Stage) -> None:
    done = await ask(stage.config, "--json", "alice", "hi")
    (line,) = done.out.splitlines()
    told = json.loads(line)
    assert told.pop("durationMs") >= 0
    assert told == {
        "agentId": "alice",
        "text": "Hello you 🎉\nand all",
        "outcome": "finished",
        "reason": None,
    }
    assert (done.code, done.err) == (0, "")


async def test_a_dash_reads_what_to_say(stage: Stage) -> None:
    text = "first line\n  second é🎉\n"
    assert (await ask(stage.config, "alice", "-", stdin=text)).code == 0
    assert text_of((await stage.messages("alice"))[0]) == text


async def test_an_agent_that_is_not_there_is_said_with_those_that_are(stage: Stage) -> None:
    french = {"LANG": "fr_FR.UTF-8", "LC_ALL": ""}
    done = await ask(stage.config, "carol", "hi", env=french)
    assert (done.code, done.out) == (2, "")
    assert done.err == "sidekicks: Il n’y a pas d’agent « carol ». Il y a : alice.\n"


async def test_nothing_to_say_is_refused(stage: Stage) -> None:
    done = await ask(stage.config, "alice", "-", stdin=" \n")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("sidekicks: ")
    assert await stage.messages("alice") == []


async def test_an_answer_that_ends_otherwise_is_no_success(stage: Stage) -> None:
    done = await ask(stage.config, "alice", "--json", "refuse this")
    assert done.code == 1
    assert "Alice" in done.err
    told = json.loads(done.out)
    assert (told["outcome"], told["text"]) == ("refused", "half")
    assert "Alice" in told["reason"]


async def test_without_a_terminal_nothing_is_allowed(stage: Stage) -> None:
    done = await ask(stage.config, "alice", "write it")
    assert done.code == 3
    assert "Write a.txt" in done.err
    assert await outcomes(stage) == [{"outcome": "cancelled"}]
    _, answer = await stage.messages("alice")
    assert answer["ending"]["outcome"] == "stopped"


async def test_at_a_terminal_the_person_answers(stage: Stage) -> None:
    with Terminal("--config", stage.config, "ask", "alice", "write it") as terminal:
        await terminal.wait_for("(1-2)")
        assert "Write a.txt" in terminal.shown
        assert "1  Allow" in terminal.shown
        assert "2  Reject" in terminal.shown
        for wrong in ("", "0", "3", "allow", "²", "-1"):
            terminal.type(f"{wrong}\n")
        terminal.type(" 2 \n")
        assert await terminal.end() == 0
        assert terminal.shown.rstrip().endswith("left alone")
    assert await outcomes(stage) == [{"outcome": "selected", "optionId": "reject"}]


async def test_the_end_of_the_input_is_no_answer(stage: Stage) -> None:
    with Terminal("--config", stage.config, "ask", "alice", "write it") as terminal:
        await terminal.wait_for("(1-2)")
        terminal.type("\x04")
        assert await terminal.end() == 3
    assert await outcomes(stage) == [{"outcome": "cancelled"}]


async def test_a_question_that_was_answered_in_the_app_is_no_error(stage: Stage) -> None:
    with Terminal("--config", stage.config, "ask", "alice", "write it") as terminal:
        await terminal.wait_for("(1-2)")
        (asked,) = (await stage.snapshot())["permissions"]
        await stage.invoke(
            "answer_permission", permissionId=asked["permissionId"], optionId="allow"
        )
        await stage.event("turn.ended")
        terminal.type("2\n")
        assert await terminal.end() == 0
        assert "written" in terminal.shown
    assert await outcomes(stage) == [{"outcome": "selected", "optionId": "allow"}]


async def test_an_app_that_ends_meanwhile_is_said(home: Path, tmp_path: Path) -> None:
    stage = Stage(tmp_path, alice=script(on_prompt(say("begun"), until_cancelled())))
    await stage.open()
    with Terminal("--config", stage.config, "ask", "alice", "hi") as terminal:
        await terminal.wait_for("begun")
        await stage.close()
        assert await terminal.end() in (1, 2)
        assert "Traceback" not in terminal.shown


def test_beside_serve_the_answer_is_that_ones(home: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, {"bob": script(on_prompt(say("here I am")))})
    with serving(config, dict(os.environ), tmp_path / "log") as app:
        assert run_sidekicks("--config", config, "ask", "bob", "hi") == (0, "here I am\n", "")
        channel = app.invoke("open_direct", agentId="bob")["channelId"]
        mine, answer = app.invoke("get_messages", channelId=channel)["messages"]
        assert (text_of(mine), text_of(answer)) == ("hi", "here I am")


def test_without_a_running_app_it_comes_up_for_as_long_as_it_takes(
    home: Path, tmp_path: Path
) -> None:
    config = write_config(tmp_path, {"bob": script(on_prompt(say("here I am")))})
    assert run_sidekicks("ask", "bob", "hi", "--config", config) == (0, "here I am\n", "")
    assert not socket_path(config).exists()
    assert config.with_suffix(".db").exists()


def test_without_a_running_app_nothing_is_allowed_either(home: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, {"bob": script(on_prompt(QUESTION), record=tmp_path / "wire")})
    done = run_sidekicks("--config", config, "ask", "bob", "write it")
    assert done.code == 3
    assert "Write a.txt" in done.err
    answered = [f["result"]["outcome"] for f in recorded(tmp_path / "wire") if "result" in f]
    assert answered == [{"outcome": "cancelled"}]


def test_where_the_app_cannot_come_up_it_is_said(home: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, {})
    done = run_sidekicks(
        "--config", config, "ask", "bob", "hi", env={"XDG_STATE_HOME": "/" + "deep/" * 40}
    )
    assert done.code == 2
    assert done.err.startswith("sidekicks: ")
    assert done.err.count("\n") == 1
