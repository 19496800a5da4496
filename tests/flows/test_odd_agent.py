"""Whatever an agent sends, through the whole app: it goes on, and loses nothing that comes after.

Each case is an answer of twenty lines, most of them wrong: changed, cut, doubled, deep, huge, of
wrong types, for other sessions. The same in `tests/unit/acp` is about the connection alone.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import psutil
import pytest

from fakes import odd_agent
from fakes.odd_agent import words
from fakes.scripts import on_prompt, say, script, stdout
from fakes.stage import Stage, text_of
from sidekicks.acp.lines import LINE_LIMIT
from sidekicks.base.hub import KEPT_BYTES

CASES = 500
AT_ONCE = 100
GROWTH = 64 * 1024 * 1024
"""Bytes that the app may grow by; what it keeps (events, the log) is bounded, and fills first."""


def odd_stage(folder: Path) -> Stage:
    """Return an app whose alice is the odd agent."""
    stage = Stage(folder)
    stage.write_config(alice={"command": sys.executable, "args": [odd_agent.__file__]})
    return stage


async def run_cases(stage: Stage, seeds: Iterable[int]) -> None:
    """Have the agent answer once for each seed, and see that nothing is lost."""
    for seed in seeds:
        stage.events.clear()
        ended = await stage.say("alice", f"case {seed}")
        assert ended["outcome"] == "finished", f"case {seed}: {ended}"
        answer = (await stage.messages("alice", limit=1))[0]
        told = re.findall(rf"<{seed}\.\d+>", text_of(answer))
        assert told == words(seed), f"case {seed}"
        snapshot = await stage.snapshot()
        assert (snapshot["turns"], snapshot["permissions"]) == ([], [])
        assert stage.up.domains.app.hub.kept_bytes <= KEPT_BYTES


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
async def test_the_app_goes_on_whatever_an_agent_sends(first: int, tmp_path: Path) -> None:
    async with odd_stage(tmp_path) as stage:
        await run_cases(stage, range(first, first + 20))
        before = psutil.Process().memory_info().rss
        await run_cases(stage, range(first + 20, first + AT_ONCE))
        assert psutil.Process().memory_info().rss - before < GROWTH


async def test_a_line_that_is_too_long_is_left_out_and_said(tmp_path: Path) -> None:
    floods = on_prompt(say("before "), stdout("x", LINE_LIMIT + 1), stdout("\n"), say("after"))
    async with Stage(tmp_path, alice=script(floods)) as stage:
        assert (await stage.say("alice", "go"))["outcome"] == "finished"
        assert text_of((await stage.messages("alice"))[-1]) == "before after"
        log = (await stage.invoke("get_log", agentId="alice"))["entries"]
        assert any(str(LINE_LIMIT + 1) in e["text"] for e in log if e["kind"] == "noise")
