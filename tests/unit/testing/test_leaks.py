"""The leak check itself: it must see what it is there for, and keep still otherwise."""

import os
import socket
import subprocess
import sys
import threading

import pytest

import leaks

_LEAVES_A_CHILD = """
import subprocess, sys
waits = [sys.executable, "-c", "import time; time.sleep(60)"]
child = subprocess.Popen(waits, stdout=subprocess.DEVNULL)
print(child.pid, flush=True)
"""


def test_a_process_whose_parent_is_gone_is_seen() -> None:
    before = leaks.held()
    parent = subprocess.run(
        [sys.executable, "-c", _LEAVES_A_CHILD], stdout=subprocess.PIPE, text=True, check=True
    )
    orphan = int(parent.stdout)
    try:
        assert any(name.startswith(f"process {orphan}") for name in leaks.held() - before)
    finally:
        os.kill(orphan, 9)
    assert leaks.wait_for_release(before) == []


def test_an_open_descriptor_is_seen() -> None:
    before = leaks.held()
    reading, writing = os.pipe()
    opened = leaks.held() - before
    os.close(reading)
    os.close(writing)
    assert {name.split()[1] for name in opened} == {str(reading), str(writing)}


def test_a_thread_is_seen_and_is_given_time_to_end() -> None:
    before = leaks.held()
    last_words = threading.Event()
    thread = threading.Thread(target=last_words.wait, name="straggler")
    thread.start()
    assert any("straggler" in name for name in leaks.held() - before)
    ender = threading.Timer(0.1, last_words.set)
    ender.start()
    assert leaks.wait_for_release(before) == []


@pytest.mark.parametrize("host", ["192.0.2.1", "example.org"])
def test_reaching_beyond_this_computer_is_refused(host: str) -> None:
    with pytest.raises(RuntimeError, match="beyond this computer"):
        socket.create_connection((host, 80), timeout=1)
