"""Which orders were answered already, so that the same id gets the same answer again."""

from array import array
from collections import OrderedDict

from notahat.table.permissions import Objection

MOST_DONE = 64  # of each guest: more than anybody may have waiting for an answer
MOST_REFUSED = 64


class Answers:
    """The last orders of everybody: those that were carried out by the hash of their key, in a few bytes each."""

    def __init__(self) -> None:
        self._done: dict[str, array[int]] = {}
        self._refused: OrderedDict[str, Objection] = OrderedDict()

    def done(self, key: str) -> bool:
        kept = self._done.get(key.partition(":")[0])
        return kept is not None and hash(key) in kept

    def refused(self, key: str) -> Objection | None:
        return self._refused.get(key)

    def remember(self, key: str) -> None:
        by, _, id_ = key.partition(":")
        if not id_:
            return
        kept = self._done.get(by)
        if kept is None:
            kept = self._done[by] = array("q")
        elif len(kept) >= MOST_DONE:
            del kept[0]
        kept.append(hash(key))

    def refuse(self, key: str, objection: Objection) -> None:
        self._refused[key] = objection
        if len(self._refused) > MOST_REFUSED:
            self._refused.popitem(last=False)
