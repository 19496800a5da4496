"""What every way of running the app shares: the lock, the log, signals, the engine's thread."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

import platformdirs

from sidekicks.base.engine import Engine
from sidekicks.base.log import set_up_logging
from sidekicks.main.compose import Domains
from sidekicks.main.instance import InstanceLock
from sidekicks.main.run import Ready, Run
from sidekicks.main.signals import Signals
from sidekicks.server import Server

JOIN_SECONDS: Final = 0.5
LAST_SECONDS: Final = 6.0


class Host:
    """The one instance for a configuration file; entered on the main thread.

    Args:
        config: the configuration file.
        make_server: for a run that serves the interface.
        on_signal: called on the engine for a signal that means stop; stops the run unless said.
        on_show: called on the engine when a second start wants to see the first; returns whether
            there is a window to see.
    """

    def __init__(
        self,
        config: Path,
        *,
        make_server: Callable[[Domains], Server] | None = None,
        on_signal: Callable[[], None] | None = None,
        on_show: Callable[[], bool] = lambda: False,
        log_to_stderr: bool = False,
    ) -> None:
        self._lock: Final = InstanceLock(config)
        self._signals: Final = Signals()
        self._engine: Final = Engine()
        self._started = False
        self._end_log: Callable[[], None] = lambda: None
        self._log_to_stderr: Final = log_to_stderr
        self.run: Final = Run(
            config,
            make_server=make_server,
            on_loop=lambda stop: self._signals.listen(on_signal or stop),
            on_show=on_show,
        )

    def __enter__(self) -> Self:
        """Take the lock, the log and the signals.

        Raises:
            SidekicksError: `busy`, where another instance has the configuration file.
        """
        self._lock.take()
        folder = Path(platformdirs.user_log_dir("sidekicks"))
        self._end_log = set_up_logging(folder, stderr=self._log_to_stderr)
        self._signals.install()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop what runs, and give everything back."""
        self.run.request_stop()
        if self._started:
            self._engine.join(LAST_SECONDS)
        self._signals.close()
        self._end_log()
        self._lock.release()

    def start(self) -> Ready:
        """Come up on the engine and return what the run offers.

        Raises:
            SidekicksError: where it cannot come up.
        """
        self._started = True
        self._engine.start(self.run.main())
        return self.run.ready.result()

    def wait(self) -> None:
        """Wait until the run has stopped."""
        # In bounded steps: an endless join would keep the main thread from running a handler.
        while not self._engine.join(JOIN_SECONDS):
            pass

    def invoke(self, raw: bytes) -> bytes:
        """Run one encoded command, from any thread, and return its encoded answer."""
        return self._engine.call(self.run.ready.result().bridge.invoke(raw)).result().body
