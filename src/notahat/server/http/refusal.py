"""Refused HTTP requests: every reason and its status code, and responses in JSON."""

from enum import StrEnum
from http import HTTPStatus

from starlette.responses import Response

from notahat.gifts import DeckReason
from notahat.rules import Illegal, Reason
from notahat.table import TableReason
from notahat.wire.messages import encode_http_refusal
from notahat.wire.reasons import ServerReason as Server

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
