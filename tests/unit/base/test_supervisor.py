"""Supervised tasks: none fails unheard, none outlives the stop."""

import asyncio
import logging

import pytest

from sidekicks.base.supervisor import Supervisor, new_incident


async def fail() -> None:
    raise ValueError("the reason")


async def wait_for_ever(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("ended")


async def test_a_failure_is_logged_and_told_under_one_incident(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[tuple[str, str]] = []
    supervisor = Supervisor(lambda name, incident: told.append((name, incident)))
    task = supervisor.start(fail(), "the work")
    await asyncio.wait({task})
    ((name, incident),) = told
    assert name == "the work"
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert incident in record.getMessage()
    assert record.exc_info is not None
    assert "the reason" in str(record.exc_info[1])


async def test_a_failure_without_anyone_to_tell_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    await asyncio.wait({Supervisor().start(fail(), "the work")})
    assert "incident" in caplog.text


async def test_a_task_that_ends_or_is_cancelled_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[str] = []
    ended: list[str] = []
    supervisor = Supervisor(lambda name, _: told.append(name))
    cancelled = supervisor.start(wait_for_ever(ended), "waits")
    done = supervisor.start(asyncio.sleep(0), "ends")
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.wait({cancelled, done})
    assert told == []
    assert caplog.records == []


async def test_stop_cancels_every_task_and_waits_for_it() -> None:
    ended: list[str] = []
    supervisor = Supervisor()
    tasks = [supervisor.start(wait_for_ever(ended), f"waits {n}") for n in range(3)]
    await asyncio.sleep(0)
    await supervisor.stop(5)
    assert ended == ["ended"] * 3
    assert all(task.cancelled() for task in tasks)


async def test_stop_does_not_wait_for_a_task_that_will_not_end() -> None:
    released = asyncio.Event()

    async def stubborn() -> None:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue

    supervisor = Supervisor()
    task = supervisor.start(stubborn(), "stubborn")
    await asyncio.sleep(0)
    await supervisor.stop(0.01)
    assert not task.done()
    released.set()
    await task


async def test_a_task_may_stop_its_own_supervisor() -> None:
    ended: list[str] = []
    supervisor = Supervisor()
    supervisor.start(wait_for_ever(ended), "waits")
    await asyncio.sleep(0)
    await supervisor.start(supervisor.stop(5), "stops")
    assert ended == ["ended"]


def test_incidents_differ(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError("x")
    assert new_incident(error) != new_incident(error)
    assert len(caplog.records) == 2
