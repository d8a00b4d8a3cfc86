"""Commands become events, or are refused. The guest comes from the connection, never from the command itself."""

import random
from typing import assert_never
from uuid import UUID

from notahat.rules import Illegal, Refuse
from notahat.table import commands as do
from notahat.table import knocks, lobby, playing
from notahat.table.events import CrowdVoted, Entry, Events, Opened, Played
from notahat.table.options import NEW_TABLE, change_options
from notahat.table.permissions import GuestContext, any_command, guest_context, require
from notahat.table.step import Step, steps
from notahat.table.table import Table
from notahat.table.table_reasons import TableReason


def open_table(
    code: str,
    host: UUID,
    options: dict[str, object],
    at: float,
    screen: bool = False,
    study: bool = False,
    probe: float = 0.0,
) -> Entry:
    """Return the first entry of a table's log; raise `Illegal` for invalid options."""
    return Entry(at, (Opened(code, host, change_options(NEW_TABLE, options), screen, study=study, probe=probe),))


def decide(table: Table, issued: do.IssuedCommand) -> tuple[Entry, tuple[Step, ...]]:
    """Return the entry that a command causes, and its steps; raise `Illegal` if the command is refused.

    The entry is never earlier than the one before. The steps play the move, so the rules may refuse it here.
    """
    events = _events(table, issued)
    if issued.votes is not None and any(isinstance(event, Played) and _is_refusal(event) for event in events):
        events = (*events, CrowdVoted(issued.votes.believed, issued.votes.doubted))
    entry = Entry(max(issued.at, table.at), events)
    return entry, steps(table, entry)


def _is_refusal(event: Played) -> bool:
    return isinstance(event.move, Refuse)


def _events(table: Table, issued: do.IssuedCommand) -> Events:
    require(any_command(table, issued.by))
    if isinstance(issued.command, do.SystemCommand):
        return _decide_system(table, issued.command, issued)
    if issued.by is None:
        raise Illegal(TableReason.NOT_SEATED, "only a guest can send this command")
    ctx = guest_context(table, issued.by, issued.present, issued.away, issued.name_keys, issued.idle_seat)
    return _decide_guest(ctx, issued.command, issued)


def _decide_guest(ctx: GuestContext, command: do.AnyGuestCommand, issued: do.IssuedCommand) -> Events:  # noqa: C901
    seed = issued.seed
    match command:
        case do.Draw() | do.Give() | do.Accept() | do.Refuse() | do.Judge():
            return playing.play_move(ctx, command)
        case do.Sit():
            return lobby.sit(ctx, command)
        case do.Rename():
            return lobby.rename(ctx, command)
        case do.SetFace():
            return lobby.set_face(ctx, command)
        case do.Leave():
            return lobby.leave(ctx, command)
        case do.AddBot():
            return lobby.add_bot(ctx, command)
        case do.Remove():
            return lobby.remove(ctx, command)
        case do.LetIn():
            return lobby.let_in(ctx, command)
        case do.AnswerKnock():
            return knocks.answer_knock(ctx, command)
        case do.MoveSeat():
            return lobby.move_seat(ctx, command)
        case do.ShuffleSeats():
            return lobby.shuffle_seats(ctx, random.Random(seed))
        case do.SetOptions():
            return lobby.set_options(ctx, command)
        case do.SetPace():
            return lobby.set_pace(ctx, command)
        case do.PutDeck():
            return lobby.put_deck(ctx, command)
        case do.BringDeck():
            return lobby.bring_deck(ctx, command)
        case do.HandOver():
            return lobby.hand_over(ctx, command)
        case do.Lock():
            return lobby.lock(ctx, command)
        case do.Start():
            return playing.start(ctx, random.Random(seed))
        case do.Pause():
            return playing.pause(ctx)
        case do.Resume():
            return playing.resume(ctx)
        case do.SitIn():
            return playing.sit_in(ctx, command)
        case do.Nudge():
            return playing.nudge(ctx, command)
        case do.BotMove():
            return playing.bot_move(ctx, command, issued.bot_move)
        case do.Vote():
            return playing.vote(ctx, command)
        case do.MoveFor():
            return playing.move_for(ctx, command)
        case do.DealAgain():
            return playing.deal_again(ctx, command, random.Random(seed))
        case do.EndMatch():
            return playing.end_match(ctx)
        case do.Emote():
            return playing.emote(ctx, command)
        case do.Ready():
            return playing.ready(ctx, command, random.Random(seed))
        case do.Again():
            return playing.again(ctx, command, random.Random(seed))
        case do.PlayWithout():
            return playing.play_without(ctx, command, random.Random(seed))
        case do.Study():
            return lobby.study(ctx, command)
        case do.Probe():
            return lobby.probe(ctx, command)
        case _:
            assert_never(command)


def _decide_system(table: Table, command: do.SystemCommand, issued: do.IssuedCommand) -> Events:
    match command:
        case do.PlayFor():
            return playing.play_for(table, command)
        case do.CallOff():
            return playing.call_off(table)
        case do.DealNext():
            return playing.deal_next(table, issued.present, random.Random(issued.seed))
        case do.ComeBack():
            return playing.come_back(table, command)
        case do.Knock():
            return knocks.knock(table, command, issued)
        case do.ExpireKnock():
            return knocks.expire_knock(table, command)
        case do.PassHost():
            return playing.pass_host(table, issued.present)
        case do.ReturnHost():
            return playing.return_host(table, issued.present)
        case do.CountVotes():
            return playing.count_votes(table, command)
        case _:
            assert_never(command)
