"""Deduplication: the same command id is carried out once and gets the same answer again."""

import re
from array import array
from collections import OrderedDict

from notahat.table.commands import Rejection

WINDOW = 64  # commands of each guest: more than a guest may have pending
DEDUP_ENTRIES = 1000  # so many entries before a snapshot are read to find a window again
_SEEN = re.compile(r"v(\d{1,15})\.")


class Deduplicator:
    """The most recent commands of each guest. Those carried out are kept as hashes of their keys, to save memory."""

    def __init__(self) -> None:
        self._first = 0  # the first version whose command was added
        self._done: dict[str, array[int]] = {}  # by guest: hashes and versions in turn
        self._refused: OrderedDict[str, Rejection] = OrderedDict()

    def is_done(self, key: str) -> bool:
        hashes = self._done.get(key.partition(":")[0])
        return hashes is not None and hash(key) in hashes

    def may_be_forgotten(self, key: str) -> bool:
        """Return whether `v812.x`, of a guest who had seen version 812, may have been done before the window."""
        guest, _, id_ = key.partition(":")
        seen = _SEEN.match(id_)
        done = self._done.get(guest)
        first = self._first if done is None or len(done) < 2 * WINDOW else done[1]
        return seen is not None and int(seen[1]) + 1 < first

    def rejection(self, key: str) -> Rejection | None:
        return self._refused.get(key)

    def add_done(self, key: str, version: int) -> None:
        self._first = self._first or version
        guest, _, id_ = key.partition(":")
        if not id_:
            return
        done = self._done.get(guest)
        if done is None:
            done = self._done[guest] = array("q")
        elif len(done) >= 2 * WINDOW:
            del done[:2]
        done.extend((hash(key), version))

    def add_refused(self, key: str, rejection: Rejection) -> None:
        self._refused[key] = rejection
        if len(self._refused) > WINDOW:
            self._refused.popitem(last=False)
