"""Commands that change the seats, the host, the options and the deck of a table."""

import random

from notahat.gifts import DeckReason, deck_of
from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table import events as log
from notahat.table import permissions
from notahat.table.events import Events
from notahat.table.face import faces_taken, free_face, known_face
from notahat.table.name import clean_name, unique_name
from notahat.table.options import change_options
from notahat.table.permissions import GuestContext, require
from notahat.table.table import MOST_CONFIDENCE, Table
from notahat.table.table_reasons import TableReason


def sit(ctx: GuestContext, command: do.Sit) -> Events:
    left = ctx.table.vacated_by(ctx.guest)
    if left:
        named = tuple(seat for seat in left if ctx.table.seats[seat].name == command.name)
        return tuple(log.TookBack(seat) for seat in named or left)
    name = unique_name(clean_name(command.name), _names(ctx.table), ctx.name_keys)
    require(permissions.sit(ctx))
    wanted = None if command.face is None else known_face(command.face)
    face = free_face(wanted, name, faces_taken(ctx.table))
    if ctx.stage != "lobby":
        return (log.Queued(ctx.guest, name, face, command.program),)
    sat = log.Sat(ctx.guest, name, face, command.program)
    becomes_host = ctx.table.owner == ctx.table.screen != ctx.guest
    return (sat, log.HandedOver(ctx.guest)) if becomes_host else (sat,)


def rename(ctx: GuestContext, command: do.Rename) -> Events:
    require(permissions.rename(ctx, command.seat))
    seat = named_or_first_seat(ctx, command.seat)
    others = [name for n, name in enumerate(_names(ctx.table)) if n != seat]
    return (log.Renamed(seat, unique_name(clean_name(command.name), others, ctx.name_keys)),)


def set_face(ctx: GuestContext, command: do.SetFace) -> Events:
    require(permissions.set_face(ctx, command.seat))
    face = known_face(command.face)
    number = named_or_first_seat(ctx, command.seat)
    if ctx.table.seats[number].face == face:
        return ()
    if face in faces_taken(ctx.table):
        raise Illegal(TableReason.FACE_TAKEN, "another person at this table has that face")
    return (log.FaceSet(number, face),)


def leave(ctx: GuestContext, command: do.Leave) -> Events:
    require(permissions.leave(ctx, command.seat))
    if ctx.table.is_waiting(ctx.guest):
        back = (log.HostReturned(),) if ctx.guest == ctx.table.deputy else ()
        return (log.Unqueued(ctx.guest), *back)
    left = ctx.held if command.seat is None else (command.seat,)
    events = tuple(log.Left(seat) for seat in reversed(left))
    if len(left) < len(ctx.held):
        return events
    return (*events, *_replace_host(ctx), *_end_abandoned_match(ctx))


def _replace_host(ctx: GuestContext) -> Events:
    """Pass a leaving host's role to a player who is present, else to the big screen; a leaving deputy returns it."""
    table = ctx.table
    if ctx.guest == table.deputy:
        return (log.HostReturned(),)
    candidates = (table.seats[n].guest for n in table.present_players(ctx.present))
    new_host = next((guest for guest in candidates if guest != ctx.guest), table.screen)
    return (log.HandedOver(new_host),) if ctx.guest == table.owner and new_host is not None else ()


def _end_abandoned_match(ctx: GuestContext) -> Events:
    """End a spoken match when its last person leaves, as no computer player can go on."""
    is_running = ctx.table.spoken and ctx.stage in ("play", "between")
    others_stay = any(seat.guest != ctx.guest and not seat.gone for seat in ctx.table.seats)
    return (log.MatchEnded(),) if is_running and not others_stay else ()


def add_bot(ctx: GuestContext, command: do.AddBot) -> Events:
    require(permissions.add_bot(ctx))
    name = unique_name(clean_name(command.name or "Robot"), _names(ctx.table), ctx.name_keys)
    return (log.BotSat(name, command.level, command.character),)


def remove(ctx: GuestContext, command: do.Remove) -> Events:
    require(permissions.remove(ctx, command.seat))
    return (log.Removed(command.seat),)


def let_in(ctx: GuestContext, command: do.LetIn) -> Events:
    require(permissions.let_in(ctx))
    table = ctx.table
    for guest, name in zip(table.removed, table.removed_names, strict=True):
        if name == command.name:
            return (log.LetBack(guest),)
    raise Illegal(TableReason.NOT_REMOVED, "no removed guest has that name")


def move_seat(ctx: GuestContext, command: do.MoveSeat) -> Events:
    require(permissions.move_seat(ctx, command.seat))
    require(permissions.existing_seat(ctx.table, command.to))
    order = [n for n in range(len(ctx.table.seats)) if n != command.seat]
    order.insert(command.to, command.seat)
    return (log.SeatsOrdered(tuple(order)),)


def shuffle_seats(ctx: GuestContext, rng: random.Random) -> Events:
    require(permissions.shuffle_seats(ctx))
    order = list(range(len(ctx.table.seats)))
    rng.shuffle(order)
    return (log.SeatsOrdered(tuple(order)),)


def set_options(ctx: GuestContext, command: do.SetOptions) -> Events:
    require(permissions.set_options(ctx))
    options = change_options(ctx.table.options, command.options)
    if options.claims == "spoken" and any(seat.guest is None for seat in ctx.table.seats):
        raise Illegal(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear spoken claims")
    return (log.OptionsSet(options),)


def set_pace(ctx: GuestContext, command: do.SetPace) -> Events:
    require(permissions.set_pace(ctx))
    changed = change_options(ctx.table.options, {"pace": command.pace})
    return (log.OptionsSet(changed),) if changed != ctx.table.options else ()


def put_deck(ctx: GuestContext, command: do.PutDeck) -> Events:
    if command.deck is None:
        require(permissions.arrange(ctx))
        return (log.DeckPut(None),) if ctx.table.deck is not None else ()
    require(permissions.put_deck(ctx))
    if command.deck.own:
        raise Illegal(DeckReason.PICTURE, "upload a deck with own gifts: POST /api/tables/{code}/deck")
    return (log.DeckPut(deck_of(command.deck, ctx.name_keys)),)


def bring_deck(ctx: GuestContext, command: do.BringDeck) -> Events:
    require(permissions.put_deck(ctx))
    return (log.DeckPut(command.deck),)


def hand_over(ctx: GuestContext, command: do.HandOver) -> Events:
    require(permissions.hand_over(ctx, command.seat))
    guest = ctx.table.seats[command.seat].guest
    if guest is None:
        raise AssertionError("the permission allowed a computer player as host")
    return (log.HandedOver(guest),)


def lock(ctx: GuestContext, command: do.Lock) -> Events:
    require(permissions.lock(ctx))
    return (log.LockTurned(command.locked),)


def study(ctx: GuestContext, command: do.Study) -> Events:
    require(permissions.study(ctx, command.agree))
    if not command.agree:
        return (log.Withdrew(ctx.guest),)
    return () if ctx.table.has_agreed(ctx.guest) else (log.Agreed(ctx.guest),)


def probe(ctx: GuestContext, command: do.Probe) -> Events:
    require(permissions.probe(ctx, command.turn))
    believed, confidence = command.believed, command.confidence
    if believed is not None and not ctx.table.allows_claim(believed):
        raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {believed[:40]!r} in the catalogue")
    if confidence is not None and not 0 <= confidence <= MOST_CONFIDENCE:
        raise Illegal(TableReason.BAD_OPTIONS, f"confidence is a number from 0 to {MOST_CONFIDENCE}")
    if (believed is None) != (not confidence):
        raise Illegal(TableReason.BAD_OPTIONS, "a gift and a confidence above 0 belong together")
    seat = next(one.seat for one in ctx.table.asked if one.turn == command.turn)
    return (log.Probed(seat, command.turn, believed, confidence),)


def named_or_first_seat(ctx: GuestContext, number: int | None) -> int:
    return ctx.held[0] if number is None else number


def _names(table: Table) -> list[str]:
    return [seat.name for seat in table.seats] + [waiting.name for waiting in table.waiting]
