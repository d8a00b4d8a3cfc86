"""The HTTP side: guests, tables, stories, tickets, and the pages of the web app."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TypeVar
from uuid import UUID

import msgspec
import segno
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.rules import Illegal, Reason
from notahat.server.guests import COOKIE, TICKET_SECONDS, bearer, cookie, from_browser, own_origin
from notahat.server.hall import Hall
from notahat.server.pages import page
from notahat.server.room import Room
from notahat.server.socket import address_of
from notahat.store import Unavailable
from notahat.table import Unknown, view, welcome
from notahat.table.events import decode
from notahat.table.story import finished, story
from notahat.wire.messages import OpenTable, Refusal, Summary, TableLink, Ticket, Token, UseTicket, write
from notahat.wire.openapi import openapi
from notahat.wire.reasons import ServerReason

LARGEST_BODY = 8 * 1024
A_YEAR = 365 * 24 * 3600
MOST_DIGITS = 9
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

Body = TypeVar("Body", bound=Struct)
Endpoint = Callable[[Hall, Request], Awaitable[Response]]


class No(Exception):  # noqa: N818 - an answer
    """An answer that says no."""

    def __init__(self, status: HTTPStatus, reason: str, detail: str = "") -> None:
        super().__init__(detail)
        self.status = status
        self.reason = reason


def make_app(open_hall: Callable[[], Awaitable[Hall]]) -> Starlette:
    """The app; the hall is opened when the server starts, inside its loop, and `app.state.hall` is it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall = app.state.hall = await open_hall()
        keeper = asyncio.get_running_loop().create_task(hall.keep())
        try:
            yield
        finally:
            keeper.cancel()
            await hall.close()
            await hall.store.close()

    routes = [
        _route("/api/guests", POST=post_guest),
        _route("/api/tables", POST=post_table),
        _route("/api/tables/{code}", GET=get_table),
        _route("/api/tables/{code}/rounds/{number}", GET=get_round),
        _route("/api/tickets", POST=post_ticket),
        _route("/api/tickets/use", POST=post_used_ticket),
        _route("/api/qr.svg", GET=get_qr),
        _route("/api/openapi.json", GET=get_openapi),
        _route("/api/{rest:path}", GET=no_such_page, POST=no_such_page),
        _route("/healthz", GET=get_health),
        _route("/metrics", GET=get_metrics),
        _route("/{path:path}", GET=get_page),
    ]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _http_no})


def _route(path: str, **by_method: Endpoint) -> Route:
    """A place and what can be done there. Every way to say no is in this one place."""

    async def answer(request: Request) -> Response:
        hall: Hall = request.app.state.hall
        endpoint = by_method.get("GET" if request.method == "HEAD" else request.method)
        try:
            response = await endpoint(hall, request) if endpoint else _wrong_method(by_method)
        except No as no:
            response = _no(no.status, no.reason, str(no))
        except Illegal as illegal:
            response = _no(HTTPStatus.BAD_REQUEST, illegal.reason.value, illegal.detail)
        except (Unavailable, Unknown) as error:
            response = _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY.value, str(error))
        except ClientDisconnect:
            response = _no(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE.value)
        hall.metrics.http[str(response.status_code)] += 1
        return response

    return Route(path, answer, methods=list(METHODS))


def _wrong_method(by_method: Mapping[str, Endpoint]) -> Response:
    response = _no(HTTPStatus.METHOD_NOT_ALLOWED, ServerReason.WRONG_METHOD.value)
    response.headers["allow"] = ", ".join(by_method)
    return response


async def _http_no(_: Request, error: Exception) -> Response:
    """What Starlette itself refuses: methods nobody has heard of."""
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
    reason = ServerReason.WRONG_METHOD if status == HTTPStatus.METHOD_NOT_ALLOWED else ServerReason.NO_SUCH_PAGE
    response = _no(status, reason.value)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _no(status: HTTPStatus, reason: str, detail: str = "") -> Response:
    return _json(Refusal(reason, detail[:200]), status)


def _json(message: Struct, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(write(message), status.value, headers, "application/json")


async def post_guest(hall: Hall, request: Request) -> Response:
    if not own_origin(request.headers, hall.settings.public_url):
        raise No(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN.value)
    if await hall.guests.who(cookie(request.headers)) is not None:
        return _json(Token(None))
    if not hall.minting.allows(_address(hall, request)):
        raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_GUESTS.value)
    return _token(hall, request, await hall.guests.welcome())


async def post_table(hall: Hall, request: Request) -> Response:
    guest = await _guest(hall, request)
    body = await _body(request, OpenTable)
    if not hall.opening.allows(guest):
        raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
    code = await hall.new_table(guest, dict(body.options))
    return _json(TableLink(code, f"/t/{code}"), HTTPStatus.CREATED)


async def get_table(hall: Hall, request: Request) -> Response:
    room = await _room(hall, request)
    seen = view(room.table, room.present)
    you = welcome(room.table, await _guest_if_any(hall, request))
    return _json(Summary(seen.code, seen.stage, seen.seats, seen.watching, seen.locked, seen.options, seen.match, you))


async def get_round(hall: Hall, request: Request) -> Response:
    """The story of a round, to anybody who may watch; where nobody may, to those who played."""
    room = await _room(hall, request)
    if not room.table.options.spectators and not room.table.held_by(await _guest(hall, request)):
        raise No(HTTPStatus.FORBIDDEN, ServerReason.NO_SPECTATORS.value)
    text = request.path_params["number"]
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else 0
    if not 1 <= number <= room.table.dealt:
        raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_ROUND.value)
    if not finished(room.table, number):
        raise No(HTTPStatus.FORBIDDEN, Reason.ROUND_RUNNING.value)
    told = story((decode(commit.events) for commit in await hall.store.read(room.id)), number)
    if told is None:
        raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_ROUND.value)
    return _json(told)


async def post_ticket(hall: Hall, request: Request) -> Response:
    guest = await _guest(hall, request)
    if not hall.opening.allows(guest):
        raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
    return _json(Ticket(f"/c/{await hall.guests.ticket(guest)}", TICKET_SECONDS), HTTPStatus.CREATED)


async def post_used_ticket(hall: Hall, request: Request) -> Response:
    if not own_origin(request.headers, hall.settings.public_url):
        raise No(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN.value)
    body = await _body(request, UseTicket)
    address = _address(hall, request)
    if not hall.wrong_codes.has(address):
        raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_TRIES.value)
    token = await hall.guests.use_ticket(body.ticket)
    if token is None:
        hall.wrong_codes.allows(address)
        raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_TICKET.value)
    return _token(hall, request, token)


async def get_qr(hall: Hall, request: Request) -> Response:
    """A QR code for a link of ours and nobody else's."""
    path = request.query_params.get("path", "")
    kind, _, word = path.removeprefix("/").partition("/")
    plain = word.replace("-", "").replace("_", "").replace("/", "", 1)  # a ticket may name the table to go on at
    if kind not in ("t", "c") or not 0 < len(word) <= 64 or not (plain.isascii() and plain.isalnum()):
        raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE.value, "a path is /t/… or /c/…[/…]")
    base = hall.settings.public_url.rstrip("/") or f"{request.url.scheme}://{request.headers.get('host', '')[:255]}"
    svg = segno.make(f"{base}/{kind}/{word}", error="m").svg_inline(scale=8, border=2, dark="#1B1A17", light="#FFFFFF")
    svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(svg, HTTPStatus.OK, headers, "image/svg+xml")


async def get_openapi(hall: Hall, request: Request) -> Response:  # noqa: ARG001
    return Response(msgspec.json.encode(openapi()), media_type="application/json")


async def get_health(hall: Hall, request: Request) -> Response:  # noqa: ARG001
    if hall.closing:
        raise No(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.GOING_AWAY.value)
    await hall.store.table_of("")
    return Response(b'{"ok":true}', media_type="application/json")


async def get_metrics(hall: Hall, request: Request) -> Response:  # noqa: ARG001
    text = hall.metrics.text(len(hall.rooms), hall.sockets)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def no_such_page(hall: Hall, request: Request) -> Response:  # noqa: ARG001
    raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE.value)


async def get_page(hall: Hall, request: Request) -> Response:
    packed = "gzip" in request.headers.get("accept-encoding", "")
    return page(request.path_params["path"], packed) or await no_such_page(hall, request)


async def _guest(hall: Hall, request: Request) -> UUID:
    """Who sends this: a program with a token, or a browser with a cookie from one of our own pages."""
    token = bearer(request.headers)
    if token is None:
        if not own_origin(request.headers, hall.settings.public_url):
            raise No(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN.value)
        token = cookie(request.headers)
    guest = await hall.guests.who(token)
    if guest is None:
        raise No(HTTPStatus.UNAUTHORIZED, ServerReason.NO_GUEST.value)
    return guest


async def _guest_if_any(hall: Hall, request: Request) -> UUID | None:
    try:
        return await _guest(hall, request)
    except No:
        return None


async def _room(hall: Hall, request: Request) -> Room:
    address = _address(hall, request)
    if not hall.wrong_codes.has(address):
        raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_TRIES.value)
    if not hall.reading.allows(address):
        raise No(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST.value)
    room = await hall.find(request.path_params["code"])
    if room is None:
        hall.wrong_codes.allows(address)
        raise No(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_TABLE.value)
    return room


async def _body(request: Request, kind: type[Body]) -> Body:
    """The request's body, never more of it than a message can be."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > LARGEST_BODY:
            raise No(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, ServerReason.TOO_BIG.value)
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise No(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE.value, str(error)) from None


def _token(hall: Hall, request: Request, token: str) -> Response:
    """A token for a program; a browser gets it as a cookie that no script can read."""
    if not from_browser(request.headers):
        return _json(Token(token), HTTPStatus.CREATED)
    response = _json(Token(None), HTTPStatus.CREATED)
    secure = hall.settings.public_url.startswith("https:") or request.headers.get("origin", "").startswith("https:")
    response.set_cookie(COOKIE, token, max_age=A_YEAR, path="/", secure=secure, httponly=True, samesite="lax")
    return response


def _address(hall: Hall, request: Request) -> str:
    peer = request.client.host if request.client else None
    return address_of(request.headers, peer, hall.settings.behind_proxy)
