"""Several programs side by side: the output of each in one piece, and one summary at the end."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ground import ROOT, say


@dataclass
class Job:
    """One program to run.

    Args:
        live: show its output as it comes; for at most one, else lines would mix.
    """

    name: str
    command: list[str | Path]
    cwd: Path = ROOT
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    live: bool = False
    code: int = -1
    seconds: float = 0.0
    output: str = ""
    process: subprocess.Popen[bytes] | None = None

    def end(self, number: signal.Signals) -> None:
        """Signal the program and all that it started."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, number)


def run_together(jobs: list[Job], *, at_once: int, limit: float) -> bool:
    """Run the jobs, `at_once` of them at a time, show the output of those that failed, sum up.

    Args:
        jobs: in the order in which they start.
        at_once: how many run side by side.
        limit: seconds for each; one that takes longer is ended with all it started, and has failed.

    Returns:
        Whether all went well.
    """
    turn = threading.Semaphore(at_once)
    workers = [threading.Thread(target=_run, args=(job, turn, limit), daemon=True) for job in jobs]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            worker.join()
    except KeyboardInterrupt:
        # Each runs in a session of its own, so the terminal's Ctrl-C reached none of them.
        for job in jobs:
            job.end(signal.SIGINT)
        for worker in workers:
            worker.join(5)
        for job in jobs:
            job.end(signal.SIGKILL)
        raise
    # Not as they come: they would break into the lines of the one that is shown live.
    for job in jobs:
        if job.code and job.output:
            say(f"\n── {job.name}\n{job.output.rstrip()}")
    say("")
    for job in jobs:
        say(f"{'ok    ' if job.code == 0 else 'FAILED'}  {job.name}  ({job.seconds:.0f} s)")
    return all(job.code == 0 for job in jobs)


def _run(job: Job, turn: threading.Semaphore, limit: float) -> None:
    with turn:
        began = time.monotonic()
        job.output = _communicate(job, limit)
        job.seconds = time.monotonic() - began


def _communicate(job: Job, limit: float) -> str:
    try:
        job.process = subprocess.Popen(
            [str(word) for word in job.command],
            cwd=job.cwd,
            env=job.env,
            stdin=subprocess.DEVNULL,
            stdout=None if job.live else subprocess.PIPE,
            stderr=None if job.live else subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as problem:
        return str(problem)
    late = ""
    try:
        output, _ = job.process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        job.end(signal.SIGKILL)
        output, _ = job.process.communicate()
        late = f"\nended after {limit:.0f} s"
    job.code = job.process.returncode
    return (output or b"").decode(errors="replace") + late
