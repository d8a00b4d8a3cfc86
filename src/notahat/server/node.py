"""One server process: drives a host with store, timers and tasks, and decides nothing itself."""

import asyncio
import logging
import secrets
import zlib
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from notahat.live import effects
from notahat.live.host import Host
from notahat.live.requests import Connect, Disconnect, Open, Request, Time
from notahat.live.room import Room
from notahat.live.settings import Determinism, RoomSettings
from notahat.rules import Illegal
from notahat.server.confusables import name_keys
from notahat.server.ops.logs import StoreWarning
from notahat.server.ops.metrics import Metrics
from notahat.server.settings import A_DAY, Settings
from notahat.server.table_codes import LENGTH, MAX_LENGTH, new_code
from notahat.server.table_sync import LogReader, TableSync
from notahat.server.timers import BackgroundTasks, Clock, Timers
from notahat.server.webhook import RETRY_SECONDS, Webhook
from notahat.store import Commit, Conflict, Store, Unavailable
from notahat.store.writer import settle
from notahat.wire.messages import ServerReason

MAINTENANCE_SECONDS = 5.0
LINGER_SECONDS = 10.0
CLEAN_SECONDS = 3600.0
MAX_HOUSE_DELAY = 0.4
MAX_CODE_ATTEMPTS = 40
REPLY_SECONDS = 30.0
CLOSING_SECONDS = 3.0

log = logging.getLogger("notahat")


class Node:
    """The driver of one host."""

    def __init__(self, settings: Settings, store: Store, clock: Clock | None = None) -> None:
        self.store = store
        self.metrics = Metrics()
        self.closing = False
        self._clock = clock or Clock()
        self._now = self._clock.monotonic
        self._keep_days = settings.keep_days
        self._name = secrets.token_hex(6)
        # nodes that share a PostgreSQL wait for different times, so that they do not all send the same house command
        alone = settings.store_url.startswith("sqlite:")
        delay = 0.0 if alone else zlib.crc32(self._name.encode()) / 2**32 * MAX_HOUSE_DELAY / settings.pace
        determinism = Determinism.seeded(settings.luck)
        rooms = RoomSettings(speed=settings.pace, stagger=delay, determinism=determinism, name_keys=name_keys)
        self.host = Host[UUID](rooms, study=settings.study, probe=settings.study_probe)
        self._replies: dict[object, asyncio.Future[Any]] = {}
        self.log_reader = LogReader(store)
        speed = max(1.0, settings.pace)
        self.webhook = (
            Webhook(settings.webhook, settings.webhook_secret, RETRY_SECONDS / speed) if settings.webhook else None
        )
        self.store_warning = StoreWarning()
        self.background = BackgroundTasks(self.store_warning)
        self.sync = TableSync(self.host, store, self._clock, self._execute, self.background, self._name)
        self._timers = Timers[UUID](self._now, self._wake)

    @property
    def tables(self) -> int:
        """Tables with connections. A table that was only looked up does not count: it would reveal its code."""
        return sum(1 for room in self.host.rooms.values() if room.connections)

    @property
    def sockets(self) -> int:
        return sum(len(room.connections) for room in self.host.rooms.values())

    def handle(self, request: Request[UUID], guest: UUID | None = None) -> None:
        """Handle a request and carry out its effects."""
        if self.closing and type(request) is Connect:
            going_away = ServerReason.GOING_AWAY.value
            return self._close(effects.Close(request.connection, effects.SERVICE_RESTART, going_away))
        self._execute(request.table, self.host.handle(request, guest, self._now()))
        if type(request) is Connect or type(request) is Disconnect:
            self.sync.publish_presence(request.table)
        return None

    async def ask(self, request: Request[UUID], guest: UUID | None) -> Any:
        """Handle a request and return the reply. Raise `Illegal` for a refusal, `Unavailable` without an answer."""
        reply = self._replies[request] = asyncio.get_running_loop().create_future()
        try:
            self.handle(request, guest)
            return await asyncio.wait_for(reply, REPLY_SECONDS)
        except TimeoutError:
            raise Unavailable("try again in a moment") from None
        finally:
            del self._replies[request]

    async def open_table(
        self, host: UUID, options: dict[str, object], screen: bool = False, day: str | None = None
    ) -> tuple[str, UUID]:
        """Open a table and return its code and id; raise `Illegal` for bad options."""
        id_ = uuid4()
        for attempt in range(MAX_CODE_ATTEMPTS):
            code = new_code(LENGTH + attempt * (MAX_LENGTH - LENGTH + 1) // MAX_CODE_ATTEMPTS)
            opening = Open(id_, code, options, self._clock.time(), screen, day)
            match self.host.handle(opening, host, self._now()):
                case [effects.Append() as append]:
                    if await self.store.create_alias(code, id_):
                        await self.store.append(id_, append.version, append.entry, append.key)
                        log.info("table opened", extra={"table": str(id_)})
                        return code, id_
                case [effects.Reply(result=Illegal() as illegal)]:
                    raise illegal
        raise Unavailable("no free table code")

    async def room(self, id_: UUID, version: int = 0) -> Room | None:
        """Return the room of a table, loaded if need be, at least at `version`; None if there is no such table."""
        return await self.sync.room(id_, version)

    def _wake(self, id_: UUID, now: float) -> None:
        if not self.closing:
            self._execute(id_, self.host.handle(Time(id_), None, now))
            if self.webhook is not None and (room := self.host.rooms.get(id_)) is not None:
                self.webhook.waiting(id_, room.idle_seat(now))

    def _execute(self, id_: UUID, wanted: list[effects.Effect]) -> None:
        """Carry out a host's effects in their order. A connection that fails does not stop the others."""
        for effect in wanted:
            if type(effect) is effects.Send:
                self.metrics.messages += 1
                self._send(effect)
            elif type(effect) is effects.CommandOutcome:
                self._count(id_, effect)
            elif type(effect) is effects.Wake:
                self._timers.set(id_, effect.at)
            elif type(effect) is effects.Append:
                done = partial(self._on_append, id_, effect)
                self.store.submit(id_, effect.version, effect.entry, effect.key, done)
            else:
                self._execute_rare(id_, effect)

    def _execute_rare(self, id_: UUID, effect: effects.Effect) -> None:
        match effect:
            case effects.Close():
                self._close(effect)
            case effects.SaveSnapshot():
                self.background.spawn(self.store.save_snapshot(id_, effect.version, effect.schema, effect.state))
            case effects.Load():
                self.sync.load(id_)
            case effects.Unload():
                self._unload(id_)
            case effects.ReadLog():
                self.background.spawn(self._read_log(id_, effect))
            case effects.Reply():
                self._reply(effect)

    def _reply(self, reply: effects.Reply) -> None:
        future = self._replies.get(reply.request)
        if future is not None:
            settle(future, reply.result)

    async def _read_log(self, id_: UUID, read: effects.ReadLog) -> None:
        """Answer from the log; an error is the answer to this request."""
        try:
            result: object = await self.log_reader.answer(id_, read)
        except Exception as error:
            result = error
        self._reply(effects.Reply(read.request, result))

    def _send(self, send: effects.Send) -> None:
        """Send a message, or close a connection that fails."""
        try:
            send.connection.send(send.message)  # type: ignore[attr-defined]
        except Exception as error:
            log.warning("a connection failed", extra={"error": repr(error)})
            self._close(effects.Close(send.connection, effects.SERVICE_RESTART, "come back"))

    def _close(self, close: effects.Close) -> None:
        try:
            close.connection.close(close.code, close.reason)  # type: ignore[attr-defined]
        except Exception as error:
            log.warning("a connection failed", extra={"error": repr(error)})

    def _count(self, id_: UUID, outcome: effects.CommandOutcome) -> None:
        if self.webhook is not None:
            self.webhook.happened(id_, outcome.happened)
        if outcome.received_at is None:
            self.metrics.house[outcome.outcome] += 1
        else:
            self.metrics.commands[outcome.outcome] += 1
            seconds = self._now() - outcome.received_at
            self.metrics.observe_command(seconds)
            if log.isEnabledFor(logging.DEBUG):
                details = {"table": str(id_), "outcome": outcome.outcome, "seconds": round(seconds, 6)}
                log.debug("command", extra=details)

    def _on_append(self, id_: UUID, append: effects.Append, result: Commit | Exception) -> None:
        """Handle the store's answer to an append."""
        match result:
            case Commit():
                self._execute(id_, self.host.committed(id_, append, self._now()))
            case Conflict():
                self.sync.catch_up(id_, append)
            case Unavailable():
                self.store_warning.log(result)
                self.sync.evict(id_)
            case _:
                log.error("append failed", exc_info=result)
                self.sync.evict(id_)

    async def maintain(self) -> None:
        """Close idle rooms and delete old tables until cancelled."""
        cleaned = self._now()
        while True:
            await asyncio.sleep(MAINTENANCE_SECONDS)
            for id_, subscription in tuple(self.sync.subscriptions.items()):
                if self._now() - subscription.used_at > LINGER_SECONDS:
                    self._execute(id_, self.host.close_if_idle(id_))
            if self._now() - cleaned > CLEAN_SECONDS:
                cleaned = self._now()
                await self.background.log_failure(self._clean())

    async def _clean(self) -> None:
        deleted = await self.store.clean(self._keep_days * A_DAY)
        log.info("old tables deleted", extra={"tables": deleted})

    async def close(self) -> None:
        """Wait for background tasks, but not long for a silent store; then close all rooms."""
        self.closing = self.sync.closing = True
        self._timers.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.background.wait(), CLOSING_SECONDS)
        for id_ in tuple(self.sync.subscriptions):
            self._unload(id_)

    def _unload(self, id_: UUID) -> None:
        self._timers.set(id_, None)
        self.sync.unsubscribe(id_)
