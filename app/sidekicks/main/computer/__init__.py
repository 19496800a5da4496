"""What the doctor looks at besides the agents: the app itself, and the computer under it.

Every look is short and bounded, and changes nothing.
"""

from sidekicks.main.computer.computer import Computer

__all__ = ("Computer",)
