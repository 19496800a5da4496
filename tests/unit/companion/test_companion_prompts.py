"""Prompts: which are commands, and what a model gets of the others."""

from pathlib import Path

import pytest

from sidekicks.acp import (
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    Resource,
    ResourceLink,
    TextContent,
)
from sidekicks.companion.folder import Folder
from sidekicks.companion.prompts import SlashCommand, read_command, read_text


def blocks(*texts: str) -> list[ContentBlock]:
    return [TextContent(text=text) for text in texts]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/help", SlashCommand("help")),
        ("/Help  ", SlashCommand("help")),
        ("/write a.txt  two\nlines\n", SlashCommand("write", "a.txt  two\nlines\n")),
        ("/nope-nope x", SlashCommand("nope-nope", "x")),
        (" /help", None),
        ("say /help", None),
        ("/usr/bin/env is a path", None),
        ("/", None),
        ("// comment", None),
        ("", None),
    ],
)
def test_what_a_command_is(text: str, command: SlashCommand | None) -> None:
    assert read_command(blocks(text)) == command


def test_a_message_after_a_transcript_is_no_command() -> None:
    assert read_command(blocks("Bob said: hi", "/help")) is None
    assert read_command(blocks("/help", "and more")) is None


@pytest.mark.parametrize(
    ("rest", "split"),
    [
        ("a.txt some text", ("a.txt", "some text")),
        ("a.txt", ("a.txt", "")),
        ("", ("", "")),
        ('"my file.txt" text', ("my file.txt", "text")),
        ("'my file.txt' text", ("my file.txt", "text")),
        ("a.txt\n  indented\nnext", ("a.txt", "  indented\nnext")),
        ("a.txt \n\nx", ("a.txt", "\nx")),
        ('it"s text', ('it"s', "text")),
        ('"unclosed text', ('"unclosed', "text")),
    ],
)
def test_the_first_argument_and_the_rest(rest: str, split: tuple[str, str]) -> None:
    assert SlashCommand("write", rest).split() == split


def test_transcript_and_message_are_one_text(tmp_path: Path) -> None:
    assert read_text(blocks("Bob said: hi", "and you?"), Folder(tmp_path)) == (
        "Bob said: hi\n\nand you?"
    )


def test_attached_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "a file.md").write_text("# One\n```\nx\n```\n")
    (tmp_path.parent / "outside.md").write_text("secret")
    inside = (tmp_path / "a file.md").as_uri()
    outside = (tmp_path.parent / "outside.md").as_uri()
    prompt: list[ContentBlock] = [
        TextContent(text="look"),
        ResourceLink(uri=inside, name="a file.md"),
        ResourceLink(uri=outside, name="outside.md"),
        ResourceLink(uri="https://example.org/page", name=""),
        EmbeddedResource(resource=Resource(uri="file:///x/b.txt", text="two")),
        EmbeddedResource(resource=Resource(uri="file:///x/c.png", blob="aGk=")),
        ImageContent(data="aGk=", mime_type="image/png"),
    ]
    text = read_text(prompt, Folder(tmp_path))
    assert "look\n\nAttached file a file.md:\n\n````\n# One\n```\nx\n```\n````" in text
    assert "Attached file b.txt:\n\n```\ntwo\n```" in text
    assert "secret" not in text
    for name in ("outside.md", "page", "c.png", "image"):
        assert f"Attached, but not readable here: {name}" in text
