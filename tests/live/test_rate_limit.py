from notahat.live.limits import FrameGate, RateLimit
from support.raw_table import ManualClock


def test_rate_limit_allows_burst_then_rate_per_key() -> None:
    clock = ManualClock()
    limit = RateLimit(burst=3, per_second=2, clock=clock)
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]
    assert limit.allows("b")
    clock.now += 1.0
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    clock.now += 1000.0
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]


def test_strikes_do_not_add_up_slightly_over_the_limit() -> None:
    clock = ManualClock()
    strikes = FrameGate(RateLimit(60, 15, clock).bucket("guest"), max_strikes=300)
    refused = 0
    for _ in range(10_000):
        clock.now += 0.04
        refused += not strikes.allows()
    assert refused > 3000
    assert not strikes.exceeded
