"""Votes of bystanders on the current claim: nothing that the room sends depends on them until the gift is revealed."""

from uuid import UUID

from notahat.rules import Refused
from notahat.table import Step, Table
from notahat.table.commands import CountVotes
from notahat.table.events import Crowd

Claim = tuple[int, int]  # round and turn


class Votes:
    """The votes on one claim, one per guest."""

    def __init__(self) -> None:
        self._claim: Claim | None = None
        self.believes: dict[UUID, bool] = {}
        self.last_voter = ""  # tells nodes apart: each guest votes at one of them

    def cast(self, table: Table, guest: UUID, believe: bool) -> None:
        """Keep the last vote of a guest on the current claim."""
        if (claim := _claim(table)) != self._claim:
            self._claim = claim
            self.believes.clear()
        self.believes[guest] = believe
        self.last_voter = guest.hex

    def count(self, table: Table) -> Crowd | None:
        """Return the votes on the current claim, if there are any."""
        if not self.believes or _claim(table) != self._claim:
            return None
        believed = sum(self.believes.values())
        return Crowd(believed, len(self.believes) - believed)

    def count_after(self, entry: tuple[Step, ...]) -> CountVotes | None:
        """Return the command that adds these votes to a refusal which another node wrote."""
        votes, after = self.count(entry[0].before), entry[-1].after
        if votes is None or after.round is None:
            return None
        is_refusal = any(isinstance(event, Refused) for step in entry for event in step.rule_events)
        return CountVotes(after.round.turn, votes) if is_refusal else None


def _claim(table: Table) -> Claim | None:
    return None if table.round is None else (table.dealt, table.round.turn)
