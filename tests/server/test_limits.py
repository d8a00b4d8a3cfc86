from notahat.server.limits import rate_limit
from notahat.server.limits.rate_limit import Limit, Patience


class Hand:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_and_then_so_many_a_second_for_each_by_itself() -> None:
    clock = Hand()
    limit = Limit(burst=3, per_second=2, clock=clock)
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]
    assert limit.allows("b")
    clock.now += 1.0
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    clock.now += 1000.0
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]


def test_a_limit_remembers_only_so_many() -> None:
    limit = Limit(burst=1, per_second=0, clock=Hand())
    for key in range(rate_limit.MOST_REMEMBERED + 1):
        limit.allows(key)
    assert limit.allows(0)
    assert not limit.allows(rate_limit.MOST_REMEMBERED)


def test_patience_ends_with_a_flood_however_slow_the_machine() -> None:
    clock = Hand()
    patience = Patience(Limit(60, 15, clock).of("guest"), Limit(2000, 500, clock).of("address"), most=300)
    sent = 0
    while not patience.over:
        clock.now += 0.01  # every seventh frame is within the limits
        patience.allows()
        sent += 1
    assert 300 < sent < 600


def test_patience_lasts_with_somebody_who_is_a_little_too_quick() -> None:
    clock = Hand()
    patience = Patience(Limit(60, 15, clock).of("guest"), most=300)
    refused = 0
    for _ in range(10_000):
        clock.now += 0.04
        refused += not patience.allows()
    assert refused > 3000
    assert not patience.over
