"""The HTTP API: guests, tables, rounds, decks and tickets, and the pages of the web app."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from http import HTTPStatus
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.gifts import DeckReason
from notahat.live.requests import ReadDeck, ReadStory, Submit, Summarise
from notahat.rules import Illegal, Reason
from notahat.server.http.asyncapi import asyncapi
from notahat.server.http.deck_uploads import DeckValidator
from notahat.server.http.guests import (
    COOKIE,
    TICKET_SECONDS,
    Guests,
    bearer_token,
    browser_token,
    cookie_token,
    is_browser,
    is_own_origin,
)
from notahat.server.http.knock_requests import Knocks
from notahat.server.http.openapi import openapi
from notahat.server.http.pages import HEADERS, POCKET_MANIFEST, headers_for, page
from notahat.server.http.refusal import STATUS, json_response, refuse, require
from notahat.server.http.rendezvous import RENDEZVOUS_PATH, Rendezvous, RendezvousEndpoint
from notahat.server.http.request_parts import read_body, request_address
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.budget import BODY_BYTES, DECK_BYTES
from notahat.server.limits.rate_limit import RateLimit
from notahat.server.limits.table_lookup import TableLookup
from notahat.server.node import Node
from notahat.server.ops.health import Health, HealthResponse, ObservedRequest
from notahat.server.ops.metrics_endpoint import MetricsEndpoint
from notahat.server.settings import BASE_PATH, Settings
from notahat.server.table_codes import table_link
from notahat.store import Unavailable
from notahat.table import TableView, Unknown
from notahat.table.commands import UploadDeck
from notahat.wire.deck_messages import lines_message
from notahat.wire.messages import (
    AskLines,
    KnockRequest,
    NewGuest,
    OpenTable,
    Summary,
    TableLink,
    Ticket,
    Token,
    UseTicket,
    encode_message,
    is_too_nested,
)
from notahat.wire.reasons import ServerReason

A_YEAR = 365 * 24 * 3600
MAX_DIGITS = 9
MAX_HOST = 255
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

Body = TypeVar("Body", bound=Struct)
Endpoint = Callable[[Request], Awaitable[Response]]


class Api:
    """All endpoints and their rate limits."""

    def __init__(
        self,
        settings: Settings,
        node: Node,
        guests: Guests,
        lookup: TableLookup,
        health: Health,
        metrics_endpoint: MetricsEndpoint,
        rendezvous: Rendezvous,
        accounts: Accounts,
    ) -> None:
        self._settings = settings
        self._node = node
        self._guests = guests
        self._lookup = lookup
        self._health = health
        self._metrics_endpoint = metrics_endpoint
        per_address = settings.guests_per_address
        self._guest_limit = RateLimit(per_address, per_address / 600)
        self._table_limit = RateLimit(burst=20, per_second=0.2)
        self._table_address_limit = RateLimit(per_address, per_address / 2400)
        self._deck_limit = RateLimit(burst=10, per_second=1 / 60)  # decks are large and stay with their tables
        self._deck_address_limit = RateLimit(per_address, per_address / 7200)
        self._accounts = accounts
        self._lines_limit = RateLimit(burst=200, per_second=2)
        self._knocks = Knocks(node, lookup)
        self._rendezvous = RendezvousEndpoint(rendezvous, self._address)
        self._deck_validator = DeckValidator()

    def routes(self) -> list[Route]:
        headers = headers_for(self._settings.frame_ancestors)
        return [
            self._route("/api/guests", POST=self.post_guest),
            self._route("/api/tables", POST=self.post_table),
            self._route("/api/tables/{code}", GET=self.get_table),
            self._route("/api/tables/{code}/rounds/{number}", GET=self.get_round),
            self._route("/api/tables/{code}/deck", POST=self.post_deck),
            self._route("/api/tables/{code}/decks/{number}", GET=self.get_deck),
            self._route("/api/tables/{code}/knock", POST=self.post_knock),
            self._route("/api/lines", POST=self.post_lines),
            self._route("/api/tickets", POST=self.post_ticket),
            self._route("/api/tickets/use", POST=self.post_used_ticket),
            self._route(RENDEZVOUS_PATH, GET=self._rendezvous.get, POST=self._rendezvous.post),
            self._route("/api/openapi.json", GET=partial(get_description, describe=openapi)),
            self._route("/api/asyncapi.json", GET=partial(get_description, describe=asyncapi)),
            self._route("/api/{rest:path}", GET=no_such_page, POST=no_such_page),
            self._route("/healthz", GET=self.get_health),
            self._route("/metrics", GET=self.get_metrics),
            self._route("/{path:path}", GET=partial(get_page, headers=headers, base=self._settings.base_path)),
        ]

    def _route(self, path: str, **by_method: Endpoint) -> Route:
        """Return a route that turns every refusal of its endpoints into a response."""

        async def respond(request: Request) -> Response:
            endpoint = by_method.get("GET" if request.method == "HEAD" else request.method)
            try:
                response = await endpoint(request) if endpoint else _wrong_method(by_method)
            except Illegal as illegal:
                status = STATUS.get(illegal.reason, HTTPStatus.BAD_REQUEST)
                response = refuse(status, illegal.reason, illegal.detail)
            except (Unavailable, Unknown) as error:
                response = refuse(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY, str(error))
            except ClientDisconnect:
                response = refuse(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE)
            self._node.metrics.count_response(path, response.status_code)
            return response

        return Route(path, respond, methods=list(METHODS))

    async def post_guest(self, request: Request) -> Response:
        self._require_own_origin(request)
        body = await _body(request, NewGuest)
        if await self._guests.identify(browser_token(request.headers)) is not None:
            return _json(Token(None))
        require(self._guest_limit.allows(self._address(request)), ServerReason.TOO_MANY_GUESTS)
        return self._token(request, await self._guests.create_token(), body)

    async def post_table(self, request: Request) -> Response:
        guest = await self._guest(request)
        body = await _body(request, OpenTable)
        require(self._table_limit.allows(guest) and self._table_address_limit.allows(self._address(request)))
        code, _ = await self._node.open_table(guest, dict(body.options), body.screen, body.day)
        return _json(TableLink(code, f"/t/{code}"), HTTPStatus.CREATED)

    async def get_table(self, request: Request) -> Response:
        guest = await self._guest_if_any(request)
        id_ = await self._table(request, guest)
        found: Summary = await self._node.ask(Summarise(id_), guest)
        home, link = self._settings.public_url.rstrip("/"), table_link(found.code, id_)
        return _json(msgspec.structs.replace(found, invitation=link, home=home))

    async def get_round(self, request: Request) -> Response:
        """Return the story of a finished round; at a table without spectators only to its players."""
        guest = await self._guest_if_any(request)
        id_ = await self._table(request, guest)
        return json_response(await self._node.ask(ReadStory(id_, _number(request)), guest))

    async def post_deck(self, request: Request) -> Response:
        """Put a `.hat` file on a table. Nothing of a refused file is kept, and it is read only if the guest may."""
        guest = await self._guest(request)
        id_ = await self._table(request, guest)
        address = self._address(request)
        await self._node.ask(Submit(id_, None, secrets.token_hex(8), UploadDeck(None)), guest)
        require(self._deck_limit.allows(guest) and self._deck_address_limit.allows(address))
        with self._accounts.upload(address) as upload:
            data = await read_body(request, DECK_BYTES.value, DeckReason.TOO_BIG, upload.count)
            deck = await self._deck_validator.validate(data, guest, address)
            seen: TableView = await self._node.ask(Submit(id_, None, secrets.token_hex(8), UploadDeck(deck)), guest)
        return json_response(msgspec.json.encode(seen.deck), HTTPStatus.CREATED)

    async def get_deck(self, request: Request) -> Response:
        """Return a deck's gifts to a guest who may enter the table."""
        guest = await self._guest(request)
        id_ = await self._table(request, guest)
        return json_response(await self._node.ask(ReadDeck(id_, _number(request)), guest))

    async def post_knock(self, request: Request) -> Response:
        """Ask the players of a running table to let this guest in, or whether they have."""
        guest = await self._guest(request)
        body = await _body(request, KnockRequest)
        answer = await self._knocks.knock(request.path_params["code"], guest, self._address(request), body.name)
        if isinstance(answer, ServerReason):
            raise Illegal(answer, "")
        return _json(answer, HTTPStatus.ACCEPTED)

    async def post_lines(self, request: Request) -> Response:
        """Return the sentences that players will say about an own gift, for deck makers."""
        require(self._lines_limit.allows(self._address(request)))
        return _json(lines_message(await _body(request, AskLines)))

    async def post_ticket(self, request: Request) -> Response:
        guest = await self._guest(request)
        require(self._table_limit.allows(guest))
        return _json(Ticket(f"/c/{await self._guests.create_ticket(guest)}", TICKET_SECONDS), HTTPStatus.CREATED)

    async def post_used_ticket(self, request: Request) -> Response:
        self._require_own_origin(request)
        body = await _body(request, UseTicket)
        if not body.instead and await self._guests.identify(browser_token(request.headers)) is not None:
            # opening a link must not be enough to replace a guest's identity
            raise Illegal(ServerReason.ALREADY_SOMEBODY, "")
        attempt = self._lookup.attempts.of_address(self._address(request))
        require(attempt.count(), ServerReason.TOO_MANY_TRIES)
        token = await self._guests.use_ticket(body.ticket)
        if token is None:
            raise Illegal(ServerReason.NO_SUCH_TICKET, "")
        attempt.refund()
        return self._token(request, token, body)

    async def get_health(self, request: Request) -> Response:
        """Return whether people can play; with `?way` also how the request looks from here, for `notahat doctor`."""
        require(not self._node.closing, ServerReason.GOING_AWAY)
        require(await self._health.is_healthy(), ServerReason.BUSY)
        if "way" in request.query_params:
            return _json(HealthResponse(ok=True, way=ObservedRequest(self._address(request), _host(request))))
        return Response(b'{"ok":true}', media_type="application/json")

    async def get_metrics(self, request: Request) -> Response:
        require(self._metrics_endpoint.authorises(request.headers), ServerReason.NO_SUCH_PAGE)
        return await self._metrics_endpoint.response()

    async def _guest(self, request: Request) -> UUID:
        """Return who sends this: a program with a token, or a browser with a cookie from one of our own pages."""
        token = bearer_token(request.headers)
        if token is None:
            self._require_own_origin(request)
            token = cookie_token(request.headers)
        guest = await self._guests.identify(token)
        if guest is None:
            raise Illegal(ServerReason.NO_GUEST, "")
        return guest

    async def _guest_if_any(self, request: Request) -> UUID | None:
        try:
            return await self._guest(request)
        except Illegal:
            return None

    def _require_own_origin(self, request: Request) -> None:
        require(is_own_origin(request.headers, self._settings.public_url), ServerReason.BAD_ORIGIN)

    async def _table(self, request: Request, guest: UUID | None) -> UUID:
        found = await self._lookup.find(request.path_params["code"], guest, self._address(request))
        if isinstance(found, ServerReason):
            raise Illegal(found, "")
        return found

    def _token(self, request: Request, token: str, body: NewGuest | UseTicket) -> Response:
        """Return a token to a program or a page without cookies; else as a cookie that no script can read."""
        if not is_browser(request.headers) or not body.cookies:
            return _json(Token(token), HTTPStatus.CREATED)
        response = _json(Token(None), HTTPStatus.CREATED)
        base = body.base if BASE_PATH.fullmatch(body.base) else "/"
        origins = (self._settings.public_url, request.headers.get("origin", ""))
        secure = any(origin.startswith("https:") for origin in origins)
        response.set_cookie(COOKIE, token, max_age=A_YEAR, path=base, secure=secure, httponly=True, samesite="lax")
        return response

    def _address(self, request: Request) -> str:
        return request_address(request, self._settings.behind_proxy)


def _wrong_method(by_method: Mapping[str, Endpoint]) -> Response:
    response = refuse(HTTPStatus.METHOD_NOT_ALLOWED, ServerReason.WRONG_METHOD)
    response.headers["allow"] = ", ".join(by_method)
    return response


async def handle_http_exception(_: Request, error: Exception) -> Response:
    """Return a refusal for what Starlette itself refuses, such as unknown methods."""
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
    reason = ServerReason.WRONG_METHOD if status == HTTPStatus.METHOD_NOT_ALLOWED else ServerReason.NO_SUCH_PAGE
    response = refuse(status, reason)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _json(message: Struct, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return json_response(encode_message(message), status)


@cache
def _description(describe: Callable[[], dict[str, Any]]) -> bytes:
    return msgspec.json.encode(describe())


async def get_description(_: Request, describe: Callable[[], dict[str, Any]]) -> Response:
    return Response(_description(describe), media_type="application/json")


async def no_such_page(_: Request) -> Response:
    raise Illegal(ServerReason.NO_SUCH_PAGE, "")


async def get_page(request: Request, headers: Mapping[str, str] = HEADERS, base: str = "/") -> Response:
    gzipped, path = "gzip" in request.headers.get("accept-encoding", ""), request.path_params["path"]
    found = page(path, gzipped, headers, base)
    if found is None and path == POCKET_MANIFEST:
        raise Illegal(ServerReason.NOT_PACKED, "the pocket edition is not built: run `make pocket`")
    return found or await no_such_page(request)


async def _body(request: Request, kind: type[Body]) -> Body:
    """Return the decoded body of a request."""
    data = await read_body(request, BODY_BYTES.value, ServerReason.TOO_BIG)
    require(not is_too_nested(data), Reason.UNREADABLE, "nested too deeply")
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Illegal(Reason.UNREADABLE, str(error)) from None


def _number(request: Request) -> int:
    """Return the number at the end of the path; 0 if it is none."""
    text = request.path_params["number"]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0


def _host(request: Request) -> str:
    return request.headers.get("host", "")[:MAX_HOST]
