"""Commands about one's own seat, and about who sits at the table."""

from collections.abc import Iterable
from uuid import UUID

from notahat.rules import Illegal, Reason
from notahat.table import events as log
from notahat.table.commands.command import (
    FULL,
    NO_BOTS,
    NOT_HOST,
    OF_THE_DAY,
    ArrangingCommand,
    Context,
    GuestCommand,
    May,
    OtherSeatCommand,
    OwnSeatCommand,
    Rejection,
    SystemCommand,
    offer,
    offer_for_seats,
)
from notahat.table.events import Events
from notahat.table.options import TableReason
from notahat.table.people import clean_name, faces_taken, free_face, known_face, unique_name
from notahat.table.table import MOST_SEATS, MOST_SEATS_PER_GUEST

_LOCKED = Rejection(TableReason.TABLE_LOCKED, "the host has locked the table")
_ONE_SEAT = Rejection(TableReason.MATCH_RUNNING, "you can take another seat after the match")
_HOST_STAYS = Rejection(TableReason.NOT_A_PERSON, "the host can leave, but not be removed")
_NOT_THE_OWNER = Rejection(TableReason.NOT_HOST, "a deputy cannot remove the host")
_DEVICE_FULL = Rejection(
    TableReason.TABLE_FULL, f"a device other than the host's has at most {MOST_SEATS_PER_GUEST} seats"
)


def seat_rejection(ctx: Context) -> Rejection | None:
    """Return why this guest gets no new seat."""
    table, taken = ctx.table, len(ctx.table.seats) + len(ctx.table.waiting)
    if table.day is not None and any(seat.guest is not None for seat in table.seats):
        return OF_THE_DAY
    if table.locked and not ctx.is_host and not ctx.held:
        return _LOCKED
    if taken >= MOST_SEATS:
        return FULL
    if len(ctx.held) >= MOST_SEATS_PER_GUEST and not ctx.is_host:
        return _DEVICE_FULL
    if ctx.stage == "lobby":  # the deck can still be changed
        return None
    return _ONE_SEAT if ctx.held or ctx.guest in table.waiting else ctx.enough_cards(taken + 1)


class Sit(GuestCommand, frozen=True):
    """Take a seat: a new one, one left before, or one from the next round on. With `program` no person plays."""

    name: str
    face: str | None = None
    program: bool = False

    def rejection(self, ctx: Context) -> Rejection | None:
        if ctx.table.vacated_by(ctx.guest):
            return None
        clean_name(self.name)
        return seat_rejection(ctx)

    def events(self, ctx: Context) -> Events:
        table = ctx.table
        if left := table.vacated_by(ctx.guest):
            named = tuple(seat for seat in left if table.seats[seat].name == self.name)
            return tuple(log.TookBack(seat) for seat in named or left)
        name = unique_name(clean_name(self.name), table.names, ctx.name_keys)
        wanted = None if self.face is None else known_face(self.face)
        face = free_face(wanted, name, faces_taken(table))
        if ctx.stage != "lobby":
            return (log.Queued(ctx.guest, name, face, self.program),)
        sat = log.Sat(ctx.guest, name, face, self.program)
        becomes_host = table.owner == table.screen != ctx.guest
        return (sat, log.HandedOver(ctx.guest)) if becomes_host else (sat,)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        left = tuple(ctx.table.seats[seat].name for seat in ctx.table.vacated_by(ctx.guest))
        if left or seat_rejection(ctx) is None:
            yield May("sit", names=left or None)


class Rename(OwnSeatCommand, frozen=True):
    """Change the name of a seat."""

    name: str

    def events(self, ctx: Context) -> Events:
        seat = self.from_seat(ctx)
        others = [name for n, name in enumerate(ctx.table.names) if n != seat]
        return (log.Renamed(seat, unique_name(clean_name(self.name), others, ctx.name_keys)),)


class SetFace(OwnSeatCommand, frozen=True):
    """Change the face of a seat to one that is free."""

    face: str

    def events(self, ctx: Context) -> Events:
        face = known_face(self.face)
        number = self.from_seat(ctx)
        if ctx.table.seats[number].face == face:
            return ()
        if face in faces_taken(ctx.table):
            raise Illegal(TableReason.FACE_TAKEN, "another person at this table has that face")
        return (log.FaceSet(number, face),)


class Leave(OwnSeatCommand, frozen=True):
    """Give up a seat; without `seat`, all seats of this device."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return None if ctx.guest in ctx.table.waiting else ctx.own_seat(self.seat)

    def events(self, ctx: Context) -> Events:
        if ctx.guest in ctx.table.waiting:
            back = (log.HostReturned(),) if ctx.guest == ctx.table.deputy else ()
            return (log.Unqueued(ctx.guest), *back)
        left = ctx.held if self.seat is None else (self.seat,)
        events = tuple(log.Left(seat) for seat in reversed(left))
        if len(left) < len(ctx.held):
            return events
        return (*events, *_replace_host(ctx), *_end_abandoned_match(ctx))

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        yield from super().offers(ctx)
        if waiting := ctx.table.waiting.get(ctx.guest):
            yield May("leave", names=(waiting.name,))


def _replace_host(ctx: Context) -> Events:
    """Pass a leaving host's role to a player who is present, else to the big screen; a leaving deputy returns it."""
    table = ctx.table
    if ctx.guest == table.deputy:
        return (log.HostReturned(),)
    candidates = (table.seats[n].guest for n in table.present_players(ctx.present))
    new_host = next((guest for guest in candidates if guest != ctx.guest), table.screen)
    return (log.HandedOver(new_host),) if ctx.guest == table.owner and new_host is not None else ()


def _end_abandoned_match(ctx: Context) -> Events:
    """End a spoken match when its last person leaves, as no computer player can go on."""
    is_running = ctx.table.spoken and ctx.stage in ("play", "between")
    others_stay = any(seat.guest != ctx.guest and not seat.gone for seat in ctx.table.seats)
    return (log.MatchEnded(),) if is_running and not others_stay else ()


class AddBot(ArrangingCommand, frozen=True):
    """Add a computer player. `dials` (`memory`, `honesty`, `trust`, each 0 to 1) replace what its level and character
    say; with `surprise` they are drawn for each match, and shown when it is over.
    """

    level: str
    character: str | None = None
    name: str | None = None
    dials: dict[str, float] | None = None
    surprise: bool = False

    def rejection(self, ctx: Context) -> Rejection | None:
        if rejection := ctx.arranging():
            return rejection
        if ctx.table.spoken:
            return NO_BOTS
        return FULL if len(ctx.table.seats) >= MOST_SEATS else None

    def events(self, ctx: Context) -> Events:
        name = unique_name(clean_name(self.name or "Robot"), ctx.table.names, ctx.name_keys)
        surprise = ctx.seed() if self.surprise else None
        return (log.BotSat(name, self.level, self.character, self.dials, surprise),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return offer(ctx, cls(""))


class Remove(GuestCommand, frozen=True):
    """Ban a guest from this table, by a seat or the name of one who waits for a seat; or remove a computer player."""

    seat: int | None = None
    name: str | None = None

    def rejection(self, ctx: Context) -> Rejection | None:
        table = ctx.table
        if not ctx.is_host:
            return NOT_HOST
        if self.seat is None:
            return self._name_rejection(ctx)
        if rejection := ctx.existing_seat(self.seat):
            return rejection
        if table.day is not None:
            return OF_THE_DAY
        player = table.seats[self.seat]
        if player.guest == ctx.guest:
            return _HOST_STAYS
        if player.guest is not None and player.guest == table.owner:
            return _NOT_THE_OWNER
        if ctx.stage == "lobby":
            return None
        if player.guest is None or player.gone:
            return Rejection(TableReason.MATCH_RUNNING, "a computer player stays until the match is over")
        if table.spoken:
            return Rejection(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "no computer player can replace them")
        return None

    def _name_rejection(self, ctx: Context) -> Rejection | None:
        found = self._waiting(ctx)
        if found is None:
            return Rejection(Reason.NO_SUCH_SEAT, "no guest of that name waits for a seat")
        if found == ctx.guest:
            return _HOST_STAYS
        return _NOT_THE_OWNER if found == ctx.table.owner else None

    def _waiting(self, ctx: Context) -> UUID | None:
        return next((guest for guest, seat in ctx.table.waiting.items() if seat.name == self.name), None)

    def events(self, ctx: Context) -> Events:
        if self.seat is not None:
            return (log.Removed(self.seat),)
        found = self._waiting(ctx)
        return () if found is None else (log.TurnedAway(found),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        seats = tuple(seat for seat in range(len(ctx.table.seats)) if cls(seat).rejection(ctx) is None)
        names = tuple(one.name for one in ctx.table.waiting.values() if cls(name=one.name).rejection(ctx) is None)
        if seats or names:
            yield May("remove", seats=seats or None, names=names or None)


class LetIn(GuestCommand, frozen=True):
    """Lift the ban of a removed guest, by the name they had."""

    name: str

    def rejection(self, ctx: Context) -> Rejection | None:
        if not ctx.is_host:
            return NOT_HOST
        return None if ctx.table.removed else Rejection(TableReason.NOT_REMOVED, "no guest was removed")

    def events(self, ctx: Context) -> Events:
        for guest, name in ctx.table.removed.items():
            if name == self.name:
                return (log.LetBack(guest),)
        raise Illegal(TableReason.NOT_REMOVED, "no removed guest has that name")

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        if ctx.is_host and ctx.table.removed:
            yield May("let_in", names=tuple(ctx.table.removed.values()))


class MoveSeat(OtherSeatCommand, frozen=True):
    """Move a seat to another position; the others move up."""

    to: int

    def rejection(self, ctx: Context) -> Rejection | None:
        return ctx.arranging() or ctx.existing_seat(self.seat) or ctx.existing_seat(self.to)

    def events(self, ctx: Context) -> Events:
        order = [n for n in range(len(ctx.table.seats)) if n != self.seat]
        order.insert(self.to, self.seat)
        return (log.SeatsOrdered(tuple(order)),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return offer_for_seats(ctx, lambda seat: cls(seat, seat)) if len(ctx.table.seats) > 1 else ()


class ShuffleSeats(ArrangingCommand, frozen=True):
    """Put the seats into a random order."""

    def events(self, ctx: Context) -> Events:
        order = list(range(len(ctx.table.seats)))
        ctx.rng().shuffle(order)
        return (log.SeatsOrdered(tuple(order)),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return super().offers(ctx) if len(ctx.table.seats) > 1 else ()


class TakeBack(OwnSeatCommand, frozen=True):
    """Take the seat back from a stand-in."""

    def rejection(self, ctx: Context) -> Rejection | None:
        if rejection := ctx.own_seat(self.seat):
            return rejection
        played_for = ctx.table.seats[self.from_seat(ctx)].stand_in
        return None if played_for else Rejection(TableReason.NOT_AWAY, "no stand-in plays for you")

    def events(self, ctx: Context) -> Events:
        return (log.TookBack(self.from_seat(ctx)),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return (one for one in super().offers(ctx) if cls(seat=one.seat).rejection(ctx) is None)


class ComeBack(SystemCommand, frozen=True):
    """Return the seats of a guest who is present again from the stand-in."""

    guest: UUID

    def events(self, ctx: Context) -> Events:
        seats = tuple(n for n in ctx.table.seats_of(self.guest) if ctx.table.seats[n].returns_by_connecting)
        if not seats:
            raise Illegal(TableReason.NOT_AWAY, "no stand-in plays until this guest is connected")
        return tuple(log.TookBack(seat) for seat in seats)
