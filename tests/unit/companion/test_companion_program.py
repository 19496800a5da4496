"""The bundled agent as a program: started, talked with over its pipes, ended."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import acp.schema
import pytest

from fakes.companion_peers import NO_MODEL, PROGRAM, run_program
from fakes.model_server import ModelServer as FakeServer
from sidekicks.acp import AcpError
from sidekicks.companion.tour import TOUR_FILE

SECONDS = 20.0


def env(fake: FakeServer) -> dict[str, str]:
    return {"SIDEKICKS_MODEL_URL": fake.url}


def lines(*requests: tuple[str, object]) -> bytes:
    """Return requests as they go over the pipe, numbered from 1."""
    return b"".join(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        + b"\n"
        for number, (method, params) in enumerate(requests, 1)
    )


HELLO = ("initialize", {"protocolVersion": 1})


@pytest.mark.parametrize("answer", ["allow", "reject"])
async def test_the_tour(tmp_path: Path, answer: str) -> None:
    async with run_program(tmp_path, answer=answer) as (person, _):
        assert await person.say("/tour") == "end_turn"
        assert len(person.asked) == 1
        assert len(person.tools) == 2
        assert person.plans
    assert (tmp_path / TOUR_FILE).exists() == (answer == "allow")


async def test_the_tour_stopped_in_the_middle(tmp_path: Path) -> None:
    async with run_program(tmp_path, answer=None) as (person, _):
        saying = asyncio.ensure_future(person.say("/tour"))
        await person.until(lambda: person.tools)
        person.stop()
        assert await saying == "cancelled"
        saying = asyncio.ensure_future(person.say("/tour"))
        await person.until(lambda: person.asked)
        person.stop()
        assert await saying == "cancelled"
        assert await person.say("/help") == "end_turn"
    assert not (tmp_path / TOUR_FILE).exists()


async def test_a_model_answers_and_fails_and_answers_again(tmp_path: Path) -> None:
    async with FakeServer() as fake, run_program(tmp_path, env(fake)) as (person, _):
        assert await person.say("!think hm\n!say one\n!say  two") == "end_turn"
        assert (person.thoughts, person.text) == ("hm", "one two")
        for script in ("!error 401 no key", "!error 500 oh no", "!say a\n!cut"):
            with pytest.raises(AcpError):
                await person.say(script)
        assert await person.say("hello") == "end_turn"
        saying = asyncio.ensure_future(person.say("!say one\n!hold"))
        await person.until(lambda: person.text == "one")
        person.stop()
        assert await saying == "cancelled"
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()


async def test_without_a_model_it_is_a_guide(tmp_path: Path) -> None:
    async with run_program(tmp_path) as (person, _):
        assert await person.say("hello") == "end_turn"
        assert "I am the guide" in person.text


async def test_the_end_of_stdin_ends_it_in_the_middle_of_an_answer(tmp_path: Path) -> None:
    async with FakeServer() as fake:
        async with run_program(tmp_path, env(fake)) as (person, _):
            saying = asyncio.ensure_future(person.say("!say one\n!hold"))
            await person.until(lambda: person.text == "one")
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()
        await asyncio.wait({saying})
        assert saying.exception() is not None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_in_the_middle_of_an_answer(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with FakeServer() as fake:
        async with run_program(tmp_path, env(fake)) as (person, process):
            saying = asyncio.ensure_future(person.say("!say one\n!hold"))
            await person.until(lambda: person.text == "one")
            process.send_signal(number)
            assert await asyncio.wait_for(process.wait(), SECONDS) == 0
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()
        await asyncio.wait({saying})
        assert saying.exception() is not None


async def test_a_client_that_is_gone_ends_it(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, stdin=asyncio.subprocess.PIPE, stdout=writer, env=os.environ | NO_MODEL
    )
    os.close(writer)
    os.close(reader)
    assert process.stdin is not None
    try:
        assert await asyncio.wait_for(process.wait(), SECONDS) == 0
    finally:
        process.stdin.close()


async def test_a_model_that_only_we_used_is_freed_when_stdin_ends(tmp_path: Path) -> None:
    async with FakeServer(ollama=True) as fake:
        async with run_program(tmp_path, env(fake)) as (person, _):
            await person.say("hello")
            assert fake.unloaded == []
        assert fake.unloaded == ["stub-model"]


def test_requests_from_a_file_are_answered_into_a_file(tmp_path: Path) -> None:
    asked, answered = tmp_path / "in", tmp_path / "out"
    asked.write_bytes(lines(HELLO, ("session/load", {}), ("nonsense", {})) + b"no json\n")
    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        done = subprocess.run(
            PROGRAM,
            stdin=stdin,
            stdout=stdout,
            env=os.environ | NO_MODEL,
            timeout=SECONDS,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 0
    answers = [json.loads(line) for line in answered.read_text().splitlines()]
    assert sorted(answer["id"] for answer in answers) == [1, 2, 3]
    assert b"no json" in done.stderr


def test_nothing_to_read_ends_it() -> None:
    done = subprocess.run(
        PROGRAM, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_whatever_prints_does_not_reach_the_client() -> None:
    code = (
        "import os; from sidekicks.companion.streams import keep_stdout; kept = keep_stdout();"
        "print('printed', flush=True); os.system('echo child'); os.write(kept, b'kept')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=SECONDS, check=True
    )
    assert done.stdout == b"kept"
    assert done.stderr.split() == [b"printed", b"child"]


@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "Aucun modèle"),
        ({"LANG": "de_DE.UTF-8"}, "No model"),
        ({"LANG": "fr_FR.UTF-8", "SIDEKICKS_LANGUAGE": "en"}, "No model"),
        ({"LANG": "C", "SIDEKICKS_LANGUAGE": "fr"}, "Aucun modèle"),
    ],
)
async def test_the_language(tmp_path: Path, environment: dict[str, str], word: str) -> None:
    languages = {"LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": "", "SIDEKICKS_LANGUAGE": ""}
    async with run_program(tmp_path, languages | environment | NO_MODEL) as (person, _):
        await person.say("/help")
        assert word in person.text


def test_it_stays_small() -> None:
    code = (
        "import sys, sidekicks.companion;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=SECONDS, check=True, text=True
    )
    heavy = {"litestar", "uvicorn", "peewee", "sqlite3", "webview", "PySide6", "yaml", "watchdog"}
    heavy |= {"httpx", "anyio", "psutil", "pydantic", "requests"}
    assert heavy & set(done.stdout.split()) == set()


ANSWERS = {
    "initialize": acp.schema.InitializeResponse,
    "session/new": acp.schema.NewSessionResponse,
    "session/prompt": acp.schema.PromptResponse,
}
MESSAGES = {
    "session/update": acp.schema.SessionNotification,
    "session/request_permission": acp.schema.RequestPermissionRequest,
}


async def test_what_it_says_is_what_the_protocol_wants(tmp_path: Path) -> None:
    """The official SDK, stricter than we are as a client, reads every message."""
    frames: list[tuple[str, dict[str, Any]]] = []

    def keep(direction: str, line: bytes) -> None:
        frames.append((direction, json.loads(line)))

    async with (
        FakeServer(("a", "b")) as fake,
        run_program(tmp_path, env(fake), on_frame=keep) as (person, _),
    ):
        for prompt in ("/tour", "!think hm\n!say yes", "/model b"):
            assert await person.say(prompt) == "end_turn"
    methods = {
        frame["id"]: frame["method"]
        for way, frame in frames
        if way == "to" and "id" in frame and "method" in frame
    }
    kinds: set[str] = set()
    for way, frame in frames:
        if way == "to":
            continue
        if "method" in frame:
            MESSAGES[frame["method"]].model_validate(frame["params"])
            kinds.add(frame["params"].get("update", {}).get("sessionUpdate", frame["method"]))
        else:
            ANSWERS[methods[frame["id"]]].model_validate(frame["result"])
    assert kinds == {
        "available_commands_update",
        "plan",
        "tool_call",
        "tool_call_update",
        "session/request_permission",
        "agent_thought_chunk",
        "agent_message_chunk",
        "config_option_update",
    }
