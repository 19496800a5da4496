"""Much text in one turn: in order, told in few events, bounded in memory."""

import re
from pathlib import Path

from fakes.scripts import flood, on_prompt, script
from fakes.stage import Stage, text_of
from sidekicks.base.hub import KEPT_BYTES

CHUNKS = 20_000


async def test_twenty_thousand_chunks_keep_their_order_and_are_few_events(tmp_path: Path) -> None:
    async with Stage(tmp_path, alice=script(on_prompt(flood(CHUNKS)))) as stage:
        ended = await stage.say("alice", "go")
        assert ended["outcome"] == "finished"
        deltas = stage.of("turn.delta")
        told = "".join(delta["text"] for delta in deltas)
        numbers = [int(number) for number in re.findall(r"(\d+) x", told)]
        assert numbers == list(range(CHUNKS))
        assert text_of((await stage.messages("alice"))[1]) == told
        assert len(deltas) < CHUNKS / 10
        assert stage.up.domains.app.hub.kept_bytes <= KEPT_BYTES
