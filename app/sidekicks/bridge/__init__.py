"""The bridge: `invoke(bytes) -> Reply`, the one way in, and where errors are translated."""

from sidekicks.bridge.bridge import Bridge
from sidekicks.bridge.reply import Invoke, Reply

__all__ = ("Bridge", "Invoke", "Reply")
