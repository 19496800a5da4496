"""The doctor of agents: each is really started, beside the one that may run, and its story told.

Its program takes no place, is talked with only as far as a first session, and is ended with all
that it started, whatever becomes of it.
"""

from sidekicks.agents.doctor.doctor import Doctor
from sidekicks.agents.doctor.examination import Limits

__all__ = ("Doctor", "Limits")
