"""A model's answer, and every way in which a server fails to give one."""

import asyncio
import socket
import sys
from collections.abc import Sequence
from contextlib import aclosing

import pytest

from fakes.model_server import ModelServer as FakeServer
from sidekicks.companion.chat import LIMITS, Finish, Limits, Said, Silence, stream_answer
from sidekicks.companion.models import Model
from sidekicks.companion.servers import ModelServer
from sidekicks.companion.thinking import Piece, Text, Thought
from sidekicks.contract.errors import SidekicksError

SECONDS = 10.0
BRISK = Limits(quiet=0.05, give_up=0.2)


def model_of(fake: FakeServer, model_id: str = "stub-model") -> Model:
    return Model(ModelServer("ollama", "Ollama", fake.url), model_id)


async def answer(
    model: Model, prompt: str, limits: Limits = LIMITS
) -> Sequence[Piece | Silence | Finish]:
    said = [Said("system", "be kind"), Said("user", prompt)]
    async with aclosing(stream_answer(model, said, limits)) as pieces:
        return [piece async for piece in pieces]


async def failure(model: Model, prompt: str, limits: Limits = LIMITS) -> str:
    with pytest.raises(SidekicksError) as error:
        await answer(model, prompt, limits)
    assert error.value.code == "unavailable"
    assert "\n" not in error.value.message
    return error.value.message


async def test_an_answer_comes_in_pieces_and_ends() -> None:
    async with FakeServer() as fake:
        pieces = await answer(model_of(fake), "!think hm\n!say one\n!say  two\n!finish length")
        assert fake.requests == [
            (
                "/v1/chat/completions",
                {
                    "model": "stub-model",
                    "messages": [
                        {"role": "system", "content": "be kind"},
                        {
                            "role": "user",
                            "content": "!think hm\n!say one\n!say  two\n!finish length",
                        },
                    ],
                    "stream": True,
                },
            )
        ]
    assert pieces == [Thought("hm"), Text("one"), Text(" two"), Finish("length")]


async def test_thoughts_in_tags_are_thoughts() -> None:
    async with FakeServer() as fake:
        pieces = await answer(model_of(fake), "!say <think>hm</thi\n!say nk>yes")
    assert pieces == [Thought("hm"), Text("yes"), Finish("stop")]


async def test_an_empty_answer_is_an_answer() -> None:
    async with FakeServer() as fake:
        assert await answer(model_of(fake), "!finish stop") == [Finish("stop")]


async def test_what_cannot_be_read_is_passed_over() -> None:
    async with FakeServer() as fake:
        pieces = await answer(model_of(fake), "!raw {nonsense\n!say yes")
    assert pieces == [Text("yes"), Finish("stop")]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("!error 401 Invalid key", ["Invalid key", "SIDEKICKS_MODEL_KEY"]),
        ("!error 404 model not found", ["does not have stub-model", "/model"]),
        ("!error 429 slow down", ["busy", "slow down"]),
        ("!error 503 Loading model", ["busy or still loading", "Loading model"]),
        ("!error 500 out of memory", ["could not answer with stub-model: out of memory"]),
        ("!error 502", ["HTTP 502"]),
        ("!say a\n!error 0 out of memory", ["out of memory"]),
        ("!say a\n!cut", ["broke off"]),
        ("!hold", ["said nothing for"]),
    ],
)
async def test_a_failure_is_one_sentence_that_names_the_server(
    script: str, words: list[str]
) -> None:
    async with FakeServer() as fake:
        message = await failure(model_of(fake), script, BRISK)
    for word in ("Ollama", *words):
        assert word in message


async def test_an_answer_without_a_last_word_was_cut() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        event = b'data: {"choices":[{"delta":{"content":"half"}}]}\n\n'
        writer.write(b"HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + event)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        message = await failure(Model(ModelServer("ollama", "Ollama", url), "a"), "hello")
    assert "broke off" in message


@pytest.mark.parametrize(
    "answered", [b"", b"HTTP/1.1 200 OK\r\n", b"SSH-2.0-OpenSSH\r\n\r\n", b"\x00" * 200_000]
)
async def test_what_is_no_answer_is_told(answered: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answered)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await failure(Model(ModelServer("ollama", "Ollama", url), "a"), "hello")


async def test_nobody_there_is_told_with_the_address() -> None:
    gone = Model(ModelServer("ollama", "Ollama", "http://127.0.0.1:1"), "a")
    assert "does not answer at http://127.0.0.1:1/v1" in await failure(gone, "hello")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a full queue refuses at once")
async def test_a_connection_that_is_never_accepted_is_given_up() -> None:
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for filling in (first, second):
            filling.setblocking(False)
            filling.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        hung = Model(ModelServer("ollama", "Ollama", url), "a")
        assert f"does not answer at {url}" in await failure(hung, "hello", Limits(connect=0.1))


async def test_an_address_that_is_none_is_told() -> None:
    wrong = Model(ModelServer("other", "wrong", "ftp://wrong"), "a")
    assert "SIDEKICKS_MODEL_URL" in await failure(wrong, "hello")


async def test_silence_is_told_and_nothing_is_lost_by_it() -> None:
    async with FakeServer() as fake:
        said = [Said("user", "!say one\n!hold\n!say two")]
        seen: list[Piece | Silence | Finish] = []
        async with aclosing(
            stream_answer(model_of(fake), said, Limits(quiet=0.02, give_up=SECONDS))
        ) as pieces:
            async for piece in pieces:
                if not (isinstance(piece, Silence) and seen and isinstance(seen[-1], Silence)):
                    seen.append(piece)
                if isinstance(piece, Silence):
                    fake.release()
    assert [type(piece) for piece in seen if not isinstance(piece, Silence)] == [
        Text,
        Text,
        Finish,
    ]
    assert any(isinstance(piece, Silence) for piece in seen)


async def test_leaving_the_answer_closes_the_connection_at_once() -> None:
    async with FakeServer() as fake:
        said = [Said("user", "!say one\n!hold")]
        async with aclosing(stream_answer(model_of(fake), said)) as pieces:
            assert await anext(pieces) == Text("one")
            assert not fake.left.is_set()
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()


async def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with FakeServer() as fake:
        assert await answer(model_of(fake), "!say yes") == [Text("yes"), Finish("stop")]
