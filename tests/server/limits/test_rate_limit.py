from notahat.live.frame_gate import StrikeCounter
from notahat.server.limits import rate_limit
from notahat.server.limits.rate_limit import RateLimit
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


def test_rate_limit_drops_oldest_keys() -> None:
    limit = RateLimit(burst=1, per_second=0, clock=ManualClock())
    for key in range(rate_limit.MAX_KEYS + 1):
        limit.allows(key)
    assert limit.allows(0)
    assert not limit.allows(rate_limit.MAX_KEYS)


def test_flood_exceeds_strikes_on_any_machine() -> None:
    clock = ManualClock()
    buckets = RateLimit(60, 15, clock).bucket("guest"), RateLimit(2000, 500, clock).bucket("address")
    strikes = StrikeCounter(*buckets, max_strikes=300)
    frames = 0
    while not strikes.exceeded:
        clock.now += 0.01  # every seventh frame is within the limits
        strikes.allows()
        frames += 1
    assert 300 < frames < 600


def test_strikes_do_not_add_up_slightly_over_the_limit() -> None:
    clock = ManualClock()
    strikes = StrikeCounter(RateLimit(60, 15, clock).bucket("guest"), max_strikes=300)
    refused = 0
    for _ in range(10_000):
        clock.now += 0.04
        refused += not strikes.allows()
    assert refused > 3000
    assert not strikes.exceeded
