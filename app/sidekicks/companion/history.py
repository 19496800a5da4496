"""What the person and the model have said in one session, within a budget.

Kept in memory only, and never more than the budget: the oldest exchanges go first. A prompt itself
is never cut.
"""

from collections import deque
from typing import Final

from sidekicks.companion.chat import Said

HISTORY_CHARACTERS: Final = 12_000
"""About 3,000 tokens: with a prompt that carries a full recap it stays below the 4,096 to which
small servers cut silently, from the front, the system's words first."""


class History:
    """The exchanges of one session, oldest first."""

    def __init__(self, characters: int = HISTORY_CHARACTERS) -> None:
        self._characters: Final = characters
        self._exchanges: Final[deque[tuple[str, str]]] = deque()

    def add(self, prompt: str, answer: str) -> None:
        """Keep one exchange, and let go of the oldest beyond the budget.

        An answer that was stopped before its first word is kept as an ellipsis: models expect the
        two sides to alternate.
        """
        self._exchanges.append((prompt, answer or "…"))
        size = sum(len(prompt) + len(answer) for prompt, answer in self._exchanges)
        while size > self._characters:
            prompt, answer = self._exchanges.popleft()
            size -= len(prompt) + len(answer)

    def conversation(self, system: str, prompt: str) -> list[Said]:
        """Return what the model gets for `prompt`."""
        said = [Said("system", system)]
        for earlier, answer in self._exchanges:
            said += [Said("user", earlier), Said("assistant", answer)]
        return [*said, Said("user", prompt)]
