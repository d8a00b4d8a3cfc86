"""`notahat mcp`: a seat for a language model, as tools of the Model Context Protocol (docs/mcp.md)."""

import argparse
import sys
from typing import Any

from notahat.gifts import LANGUAGES
from notahat.optional_dependencies import install_command

_USAGE_ERROR = 2


def add_command(commands: Any) -> None:
    """Add `mcp` to the parser of `notahat`."""
    parser = commands.add_parser("mcp", help="a seat for a language model", description=__doc__)
    parser.add_argument("--server", default="http://127.0.0.1:8000", metavar="URL", help="a running server of the game")
    parser.add_argument("--any-server", action="store_true", help="follow links to tables on other servers, too")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    parser.add_argument("--http", type=int, metavar="PORT", help="offer the tools over HTTP on 127.0.0.1, not stdio")
    parser.add_argument(
        "--agent",
        metavar="COMMAND",
        help="start this MCP client for one game of `notahat lab ladder`; {url} in it is the address of the tools",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Offer the tools until the client closes the connection."""
    try:
        from notahat.clients.mcp.tools import Tools, mcp_server, play_game
    except ModuleNotFoundError as missing:
        sys.stderr.write(f"notahat mcp: needs {missing.name}: {install_command('mcp')}\n")
        return _USAGE_ERROR
    if arguments.agent is not None:
        return play_game(arguments.agent, arguments.lang)
    server = mcp_server(Tools(arguments.server.rstrip("/"), arguments.lang, any_server=arguments.any_server))
    if arguments.http is None:
        server.run("stdio")
    else:
        sys.stderr.write(f"http://127.0.0.1:{arguments.http}/mcp\n")
        server.run("streamable-http", port=arguments.http)
    return 0
