"""`sidekicks ask WHO "text"`: one answer, on standard output.

Where the app runs for this configuration file, it answers there (and stands in its history at
once); else the app comes up without a window for as long as the answer takes.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from sidekicks.contract.errors import SidekicksError
from sidekicks.main.line import Line, find_agent, run_with_instance
from sidekicks.main.words import say

EXIT_FAILED: Final = 1
EXIT_NEEDS_PERSON: Final = 3


class Asking:
    """One question to one agent, and what comes of it."""

    def __init__(self, config: Path, *, json: bool) -> None:
        self._config: Final = config
        self._json: Final = json
        self._text: list[str] = []
        self._needs_person = False

    async def ask(self, who: str, text: str) -> int:
        """Ask, print, and return the exit code."""
        commands, events = await Line.open(self._config), await Line.open(self._config)
        try:
            snapshot, seq = await commands.invoke({"type": "get_snapshot"})
            agent_id = find_agent(snapshot["agents"], who)
            opened, _ = await commands.invoke({"type": "open_direct", "agentId": agent_id})
            await events.follow(seq)
            sent, _ = await commands.invoke(
                {"type": "send_message", "channelId": opened["channelId"], "text": text}
            )
            turn_id = sent["turns"][0]["turnId"]
            while batch := await events.events():
                for event in batch:
                    ended = await self._apply(commands, turn_id, event)
                    if ended is not None:
                        return self._finish(agent_id, ended)
            raise SidekicksError("unavailable", say("gone"))
        finally:
            await commands.close()
            await events.close()

    async def _apply(
        self, commands: Line, turn_id: str, event: dict[str, Any]
    ) -> dict[str, Any] | None:
        match event:
            case {"type": "turn.delta", "turnId": str(turn), "kind": "text"} if turn == turn_id:
                self._text.append(event["text"])
                if not self._json:
                    print(event["text"], end="", flush=True)
            case {"type": "permission.asked", "permission": {"turnId": str(turn)}} if (
                turn == turn_id
            ):
                await self._answer(commands, event["permission"])
            case {"type": "turn.ended", "turnId": str(turn)} if turn == turn_id:
                return event
            case _:
                pass
        return None

    async def _answer(self, commands: Line, asked: dict[str, Any]) -> None:
        """Put an agent's question to the person at the terminal; where nobody answers, stop."""
        title = asked["toolCall"]["title"]
        print(say("asks_permission", agent=asked["agentId"], title=title), file=sys.stderr)
        options = asked["options"]
        chosen = None
        if sys.stdin.isatty():
            for number, option in enumerate(options, start=1):
                print(f"  {number}  {option['name']}", file=sys.stderr)
            chosen = await asyncio.to_thread(_choose, len(options))
        if chosen is None:
            self._needs_person = True
            await commands.invoke({"type": "stop_turn", "channelId": asked["channelId"]})
            return
        try:
            await commands.invoke(
                {
                    "type": "answer_permission",
                    "permissionId": asked["permissionId"],
                    "optionId": options[chosen - 1]["optionId"],
                }
            )
        except SidekicksError as error:
            # It was answered in the app, or withdrawn, while the person thought about it here.
            if error.code != "not_found":
                raise

    def _finish(self, agent_id: str, ended: dict[str, Any]) -> int:
        outcome, reason = ended["outcome"], ended["reason"]
        if self._json:
            answer = {
                "agentId": agent_id,
                "text": "".join(self._text),
                "outcome": outcome,
                "reason": reason,
                "durationMs": ended["durationMs"],
            }
            print(msgspec.json.encode(answer).decode())
        else:
            print()
        if self._needs_person:
            print(say("needs_person"), file=sys.stderr)
            return EXIT_NEEDS_PERSON
        if outcome == "finished":
            return 0
        print(reason or outcome, file=sys.stderr)
        return EXIT_FAILED


def ask(config: Path, who: str, text: str, *, json: bool) -> int:
    """Ask an agent one thing and print its answer; return the exit code.

    Raises:
        SidekicksError: where the agent is not there, or the app cannot come up.
    """
    asking = Asking(config, json=json)
    return run_with_instance(config, lambda: asking.ask(who, text))


def _choose(count: int) -> int | None:
    """Return the number that the person typed; null at the end of the input (Ctrl-D)."""
    while True:
        print(say("choose", count=count), end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            print(file=sys.stderr)
            return None
        answer = line.strip()
        if answer.isdecimal() and 1 <= int(answer) <= count:
            return int(answer)
