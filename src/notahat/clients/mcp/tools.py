"""The tools of the Model Context Protocol for a guest of a server, or for a seat in a game of `notahat lab ladder`."""

import asyncio
import logging
import re
import secrets
import shlex
import socket
import sys
from contextlib import AsyncExitStack, suppress
from typing import Annotated
from urllib.parse import urlsplit

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from notahat.bots import LEVELS
from notahat.clients.python import Client, Declined, TableClient
from notahat.gifts import suggest
from notahat.narration.narrator import NARRATED, Narrator, Vocabulary
from notahat.rules import AnswerView, DrawView, GiveView, WrapView
from notahat.table import EMOTES
from notahat.table.shown import RoundDealt
from notahat.wire.messages import State

LONGEST_WAIT = 25.0  # seconds; clients give up on a tool after half a minute
LONGEST_ANSWER = 1200  # characters
MOVES = ("draw", "give", "accept", "refuse")


class Seat:
    """One player at one table: what happened since the last answer, and the newest state."""

    def __init__(self, client: Client, table: TableClient, lang: str) -> None:
        self.client, self.table, self._lang = client, table, lang
        self._lines: list[str] = []
        self._decks: dict[int, Vocabulary] = {}
        self._vocabulary = Vocabulary(lang)
        self.exit = AsyncExitStack()
        self._reader: asyncio.Task[None] | None = None

    async def sit(self, name: str) -> None:
        """Connect and take a seat. Raise `Declined` if the table refuses it."""
        await self.exit.enter_async_context(self.table)
        if self.state.view.options.claims == "spoken":
            raise Declined("spoken_claims", "people speak their claims at this table")
        await self.table.do("sit", name=name, program=True)
        self.start_reading()

    def start_reading(self) -> None:
        """Take in all states from now on."""
        self._reader = asyncio.create_task(self._read())
        self.exit.callback(self._reader.cancel)

    @property
    def state(self) -> State:
        if self.table.state is None:
            raise Declined("no_connection", "the server cannot be reached")
        return self.table.state

    @property
    def narrator(self) -> Narrator:
        return Narrator(self._lang, [seat.name for seat in self.state.view.seats], self._vocabulary)

    @property
    def moves(self) -> set[str]:
        """The moves that this seat may make now."""
        return {one.do for one in self.state.may if one.do in MOVES}

    async def wait(self, seconds: float) -> None:
        """Wait until it is this seat's turn or the round is over. A program needs no time for the first look."""
        if self.state.view.stage == "play" and any(one.do == "ready" for one in self.state.may):
            with suppress(Declined):
                await self.table.do("ready")
        wanted = asyncio.create_task(self.table.until(lambda _: bool(self.moves) or self.state.view.stage != "play"))
        with suppress(TimeoutError):
            await asyncio.wait_for(wanted, min(max(seconds, 0.0), LONGEST_WAIT))
        await asyncio.sleep(0)  # let the reader take in what has just arrived

    def answer(self) -> str:
        """Return what happened since the last answer, the table and the question, oldest events left out if needed."""
        view, narrator = self.state.view, self.narrator
        if view.round is None:
            return narrator.say("lobby", names=", ".join(seat.name for seat in view.seats))
        asked = narrator.question(view.round) if self.moves else self._whose_turn()
        end = "\n\n".join((narrator.table(view.round), asked))
        lines, left_out = self._lines, 0
        self._lines = []
        while lines and len("\n".join((*lines, end))) > LONGEST_ANSWER - 80:
            lines, left_out = lines[1:], left_out + 1
        before = [narrator.say("left_out", n=left_out)] if left_out else []
        return "\n".join((*before, *lines, "", end)).strip()

    def find_gift(self, text: str) -> str:
        gift = self._vocabulary.find(text)
        if gift is None:
            near = ", ".join(map(self._vocabulary.name, suggest(text, self._lang, 3)))
            raise Declined("no_such_gift", f"no gift is called {text[:60]!r}" + (f"; perhaps {near}" if near else ""))
        return gift

    def find_receiver(self, name: str | None) -> int | None:
        if name is None:
            return None
        seats = [seat.name.casefold() for seat in self.state.view.seats]
        if name.casefold() not in seats:
            raise Declined("no_such_player", f"nobody at the table is called {name[:40]!r}")
        return seats.index(name.casefold())

    def _whose_turn(self) -> str:
        view = self.state.view
        phase = view.round.phase if view.round else None
        match phase:
            case AnswerView(receiver=seat) | DrawView(giver=seat) | WrapView(giver=seat) | GiveView(giver=seat):
                return self.narrator.say("waiting", who=view.seats[seat].name)
            case _ if view.round is not None:
                return self.narrator.result(view.round)
            case _:
                return ""

    async def _read(self) -> None:
        async for state in self.table:
            await self._learn_deck(state)
            round_ = state.view.round
            if round_ is None:
                continue
            if any(isinstance(event, RoundDealt) for event in state.happened):
                self._lines = list(self.narrator.see(round_, ()))
            events = [event for event in state.happened if isinstance(event, NARRATED)]
            if events:
                self._lines += self.narrator.see(round_, events, brief=True)

    async def _learn_deck(self, state: State) -> None:
        """Learn the names of a deck that people made."""
        deck = state.view.deck
        if not deck:
            self._vocabulary = self._decks.setdefault(0, Vocabulary(self._lang))
            return
        if deck.version not in self._decks:
            found = await self.client.deck(self.table.code, deck.version)
            own = {gift.key: (words[0], words[2], words[3]) for gift in found.own if (words := gift.words[self._lang])}
            self._decks[deck.version] = Vocabulary(self._lang, own=own)
        self._vocabulary = self._decks[deck.version]


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
