"""The Python client: how it reconnects."""

from collections.abc import Iterator

from notahat.clients.python import FIRST_BACKOFF, LONGEST_BACKOFF, STABLE_SECONDS, ReconnectBackoff


def _delays(backoff: ReconnectBackoff, now: float = 0.0) -> Iterator[float]:
    while True:
        yield backoff.next_delay(now)


def test_backoff_doubles_up_to_a_limit() -> None:
    delays = _delays(ReconnectBackoff())
    for number in range(10):
        longest = min(FIRST_BACKOFF * 2**number, LONGEST_BACKOFF)
        assert longest / 2 <= next(delays) <= longest


def test_backoff_restarts_after_an_answer_or_a_stable_time() -> None:
    backoff = ReconnectBackoff()
    for acknowledged, lasted, restarts in ((True, 0.0, True), (False, STABLE_SECONDS, True), (False, 1.0, False)):
        for _ in range(4):
            backoff.next_delay(0.0)
        backoff.on_state(100.0, acknowledged)
        backoff.on_state(100.5, False)
        assert (backoff.next_delay(100.0 + lasted) <= FIRST_BACKOFF) == restarts
