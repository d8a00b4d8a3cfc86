"""A server below a path of its host, such as /games/hat/, behind a proxy that does not strip it."""

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send


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
