"""The newest version and the recent command ids of tables that this process wrote to.

With it an append needs one look-up in memory and one insertion: the log needs no index of command ids and no row for
the newest version. On a cache miss the newest rows of the log decide.
"""

from msgspec import Struct

from notahat.store.store import Commit

DEDUP_COMMITS = 128  # a repeated command id is recognised among so many commits
MAX_TABLES = 20_000
FINGERPRINT_BYTES = 8


class CachedVersion(Struct):
    """A table's newest version, and the fingerprints of its last commands."""

    version: int
    fingerprints: bytearray

    def advance(self, commit: Commit) -> None:
        self.version = commit.version
        self.fingerprints += fingerprint(commit.command)
        if len(self.fingerprints) > DEDUP_COMMITS * FINGERPRINT_BYTES:
            del self.fingerprints[:FINGERPRINT_BYTES]


class VersionCache:
    """Cached versions by the table's number."""

    def __init__(self) -> None:
        self._tables: dict[int, CachedVersion] = {}

    def is_next(self, commit: Commit) -> bool:
        """Return whether this is a new command at the next version. False means unknown: ask the log."""
        cached = self._tables.get(commit.table.int)
        if cached is None:
            return commit.version == 1  # the insertion fails if the table exists
        return cached.version == commit.version - 1 and fingerprint(commit.command) not in cached.fingerprints

    def advance(self, commit: Commit) -> None:
        """Record a commit that was written."""
        cached = self._tables.get(commit.table.int)
        if cached is not None and cached.version == commit.version - 1:
            cached.advance(commit)
        elif commit.version == 1:
            self.put(commit, CachedVersion(1, bytearray(fingerprint(commit.command))))
        else:
            self.discard(commit)

    def put(self, commit: Commit, cached: CachedVersion) -> None:
        """Record what the log said about a commit's table."""
        if len(self._tables) >= MAX_TABLES:
            self._tables.clear()
        self._tables[commit.table.int] = cached

    def discard(self, commit: Commit) -> None:
        self._tables.pop(commit.table.int, None)


def fingerprint(command: str) -> bytes:
    """Return eight bytes for a command id. Two ids may share them: then the log decides."""
    return hash(command).to_bytes(FINGERPRINT_BYTES, "big", signed=True)
