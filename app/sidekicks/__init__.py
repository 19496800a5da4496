"""Sidekicks: one person, several AI agents that speak the Agent Client Protocol."""

__version__ = "0.1.0"
