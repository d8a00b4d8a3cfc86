"""What this process knows of tables it wrote to: the newest version of each, and which commands led there.

It makes an append one look into memory and one insertion: the log needs no second tree for command ids, and no row
for the newest version. Whoever does not know for sure looks at the newest rows of the log.
"""

from msgspec import Struct

from notahat.store.store import Commit

RECENT = 128  # how many commits back a command that comes again is recognised
MOST_KNOWN = 20_000
MARK_BYTES = 8


class Head(Struct):
    """A table's newest version, and a mark for each of its last commands."""

    version: int
    marks: bytearray

    def follow(self, commit: Commit) -> None:
        self.version = commit.version
        self.marks += mark(commit.command)
        if len(self.marks) > RECENT * MARK_BYTES:
            del self.marks[:MARK_BYTES]


class Heads:
    """The heads of tables, by the table's number."""

    def __init__(self) -> None:
        self._known: dict[int, Head] = {}

    def expect(self, wanted: Commit) -> bool:
        """Whether this commit is the next one, and new. False is not no: it only has to be looked up."""
        head = self._known.get(wanted.table.int)
        if head is None:
            return wanted.version == 1  # where there is nothing yet, nothing can have come before
        return head.version == wanted.version - 1 and mark(wanted.command) not in head.marks

    def follow(self, commit: Commit) -> None:
        """Note a commit that was written."""
        head = self._known.get(commit.table.int)
        if head is not None and head.version == commit.version - 1:
            head.follow(commit)
        elif commit.version == 1:
            self.learn(commit, Head(1, bytearray(mark(commit.command))))
        else:
            self.forget(commit)

    def learn(self, commit: Commit, head: Head) -> None:
        """Note how a commit's table was found in the log."""
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[commit.table.int] = head

    def forget(self, commit: Commit) -> None:
        self._known.pop(commit.table.int, None)


def mark(command: str) -> bytes:
    """Eight bytes that stand for a command. Two may share one: then the log is asked, and knows better."""
    return hash(command).to_bytes(MARK_BYTES, "big", signed=True)
