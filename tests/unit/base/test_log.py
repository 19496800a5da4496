"""The log: bounded, and without secrets."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sidekicks.base.log import (
    FILE_BYTES,
    FILE_NAME,
    FILES,
    MaskingFormatter,
    mask,
    set_up_logging,
)

SECRETS = [
    ("Authorization: Bearer hunter2", "Authorization: Bearer ***"),
    ("sent bearer hunter2, then", "sent bearer ***, then"),
    ("http://127.0.0.1:1/#code=hunter2&window", "http://127.0.0.1:1/#code=***&window"),
    ('{"apiKey": "hunter2", "a": 1}', '{"apiKey": ***, "a": 1}'),
    ('{"apiKey":"hunt\\"er2","a":1}', '{"apiKey":***,"a":1}'),
    ("{'token': 'hunter2'}", "{'token': ***}"),
    ('{"access_token":"hunter2"}', '{"access_token":***}'),
    ("OPENAI_API_KEY=hunter2 npm start", "OPENAI_API_KEY=*** npm start"),
    ("api_key: hunter2", "api_key: ***"),
    ("x-api-key: hunter2", "x-api-key: ***"),
    ("Settings(api_key='hunter2', a=1)", "Settings(api_key=***, a=1)"),
    ("https://x.test/?token=hunter2&a=1", "https://x.test/?token=***&a=1"),
    ("CLIENT_SECRET = hunter2", "CLIENT_SECRET = ***"),
    ("password: hunter2", "password: ***"),
    ("Authorization: Basic hunter2", "Authorization: Basic ***"),
    ("Set-Cookie: hunter2", "Set-Cookie: ***"),
    ("token=1234567890", "token=***"),
    (
        '{"env":[{"name":"OPENAI_API_KEY","value":"hunter2"}]}',
        '{"env":[{"name":"OPENAI_API_KEY","value":***}]}',
    ),
    (r'"{\"apiKey\": \"hunter2\", \"a\": 1}"', r'"{\"apiKey\": ***, \"a\": 1}"'),
    (
        r'"{\"name\":\"API_KEY\",\"value\":\"hunter2\"}"',
        r'"{\"name\":\"API_KEY\",\"value\":***}"',
    ),
    ('cut off in the middle: {"token": "hunter2', 'cut off in the middle: {"token": ***'),
    ("Incorrect API key provided: sk-hunter2hunter2.", "Incorrect API key provided: sk-***."),
    ("remote: ghp_hunter2hunter2", "remote: ghp_***"),
]


@pytest.mark.parametrize(("text", "masked"), SECRETS)
def test_secrets_are_masked_and_their_names_stay(text: str, masked: str) -> None:
    assert mask(text) == masked
    assert "hunter2" not in masked


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'agents'",
        "keyword: value",
        '{"inputTokens": 1234, "maxTokens": 4096}',
        '"stopReason":"max_tokens"',
        "Sidekicks listens at http://127.0.0.1:8000",
        "exit code 1",
        "the tokenizer: fast",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize("text", ["a" * 2_000_000, "token" * 200_000, '\\"' * 500_000, "key=" * 9])
def test_a_long_text_is_masked_in_a_time_that_grows_with_its_length(text: str) -> None:
    # Quadratic work would end this test by its time limit.
    mask(text)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    end = set_up_logging(tmp_path / "made")
    yield tmp_path / "made" / FILE_NAME
    end()


def test_the_file_has_what_was_logged_with_its_traceback_and_without_secrets(log: Path) -> None:
    try:
        raise ValueError("token=hunter2")
    except ValueError:
        logging.getLogger("sidekicks.x").exception("sent %s", "Bearer hunter2")
    logging.getLogger("sidekicks.x").info("an info")
    logging.getLogger("sidekicks.x").debug("too fine")
    written = log.read_text()
    assert "sent Bearer ***" in written
    assert "ValueError: token=***" in written
    assert "hunter2" not in written
    assert "INFO" in written
    assert "too fine" not in written


def test_the_files_are_bounded(log: Path) -> None:
    line = "x" * 10_000
    for _ in range((FILES + 1) * FILE_BYTES // len(line)):
        logging.getLogger("sidekicks.x").info(line)
    files = list(log.parent.iterdir())
    assert len(files) == FILES
    assert all(file.stat().st_size <= FILE_BYTES for file in files)


def test_the_folder_is_for_the_person_alone(log: Path) -> None:
    assert log.parent.stat().st_mode & 0o077 == 0


def set_up_and_end(folder: Path, *, stderr: bool, log: Callable[[], None]) -> None:
    end = set_up_logging(folder, stderr=stderr)
    try:
        log()
    finally:
        end()


@pytest.mark.parametrize("stderr", [True, False])
def test_stderr_gets_warnings_only_and_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stderr: bool
) -> None:
    def log() -> None:
        logging.getLogger("sidekicks.x").info("an info")
        logging.getLogger("sidekicks.x").warning("a warning about token=hunter2")

    set_up_and_end(tmp_path, stderr=stderr, log=log)
    shown = capsys.readouterr().err
    assert ("a warning about token=***" in shown) == stderr
    assert "an info" not in shown
    assert "hunter2" not in shown


def test_where_no_file_can_be_written_warnings_go_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    set_up_and_end(
        tmp_path / "file" / "logs",
        stderr=False,
        log=lambda: logging.getLogger("sidekicks.x").warning("still told"),
    )
    shown = capsys.readouterr().err
    assert "No log file" in shown
    assert "still told" in shown


def test_the_end_leaves_nothing_behind(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level)
    set_up_and_end(tmp_path, stderr=True, log=lambda: None)
    assert (list(root.handlers), root.level) == before


def test_a_name_that_is_no_text_can_be_written_to_a_file() -> None:
    # Not by a logger: pytest would log it too, and its workers cannot hand such a text on.
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    record = logging.makeLogRecord({"msg": "no such file: %s", "args": (name,)})
    assert MaskingFormatter("%(message)s").format(record) == "no such file: caf\\udce9"
