"""An agent that sends what no agent should, and, between it, words that must not be lost.

    python odd_agent.py

A prompt's last word is the seed of what is sent: the same for the same seed. The words are
`<seed.number>`, from 0 on; the prompt is answered after the last.
"""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.acp_peers import chunk_bytes, frame_bytes
from fakes.odd_frames import FROM_AGENTS, OddFrames

LINES: Final = 20
SESSION: Final = "s1"
# Half of them belong to the session that is open, the others to one that nobody knows.
FRAMES: Final = (
    *FROM_AGENTS,
    *(frame.replace(b'"sessionId":"s"', b'"sessionId":"s1"') for frame in FROM_AGENTS),
)
HUGE: Final = 2_000_000


def words(seed: int) -> list[str]:
    """Return what must arrive, in this order."""
    return [f"<{seed}.{number}>" for number in range(LINES)]


def case(seed: int) -> list[bytes]:
    """Return what is written for a prompt, in pieces."""
    odd, chance = OddFrames(seed, FRAMES), random.Random(-seed - 1)
    sent = bytearray()
    for word in words(seed):
        sent += odd.next()
        if chance.random() < 0.002:
            sent += chunk_bytes("x" * HUGE)
        # The line feed of an odd line may be gone; one more begins the next line afresh.
        sent += b"\n" + chunk_bytes(word)
    return odd.pieces(bytes(sent))


def answer(frame: dict[str, Any]) -> None:
    """Answer a request."""
    results: dict[str, Any] = {
        "initialize": {"protocolVersion": 1, "agentInfo": {"name": "odd", "version": "1"}},
        "session/new": {"sessionId": SESSION},
        "session/prompt": {"stopReason": "end_turn"},
    }
    if frame["method"] == "session/prompt":
        for piece in case(int(frame["params"]["prompt"][-1]["text"].split()[-1])):
            write(piece)
    write(frame_bytes(id=frame["id"], result=results[frame["method"]]))


def write(data: bytes) -> None:
    """Write all of it to stdout."""
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        heard = json.loads(line)
        if "method" in heard and "id" in heard:
            answer(heard)
