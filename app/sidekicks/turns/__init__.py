"""Turns: the queue, and the one place that runs a turn."""

from sidekicks.turns.turns import Turns, text_of

__all__ = ("Turns", "text_of")
