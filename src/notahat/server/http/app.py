"""The HTTP side: guests, tables, stories, tickets, and the pages of the web app."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from http import HTTPStatus
from typing import TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.gifts import DeckReason
from notahat.gifts.hat_file import LARGEST_FILE
from notahat.rules import Illegal, Reason
from notahat.server.http.deck_uploads import Decks, Porter, put_deck
from notahat.server.http.guests import COOKIE, TICKET_SECONDS, Guests, bearer, cookie, from_browser, own_origin
from notahat.server.http.openapi import openapi
from notahat.server.http.pages import PARCEL, page
from notahat.server.http.pdf_jobs import Jammed, Press, order
from notahat.server.http.qr import QrCodes
from notahat.server.http.replay_cache import Stories
from notahat.server.limits.rate_limit import Limit
from notahat.server.limits.table_lookup import Doorman
from notahat.server.node import Hosted, Node
from notahat.server.ops.connectivity_check import Seen, Told
from notahat.server.ops.health import Health
from notahat.server.ops.metrics_endpoint import Figures
from notahat.server.settings import Settings
from notahat.server.sockets.socket_auth import STATUS, address_of
from notahat.server.table_codes import link_to
from notahat.store import Unavailable
from notahat.table import TableReason, Unknown, may_watch, view, welcome
from notahat.table.story import finished
from notahat.wire.deck_messages import lines_told
from notahat.wire.messages import (
    AskLines,
    OpenTable,
    TableLink,
    Ticket,
    Token,
    UseTicket,
    summary,
    too_deep,
    write,
    write_refusal,
)
from notahat.wire.reasons import ServerReason

LARGEST_BODY = 8 * 1024
A_YEAR = 365 * 24 * 3600
MOST_DIGITS = 9
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

Body = TypeVar("Body", bound=Struct)
Endpoint = Callable[[Request], Awaitable[Response]]


class No(Exception):  # noqa: N818 - an answer
    """An answer that says no."""

    def __init__(self, status: HTTPStatus, reason: str, detail: str = "") -> None:
        super().__init__(detail)
        self.status = status
        self.reason = reason


class Api:
    """Everything that is asked by HTTP, and how often anybody may."""

    def __init__(
        self, settings: Settings, node: Node, guests: Guests, doorman: Doorman, health: Health, figures: Figures
    ) -> None:
        self._settings = settings
        self._node = node
        self._guests = guests
        self._doorman = doorman
        self._health = health
        self._figures = figures
        self._minting = Limit(settings.guests_per_address, settings.guests_per_address / 600)
        self._opening = Limit(burst=20, per_second=0.2)
        self._opening_here = Limit(settings.guests_per_address, settings.guests_per_address / 2400)
        self._drawing = Limit(burst=60, per_second=1)
        self._bringing = Limit(burst=10, per_second=1 / 60)  # decks, which are large and stay with their tables
        self._bringing_here = Limit(settings.guests_per_address, settings.guests_per_address / 7200)
        self._wording = Limit(burst=200, per_second=2)
        self._printing = Limit(burst=10, per_second=1 / 20)
        self._qr_codes = QrCodes()
        self.press = Press()
        self._stories = Stories(node.store)
        self._decks = Decks(node.store)
        self._porter = Porter()

    def routes(self) -> list[Route]:
        return [
            self._route("/api/guests", POST=self.post_guest),
            self._route("/api/tables", POST=self.post_table),
            self._route("/api/tables/{code}", GET=self.get_table),
            self._route("/api/tables/{code}/rounds/{number}", GET=self.get_round),
            self._route("/api/tables/{code}/deck", POST=self.post_deck),
            self._route("/api/tables/{code}/decks/{number}", GET=self.get_deck),
            self._route("/api/lines", POST=self.post_lines),
            self._route("/api/tickets", POST=self.post_ticket),
            self._route("/api/tickets/use", POST=self.post_used_ticket),
            self._route("/api/qr.svg", GET=self.get_qr),
            self._route("/api/print.pdf", GET=self.get_print),
            self._route("/api/openapi.json", GET=get_openapi),
            self._route("/api/{rest:path}", GET=no_such_page, POST=no_such_page),
            self._route("/healthz", GET=self.get_health),
            self._route("/metrics", GET=self.get_metrics),
            self._route("/{path:path}", GET=get_page),
        ]

    def _route(self, path: str, **by_method: Endpoint) -> Route:
        """A place and what can be done there. Every way to say no is in this one place."""

        async def answer(request: Request) -> Response:
            endpoint = by_method.get("GET" if request.method == "HEAD" else request.method)
            try:
                response = await endpoint(request) if endpoint else _wrong_method(by_method)
            except No as no:
                response = _no(no.status, no.reason, str(no))
            except Illegal as illegal:
                response = _no(HTTPStatus.BAD_REQUEST, illegal.reason.value, illegal.detail)
            except (Unavailable, Unknown) as error:
                response = _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY.value, str(error))
            except ClientDisconnect:
                response = _no(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE.value)
            self._node.metrics.answered(path, response.status_code)
            return response

        return Route(path, answer, methods=list(METHODS))

    async def post_guest(self, request: Request) -> Response:
        if not own_origin(request.headers, self._settings.public_url):
            raise No(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN.value)
        if await self._guests.who(cookie(request.headers)) is not None:
            return _json(Token(None))
        if not self._minting.allows(self._address(request)):
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_GUESTS.value)
        return self._token(request, await self._guests.welcome())

    async def post_table(self, request: Request) -> Response:
        guest = await self._guest(request)
        body = await _body(request, OpenTable)
        if not (self._opening.allows(guest) and self._opening_here.allows(self._address(request))):
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
        code, _ = await self._node.open_table(guest, dict(body.options), body.screen, body.day)
        return _json(TableLink(code, f"/t/{code}"), HTTPStatus.CREATED)

    async def get_table(self, request: Request) -> Response:
        hosted = await self._hosted(request)
        room = hosted.room
        seen = view(room.table, room.presence.everybody)
        you = welcome(room.table, await self._guest_if_any(request))
        home = self._settings.public_url.rstrip("/")
        return _json(summary(seen, you, link_to(seen.code, hosted.id), home))

    async def get_round(self, request: Request) -> Response:
        """The story of a round, to anybody who may watch; where nobody may, to those who played."""
        hosted = await self._hosted(request)
        table = hosted.room.table
        if not table.options.spectators:
            guest = await self._guest(request)
            if guest != table.screen and not table.held_by(guest):
                raise No(HTTPStatus.FORBIDDEN, ServerReason.NO_SPECTATORS.value)
        number = _number(request)
        if not 1 <= number <= table.dealt:
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_ROUND.value)
        if not finished(table, number):
            raise No(HTTPStatus.FORBIDDEN, Reason.ROUND_RUNNING.value)
        told = await self._stories.of(hosted, number)
        if told is None:
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_ROUND.value)
        return _answer(told)

    async def post_deck(self, request: Request) -> Response:
        """A .hat file for a table. What is refused leaves nothing behind."""
        guest = await self._guest(request)
        hosted = await self._hosted(request)
        if not (self._bringing.allows(guest) and self._bringing_here.allows(self._address(request))):
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
        data = await _read(request, LARGEST_FILE, DeckReason.TOO_BIG.value)
        deck = await self._porter.looked_through(data, guest, self._address(request))
        await put_deck(self._node, hosted, guest, deck)
        seen = view(hosted.room.table, hosted.room.presence.everybody)
        return _answer(msgspec.json.encode(seen.deck), HTTPStatus.CREATED)

    async def get_deck(self, request: Request) -> Response:
        """A deck's gifts, to anybody who may be at the table."""
        hosted = await self._hosted(request)
        if not may_watch(hosted.room.table, await self._guest(request)):
            raise No(HTTPStatus.FORBIDDEN, ServerReason.NO_SPECTATORS.value)
        number = _number(request)
        told = await self._decks.of(hosted.id, number) if 1 <= number <= hosted.room.table.version else None
        if told is None:
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_DECK.value)
        return _answer(told)

    async def post_lines(self, request: Request) -> Response:
        """What people will say of an own gift, for whoever makes a deck."""
        if not self._wording.allows(self._address(request)):
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
        return _json(lines_told(await _body(request, AskLines)))

    async def post_ticket(self, request: Request) -> Response:
        guest = await self._guest(request)
        if not self._opening.allows(guest):
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
        return _json(Ticket(f"/c/{await self._guests.ticket(guest)}", TICKET_SECONDS), HTTPStatus.CREATED)

    async def post_used_ticket(self, request: Request) -> Response:
        if not own_origin(request.headers, self._settings.public_url):
            raise No(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN.value)
        body = await _body(request, UseTicket)
        if not body.instead and await self._guests.who(cookie(request.headers)) is not None:
            # whoever opens a link must not become somebody else by that alone
            raise No(HTTPStatus.CONFLICT, ServerReason.ALREADY_SOMEBODY.value)
        a_try = self._doorman.tries.shared(self._address(request))
        if not a_try.take():
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_TRIES.value)
        token = await self._guests.use_ticket(body.ticket)
        if token is None:
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_TICKET.value)
        a_try.give_back()
        return self._token(request, token)

    async def get_qr(self, request: Request) -> Response:
        """A QR code for a link of ours and nobody else's."""
        path = request.query_params.get("path", "")
        kind, _, word = path.removeprefix("/").partition("/")
        plain = word.replace("-", "").replace("_", "").replace("/", "", 1)  # a ticket may name the table to go on at
        if kind not in ("t", "c") or not 0 < len(word) <= 64 or not (plain.isascii() and plain.isalnum()):
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE.value, "a path is /t/… or /c/…[/…]")
        base = (
            self._settings.public_url.rstrip("/") or f"{request.url.scheme}://{request.headers.get('host', '')[:255]}"
        )
        svg = self._qr_codes.of(f"{base}/{kind}/{word}", lambda: self._drawing.allows(self._address(request)))
        if svg is None:
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
        headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
        return Response(svg, HTTPStatus.OK, headers, "image/svg+xml")

    async def get_print(self, request: Request) -> Response:
        """A deck to print. Who asks for the head alone asks whether there is a press here."""
        if not self.press.works:
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE.value, "this server has no press: the extra print")
        try:
            asked = order(request.query_params)
        except ValueError as error:
            raise No(HTTPStatus.BAD_REQUEST, TableReason.BAD_OPTIONS.value, str(error)) from None
        headers = {"cache-control": "no-cache", "x-content-type-options": "nosniff"}
        if request.method == "HEAD":
            return Response(b"", HTTPStatus.OK, headers, "application/pdf")
        if not self.press.has(asked) and not self._printing.allows(self._address(request)):
            raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
        try:
            made = await self.press.of(asked)
        except Jammed:
            raise No(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY.value) from None
        headers["content-disposition"] = f'attachment; filename="not-a-hat-{asked.deck}-{asked.language}.pdf"'
        return Response(made, HTTPStatus.OK, headers, "application/pdf")

    async def get_health(self, request: Request) -> Response:
        """Whoever asks for the way here is told how they look from here, for `notahat doctor`."""
        if self._node.closing:
            raise No(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.GOING_AWAY.value)
        if not await self._health.well():
            raise No(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY.value)
        if "way" in request.query_params:
            return _json(Told(ok=True, way=Seen(self._address(request), request.headers.get("host", "")[:255])))
        return Response(b'{"ok":true}', media_type="application/json")

    async def get_metrics(self, request: Request) -> Response:
        if not self._figures.may_read(request.headers):
            raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE.value)
        return await self._figures.answer()

    async def _guest(self, request: Request) -> UUID:
        """Who sends this: a program with a token, or a browser with a cookie from one of our own pages."""
        token = bearer(request.headers)
        if token is None:
            if not own_origin(request.headers, self._settings.public_url):
                raise No(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN.value)
            token = cookie(request.headers)
        guest = await self._guests.who(token)
        if guest is None:
            raise No(HTTPStatus.UNAUTHORIZED, ServerReason.NO_GUEST.value)
        return guest

    async def _guest_if_any(self, request: Request) -> UUID | None:
        try:
            return await self._guest(request)
        except No:
            return None

    async def _hosted(self, request: Request) -> Hosted:
        guest = await self._guest_if_any(request)
        hosted = await self._doorman.find(request.path_params["code"], guest, self._address(request))
        if isinstance(hosted, ServerReason):
            raise No(STATUS[hosted], hosted.value)
        return hosted

    def _token(self, request: Request, token: str) -> Response:
        """A token for a program; a browser gets it as a cookie that no script can read."""
        if not from_browser(request.headers):
            return _json(Token(token), HTTPStatus.CREATED)
        response = _json(Token(None), HTTPStatus.CREATED)
        secure = self._settings.public_url.startswith("https:") or request.headers.get("origin", "").startswith(
            "https:"
        )
        response.set_cookie(COOKIE, token, max_age=A_YEAR, path="/", secure=secure, httponly=True, samesite="lax")
        return response

    def _address(self, request: Request) -> str:
        peer = request.client.host if request.client else None
        forwarded = ",".join(request.headers.getlist("x-forwarded-for"))  # a client may have sent lines of its own
        return address_of(forwarded, peer, self._settings.behind_proxy)


def _wrong_method(by_method: Mapping[str, Endpoint]) -> Response:
    response = _no(HTTPStatus.METHOD_NOT_ALLOWED, ServerReason.WRONG_METHOD.value)
    response.headers["allow"] = ", ".join(by_method)
    return response


async def http_no(_: Request, error: Exception) -> Response:
    """What Starlette itself refuses: methods nobody has heard of."""
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
    reason = ServerReason.WRONG_METHOD if status == HTTPStatus.METHOD_NOT_ALLOWED else ServerReason.NO_SUCH_PAGE
    response = _no(status, reason.value)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _no(status: HTTPStatus, reason: str, detail: str = "") -> Response:
    return _answer(write_refusal(reason, detail), status)


def _json(message: Struct, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return _answer(write(message), status)


def _answer(body: bytes, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(body, status.value, headers, "application/json")


@cache
def _described() -> bytes:
    return msgspec.json.encode(openapi())


async def get_openapi(_: Request) -> Response:
    return Response(_described(), media_type="application/json")


async def no_such_page(_: Request) -> Response:
    raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE.value)


async def get_page(request: Request) -> Response:
    packed, path = "gzip" in request.headers.get("accept-encoding", ""), request.path_params["path"]
    found = page(path, packed)
    if found is None and path == PARCEL:
        raise No(HTTPStatus.NOT_FOUND, ServerReason.NOT_PACKED.value, "make pocket packs the game to take along")
    return found or await no_such_page(request)


async def _body(request: Request, kind: type[Body]) -> Body:
    """The request's body, never more of it than a message can be."""
    data = await _read(request, LARGEST_BODY, ServerReason.TOO_BIG.value)
    if too_deep(data):
        raise No(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE.value, "too many brackets")
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise No(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE.value, str(error)) from None


async def _read(request: Request, most: int, reason: str) -> bytes:
    said = request.headers.get("content-length", "")
    if said.isascii() and said.isdigit() and (len(said) > MOST_DIGITS or int(said) > most):
        raise No(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
    parts, size = [], 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > most:
            raise No(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
    return b"".join(parts)


def _number(request: Request) -> int:
    """The number at the end of an address; 0 where there is none."""
    text = request.path_params["number"]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else 0
