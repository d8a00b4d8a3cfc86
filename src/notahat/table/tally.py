"""The tally of an evening: how many matches each player has won at this table."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct, structs

from notahat.rules.round import lowest
from notahat.table.table import Standing, Table


class Tally(Struct, frozen=True):
    """A player's results at this table so far: matches played to the end, and those won."""

    name: str
    wins: int
    games: int


def tally(table: Table) -> tuple[Tally, ...]:
    """Return the public results, including a match that has just ended; best first."""
    standings = count_match(table) if table.stage == "over" else table.standings
    tallies = (Tally(standing.name, standing.wins, standing.games) for standing in standings)
    return tuple(sorted(tallies, key=lambda tally: -tally.wins))


def count_match(table: Table) -> tuple[Standing, ...]:
    """Return the standings including the current match. A match without a finished round does not count."""
    match = table.match
    if match is None or not match.finished:
        return table.standings
    winners = lowest(match.totals)
    standings = list(table.standings)
    for number, seat in enumerate(table.seats):
        index = _index(standings, seat.guest, seat.name)
        before = standings[index] if index < len(standings) else Standing(seat.name, seat.guest)
        after = structs.replace(before, wins=before.wins + (number in winners), games=before.games + 1)
        standings[index : index + 1] = [after]
    return tuple(standings)


def rename_standing(table: Table, number: int, name: str) -> tuple[Standing, ...]:
    """Return the standings with a new name for the player on a seat."""
    seat = table.seats[number]
    index = _index(table.standings, seat.guest, seat.name)
    return tuple(
        structs.replace(standing, name=name) if n == index else standing for n, standing in enumerate(table.standings)
    )


def _index(standings: Sequence[Standing], guest: UUID | None, name: str) -> int:
    """Return a player's index, or the next free one. The name counts because several people may share a device."""
    found = (n for n, standing in enumerate(standings) if (standing.guest, standing.name) == (guest, name))
    return next(found, len(standings))
