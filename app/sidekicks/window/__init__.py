"""The window: the page in pywebview, and what keeps it the page's only.

Alone imports pywebview, Qt and pyobjc, and only once a window is to be shown.
"""

from sidekicks.window.check import require_window
from sidekicks.window.window import Window

__all__ = ("Window", "require_window")
