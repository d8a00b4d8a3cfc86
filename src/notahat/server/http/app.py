"""The HTTP API: guests, tables, rounds, decks and tickets, and the pages of the web app."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.gifts import Deck, DeckReason, read_deck
from notahat.gifts.hat_file import NameKeys
from notahat.live.limits import RateLimit
from notahat.live.requests import ReadDeck, ReadStory, Submit, Summarise
from notahat.rules import Illegal, Reason
from notahat.server.confusables import name_keys
from notahat.server.http.asyncapi import asyncapi
from notahat.server.http.exchange import STATUS, json_response, read_body, refuse, request_address, require
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
from notahat.server.http.openapi import openapi
from notahat.server.http.pages import headers_for, page, preview
from notahat.server.http.rendezvous import RENDEZVOUS_PATH, Rendezvous, RendezvousEndpoint
from notahat.server.http.strangers import HOUSE_TAG, Knocks, has_house, house_tables, is_in_house
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.budget import BODY_BYTES, DECK_BYTES
from notahat.server.limits.table_lookup import LOOKUPS, TableLookup
from notahat.server.node import Node
from notahat.server.ops.metrics import Health, HealthResponse, ObservedRequest
from notahat.server.ops.metrics_endpoint import MetricsEndpoint
from notahat.server.settings import BASE_PATH, Settings
from notahat.server.table_codes import split_code, table_link
from notahat.store import Unavailable
from notahat.table import TableView, Unknown
from notahat.table.commands import UploadDeck
from notahat.wire import messages
from notahat.wire.messages import ServerReason


class DeckValidator:
    """Validates uploaded decks in a thread, one at a time; each guest and address has at most one in the queue."""

    def __init__(self, name_keys: NameKeys = name_keys) -> None:
        self._name_keys = name_keys
        self._running = asyncio.Lock()
        self._locks: WeakValueDictionary[UUID | str, asyncio.Lock] = WeakValueDictionary()

    async def validate(self, data: bytes, guest: UUID, address: str) -> Deck:
        """Return the deck in a file; raise `Illegal` with the reason and the place of an error."""
        async with self._lock(guest), self._lock(address), self._running:
            return await asyncio.to_thread(read_deck, data, self._name_keys)

    def _lock(self, key: UUID | str) -> asyncio.Lock:
        """Return the lock of a guest or address, which is dropped when nothing waits for it."""
        return self._locks.setdefault(key, asyncio.Lock())


A_YEAR = 365 * 24 * 3600
MAX_DIGITS = 9
MAX_HOST = 255
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

log = logging.getLogger("notahat.requests")

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
        self._house_limit = RateLimit(*LOOKUPS)
        self._page_headers = headers_for(settings.frame_ancestors)
        self._lines_limit = RateLimit(burst=200, per_second=2)
        self._knocks = Knocks(node, lookup)
        self._rendezvous = RendezvousEndpoint(rendezvous, self._address)
        self._deck_validator = DeckValidator()

    def routes(self) -> list[Route]:
        return [
            self._route("/api/guests", POST=self.post_guest),
            self._route("/api/house", GET=self.get_house),
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
            self._route("/{path:path}", GET=self.get_page),
        ]

    def _route(self, path: str, **by_method: Endpoint) -> Route:
        """Return a route that turns every refusal of its endpoints into a response."""

        async def respond(request: Request) -> Response:
            endpoint = by_method.get("GET" if request.method == "HEAD" else request.method)
            began = monotonic()
            try:
                if endpoint is None:
                    response = refuse(HTTPStatus.METHOD_NOT_ALLOWED, ServerReason.WRONG_METHOD)
                    response.headers["allow"] = ", ".join(by_method)
                else:
                    response = await endpoint(request)
            except Illegal as illegal:
                status = STATUS.get(illegal.reason, HTTPStatus.BAD_REQUEST)
                response = refuse(status, illegal.reason, illegal.detail)
            except (Unavailable, Unknown) as error:
                response = refuse(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY, str(error))
            except ClientDisconnect:
                response = refuse(HTTPStatus.BAD_REQUEST, Reason.UNREADABLE)
            self._node.metrics.count_response(path, response.status_code)
            if log.isEnabledFor(logging.DEBUG):  # with the route, not the path: that has codes and keys
                details = {"method": request.method, "route": path, "status": response.status_code}
                log.debug("request", extra={**details, "seconds": round(monotonic() - began, 6)})
            return response

        return Route(path, respond, methods=list(METHODS))

    async def post_guest(self, request: Request) -> Response:
        self._require_own_origin(request)
        body = await _body(request, messages.NewGuest)
        if await self._guests.identify(browser_token(request.headers)) is not None:
            return _json(messages.Token(None))
        require(self._guest_limit.allows(self._address(request)), ServerReason.TOO_MANY_GUESTS)
        return self._token(request, await self._guests.create_token(), body)

    async def get_house(self, request: Request) -> Response:
        """List the open lobbies to a device in the same network; otherwise there is no such page."""
        address = self._address(request)
        require(is_in_house(address, request.headers, self._settings), ServerReason.NO_SUCH_PAGE)
        require(self._house_limit.allows(address))
        return _json(messages.House(house_tables(self._node)))

    async def post_table(self, request: Request) -> Response:
        guest = await self._guest(request)
        body = await _body(request, messages.OpenTable)
        require(self._table_limit.allows(guest) and self._table_address_limit.allows(self._address(request)))
        code, _ = await self._node.open_table(guest, dict(body.options), body.screen, body.day)
        return _json(messages.TableLink(code, f"/t/{code}"), HTTPStatus.CREATED)

    async def get_table(self, request: Request) -> Response:
        guest = await self._guest_if_any(request)
        id_ = await self._table(request, guest)
        found: messages.Summary = await self._node.ask(Summarise(id_), guest)
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
        body = await _body(request, messages.KnockRequest)
        answer = await self._knocks.knock(request.path_params["code"], guest, self._address(request), body.name)
        return _json(answer, HTTPStatus.ACCEPTED)

    async def post_lines(self, request: Request) -> Response:
        """Return the sentences that players will say about an own gift, for deck makers."""
        require(self._lines_limit.allows(self._address(request)))
        return _json(messages.lines_message(await _body(request, messages.AskLines)))

    async def post_ticket(self, request: Request) -> Response:
        guest = await self._guest(request)
        require(self._table_limit.allows(guest))
        link = f"/c/{await self._guests.create_ticket(guest)}"
        return _json(messages.Ticket(link, TICKET_SECONDS), HTTPStatus.CREATED)

    async def post_used_ticket(self, request: Request) -> Response:
        self._require_own_origin(request)
        body = await _body(request, messages.UseTicket)
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
            host = request.headers.get("host", "")[:MAX_HOST]
            return _json(HealthResponse(ok=True, way=ObservedRequest(self._address(request), host)))
        return Response(b'{"ok":true}', media_type="application/json")

    async def get_page(self, request: Request) -> Response:
        """Return a file of the web app; to programs that show links, its page with the tags of a preview."""
        path, previews = request.path_params["path"], "sec-fetch-mode" not in request.headers  # browsers send it
        gzipped = "gzip" in request.headers.get("accept-encoding", "")
        table = await self._invitation(request, path) if previews else None
        home = self._settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
        tag = HOUSE_TAG if has_house(self._settings) else b""

        def change(index: bytes) -> bytes:
            index = index.replace(b"<head>", b"<head>" + tag, 1)
            return preview(index, request.headers.get("accept-language", ""), home, table) if previews else index

        found = page(path, gzipped, self._page_headers, self._settings.base_path, change, previews)
        return found or await no_such_page(request)

    async def _invitation(self, request: Request, path: str) -> messages.Summary | None:
        """Return the table of an invitation: a link with its key, which nobody can guess."""
        folder, _, code = path.partition("/")
        if folder != "t" or not split_code(code)[1]:
            return None
        found = await self._lookup.find(code, None, self._address(request))
        if isinstance(found, ServerReason):
            return None
        with suppress(Illegal, Unavailable, Unknown):  # the app says what is wrong
            summary: messages.Summary = await self._node.ask(Summarise(found), None)
            return summary if f"/{path}" == table_link(summary.code, found) else None
        return None

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

    def _token(self, request: Request, token: str, body: messages.NewGuest | messages.UseTicket) -> Response:
        """Return a token to a program or a page without cookies; else as a cookie that no script can read."""
        if not is_browser(request.headers) or not body.cookies:
            return _json(messages.Token(token), HTTPStatus.CREATED)
        response = _json(messages.Token(None), HTTPStatus.CREATED)
        base = body.base if BASE_PATH.fullmatch(body.base) else "/"
        origins = (self._settings.public_url, request.headers.get("origin", ""))
        secure = any(origin.startswith("https:") for origin in origins)
        response.set_cookie(COOKIE, token, max_age=A_YEAR, path=base, secure=secure, httponly=True, samesite="lax")
        return response

    def _address(self, request: Request) -> str:
        return request_address(request, self._settings.behind_proxy)


async def handle_http_exception(_: Request, error: Exception) -> Response:
    """Return a refusal for what Starlette itself refuses, such as unknown methods."""
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
    reason = ServerReason.WRONG_METHOD if status == HTTPStatus.METHOD_NOT_ALLOWED else ServerReason.NO_SUCH_PAGE
    response = refuse(status, reason)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _json(message: Struct, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return json_response(messages.encode_message(message), status)


async def get_description(_: Request, describe: Callable[[], dict[str, Any]]) -> Response:
    return Response(msgspec.json.encode(describe()), media_type="application/json")


async def no_such_page(_: Request) -> Response:
    raise Illegal(ServerReason.NO_SUCH_PAGE, "")


async def _body(request: Request, kind: type[Body]) -> Body:
    """Return the decoded body of a request."""
    data = await read_body(request, BODY_BYTES.value, ServerReason.TOO_BIG)
    require(not messages.is_too_nested(data), Reason.UNREADABLE, "nested too deeply")
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Illegal(Reason.UNREADABLE, str(error)) from None


def _number(request: Request) -> int:
    """Return the number at the end of the path; 0 if it is none."""
    text = request.path_params["number"]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0
