"""The tools of the Model Context Protocol. They are a client of the game's protocol and know what a guest is shown."""

import asyncio
import re
import secrets
from contextlib import suppress
from typing import Annotated
from urllib.parse import urlsplit

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from notahat.bots import LEVELS
from notahat.clients.mcp.seat import LONGEST_WAIT, Seat
from notahat.clients.python import Client, Declined
from notahat.narration.narrator import Narrator
from notahat.narration.vocabulary import Vocabulary
from notahat.table import EMOTES

MOST_SEATS = 64  # in one process
MOST_COMPUTER_PLAYERS = 7
_CODE = re.compile(r"[\w-]{4,64}")  # letters, or the longer key of an invitation

Handle = Annotated[str, Field(description="The handle that open_table or join_table returned.")]
SomeHandle = Annotated[str | None, Field(description="The handle of a seat, if you have one.")]
Name = Annotated[str, Field(description="Your name at the table, 1 to 20 characters.")]
Link = Annotated[str, Field(description="The link of a table on the configured server, or its four letters.")]
Bots = Annotated[int, Field(ge=0, le=MOST_COMPUTER_PLAYERS, description="How many computer players sit down.")]
Level = Annotated[str, Field(description="How well they remember.", json_schema_extra={"enum": [*LEVELS]})]
Seconds = Annotated[float, Field(ge=0, le=LONGEST_WAIT, description="How long to wait at most.")]
Gift = Annotated[str, Field(description="The gift that you name, such as 'hat'; small typos are forgiven.")]
To = Annotated[str | None, Field(description="The receiver's name, if the arrow lets you choose.")]
Shown = Annotated[str, Field(description="What to show.", json_schema_extra={"enum": [*EMOTES]})]

INSTRUCTIONS = """\
Not a Hat is a card game of memory and bluff, played with people and computer players. Call `rules` first, then \
`open_table` or `join_table`; pass the handle that they return to every other tool. In the game, call \
`wait_for_my_turn` again and again, and make the move that it asks for. You are shown as a program at the table."""


class Tools:
    """The tools, and all seats of this process by their handles: one process can serve many players."""

    def __init__(self, server: str, lang: str, *, any_server: bool = False) -> None:
        self._server, self._lang, self._any_server = server, lang, any_server
        self.seats: dict[str, Seat] = {}

    async def rules(self, seat: SomeHandle = None) -> str:
        """Explain the game; with a seat, also who sits where."""
        if seat is not None:
            state = self._seat(seat).state
            return self._seat(seat).narrator.rules(state.you[0] if state.you else 0)
        names = {"you": "", "names": "", "first": "", "last": ""}
        text = Narrator(self._lang, (), Vocabulary(self._lang)).say("rules", players="2–8", **names).strip()
        first, _, rest = text.partition("\n")
        return f"{first.partition('. ')[0]}.\n{rest}"  # who sits where is known at a table

    async def open_table(self, name: Name, computer_players: Bots = 3, level: Level = "casual") -> str:
        """Open a new table, take a seat under a name and add computer players.

        Returns the handle of the seat and a link for people who want to join. Then call `start`.
        """
        if level not in LEVELS:
            raise ToolError(f"There is no such level. There are: {', '.join(LEVELS)}")
        handle, seat = await self._sit("", name, opens=True)
        for _ in range(computer_players):
            await self._do(handle, "add_bot", level=level)
        return f"seat: {handle}\nlink for others: {seat.client.url}/t/{seat.table.code}\n{seat.answer()}"

    async def join_table(self, link: Link, name: Name) -> str:
        """Take a seat at a table by its link or its four letters. Returns the handle of the seat."""
        handle, seat = await self._sit(link, name)
        return f"seat: {handle}\n{seat.answer()}"

    async def start(self, seat: Handle) -> str:
        """Start the game (as its host), or say that you are ready for the next round or want another game."""
        for command in ("again", "ready", "start"):  # another game goes through the lobby
            if any(one.do == command for one in self._seat(seat).state.may):
                await self._send(seat, command)
        return self._seat(seat).answer()

    async def wait_for_my_turn(self, seat: Handle, seconds: Seconds = LONGEST_WAIT) -> str:
        """Wait until you have to act, at most 25 seconds, and tell what happened. Call it again if nobody asks you."""
        try:
            await self._seat(seat).wait(seconds)
        except Declined as declined:
            raise ToolError(f"Not possible: {declined}") from None
        return self._seat(seat).answer()

    async def look(self, seat: Handle) -> str:
        """Tell what happened since the last answer, what lies on the table, and whose turn it is."""
        return self._seat(seat).answer()

    async def draw(self, seat: Handle) -> str:
        """Take a new gift from the shop. It is shown to all and wrapped; then you give it."""
        return await self._do(seat, "draw")

    async def give(self, seat: Handle, gift: Gift, to: To = None) -> str:
        """Give the wrapped gift in your hand and name it, truly or not. `to`: a name, if the arrow lets you choose."""
        player = self._seat(seat)
        try:
            claim, receiver = player.find_gift(gift), player.find_receiver(to)
        except Declined as declined:
            raise ToolError(f"Not possible: {declined}") from None
        return await self._do(seat, "give", claim=claim, **({} if receiver is None else {"to": receiver}))

    async def accept(self, seat: Handle) -> str:
        """Accept the offered gift."""
        return await self._do(seat, "accept")

    async def refuse(self, seat: Handle) -> str:
        """Refuse the offered gift: you say that it is not what the giver named."""
        return await self._do(seat, "refuse")

    async def say(self, seat: Handle, emote: Shown) -> str:
        """Show an emote at the table."""
        if emote not in EMOTES:
            raise ToolError(f"There is no such emote. There are: {', '.join(EMOTES)}")
        return await self._do(seat, "emote", emote=emote)

    async def leave(self, seat: Handle) -> str:
        """Leave the table."""
        player = self._seat(seat)
        del self.seats[seat]
        with suppress(Declined):
            await player.table.do("leave")
        await player.exit.aclose()
        return "You have left the table."

    async def _sit(self, link: str, name: str, *, opens: bool = False) -> tuple[str, Seat]:
        """Open a table or join one, and take a seat. Return its handle."""
        if len(self.seats) >= MOST_SEATS:
            raise ToolError("Too many seats are in use: leave one first.")
        url, code = (self._server, "") if opens else self._table_of(link)
        try:
            async with Client(url) as client:
                seat = Seat(client, client.table(await client.open_table() if opens else code), self._lang)
            try:
                await seat.sit(name)
            except BaseException:
                await seat.exit.aclose()
                raise
        except (Declined, OSError) as problem:
            raise ToolError(f"Not possible: {problem}") from None
        handle = secrets.token_hex(4)
        self.seats[handle] = seat
        return handle, seat

    def _table_of(self, link: str) -> tuple[str, str]:
        """Return the server and the code of a link. Raise `ToolError` if it is malformed, or leads elsewhere."""
        try:
            parts = urlsplit(link.strip())
        except ValueError:
            raise ToolError("This is not a link.") from None
        code = parts.path.rstrip("/").rpartition("/")[2]
        if parts.scheme not in ("", "http", "https") or not _CODE.fullmatch(code):
            raise ToolError("This is no link of a table: pass one such as https://host/t/K7QX, or its four letters.")
        server = f"{parts.scheme}://{parts.netloc}"
        if not parts.netloc or server == self._origin:
            return self._server, code
        if not self._any_server:
            raise ToolError(
                f"The table is on another server than {self._origin}; `notahat mcp --any-server` allows it."
            )
        return server, code

    @property
    def _origin(self) -> str:
        parts = urlsplit(self._server)
        return f"{parts.scheme}://{parts.netloc}"

    def _seat(self, handle: str) -> Seat:
        if handle not in self.seats:
            raise ToolError("There is no such seat: call open_table or join_table.")
        return self.seats[handle]

    async def _do(self, handle: str, command: str, **fields: object) -> str:
        """Send a command, and answer with what it led to."""
        await self._send(handle, command, **fields)
        return self._seat(handle).answer()

    async def _send(self, handle: str, command: str, **fields: object) -> None:
        try:
            await self._seat(handle).table.do(command, **fields)
        except Declined as declined:
            raise ToolError(f"Not possible: {declined}") from None
        await asyncio.sleep(0)  # let the seat take in the new state


def mcp_server(tools: Tools) -> MCPServer:
    """Return a server that offers the tools."""
    server = MCPServer("Not a Hat", instructions=INSTRUCTIONS)
    methods = (tools.rules, tools.open_table, tools.join_table, tools.start, tools.wait_for_my_turn, tools.look)
    moves = (tools.draw, tools.give, tools.accept, tools.refuse, tools.say, tools.leave)
    for method in (*methods, *moves):
        server.add_tool(method, structured_output=False)
    return server
