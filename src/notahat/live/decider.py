"""Decides the commands of a room, and answers those that lead to no entry."""

from notahat.live.bot_defaults import fill_bot_defaults
from notahat.live.command_queue import CommandQueue, PendingCommand
from notahat.live.connections import Connections
from notahat.live.effects import Append, CommandOutcome, Effect, Reply, Send
from notahat.live.game_state import Game
from notahat.live.presence import Presence
from notahat.live.schedule import Schedule
from notahat.live.settings import RoomSettings
from notahat.live.votes import Votes
from notahat.rules import Illegal
from notahat.table import Context, decide, view
from notahat.table.commands import AddBot, BotMove, Command, Rejection, Vote
from notahat.table.events import encode
from notahat.wire.messages import encode_no
from notahat.wire.reasons import ServerReason

MOST_TRIES = 50


class Decider:
    """Turns a pending command into an append, a refusal, or a repeated answer."""

    def __init__(
        self,
        game: Game,
        schedule: Schedule,
        connections: Connections,
        queue: CommandQueue,
        votes: Votes,
        settings: RoomSettings,
    ) -> None:
        self._game = game
        self._schedule = schedule
        self._connections = connections
        self._queue = queue
        self._votes = votes
        self._tick = settings.determinism.of(game.table).tick
        self._name_keys = settings.name_keys

    def decide(self, pending: PendingCommand, presence: Presence, now: float, out: list[Effect]) -> None:
        rejection = self._queue.dedup.rejection(pending.key)
        if rejection is not None:
            return self._reject(pending, presence, rejection, out)
        if self._queue.dedup.is_done(pending.key):
            return self._answer_repeated(pending, presence, now, out)
        try:
            entry, pending.steps = decide(*self._issue(pending, presence, now))
        except Illegal as illegal:
            return self._reject(pending, presence, Rejection(illegal.reason, illegal.detail), out)
        if isinstance(pending.command, Vote) and pending.sender is not None:
            self._votes.cast(self._game.table, pending.sender.guest, pending.command.believe)
        if not pending.steps:
            return self._answer_repeated(pending, presence, now, out)
        self._queue.in_flight = pending
        pending.append = Append(self._game.table.version, pending.key, encode(entry))
        return out.append(pending.append)

    def _issue(self, pending: PendingCommand, presence: Presence, now: float) -> tuple[Context, Command]:
        command = pending.command
        if isinstance(command, AddBot):
            command = fill_bot_defaults(command, self._game.table, pending.seed)
        idle = self._schedule.idle.idle(now)
        context = Context(
            self._game.table,
            pending.guest,
            at=self._schedule.table_time(now, self._tick),
            present=presence.present,
            seed=pending.seed,
            away=self._schedule.long_away(now),
            name_keys=self._name_keys,
            idle_seat=idle.seat if idle is not None and idle.help else None,
            bot_move=self._game.bot_move(command) if isinstance(command, BotMove) else None,
            votes=self._votes.count(self._game.table),
        )
        return context, command

    def _reject(self, pending: PendingCommand, presence: Presence, rejection: Rejection, out: list[Effect]) -> None:
        if pending.guest is None:
            self._schedule.skip(pending.command)  # not to be tried again before something changes
            self._schedule.replan(presence, bool(self._connections))
        else:
            self._queue.dedup.add_refused(pending.key, rejection)
        self._answer_rejection(pending, rejection, out)

    def reject_contended(self, pending: PendingCommand, out: list[Effect]) -> None:
        """Refuse a command that lost too many conflicts. The same id may be sent again."""
        detail = f"other nodes wrote first {MOST_TRIES} times; try again"
        self._answer_rejection(pending, Rejection(ServerReason.TOO_FAST, detail), out)

    def _answer_rejection(self, pending: PendingCommand, rejection: Rejection, out: list[Effect]) -> None:
        reason = rejection.reason.value
        if pending.sender is not None:
            out.append(Send(pending.sender.connection, encode_no(pending.id, reason, rejection.detail)))
        elif pending.request is not None:
            out.append(Reply(pending.request, Illegal(*rejection)))
        out.append(CommandOutcome(reason, pending.received_at))

    def _answer_repeated(self, pending: PendingCommand, presence: Presence, now: float, out: list[Effect]) -> None:
        """Acknowledge a command that was carried out before, or that changes nothing."""
        if pending.guest is None:
            self._schedule.skip(pending.command)  # not to be tried again before something changes
            self._schedule.replan(presence, bool(self._connections))
        elif pending.request is not None:
            out.append(Reply(pending.request, view(self._game.table, presence.present)))
        elif pending.sender is not None and self._connections.get(pending.sender.connection) is pending.sender:
            self._connections.send_current(pending.sender, presence.present, now, out, pending.id)
        out.append(CommandOutcome("repeated", pending.received_at))
