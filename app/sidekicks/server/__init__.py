"""The loopback server: the page's files, the event stream, and commands over HTTP.

It listens on this computer alone, and answers nobody but the page it served and whoever has the
secret of this run. Importing this is cheap; `sidekicks.server.app`, which needs the web framework,
may be imported ahead of time in a thread.
"""

from sidekicks.server.server import Server

__all__ = ("Server",)
