"""Where a model server is looked for."""

import pytest

from sidekicks.companion.servers import USUAL, servers_from


def test_without_a_word_only_this_computer_is_tried() -> None:
    servers = servers_from({"SIDEKICKS_MODEL_KEY": "secret"})
    assert servers == USUAL
    assert [server.base for server in servers] == [
        "http://127.0.0.1:11434/v1",
        "http://127.0.0.1:8080/v1",
        "http://127.0.0.1:1234/v1",
        "http://127.0.0.1:12434/engines/v1",
    ]
    assert all(server.key is None for server in servers)


@pytest.mark.parametrize(
    ("address", "base"),
    [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/v1"),
        ("http://127.0.0.1:9000/", "http://127.0.0.1:9000/v1"),
        ("http://127.0.0.1:9000/v1/", "http://127.0.0.1:9000/v1"),
        ("http://127.0.0.1:9000/v1/chat/completions", "http://127.0.0.1:9000/v1"),
        ("http://127.0.0.1:9000/engines/v1", "http://127.0.0.1:9000/engines/v1"),
        ("box:9000", "http://box:9000/v1"),
        (" https://example.org/api/v1 ", "https://example.org/api/v1"),
    ],
)
def test_an_address_is_understood_as_people_write_it(address: str, base: str) -> None:
    (server,) = servers_from({"SIDEKICKS_MODEL_URL": address, "SIDEKICKS_MODEL_KEY": "secret"})
    assert server.base == base
    assert server.key == "secret"


def test_a_name_and_password_in_an_address_are_not_shown() -> None:
    (server,) = servers_from({"SIDEKICKS_MODEL_URL": "http://me:secret@box:9000"})
    assert "secret" not in server.name + server.slug


@pytest.mark.parametrize("word", ["none", "None", " none "])
def test_none_looks_nowhere(word: str) -> None:
    assert servers_from({"SIDEKICKS_MODEL_URL": word}) == ()
