"""The timers of rooms: each key fires once, and a failing one stops no other; and checks of many items."""

import asyncio
from collections import Counter

from notahat.server.timers import SLICES, PeriodicCheck, Timers
from simulation.loop import VirtualLoop


async def fired() -> list[str]:
    """Set three timers, of which one fails and one is set again, and return what fires."""
    loop, over, fired = asyncio.get_running_loop(), asyncio.Event(), list[str]()

    def fire(key: str, _: float) -> None:
        fired.append(key)
        if key == "failing":
            raise ArithmeticError
        if key == "later":
            over.set()

    timers, now = Timers[str](loop.time, fire), loop.time()
    for key, seconds in {"failing": 0.001, "replaced": 60.0, "later": 0.02}.items():
        timers.set(key, now + seconds)
    timers.set("replaced", now + 0.01)
    await over.wait()
    return fired


def test_failing_key_does_not_stop_others() -> None:
    loop = VirtualLoop("timers")
    errors: list[object] = []
    loop.call_exception_handler = lambda context: errors.append(context["exception"])  # type: ignore[method-assign]
    assert loop.run(fired()) == ["failing", "replaced", "later"]
    assert [type(error) for error in errors] == [ArithmeticError]


async def checked(items: int) -> Counter[float]:
    """Check so many items until each was checked; return how many were checked at each time."""
    over, missing, at = asyncio.Event(), set(range(items)), Counter[float]()

    def check(item: int, now: float) -> None:
        at[now] += 1
        missing.discard(item)
        if not missing:
            over.set()

    checks = PeriodicCheck[int](0.02, check)
    for item in range(items):
        checks.add(item)
    await over.wait()
    return at


def test_periodic_check_is_spread() -> None:
    """Thousands of pings at one instant would be a pause for everyone."""
    loop = VirtualLoop("checks")
    with loop.patched():
        at = loop.run(checked(5 * SLICES))
    assert max(at.values()) == 6
