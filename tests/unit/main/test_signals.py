"""Signals reach a loop in another thread, whatever the main thread is doing."""

import signal
import subprocess
import sys
import textwrap

import pytest

# The main thread sleeps in C, as in a window's loop: no Python handler runs there meanwhile.
PROGRAM = """
import asyncio, ctypes, sys, threading
from sidekicks.main.signals import Signals

signals = Signals()
stopped = threading.Event()
sleep = ctypes.CDLL(None).usleep

async def live():
    stop = asyncio.Event()
    signals.listen(stop.set)
    print("ready", flush=True)
    await stop.wait()
    stopped.set()
    print("told to stop", flush=True)

signals.install()
engine = threading.Thread(target=lambda: asyncio.run(live()))
engine.start()
while not stopped.is_set():
    sleep(500_000)
engine.join()
signals.close()
print("ended", flush=True)
sys.stdin.read()
"""


class Child:
    """The program, up to a line that it prints."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.line() == "ready"

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> int:
        self.process.communicate()
        return self.process.returncode


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_each_signal_that_means_stop_is_told_and_ends_nothing_by_itself(
    number: signal.Signals,
) -> None:
    child = Child()
    child.process.send_signal(number)
    child.process.send_signal(number)
    assert child.line() == "told to stop"
    assert child.line() == "ended"
    assert child.end() == 0


def test_another_signal_that_somebody_handles_is_no_word_to_stop() -> None:
    script = """
    import asyncio, os, signal
    from sidekicks.main.signals import Signals

    async def look(told, *numbers):
        for number in numbers:
            # A process that signals itself has got it when this returns.
            os.kill(os.getpid(), number)
        for _ in range(3):
            await asyncio.sleep(0)
        return len(told)

    async def live():
        told = []
        signals.listen(lambda: told.append(1))
        assert await look(told, signal.SIGUSR1) == 0
        assert await look(told, signal.SIGUSR1, signal.SIGTERM) == 1
        assert await look(told, signal.SIGHUP) == 2

    signal.signal(signal.SIGUSR1, lambda *_: None)
    signals = Signals()
    signals.install()
    asyncio.run(live())
    signals.close()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)


def test_given_back_the_signals_do_what_they_did_before() -> None:
    child = Child()
    child.process.send_signal(signal.SIGTERM)
    assert [child.line(), child.line()] == ["told to stop", "ended"]
    child.process.send_signal(signal.SIGTERM)
    assert child.end() == -signal.SIGTERM


def test_whoever_handled_them_before_gets_them_back() -> None:
    script = """
    import signal
    from sidekicks.main.signals import STOPPING, Signals

    mine = lambda *_: None
    signal.signal(signal.SIGTERM, mine)
    before = [signal.getsignal(number) for number in STOPPING]
    for _ in range(2):
        signals = Signals()
        signals.install()
        assert mine not in [signal.getsignal(number) for number in STOPPING]
        signals.close()
        assert [signal.getsignal(number) for number in STOPPING] == before
    assert signal.set_wakeup_fd(-1) == -1
    """
    subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(script)], check=True)
