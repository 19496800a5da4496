"""What the bundled agent says, in English and French."""

from typing import Final

from sidekicks.base.words import Words
from sidekicks.companion.words.failures import FAILURES
from sidekicks.companion.words.guide import GUIDE
from sidekicks.companion.words.tour import TOUR

__all__ = ("words",)

words: Final = Words(FAILURES | GUIDE | TOUR)
