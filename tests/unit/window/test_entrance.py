"""The page's one function: only who knows the secret gets in, and an envelope always comes out."""

import inspect
import json
import threading
from collections.abc import Callable

import pytest

from sidekicks.window.entrance import Entrance

SECRET = "what the page must know"


def make(
    invoke: Callable[[bytes], bytes] = bytes.upper, secret: str = SECRET
) -> Callable[..., str]:
    return Entrance(invoke, lambda: secret).function


def test_the_page_sees_one_function_with_two_parameters() -> None:
    function = make()
    assert function.__name__ == "invoke"
    assert inspect.getfullargspec(function).args == ["secret", "json"]


def test_who_knows_the_secret_is_answered() -> None:
    assert make()(SECRET, '{"type": "é"}') == '{"TYPE": "é"}'


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (SECRET,),
        ("", "{}"),
        ("wrong", "{}"),
        (None, "{}"),
        ({"length": 3}, "{}"),
        (SECRET, {"type": "get_snapshot"}),
        (SECRET, None),
        ("\ud800", "{}"),
        ("é" * 10, "{}"),
    ],
)
def test_everybody_else_gets_an_error_and_never_an_exception(arguments: tuple[object, ...]) -> None:
    answer = json.loads(make()(*arguments))
    assert answer["ok"] is False
    assert answer["error"]["code"] == "no_access"
    assert "secret" not in answer["error"]["message"]


def test_nobody_gets_in_before_there_is_a_secret() -> None:
    assert json.loads(make(secret="")("", "{}"))["ok"] is False


def test_more_arguments_than_expected_are_no_error() -> None:
    assert make()(SECRET, '"a"', 1, 2) == '"A"'


def test_a_lone_surrogate_reaches_the_decoder_that_refuses_it() -> None:
    got: list[bytes] = []

    def invoke(raw: bytes) -> bytes:
        got.append(raw)
        return b"{}"

    assert make(invoke)(SECRET, '"\ud800"') == "{}"
    assert got == [b'"\xed\xa0\x80"']


def test_a_page_that_is_gone_keeps_no_thread_alive() -> None:
    entrance = Entrance(bytes.upper, lambda: SECRET)
    answered, page = threading.Event(), threading.Semaphore(0)

    def call() -> None:
        entrance.function(SECRET, "{}")
        answered.set()
        page.acquire()  # pywebview's wait for a page that will never take the answer

    thread = threading.Thread(target=call)
    thread.start()
    assert answered.wait(10)
    entrance.release(page.release)
    thread.join(10)
    assert not thread.is_alive()
