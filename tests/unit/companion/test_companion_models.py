"""Which models are found, and which one answers."""

import asyncio
import time
from typing import Any

import pytest

from fakes.model_server import ModelServer as FakeServer
from sidekicks.acp import SelectOption
from sidekicks.companion.loaded import LoadedByUs
from sidekicks.companion.models import Model, Models, list_models
from sidekicks.companion.options import model_options
from sidekicks.companion.servers import ModelServer, servers_from

SECONDS = 10.0


def ollama(fake: FakeServer) -> ModelServer:
    return ModelServer("ollama", "Ollama", fake.url)


async def find(*servers: ModelServer, wanted: str = "") -> Models:
    models = Models(servers, wanted)
    await models.look()
    return models


def closed_port() -> str:
    """Return an address at which nobody listens."""
    return "http://127.0.0.1:1"


async def test_models_that_cannot_talk_are_not_offered() -> None:
    names = (
        "nomic-embed-text:latest",
        "text-embedding-nomic-embed-text-v1.5",
        "bge-m3",
        "ai/mxbai-embed-large",
        "qwen3:4b",
        "all-minilm",
        "whisper-1",
        "deepseek-r1",
        "dolphin-mixtral",
    )
    async with FakeServer(names) as fake:
        models = await find(ollama(fake))
    assert [model.model_id for model in models.models] == [
        "qwen3:4b",
        "deepseek-r1",
        "dolphin-mixtral",
    ]


async def test_the_first_answers_unless_another_is_loaded() -> None:
    async with FakeServer(("one", "two"), ollama=True) as fake:
        models = await find(ollama(fake))
        assert models.choose() == Model(ollama(fake), "one")
        fake.loaded["two"] = time.time() + 60
        await models.look()
        assert models.choose() == Model(ollama(fake), "two", loaded=True)


async def test_a_loaded_model_goes_before_a_server_that_was_found_earlier() -> None:
    pages: dict[str, Any] = {
        "/api/v0/models": {"data": [{"id": "b", "state": "loaded"}, {"id": "c", "state": "no"}]}
    }
    async with FakeServer(("a",)) as first, FakeServer(("c", "b"), pages=pages) as second:
        models = await find(ollama(first), ModelServer("lm-studio", "LM Studio", second.url))
    chosen = models.choose()
    assert chosen is not None
    assert chosen.value == "lm-studio/b"


async def test_llama_cpp_tells_in_its_list_what_is_loaded() -> None:
    listed = {
        "data": [
            {"id": "a", "status": {"value": "unloaded"}},
            {"id": "b", "status": {"value": "loaded"}},
        ]
    }
    async with FakeServer(pages={"/v1/models": listed}) as fake:
        models = await find(ModelServer("llama.cpp", "llama.cpp", fake.url))
    chosen = models.choose()
    assert chosen is not None
    assert chosen.model_id == "b"


async def test_the_environments_model_goes_before_all_but_the_persons_choice() -> None:
    async with FakeServer(("one", "two:latest", "three"), ollama=True) as fake:
        fake.loaded["one"] = time.time() + 60
        models = await find(ollama(fake), wanted="two")
        chosen, others = models.choose(), models.choose("ollama/three")
    assert chosen is not None
    assert chosen.model_id == "two:latest"
    assert others is not None
    assert others.model_id == "three"


async def test_the_environments_model_is_asked_for_though_it_is_not_listed() -> None:
    async with FakeServer(("one",)) as fake:
        models = await find(ollama(fake), wanted="hidden")
        assert models.choose() == Model(ollama(fake), "hidden")


async def test_a_model_is_found_by_a_part_of_its_name_if_that_is_clear() -> None:
    async with FakeServer(("qwen3:4b", "qwen3:8b", "gemma3", "gemma3:27b")) as fake:
        models = await find(ollama(fake))
    found = {
        name: models.find(name) for name in ("8B", "qwen", "gemma3", "ollama/gemma3:27b", "", "no")
    }
    assert {name: model and model.model_id for name, model in found.items()} == {
        "8B": "qwen3:8b",
        "qwen": None,
        "gemma3": "gemma3",
        "ollama/gemma3:27b": "gemma3:27b",
        "": None,
        "no": None,
    }


@pytest.mark.parametrize(
    ("page", "trouble"),
    [
        ({"data": [{"id": "a"}]}, None),
        ({"data": None}, None),
        ({"data": [{"id": 3}, {}]}, None),
        ({"models": []}, "strange"),
        ([1], "strange"),
        ("a page", "strange"),
        ({"data": ["a"]}, "strange"),
    ],
)
async def test_what_is_no_list_of_models_is_another_program(page: Any, trouble: str | None) -> None:
    async with FakeServer(pages={"/v1/models": page}) as fake:
        listing = await list_models(ollama(fake))
    assert listing.trouble == trouble


async def test_nobody_there() -> None:
    assert (await list_models(ModelServer("ollama", "Ollama", closed_port()))).trouble == "absent"


async def test_a_server_that_never_answers_is_not_waited_for() -> None:
    async with FakeServer(pages={"/v1/models": None}) as fake:
        assert (await list_models(ollama(fake), seconds=0.2)).trouble == "silent"
        async with asyncio.timeout(SECONDS):
            await fake.left.wait()


async def test_what_speaks_no_http_is_another_program() -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        listing = await list_models(ModelServer("ollama", "Ollama", f"http://127.0.0.1:{port}"))
    assert listing.trouble == "strange"


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "http://127.0.0.1:port", "http://"])
async def test_an_address_that_is_none(address: str) -> None:
    (server,) = servers_from({"SIDEKICKS_MODEL_URL": address})
    assert (await list_models(server)).trouble == "strange"


async def test_a_key_is_asked_for_and_sent() -> None:
    async with FakeServer(key="secret") as fake:
        without = servers_from({"SIDEKICKS_MODEL_URL": fake.url})
        with_key = servers_from({"SIDEKICKS_MODEL_URL": fake.url, "SIDEKICKS_MODEL_KEY": "secret"})
        assert (await list_models(without[0])).trouble == "denied"
        assert [m.model_id for m in (await list_models(with_key[0])).models] == ["stub-model"]


@pytest.mark.parametrize("key", ["two\nlines", "é", "\x00"])
async def test_a_key_that_cannot_be_sent_is_no_crash(key: str) -> None:
    async with FakeServer(key="secret") as fake:
        (server,) = servers_from({"SIDEKICKS_MODEL_URL": fake.url, "SIDEKICKS_MODEL_KEY": key})
        assert (await list_models(server)).trouble in ("strange", "denied")


def choice(models: Models, value: str | None = None) -> SelectOption:
    (option,) = model_options(models, value)
    assert isinstance(option, SelectOption)
    assert option.category == "model"
    return option


async def test_the_choice_is_offered_where_there_is_one() -> None:
    async with FakeServer(("a",)) as one, FakeServer(("b", "c")) as two:
        docker = ModelServer("docker", "Docker", two.url)
        assert model_options(await find(ollama(one)), None) == ()
        assert model_options(await find(), None) == ()
        chosen = choice(await find(ollama(two)), "ollama/c")
        both = choice(await find(ollama(one), docker))
        hidden = choice(await find(ollama(two), wanted="z"))
    assert chosen.current_value == "ollama/c"
    assert [one.name for one in chosen.choices()] == ["b", "c"]
    assert [one.value for one in both.choices()] == ["ollama/a", "docker/b", "docker/c"]
    assert [one.name for one in both.choices()] == ["a (Ollama)", "b (Docker)", "c (Docker)"]
    assert hidden.current_value in [one.value for one in hidden.choices()]


async def use(loaded: LoadedByUs, fake: FakeServer, model_id: str = "a") -> None:
    """Let the model answer once, as a turn does."""
    await loaded.before_use(ollama(fake), model_id, SECONDS)
    fake.loaded[model_id] = time.time() + 300
    loaded.touch(ollama(fake), model_id)
    await loaded.after_use(ollama(fake), model_id, SECONDS)


async def test_a_model_that_only_we_used_is_freed() -> None:
    async with FakeServer(("a", "b"), ollama=True) as fake:
        loaded = LoadedByUs()
        await use(loaded, fake)
        await use(loaded, fake)
        await loaded.free(SECONDS)
        assert fake.unloaded == ["a"]


async def test_a_model_that_was_there_before_us_is_left_alone() -> None:
    async with FakeServer(("a",), ollama=True) as fake:
        fake.loaded["a:latest"] = time.time() + 60
        loaded = LoadedByUs()
        await use(loaded, fake)
        await loaded.free(SECONDS)
        assert fake.unloaded == []


async def test_a_model_that_somebody_used_after_us_is_left_alone() -> None:
    async with FakeServer(("a",), ollama=True) as fake:
        loaded = LoadedByUs()
        await use(loaded, fake)
        fake.loaded["a"] += 60
        await loaded.free(SECONDS)
        assert fake.unloaded == []


async def test_a_model_whose_stay_is_not_known_is_left_alone() -> None:
    async with FakeServer(("a",), ollama=True) as fake:
        loaded = LoadedByUs()
        await loaded.before_use(ollama(fake), "a", SECONDS)
        fake.loaded["a"] = time.time() + 300
        loaded.touch(ollama(fake), "a")
        await loaded.free(SECONDS)
        assert fake.unloaded == []


async def test_freeing_asks_nobody_where_nothing_was_used() -> None:
    async with FakeServer(("a",), ollama=True) as fake:
        await LoadedByUs().free(SECONDS)
        assert fake.requests == []


async def test_a_server_that_is_gone_is_no_trouble_when_freeing() -> None:
    async with FakeServer(("a",), ollama=True) as fake:
        loaded = LoadedByUs()
        await use(loaded, fake)
    await loaded.free(SECONDS)
