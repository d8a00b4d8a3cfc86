"""The commands that a guest may send now. Clients show a button only for these."""

from collections.abc import Callable, Iterator
from typing import Literal, get_args
from uuid import UUID

from msgspec import Struct

from notahat.rules import Round, legal
from notahat.rules.moves import Wrong
from notahat.rules.round import Drawing, Over
from notahat.table import permissions
from notahat.table.commands import AbsentMove
from notahat.table.permissions import GuestContext, Rejection
from notahat.table.table import MOST_SEATS, Table


class May(Struct, frozen=True, omit_defaults=True):
    """A permitted command: from which own `seat`, `to` which receivers, for which other `seats`, who may be `wrong`,
    which `moves` for an absent player, which `names` of people without a seat, whether to `agree` or withdraw, and
    whether agreeing includes questions (`probes`); about which `turn` is asked, and `about` which decision.
    """

    do: str
    seat: int | None = None
    to: tuple[int, ...] | None = None
    seats: tuple[int, ...] | None = None
    wrong: tuple[Wrong, ...] | None = None
    moves: tuple[AbsentMove, ...] | None = None
    names: tuple[str, ...] | None = None
    agree: bool | None = None
    probes: bool | None = None
    turn: int | None = None
    about: Literal["give", "answer"] | None = None


def may(
    table: Table,
    guest: UUID,
    present: frozenset[UUID],
    away: frozenset[UUID] = frozenset(),
    idle_seat: int | None = None,
) -> tuple[May, ...]:
    """Return all commands that a guest may send now. `away` are the guests who have been away for long, `idle_seat` is
    the seat that others may help.
    """
    if permissions.any_command(table, guest):
        return ()
    ctx = permissions.guest_context(table, guest, present, away, idle_seat=idle_seat)
    return (
        *_seat_commands(ctx),
        *(_host_commands(ctx) if ctx.is_host else ()),
        *(_unless(permissions.start(ctx), "start") if not ctx.is_host else ()),  # the big screen
        *(_absence_commands(ctx) if ctx.held and not ctx.is_host else ()),
        *(_play_commands(ctx) if ctx.held else ()),
        *(_idle_commands(ctx) if idle_seat is not None else ()),
        *(_VOTE if ctx.stage == "play" else ()),
        *_unless(permissions.again(ctx), "again"),
        *_knocks(ctx),
        *(_for_seats(ctx, permissions.play_without, "play_without") if ctx.stage in ("lobby", "over") else ()),
        *_study_command(ctx),
        *(_probes(ctx) if ctx.table.asked else ()),
    )


def _unless(rejection: Rejection | None, do: str) -> tuple[May, ...]:
    return () if rejection else (May(do),)


def _for_seats(
    ctx: GuestContext, permission: Callable[[GuestContext, int], Rejection | None], do: str
) -> Iterator[May]:
    """Yield the command with the seats that it may be sent for, if there are any."""
    seats = tuple(number for number in range(len(ctx.table.seats)) if permission(ctx, number) is None)
    if seats:
        yield May(do, seats=seats)


def _seat_commands(ctx: GuestContext) -> Iterator[May]:
    if permissions.sit(ctx) is None:
        left = tuple(ctx.table.seats[seat].name for seat in ctx.table.vacated_by(ctx.guest))
        yield May("sit", names=left or None)
    for seat in ctx.held:
        yield from _OWN_SEAT[seat]
        if permissions.emote(ctx, seat) is None:
            yield _EMOTE[seat]
    if not ctx.held:
        yield from _unless(permissions.emote(ctx, None), "emote")
    for waiting in ctx.table.waiting:
        if waiting.guest == ctx.guest:
            yield May("leave", names=(waiting.name,))


_EMOTE = tuple(May("emote", seat=seat) for seat in range(MOST_SEATS))
_OWN_SEAT = tuple(tuple(May(do, seat=seat) for do in ("rename", "set_face", "leave")) for seat in range(MOST_SEATS))


def _knocks(ctx: GuestContext) -> tuple[May, ...]:
    if permissions.answer_knock(ctx):
        return ()
    return (May("answer_knock", names=tuple(one.name for one in ctx.table.door.knocks)),)


def _study_command(ctx: GuestContext) -> tuple[May, ...]:
    agree = not ctx.table.has_agreed(ctx.guest)
    return () if permissions.study(ctx, agree) else (May("study", agree=agree, probes=ctx.table.probe > 0 or None),)


def _probes(ctx: GuestContext) -> Iterator[May]:
    for one in ctx.table.asked:
        if one.seat in ctx.held and permissions.probe(ctx, one.turn) is None:
            yield May("probe", turn=one.turn, about=one.about)


def _host_commands(ctx: GuestContext) -> Iterator[May]:
    yield from _unless(permissions.lock(ctx), "lock")
    yield from _for_seats(ctx, permissions.hand_over, "hand_over")
    yield from _unless(permissions.set_options(ctx), "set_options")
    yield from _unless(permissions.set_pace(ctx), "set_pace")
    yield from _unless(permissions.put_deck(ctx), "put_deck")
    yield from _unless(permissions.add_bot(ctx), "add_bot")
    if len(ctx.table.seats) > 1:
        yield from _for_seats(ctx, permissions.move_seat, "move_seat")
        yield from _unless(permissions.shuffle_seats(ctx), "shuffle_seats")
    yield from _for_seats(ctx, permissions.remove, "remove")
    if permissions.let_in(ctx) is None:
        yield May("let_in", names=ctx.table.removed_names)
    yield from _unless(permissions.start(ctx), "start")
    yield from _absence_commands(ctx)
    yield from _unless(permissions.end_match(ctx), "end_match")


def _absence_commands(ctx: GuestContext) -> Iterator[May]:
    people = (seat for seat in ctx.table.seats if seat.guest is not None)
    if not any(seat.gone or seat.guest not in ctx.present for seat in people):
        return
    yield from _for_seats(ctx, permissions.sit_in, "sit_in")
    yield from _for_seats(ctx, permissions.deal_again, "deal_again")
    if ctx.table.round is None:
        return
    due = legal(ctx.table.round)
    if due.seat is not None and permissions.move_for(ctx, due.seat) is None:
        moves: tuple[AbsentMove, ...] = tuple(move for move in get_args(AbsentMove) if move in due.moves)
        yield May("move_for", seats=(due.seat,), to=due.receivers or None, moves=moves)


def _idle_commands(ctx: GuestContext) -> Iterator[May]:
    yield from _for_seats(ctx, permissions.nudge, "nudge")
    yield from _for_seats(ctx, permissions.bot_move, "bot_move")


_VOTE = (May("vote"),)  # on any claim of others, so that it does not change with every move


def _play_commands(ctx: GuestContext) -> Iterator[May]:
    if ctx.table.round is not None and permissions.move(ctx.table) is None:
        yield from _moves(ctx.table.round, ctx.held)
    yield from _unless(permissions.resume(ctx), "resume")
    yield from _unless(permissions.pause(ctx), "pause")
    for seat in ctx.held:
        if seat not in ctx.table.ready and permissions.ready(ctx, seat) is None:
            yield May("ready", seat=seat)


def _moves(round_: Round, held: tuple[int, ...]) -> Iterator[May]:
    due = legal(round_)
    if due.seat in held:
        for move in due.moves:
            if move == "give":
                yield May("give", seat=due.seat, to=due.receivers)
            elif move != "wrap":  # cards wrap by themselves
                yield May(move, seat=due.seat)
    if due.moves == ("judge",):
        for seat in held:
            yield May("judge", seat=seat, wrong=("giver", "receiver"))
    phase = round_.phase
    if due.correctable and isinstance(phase, Drawing | Over) and phase.verdict is not None:
        other: Wrong = "receiver" if phase.verdict.wrong == "giver" else "giver"
        for seat in held:
            yield May("judge", seat=seat, wrong=(other,))
