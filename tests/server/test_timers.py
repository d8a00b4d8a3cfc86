"""One timer for all rooms: each key fires once, and a failing one stops no other."""

import asyncio
import logging

import pytest

from notahat.server.timers import Timers
from simulation.loop import VirtualLoop


def fired(times: dict[str, float], failing: str = "") -> list[tuple[str, float]]:
    """Set the times and return what fires when; the key `failing` raises."""
    loop = VirtualLoop("timers")
    seen: list[tuple[str, float]] = []

    def fire(key: str, now: float) -> None:
        if key == failing:
            raise ArithmeticError
        seen.append((key, round(now, 3)))

    async def main() -> None:
        timers = Timers[str](loop.time, fire)
        for key, at in times.items():
            timers.set(key, at)
        await asyncio.sleep(100)

    with loop.patched():
        loop.run(main())
    return seen


def test_keys_fire_in_order_of_their_times() -> None:
    assert fired({"late": 3.0, "early": 1.0, "middle": 2.0}) == [("early", 1.0), ("middle", 2.0), ("late", 3.0)]


def test_failing_key_does_not_stop_others(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    times = {"failing": 1.0, "same time": 1.0, "later": 2.0}
    assert fired(times, "failing") == [("same time", 1.0), ("later", 2.0)]
    assert [record.getMessage() for record in caplog.records] == ["a timer failed"]
