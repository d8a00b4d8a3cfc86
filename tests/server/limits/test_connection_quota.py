from notahat.server.limits.connection_quota import ConnectionQuota, Slot, connection_limit


def test_quota_reserves_connections_for_members() -> None:
    quota = ConnectionQuota(1000)
    slots = [Slot(quota, f"192.0.2.{n}") for n in range(500)]
    for slot in slots:
        slot.acquire()
    assert not quota.allows("198.51.100.1", is_member=False)
    assert quota.allows("198.51.100.1", is_member=True)
    slots[0].release()
    slots[0].release()
    assert quota.allows("198.51.100.1", is_member=False)


def test_large_quota_leaves_most_connections_to_strangers() -> None:
    quota = ConnectionQuota(20_000)
    for n in range(15_000):
        quota.acquire(f"2001:db8::{n % 5000:x}")
    assert quota.allows("198.51.100.1", is_member=False)
    assert quota.http_limit == 2048


def test_one_address_cannot_use_the_whole_quota() -> None:
    quota = ConnectionQuota(1000)
    for _ in range(500):
        quota.acquire("192.0.2.1")
    assert not quota.allows("192.0.2.1", is_member=True)
    assert quota.allows("192.0.2.2", is_member=True)


def test_connection_limit_is_at_least_64() -> None:
    assert connection_limit() >= 64
