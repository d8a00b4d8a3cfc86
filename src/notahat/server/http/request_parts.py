"""Parts of a request: its body up to a limit, and the address that limits count."""

from collections.abc import Callable
from enum import StrEnum

from starlette.requests import Request

from notahat.rules import Illegal
from notahat.server.http.refusal import require
from notahat.server.limits.address import client_address

MAX_DIGITS = 9


def _count_nothing(_: int) -> StrEnum | None:
    return None


async def read_body(
    request: Request, limit: int, reason: StrEnum, count: Callable[[int], StrEnum | None] = _count_nothing
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
