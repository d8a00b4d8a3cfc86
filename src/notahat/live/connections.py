"""The open connections of a room, and what is said to each."""

from collections.abc import Iterator
from uuid import UUID

from msgspec import Struct

from notahat.live.broadcast import Telling
from notahat.live.effects import Close, Connection, Effect, Send
from notahat.table import Shown, Table
from notahat.table.admission import may_watch, welcome
from notahat.wire.messages import write_state

NOT_WELCOME = 1008
SERVICE_RESTART = 1012


class Line(Struct, eq=False):
    """An open connection of a guest. `told` is the personal part they heard last, `who` is here because of it."""

    connection: Connection
    guest: UUID
    name: str  # the guest, as orders are signed
    changes: bool
    who: UUID
    told: bytes = b""


class Lines:
    """All lines, and the telling that keeps what all of them were told."""

    def __init__(self) -> None:
        self.telling = Telling()
        self._lines: dict[Connection, Line] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._lines)

    def get(self, connection: Connection) -> Line | None:
        return self._lines.get(connection)

    def open(self, connection: Connection, guest: UUID, changes: bool, who: UUID) -> Line:
        line = self._lines[connection] = Line(connection, guest, guest.hex, changes, who)
        return line

    def close(self, connection: Connection) -> Line | None:
        return self._lines.pop(connection, None)

    def of(self, guest: UUID) -> int:
        """How many lines somebody has."""
        return sum(line.guest == guest for line in self._lines.values())

    def has(self, who: UUID) -> bool:
        """Whether somebody, or a screen, is still here."""
        return any(line.who == who for line in self._lines.values())

    def tell(self, happened: tuple[Shown, ...], out: list[Effect], asker: Line | None, ack: str | None) -> None:
        """Send what `telling` has looked at to everybody: what all see is encoded once."""
        telling = self.telling
        whole = changes = b""
        for line in self._lines.values():
            personal = telling.personal(line.guest)
            answer = ack if line is asker else None
            if line.changes and line.told:
                changes = changes or telling.changes(happened)
                message = write_state(changes, personal if personal != line.told else b"", answer)
            else:
                whole = whole or telling.whole(happened)
                message = write_state(whole, personal, answer)
            line.told = personal
            out.append(Send(line.connection, message))

    def tell_present(self, line: Line, seconds_left: float | None, out: list[Effect], ack: str | None = None) -> None:
        """Send the present to one, with no past."""
        line.told = self.telling.personal(line.guest)
        out.append(Send(line.connection, write_state(self.telling.present(seconds_left), line.told, ack)))

    def dismiss(self, table: Table) -> list[Effect]:
        """Who may not be here any more is told why."""
        unwelcome = (line for line in self._lines.values() if not may_watch(table, line.guest))
        return [Close(line.connection, NOT_WELCOME, welcome(table, line.guest) or "") for line in unwelcome]

    def send_away(self) -> list[Effect]:
        """Everybody comes back in a moment."""
        return [Close(connection, SERVICE_RESTART, "come back") for connection in self._lines]
