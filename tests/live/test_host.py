"""A host loads tables, admits guests by one policy, and closes a room that fails."""

import logging
from uuid import UUID

import pytest
from msgspec import UNSET

from notahat.gifts import Deck, read_deck
from notahat.live.effects import Append, Close, Effect, Load, ReadLog, Reply, Send, Unload
from notahat.live.host import Host, answer_from_log
from notahat.live.requests import (
    Connect,
    Disconnect,
    Open,
    ReadDeck,
    ReadStory,
    Request,
    Submit,
    Summarise,
)
from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table.admission import Entrance, entrance_limit
from notahat.wire.messages import ServerReason, Summary
from support.pictures import hat
from support.room_driver import StoredCommit
from support.tables import TableDriver, guest

ADA, BEN, EVA = guest("Ada"), guest("Ben"), guest("Eva")
ENTRANCES: tuple[Entrance, ...] = ("connection", "story", "deck")


class HostDriver:
    """A host whose log is in memory and durable at once. `effects` has all but appends and loads."""

    def __init__(self) -> None:
        self.host = Host[str]()
        self.log: list[StoredCommit] = []
        self.effects: list[Effect] = []

    def handle(self, request: Request[str], guest: UUID | None = ADA) -> list[Effect]:
        """Handle a request; return the other effects of it."""
        count, waiting = len(self.effects), self.host.handle(request, guest, 0.0)
        while waiting:
            effect = waiting.pop(0)
            match effect:
                case Append():
                    self.log.append(StoredCommit(effect.version + 1, effect.key, effect.entry))
                    waiting += self.host.committed("t", effect, 0.0)
                case Load():
                    waiting += self.host.loaded("t", None, self.log, now=0.0, at=0.0)
                case _:
                    self.effects.append(effect)
        return self.effects[count:]

    def ask(self, request: Request[str], guest: UUID | None = ADA) -> object:
        """Return the reply to a request, or the reason of a refusal."""
        for effect in self.handle(request, guest):
            if isinstance(effect, ReadLog):
                one = effect.version
                return answer_from_log(request, self.log[one - 1 : one] if one else self.log) or effect.missing.value
            if isinstance(effect, Reply):
                return effect.result.reason.value if isinstance(effect.result, Illegal) else effect.result
        return None

    def sent(self, connection: str) -> list[bytes]:
        return [one.message for one in self.effects if isinstance(one, Send) and one.connection == connection]


def opened() -> HostDriver:
    driver = HostDriver()
    driver.handle(Open("t", "K7QX", {}, 0.0))
    return driver


def test_first_request_loads_the_table_and_the_rest_wait() -> None:
    host = opened().host
    assert host.handle(Connect("t", "c"), ADA, 0.0) == [Load()]
    assert host.handle(Submit("t", "c", "k1", do.Sit("Ada")), ADA, 0.0) == []
    assert host.handle(Connect("t", "gone"), BEN, 0.0) == []
    assert host.handle(Disconnect("t", "gone"), BEN, 0.0) == []
    assert host.pending_commands("t", "c") == 1
    effects = host.loaded("t", None, opened().log, now=0.0, at=0.0)
    assert {one.connection for one in effects if isinstance(one, Send)} == {"c"}
    assert [one.key for one in effects if isinstance(one, Append)] == [f"{ADA.hex}:k1"]


@pytest.mark.parametrize(("reason", "code"), [("no_such_table", 1008), ("busy", 1013)])
def test_table_that_is_not_loaded_refuses_all(reason: str, code: int) -> None:
    host, summary = Host[str](), Summarise("t")
    for request in (Connect("t", "c"), Submit("t", "c", "k1", do.Sit("Ada")), summary):
        host.handle(request, ADA, 0.0)
    close, reply = host.not_loaded("t", ServerReason(reason))
    assert close == Close("c", code, reason)
    assert isinstance(reply, Reply)
    assert reply.request is summary
    assert host.loaded("t", None, [], now=0.0, at=0.0) == []


def test_every_entrance_has_one_policy() -> None:
    driver = TableDriver(spectators=False).seated("Ada", "Ben", "Cem", "Dora")
    driver.send("Ada", do.Remove(1))

    def reasons(who: UUID | None) -> list[str | None]:
        return [entrance_limit(driver.table, who, by) for by in ENTRANCES]

    assert reasons(ADA) == [None] * 3
    assert reasons(BEN) == ["removed"] * 3
    assert reasons(EVA) == [None, "no_spectators", None], "a lobby is open, old stories are not"
    assert reasons(None) == ["no_guest"] * 3
    driver.started()
    assert reasons(EVA) == ["no_spectators"] * 3
    assert entrance_limit(TableDriver().table, None, "story") is None


def upload(id_: str, deck: Deck | None = None) -> Submit[str]:
    return Submit("t", None, id_, do.UploadDeck(deck))


def test_removed_guest_is_refused_at_every_entrance() -> None:
    driver = opened()
    for who, command in ((ADA, do.Sit("Ada")), (BEN, do.Sit("Ben")), (ADA, do.Remove(1))):
        driver.handle(Connect("t", who.hex), who)
        driver.handle(Submit("t", who.hex, f"k{len(driver.log)}", command), who)
    deck = read_deck(hat(name="Mine"))
    requests = (
        ReadStory("t", 1),
        ReadDeck("t", 1),
        upload("k1"),
        upload("k2", deck),
    )
    assert [driver.ask(request, BEN) for request in requests] == ["removed"] * 4
    assert driver.handle(Connect("t", "b"), BEN) == [Close("b", 1008, "removed")]
    summary = driver.ask(Summarise("t"), BEN)
    assert isinstance(summary, Summary)
    assert summary.you == "removed"


def test_deck_is_put_without_a_connection() -> None:
    driver = opened()
    driver.handle(Connect("t", "c"))
    assert driver.ask(upload("check")).deck is UNSET  # type: ignore[attr-defined]
    seen = driver.ask(upload("k1", read_deck(hat(name="Mine"))))
    assert seen.deck.name == "Mine"  # type: ignore[attr-defined]
    assert b'"watching":1' in driver.sent("c")[-1], "the upload counts as nobody"
    assert b'"Mine"' in driver.ask(ReadDeck("t", 2))  # type: ignore[operator]
    assert driver.ask(upload("k2", read_deck(hat(name="Hers"))), BEN) == "not_host"
    assert [driver.ask(ReadDeck("t", version)) for version in (1, 3)] == ["no_such_deck"] * 2
    assert driver.ask(upload("check 2"), BEN) == "not_host"
    commands: tuple[do.GuestCommand, ...] = (do.Sit("Ada"), do.AddBot("casual"), do.Start())
    for number, command in enumerate(commands):
        driver.handle(Submit("t", "c", f"s{number}", command))
    assert driver.ask(upload("check 3")) == "match_running"


def test_frame_that_makes_a_room_fail_closes_its_sender(caplog: pytest.LogCaptureFixture) -> None:
    driver = opened()
    for connection, who in (("a", ADA), ("b", BEN)):
        driver.handle(Connect("t", connection), who)

    def fail(*_: object) -> None:
        raise ArithmeticError

    driver.host.rooms["t"].command_received = fail  # type: ignore[assignment,method-assign]
    with caplog.at_level(logging.ERROR):
        effects = driver.handle(Submit("t", "b", "k1", do.Sit("Ben")), BEN)
    closes = [(one.connection, one.code) for one in effects if isinstance(one, Close)]
    assert closes[0] == ("b", 1011), "the others come back at once"
    assert set(closes[1:]) == {("a", 1012), ("b", 1012)}
    assert effects[-1] == Unload()
    assert [record.message for record in caplog.records] == ["a room failed"]
    driver.handle(Connect("t", "a"))
    assert driver.sent("a")[-1].startswith(b'{"v":1,'), "it is loaded anew"
