"""HTTP exchanges: bodies up to a limit, the address that limits count, paths below a base, and refusals in JSON."""

from collections.abc import Callable
from enum import StrEnum
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from notahat.gifts import DeckReason
from notahat.rules import Illegal, Reason
from notahat.server.limits.accounts import client_address
from notahat.table import TableReason
from notahat.wire.messages import ServerReason as Server
from notahat.wire.messages import encode_http_refusal

_REASONS: dict[HTTPStatus, tuple[StrEnum, ...]] = {
    HTTPStatus.BAD_REQUEST: (Reason.UNREADABLE, TableReason.BAD_OPTIONS),
    HTTPStatus.UNAUTHORIZED: (Server.NO_GUEST,),
    HTTPStatus.FORBIDDEN: (Reason.ROUND_RUNNING, TableReason.REMOVED, Server.BAD_ORIGIN, Server.NO_SPECTATORS),
    HTTPStatus.NOT_FOUND: (
        *(Server.NO_SUCH_TABLE, Server.NO_SUCH_ROUND, Server.NO_SUCH_DECK, Server.NO_SUCH_TICKET),
        *(Server.NO_SUCH_PAGE, Server.NOT_PACKED),
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: (Server.WRONG_METHOD,),
    HTTPStatus.CONFLICT: (Server.ALREADY_SOMEBODY,),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (DeckReason.TOO_BIG, Server.TOO_BIG),
    HTTPStatus.TOO_MANY_REQUESTS: (Server.TOO_FAST, Server.TOO_MANY_GUESTS, Server.TOO_MANY_TRIES),
    HTTPStatus.SERVICE_UNAVAILABLE: (Server.GOING_AWAY, Server.BUSY),
}
STATUS = {reason: status for status, reasons in _REASONS.items() for reason in reasons}

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}


def require(allowed: bool, reason: StrEnum = Server.TOO_FAST, detail: str = "") -> None:
    """Raise `Illegal` unless allowed."""
    if not allowed:
        raise Illegal(reason, detail)


def refuse(status: HTTPStatus, reason: StrEnum, detail: str = "") -> Response:
    """Return the response of a refusal."""
    return json_response(encode_http_refusal(reason, detail), status)


def json_response(body: bytes, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Return a response that is neither cached nor ever shown as a page: decks contain strangers' pictures."""
    return Response(body, status.value, _HEADERS, "application/json")


MAX_DIGITS = 9


async def read_body(
    request: Request, limit: int, reason: StrEnum, count: Callable[[int], StrEnum | None] = lambda _: None
) -> bytes:
    """Return the body; raise `Illegal` as soon as it is known to exceed the limit, or if `count` gives a reason."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit():
        require(len(length) <= MAX_DIGITS and int(length) <= limit, reason)
    parts, size = [], 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        require(size <= limit, reason)
        if refusal := count(len(part)):
            raise Illegal(refusal, "")
    return b"".join(parts)


def request_address(request: Request, behind_proxy: str) -> str:
    peer = request.client.host if request.client else None
    forwarded = ",".join(request.headers.getlist("x-forwarded-for"))  # a client may have sent headers of its own
    return client_address(forwarded, peer, behind_proxy)


def strip_base(path: str, base: str) -> str:
    """Return a request's path without the base; a path outside it is unchanged, as the proxy may have stripped it."""
    return f"/{path[len(base) :]}" if base != "/" and path.startswith(base) else path


class StripBasePath:
    """Serves an app below a path as well as at the root."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] == self._base.rstrip("/"):
            await RedirectResponse(self._base)(scope, receive, send)
        else:
            await self._app({**scope, "path": strip_base(scope["path"], self._base)}, receive, send)
