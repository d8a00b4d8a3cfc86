"""`notahat mcp --agent`: one game of a ladder, played by a client of the Model Context Protocol.

`notahat lab ladder` sends the states of the game to standard input and reads commands from standard output, one JSON a
line. This program offers the seat as tools over HTTP and starts the client with their address.
"""

import asyncio
import logging
import shlex
import socket
import sys
from contextlib import suppress

import uvicorn
from mcp.server.mcpserver.exceptions import ToolError

from notahat.clients.mcp.seat import Seat
from notahat.clients.mcp.tools import Tools, mcp_server
from notahat.clients.python import Client, TableClient

CLOSING_SECONDS = 2.0  # for the client, after the game is over
_HANDLE = "ladder"


class StdioTable(TableClient):
    """The table of a ladder: lines instead of a connection to a server."""

    def __init__(self) -> None:
        super().__init__("", "", "")

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    async def _connect(self) -> None:
        """Read states until the input is closed, and keep the last one."""
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
        async for line in reader:
            self.receive(line)
        await self._closing.wait()

    def _write(self, frame: bytes) -> None:
        sys.stdout.buffer.write(frame + b"\n")
        sys.stdout.buffer.flush()


class LadderTools(Tools):
    """The tools for the one seat in a game of a ladder, which has begun already."""

    def __init__(self, seat: Seat, lang: str) -> None:
        super().__init__("", lang)
        self._ladder_seat = seat

    async def join_table(self, link: str, name: str) -> str:
        """Take the seat in this game, with any link and name. Returns its handle, and your name at the table."""
        handle, seat = await self._sit(link, name)
        you = seat.state.view.seats[seat.state.you[0]].name
        return f"seat: {handle}\nyour name: {you}\n{seat.answer()}"

    async def _sit(self, link: str, name: str, *, opens: bool = False) -> tuple[str, Seat]:  # noqa: ARG002
        if opens:
            raise ToolError("Not possible: this is a game of a ladder; call join_table with any link and name")
        self.seats[_HANDLE] = self._ladder_seat
        return _HANDLE, self._ladder_seat


def play_game(command: str, lang: str) -> int:
    """Play one game. Return the client's exit status, or 0 if it was ended after the game."""
    logging.disable(logging.INFO)  # of every request
    return asyncio.run(_play(command, lang))


async def _play(command: str, lang: str) -> int:
    table = StdioTable()
    async with table:
        seat = Seat(Client("", ""), table, lang)
        seat.start_reading()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            app = mcp_server(LadderTools(seat, lang)).streamable_http_app()
            server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=1))
            serving = asyncio.create_task(server.serve([listening]))
            url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
            try:
                return await _run_client([word.replace("{url}", url) for word in shlex.split(command)], table)
            finally:
                server.should_exit = True
                await serving
                await seat.exit.aclose()


async def _run_client(words: list[str], table: TableClient) -> int:
    """Start the client, and end it if it does not end by itself soon after the game."""
    client = await asyncio.create_subprocess_exec(*words, stdin=asyncio.subprocess.DEVNULL, stdout=sys.stderr)
    ended = asyncio.create_task(client.wait())
    over = asyncio.create_task(table.until(lambda state: state.view.stage == "over"))
    await asyncio.wait((ended, over), return_when=asyncio.FIRST_COMPLETED)
    over.cancel()
    with suppress(TimeoutError):
        return await asyncio.wait_for(ended, CLOSING_SECONDS)
    client.kill()
    await client.wait()
    return 0
