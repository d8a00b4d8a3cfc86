"""An evening's tally: who won how often at this table. It stays until the table is forgotten."""

from uuid import UUID

from msgspec import Struct, structs

from notahat.rules.round import lowest
from notahat.table.table import Standing, Table


class Tally(Struct, frozen=True):
    """How somebody has done at this table so far: matches they played to the end, and those they won."""

    name: str
    wins: int
    games: int


def tally(table: Table) -> tuple[Tally, ...]:
    """For all eyes, with the match that has just ended; best first."""
    standings = counted(table) if table.stage == "over" else table.standings
    told = (Tally(standing.name, standing.wins, standing.games) for standing in standings)
    return tuple(sorted(told, key=lambda told: -told.wins))


def counted(table: Table) -> tuple[Standing, ...]:
    """The standings with the match that lies on the table. A match without a finished round counts for nobody."""
    match = table.match
    if match is None or not match.finished:
        return table.standings
    won = lowest(match.totals)
    standings = list(table.standings)
    for number, seat in enumerate(table.seats):
        place = _place(standings, seat.guest, seat.name)
        before = standings[place] if place < len(standings) else Standing(seat.name, seat.guest)
        standings[place : place + 1] = [
            structs.replace(before, wins=before.wins + (number in won), games=before.games + 1)
        ]
    return tuple(standings)


def renamed(table: Table, number: int, name: str) -> tuple[Standing, ...]:
    """The same person under another name."""
    seat = table.seats[number]
    place = _place(list(table.standings), seat.guest, seat.name)
    return tuple(
        structs.replace(standing, name=name) if n == place else standing for n, standing in enumerate(table.standings)
    )


def _place(standings: list[Standing], guest: UUID | None, name: str) -> int:
    """Where somebody stands; behind all others if they are new. Several people may share a device, so a name counts."""
    found = (n for n, standing in enumerate(standings) if (standing.guest, standing.name) == (guest, name))
    return next(found, len(standings))
