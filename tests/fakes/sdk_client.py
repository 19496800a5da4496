"""A client on the official Python SDK: a program whose stdin and stdout are the agent.

It goes through a conversation with whatever agent is there and writes what it saw, as JSON, to the
file named by its argument.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, cast

from acp.schema import AllowedOutcome

import acp


class Witness:
    """Leaves out what it does not offer; the SDK then refuses it."""

    def __init__(self) -> None:
        self.saw: list[Any] = []

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        told = update.model_dump(by_alias=True, exclude_none=True)
        self.saw.append({"session": session_id, **told})

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[Any], **_: Any
    ) -> acp.RequestPermissionResponse:
        self.saw.append({"asked": tool_call.title, "options": [o.option_id for o in options]})
        chosen = AllowedOutcome(outcome="selected", option_id=options[0].option_id)
        return acp.RequestPermissionResponse(outcome=chosen)


async def main() -> None:
    reader, writer = await acp.stdio_streams()
    witness = Witness()
    agent = acp.connect_to_agent(cast("acp.Client", witness), writer, reader)
    told = await agent.initialize(protocol_version=1)
    witness.saw.append(told.model_dump(by_alias=True, exclude_none=True))
    session = await agent.new_session(cwd="/w", mcp_servers=[])
    for text in ("hello", "ask"):
        answer = await agent.prompt(session_id=session.session_id, prompt=[acp.text_block(text)])
        witness.saw.append({"stopReason": answer.stop_reason})
    waiting = asyncio.ensure_future(
        agent.prompt(session_id=session.session_id, prompt=[acp.text_block("wait")])
    )
    await asyncio.sleep(0)
    await agent.cancel(session_id=session.session_id)
    witness.saw.append({"stopReason": (await waiting).stop_reason})
    try:
        await agent.prompt(session_id=session.session_id, prompt=[acp.text_block("sign in")])
    except acp.RequestError as error:
        witness.saw.append({"code": error.code, "message": str(error)})
    await asyncio.to_thread(Path(sys.argv[1]).write_text, json.dumps(witness.saw))
    await agent.close()


if __name__ == "__main__":
    asyncio.run(main())
