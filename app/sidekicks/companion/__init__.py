"""The bundled agent, `sidekicks agent`: a program of its own, ACP over stdin and stdout.

With a model server on this machine it passes on that model's answers; without one it is an honest
guide. It uses nothing of the app but `acp` and what lies below, so that it starts in a moment and
stays small.
"""

from sidekicks.companion.models import Listing, list_models
from sidekicks.companion.program import run
from sidekicks.companion.servers import ModelServer, servers_from

__all__ = ("Listing", "ModelServer", "list_models", "run", "servers_from")
