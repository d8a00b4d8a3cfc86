"""Deduplication: the same command id is carried out once and gets the same answer again."""

from array import array
from collections import OrderedDict

from notahat.table.commands import Rejection

WINDOW = 64  # commands of each guest: more than a guest may have pending
DEDUP_ENTRIES = 1000  # so many entries before a snapshot are read to find a window again


class Deduplicator:
    """The most recent commands of each guest. Those carried out are kept as hashes of their keys, to save memory."""

    def __init__(self) -> None:
        self._done: dict[str, array[int]] = {}
        self._refused: OrderedDict[str, Rejection] = OrderedDict()

    def is_done(self, key: str) -> bool:
        hashes = self._done.get(key.partition(":")[0])
        return hashes is not None and hash(key) in hashes

    def rejection(self, key: str) -> Rejection | None:
        return self._refused.get(key)

    def add_done(self, key: str) -> None:
        guest, _, id_ = key.partition(":")
        if not id_:
            return
        hashes = self._done.get(guest)
        if hashes is None:
            hashes = self._done[guest] = array("q")
        elif len(hashes) >= WINDOW:
            del hashes[0]
        hashes.append(hash(key))

    def add_refused(self, key: str, rejection: Rejection) -> None:
        self._refused[key] = rejection
        if len(self._refused) > WINDOW:
            self._refused.popitem(last=False)
