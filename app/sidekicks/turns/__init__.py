"""Turns: the queue, and the one place that runs a turn."""

from sidekicks.turns.prompt import recap_for, text_of
from sidekicks.turns.recover import recover_turns
from sidekicks.turns.turns import Turns

__all__ = ("Turns", "recap_for", "recover_turns", "text_of")
