"""Set-up from nothing: `setup.py run | test | dev | package`. Quick when there is nothing to do.

Runs on any Python >= 3.11 with the standard library alone, as root or as a person, on Debian and
macOS. Each step looks for itself whether it is done.
"""

import fcntl
import sys

import interface
import libraries
import node
import requirements
from ground import CACHE, SetupError, has_display, say


def prepare(purpose: str) -> None:
    """Bring everything that `purpose` needs.

    Raises:
        SetupError: a step cannot go on.
    """
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "setup.lock").open("w") as lock:
        # Two of them in one folder would write into each other's environment.
        fcntl.flock(lock, fcntl.LOCK_EX)
        requirements.install(development=purpose != "run")
        libraries.install(
            # Without a display the page goes to a browser, which needs none of them.
            qt=purpose in ("test", "package") or (purpose == "run" and has_display()),
            test=purpose == "test",
            package=purpose == "package",
        )
        env = node.environment(install=True)
        interface.install_packages(env)
        if purpose != "dev":
            interface.build(env)


def main() -> int:
    """Set up for the purpose named on the command line."""
    try:
        prepare(sys.argv[1])
    except SetupError as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
