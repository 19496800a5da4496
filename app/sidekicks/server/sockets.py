"""The sockets that the server listens at: loopback only, both families where there are two."""

import errno
import socket
from typing import Final

from sidekicks.contract.errors import SidekicksError
from sidekicks.server.words import say

_BACKLOG: Final = 128
_PORTS_TRIED: Final = 16


def listen(port: int) -> list[socket.socket]:
    """Return listening sockets on 127.0.0.1 and, where there is one, ::1, at the same port.

    Args:
        port: 0 takes one that is free in both families.

    Raises:
        SidekicksError: `unavailable` if the port is used by another program, `no_access` if it may
            not be used.
    """
    for _ in range(_PORTS_TRIED):
        first = _bind(socket.AF_INET, "127.0.0.1", port)
        try:
            second = _bind(socket.AF_INET6, "::1", first.getsockname()[1])
        except SidekicksError:
            first.close()
            if port != 0:
                raise
            continue
        except OSError:
            # This computer has no IPv6.
            return [first]
        return [first, second]
    raise SidekicksError("unavailable", say("port_busy", port=port))


def _bind(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    # The protocol is named because asyncio switches Nagle's algorithm off only where it is; with it
    # every small answer waits 40 ms for the other side's acknowledgement.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        # The last run's connections linger at its port for a minute.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
        # At once: until somebody listens, the port can be taken by two.
        made.listen(_BACKLOG)
    except OverflowError as error:
        made.close()
        raise SidekicksError("no_access", say("port_forbidden", port=port)) from error
    except OSError as error:
        made.close()
        match error.errno:
            case errno.EADDRINUSE:
                raise SidekicksError("unavailable", say("port_busy", port=port)) from error
            case errno.EACCES | errno.EPERM:
                raise SidekicksError("no_access", say("port_forbidden", port=port)) from error
            case _:
                raise
    return made
