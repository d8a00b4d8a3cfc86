"""Events become state. This never refuses an event: the log is history. A step is one event between two states."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Literal, TypeVar, assert_never
from uuid import UUID

from msgspec import Struct, structs

from notahat import rules
from notahat.rules import Accept, Give, Refuse, agree, deal_round, drop, join, play_match
from notahat.table import events as log
from notahat.table.events import Crowd, Entry, Event, Played
from notahat.table.people import faces_taken, free_face, unique_name
from notahat.table.table import (
    MOST_ADMITTED,
    MOST_SEATS,
    STAND_IN_LEVEL,
    Asked,
    Knocking,
    Seat,
    Table,
    count_match,
    rename_standing,
)

_T = TypeVar("_T")


class Step(Struct, frozen=True):
    """One event between two states. `rule_events` are the rules' events of a move: all that computer players see."""

    before: Table
    event: Event
    after: Table
    rule_events: tuple[rules.Event, ...] = ()


def steps(table: Table | None, entry: Entry) -> tuple[Step, ...]:
    """Return the steps of an entry. Only the last one increases the version, as an entry is one version."""
    made: list[Step] = []
    for event in entry.events:
        after, rule_events = evolve_with_rules(table, event, entry.at)
        if event is entry.events[-1]:
            after = structs.replace(after, at=entry.at, version=after.version + 1)
        made.append(Step(table or after, event, after, rule_events))
        table = after
    return tuple(made)


def fold(table: Table | None, entries: Iterable[Entry]) -> Table:
    """Return the state after more entries; without a state, after all entries of a log."""
    for entry in entries:
        table = steps(table, entry)[-1].after
    assert table is not None, "a log starts with the event Opened"
    return table


def evolve(table: Table | None, event: Event, at: float) -> Table:
    """Return the table after an event."""
    return evolve_with_rules(table, event, at)[0]


def evolve_with_rules(table: Table | None, event: Event, at: float) -> tuple[Table, tuple[rules.Event, ...]]:
    """Return the table after an event, and the rules' events if it was a move."""
    if not isinstance(event, log.Played):
        return _evolve(table, event, at), ()
    assert table is not None, "a log starts with the event Opened"
    match, rule_events = play_match(table.started_match, event.move)
    asked = asked_after(table, event) if table.probe else ()
    table = _count_stalls(table, event)
    return structs.replace(table, match=match, ready=(), since=at, nudges=0, crowd=None, asked=asked), rule_events


def _count_stalls(table: Table, event: log.Played) -> Table:
    """A move because the time was up counts, and an own move ends the count."""
    number, stalls = event.move.seat, table.seats[event.move.seat].stalls
    if event.by == "time":
        return _change_seat(table, number, stalls=stalls + 1)
    return _change_seat(table, number, stalls=0) if stalls and event.by == "person" else table


def _evolve(table: Table | None, event: Event, at: float) -> Table:  # noqa: C901 - one line for each event
    if isinstance(event, log.Opened):
        screen = event.host if event.screen else None
        table = Table(event.code, event.host, event.options, screen=screen, since=at, at=at)
        return structs.replace(table, day=event.day, study=event.study, probe=event.probe)
    assert table is not None, "a log starts with the event Opened"
    match event:
        case log.Sat(guest=guest, name=name):
            seat = Seat(name, guest=guest, face=_face(table, event), program=event.program)
            return structs.replace(_welcome(table, guest), seats=(*table.seats, seat))
        case log.BotSat(name=name, level=level, character=character, dials=dials, surprise=surprise):
            seat = Seat(name, level=level, character=character, dials=dials, surprise=surprise)
            return structs.replace(table, seats=(*table.seats, seat))
        case log.Queued(guest=guest, name=name):
            seat = Seat(name, guest=guest, face=_face(table, event), program=event.program)
            return structs.replace(_welcome(table, guest), waiting={**table.waiting, guest: seat})
        case log.Unqueued(guest=guest):
            table = structs.replace(table, waiting=_without(table.waiting, guest))
            return _drop_unused_agreement(table, guest)
        case log.Renamed(seat=number, name=name):
            standings = rename_standing(table, number, name)
            return structs.replace(_change_seat(table, number, name=name), standings=standings)
        case log.FaceSet(seat=number, face=face):
            return _change_seat(table, number, face=face)
        case log.Left(seat=number) | log.LeftOut(seat=number):
            return _drop_unused_agreement(_vacate(table, number), table.seats[number].guest)
        case log.Removed(seat=number):
            removed = table.seats[number]
            if removed.guest is None:
                return _vacate(table, number)
            for held in reversed([n for n, seat in enumerate(table.seats) if seat.guest == removed.guest]):
                table = _vacate(table, held)
            return _ban(table, removed.guest, removed.name)
        case log.TurnedAway(guest=guest):
            name = table.waiting[guest].name
            return _ban(structs.replace(table, waiting=_without(table.waiting, guest)), guest, name)
        case log.LetBack(guest=guest):
            return structs.replace(table, removed=_without(table.removed, guest))
        case log.Knocked(guest=guest, name=name):
            knocks = {**table.knocks, guest: Knocking(name, at)}
            return structs.replace(table, knocks=knocks, knocks_heard=table.knocks_heard + 1)
        case log.KnockAnswered():
            table = structs.replace(table, knocks=_without(table.knocks, event.guest))
            if event.admitted:
                return structs.replace(table, admitted=(*table.admitted, event.guest)[-MOST_ADMITTED:])
            declined = (event.guest,) if event.admitted is False else ()
            return structs.replace(table, declined=(*table.declined, *declined))
        case log.SeatsOrdered(order=order):
            return _reorder_seats(table, order)
        case log.OptionsSet(options=options):
            return structs.replace(table, options=options)
        case log.DeckPut(deck=deck):
            if deck is not None:  # the log keeps the pictures, and no decision needs them
                own = tuple(structs.replace(gift, picture=b"") for gift in deck.own)
                table, deck = structs.replace(table, decks=table.decks + 1), structs.replace(deck, own=own)
            return structs.replace(table, deck=deck, deck_version=table.version + 1)
        case log.HandedOver(guest=guest):
            return structs.replace(table, owner=guest, deputy=None)
        case log.HostPassed(guest=guest):
            return structs.replace(table, deputy=guest)
        case log.HostReturned():
            return structs.replace(table, deputy=None)
        case log.LockTurned(locked=locked):
            return structs.replace(table, locked=locked)
        case log.Started(gifts_each=gifts_each, rounds=rounds, starter=starter):
            agreed = agree(len(table.seats), gifts_each, rounds, starter)
            return structs.replace(table, match=agreed, ended=False, paused=False)
        case log.Dealt():
            return _deal(table, event, at)
        case log.DealtIn():
            joined = tuple(seat for guest, seat in table.waiting.items() if guest in event.guests)
            waiting = {guest: seat for guest, seat in table.waiting.items() if guest not in event.guests}
            match = join(table.started_match, len(joined), event.gifts_each)  # after the last seat (8.3)
            return structs.replace(table, seats=(*table.seats, *joined), waiting=waiting, match=match)
        case log.DealtOut():
            match = drop(table.started_match, event.seat, event.gifts_each)
            rest = tuple(n for n in range(len(table.seats)) if n != event.seat)
            return structs.replace(_reorder_seats(table, rest), match=match, ready=())
        case log.Played():
            raise AssertionError("moves are played by evolve_with_rules")
        case log.Paused():
            return structs.replace(table, paused=True)
        case log.Resumed():
            return structs.replace(table, paused=False, since=at)
        case log.SatIn(seat=number, level=level, idle=idle):
            stalls = table.seats[number].stalls if idle else 0
            return _change_seat(table, number, stand_in=True, level=level, stalls=stalls)
        case log.TookBack(seat=number):
            table = structs.replace(table, since=at)
            return _change_seat(table, number, stand_in=False, gone=False, level=None, stalls=0)
        case log.WasReady(seat=number):
            return structs.replace(table, ready=(*table.ready, number), stands=_is_round_over(table))
        case log.MatchEnded():
            return structs.replace(table, ended=True, paused=False, ready=())
        case log.Emoted(seat=number):
            return _change_seat(table, number, emotes=table.seats[number].emotes + 1)
        case log.Applauded():
            return structs.replace(table, applause=table.applause + 1)
        case log.MovedFor():
            return table
        case log.Helped(seat=number):
            return _change_seat(table, number, stalls=table.seats[number].stalls + 1)
        case log.Nudged():
            return structs.replace(table, nudges=table.nudges + 1)
        case log.CrowdVoted(believed=believed, doubted=doubted):
            counted = table.crowd or Crowd(0, 0)
            return structs.replace(table, crowd=Crowd(counted.believed + believed, counted.doubted + doubted))
        case log.WantedAgain(seat=number):
            return structs.replace(table, again=(*table.again, number), stands=_is_round_over(table))
        case log.WentAgain():
            return _return_to_lobby(table)
        case log.Agreed(guest=guest):
            return structs.replace(table, agreed={**table.agreed, guest: table.dealt})
        case log.Withdrew(guest=guest):
            return structs.replace(table, agreed=_without(table.agreed, guest))
        case log.Probed(turn=turn):
            return structs.replace(table, asked=tuple(one for one in table.asked if one.turn != turn))
        case _:
            assert_never(event)


def _face(table: Table, event: log.Sat | log.Queued) -> str:
    return free_face(event.face, event.name, faces_taken(table))


def _is_round_over(table: Table) -> bool:
    return table.round is not None and table.round.over


def _change_seat(table: Table, number: int, **changes: object) -> Table:
    seat = structs.replace(table.seats[number], **changes)
    return structs.replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _without(people: Mapping[UUID, _T], guest: UUID) -> Mapping[UUID, _T]:
    return {other: value for other, value in people.items() if other != guest}


def _vacate(table: Table, number: int) -> Table:
    """Remove a seat in the lobby; during a match, keep it and let a stand-in play unless the table is spoken."""
    if table.stage == "lobby":
        return _reorder_seats(table, tuple(n for n in range(len(table.seats)) if n != number))
    stand_in = not table.spoken
    level = STAND_IN_LEVEL if stand_in else None
    ready, again = (tuple(n for n in seats if n != number) for seats in (table.ready, table.again))
    table = structs.replace(table, ready=ready, again=again)
    return _change_seat(table, number, gone=True, stand_in=stand_in, level=level)


def _ban(table: Table, guest: UUID, name: str) -> Table:
    deputy = None if table.deputy == guest else table.deputy
    removed = {**table.removed, guest: unique_name(name, tuple(table.removed.values()))}
    agreed = _without(table.agreed, guest)  # a banned guest could not withdraw it
    return structs.replace(table, removed=removed, deputy=deputy, agreed=agreed)


def _welcome(table: Table, guest: UUID) -> Table:
    """End the knock of a guest who gets a seat, and an agreement: another player on the same device has not agreed."""
    return structs.replace(table, knocks=_without(table.knocks, guest), agreed=_without(table.agreed, guest))


def _drop_unused_agreement(table: Table, guest: UUID | None) -> Table:
    """Forget the agreement of a guest who left before a round was dealt, so that a lobby does not collect them."""
    if guest is None or table.agreed.get(guest) != table.dealt or table.seats_of(guest):
        return table
    return structs.replace(table, agreed=_without(table.agreed, guest))


def _reorder_seats(table: Table, order: tuple[int, ...]) -> Table:
    """Reorder or drop seats. A named starter is a player, not a position, so it moves along."""
    starter = table.options.starter
    moved: int | str = "random"
    if isinstance(starter, int) and starter in order:
        moved = order.index(starter)
    options = structs.replace(table.options, starter=moved)
    return structs.replace(table, seats=tuple(table.seats[n] for n in order), options=options)


def _deal(table: Table, event: log.Dealt, at: float) -> Table:
    match = deal_round(table.started_match, event.cards)
    if any(seat.emotes for seat in table.seats):
        table = structs.replace(table, seats=tuple(structs.replace(seat, emotes=0) for seat in table.seats))
    return structs.replace(
        table,
        applause=0,
        match=match,
        dealt=table.dealt + 1,
        seeds=event.seeds,
        ready=(),
        stands=False,
        paused=False,
        since=at,
        crowd=None,
        asked=(),
        knocks_heard=0,
        declined=(),
    )


def _return_to_lobby(table: Table) -> Table:
    """Drop the seats of people who left, seat the waiting guests, and end stand-ins and knocks."""
    stayed = tuple(n for n, seat in enumerate(table.seats) if not seat.gone)
    table = structs.replace(table, standings=count_match(table))
    table = structs.replace(table, match=None, ended=False, paused=False, ready=(), stands=False, again=(), crowd=None)
    table = _reorder_seats(table, stayed)
    seats = tuple(
        structs.replace(seat, stand_in=False, level=None) if seat.guest is not None else seat for seat in table.seats
    )
    return structs.replace(table, seats=(*seats, *table.waiting.values())[:MOST_SEATS], waiting={}, knocks={})


_DIGEST_BYTES = 4
_DIGESTS = 1 << 8 * _DIGEST_BYTES


def asked_after(table: Table, event: Played) -> tuple[Asked, ...]:
    """Return the open questions after a move at this table."""
    move = event.move
    if isinstance(move, Refuse):
        return ()
    if not isinstance(move, Give | Accept) or table.round is None:
        return table.asked
    about: Literal["give", "answer"] = "give" if isinstance(move, Give) else "answer"
    kept = tuple(one for one in table.asked if one.seat != move.seat or about == "give")
    if event.by != "person" or any(one.seat == move.seat for one in kept) or not _is_due(table, move.seat):
        return kept
    return (*kept, Asked(move.seat, table.round.turn, about))


def _is_due(table: Table, number: int) -> bool:
    """Whether a person who agreed to this round and shares no device is asked now; what others agreed to is private."""
    seat, round_ = table.seats[number], table.round
    if round_ is None or table.spoken or seat.guest is None or table.agreed.get(seat.guest, table.dealt) >= table.dealt:
        return False
    if seat.kind != "person" or len(table.seats_of(seat.guest)) != 1:
        return False
    digest = blake2b(f"{table.seeds[number]}/{round_.turn}".encode(), digest_size=_DIGEST_BYTES).digest()
    return int.from_bytes(digest, "big") < table.probe * _DIGESTS
