"""How many connections there is room for, and that people at a table always have some of it."""

from collections import Counter

KEPT_FOR_OURSELVES = 64  # files, the store, and what listens
WITHOUT_A_LIMIT = 100_000
MOST_KEPT_FREE = 2048


def room_for_connections() -> int:
    """How many connections this process may have, after asking the system for as many as it gives."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return WITHOUT_A_LIMIT
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (ValueError, OSError):  # some systems promise more than they give
            pass
    most = WITHOUT_A_LIMIT if soft == resource.RLIM_INFINITY else min(soft, WITHOUT_A_LIMIT)
    return max(KEPT_FOR_OURSELVES, most - KEPT_FOR_OURSELVES)


class Crowd:
    """Everybody with a socket. Of all room a quarter is for callers, and a quarter only for people at their own table,
    or as much as is enough for anyone; no address has more than half.
    """

    def __init__(self, room: int) -> None:
        kept_free = min(room // 4, MOST_KEPT_FREE)
        self.callers = kept_free
        self._own_table = room - kept_free
        self._strangers = room - 2 * kept_free
        self._of_one = room // 2
        self._here: Counter[str] = Counter()
        self._all = 0

    def has_room(self, address: str, at_home: bool) -> bool:
        most = self._own_table if at_home else self._strangers
        return self._all < most and self._here[address] < self._of_one

    def place(self, address: str) -> "Place":
        return Place(self, address)

    def came(self, address: str) -> None:
        self._here[address] += 1
        self._all += 1

    def went(self, address: str) -> None:
        self._all -= 1
        self._here[address] -= 1
        if self._here[address] <= 0:
            del self._here[address]


class Place:
    """Somebody's place in the crowd, from when their socket opens until it is gone."""

    __slots__ = ("_address", "_crowd", "_taken")

    def __init__(self, crowd: Crowd, address: str) -> None:
        self._crowd = crowd
        self._address = address
        self._taken = False

    def take(self) -> None:
        self._taken = True
        self._crowd.came(self._address)

    def leave(self) -> None:
        if self._taken:
            self._taken = False
            self._crowd.went(self._address)
