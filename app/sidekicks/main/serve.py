"""`sidekicks serve`: the interface for a browser on this machine, and for tools (`--json`)."""

import os
import webbrowser
from pathlib import Path

import msgspec

from sidekicks.main.compose import Domains
from sidekicks.main.host import Host
from sidekicks.main.ui import ui_folder
from sidekicks.main.words import say
from sidekicks.server import Server


def serve(config: Path, *, port: int, json: bool, open_: bool) -> int:
    """Serve until a signal says stop; return the exit code.

    Raises:
        SidekicksError: where it cannot come up.
    """
    folder = ui_folder()

    def make_server(domains: Domains) -> Server:
        server = Server(
            invoke=domains.bridge.invoke,
            hub=domains.app.hub,
            ui_folder=folder,
            port=port,
            on_code_used=None if json else lambda: _print("next_link", server),
        )
        return server

    with Host(config, make_server=make_server, log_to_stderr=True) as host:
        server = host.start().server
        assert server is not None
        if json:
            line = {"url": server.new_link(), "secret": server.secret, "pid": os.getpid()}
            print(msgspec.json.encode(line).decode(), flush=True)
        else:
            _print("link", server)
        if open_:
            webbrowser.open(server.new_link())
        host.wait()
    return 0


def _print(key: str, server: Server) -> None:
    print(say(key, url=server.new_link()), flush=True)
