"""What is said about the configuration: what is wrong, and what to do about it."""

from typing import Final

from sidekicks.base.words import Words
from sidekicks.config.sentences_entry import AGENTS, VALUES
from sidekicks.config.sentences_expected import EXPECTED, KINDS
from sidekicks.config.sentences_file import EDITS, FILE, YAML

say: Final = Words(FILE | YAML | EDITS | VALUES | AGENTS | KINDS | EXPECTED)
