from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from notahat.gifts import catalogue
from notahat.live import pace
from notahat.live.effects import POLICY_VIOLATION, SERVICE_RESTART, Append, CommandOutcome, Effect, Send, Wake
from notahat.live.room import CONTENDED_SECONDS, Room
from notahat.live.settings import RoomSettings
from notahat.rules import Refused
from notahat.rules.round import Answering, Drawing
from notahat.table import commands as do
from notahat.table.admission import screen_id
from notahat.table.commands import KNOCK_SECONDS
from notahat.table.events import Emoted, Entry, decode, encode
from support.room_driver import RoomDriver, StoredCommit
from support.tables import guest

GIFTS = sorted(catalogue())
PEOPLE = ("Ada", "Ben", "Cem")


def seated(*names: str, bots: int = 0, durable: bool = True, **options: object) -> RoomDriver:
    driver = RoomDriver(names[0], options=options)
    for name in names:
        driver.connect(name).send(name, do.Sit(name))
    for _ in range(bots):
        driver.send(names[0], do.AddBot("casual"))
    driver.durable = durable
    return driver


def next_command(driver: RoomDriver, rng: Random) -> tuple[str, do.GuestCommand] | None:
    """Return a possible command, if it is a person's turn."""
    table = driver.room.table
    if table.stage != "play" or table.round is None:
        return ("Ada", do.Again() if table.stage == "over" else do.Start())
    due, turn = table.due, table.round.turn
    if due.seat is None or due.moves == ("wrap",) or table.seats[due.seat].guest is None:
        return None
    name = table.seats[due.seat].name
    match due.moves[0]:
        case "draw":
            return name, do.Draw(turn)
        case "give":
            return name, do.Give(turn, rng.choice(GIFTS), rng.choice(due.receivers))
        case _:
            return name, rng.choice((do.Accept(turn), do.Refuse(turn)))


def an_evening(seed: int) -> RoomDriver:
    """Several matches of people, who disconnect and reconnect, and computer players."""
    rng = Random(seed)
    driver = seated(*PEOPLE, bots=2, edition="special", special_cards=True, rounds="each")
    driver.connect("Eva", changes=True)
    for _ in range(250):
        driver.advance(rng.uniform(0.0, 4.0))
        command = next_command(driver, rng)
        if rng.random() < 0.05:
            name = rng.choice(PEOPLE)
            driver.disconnect(name)
            driver.advance(rng.uniform(0.0, 70.0))
            driver.connect(name, changes=rng.random() < 0.5)
        elif rng.random() < 0.05:
            driver.send(rng.choice(PEOPLE), do.Emote(rng.choice(("wow", "hello", "nonsense"))))
        elif command is not None:
            driver.send(*command)
        elif driver.wake is not None:
            driver.advance(driver.wake - driver.now)
    return driver


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_calls_give_the_same_bytes(seed: int) -> None:
    played = an_evening(seed)
    assert len(played.log) > 100
    again = Room.open(None, played.log[:1], 0.0, 1000.0, RoomSettings(determinism=played.seeds))
    assert again is not None
    effects: list[Effect] = []
    for name, values in played.calls:
        effects += getattr(again, name)(*values)
    assert effects == played.effects
    assert sum(isinstance(effect, Send) for effect in effects) > 500


@pytest.mark.parametrize("seed", [5, 6])
def test_summed_deltas_equal_the_full_state(seed: int) -> None:
    played = an_evening(seed)
    states = [state for state in map(msgspec.json.decode, played.messages["Ada"]) if "view" in state]
    by_version = {state["v"]: state for state in states}
    mine: dict[str, Any] = {}
    compared = slim = 0
    for message in map(msgspec.json.decode, played.messages["Eva"]):
        if "changed" in message:
            slim += 1
            mine["view"] = {**mine["view"], **message["changed"]}
            if message["round"]:
                mine["view"]["round"] = {**mine["view"]["round"], **message["round"]}
            mine |= {key: message[key] for key in ("v", "happened", "you", "may") if key in message}
        else:
            mine = message
        other = by_version.get(mine["v"])
        if other is not None and other["view"]["watching"] == mine["view"]["watching"]:
            assert mine["view"]["round"] == other["view"]["round"]
            assert mine["view"]["match"] == other["view"]["match"]
            compared += 1
    assert slim > 100
    assert compared > 100
    last = states[-1]
    removed = {key: None for key in mine["view"] if key not in last["view"]}  # null removes a field
    assert mine["view"] == last["view"] | removed or mine["v"] != last["v"]


def test_nothing_is_sent_before_the_entry_is_durable() -> None:
    driver = seated("Ada", durable=False)
    effects = driver.send("Ada", do.Rename("Anna"), "r1")
    assert [type(effect) for effect in effects if not isinstance(effect, Wake)] == [Append]
    assert driver.in_flight is not None
    effects = driver.call("committed", driver.in_flight, driver.now)
    assert driver.last_message("Ada")["ack"] == "r1"
    outcome = next(effect for effect in effects if isinstance(effect, CommandOutcome))
    assert (outcome.outcome, outcome.received_at) == ("done", driver.now)


def test_only_one_entry_is_in_flight() -> None:
    driver = seated("Ada", "Ben", durable=False)
    driver.send("Ada", do.Emote("wow"), "first")
    first = driver.in_flight
    assert driver.send("Ben", do.Emote("hmm"), "second") == []
    assert driver.room.pending_commands("Ben") == 1
    assert first is not None
    driver.call("committed", first, driver.now)
    assert driver.in_flight is not None
    assert driver.in_flight.version == first.version + 1
    assert driver.in_flight.key.endswith(":second")


def send_emote(node: RoomDriver, id_: str) -> None:
    node.send("Ben", do.Emote("hmm"), id_)


def report_conflict(driver: RoomDriver, other: StoredCommit) -> None:
    assert driver.in_flight is not None
    driver.call("conflicted", driver.in_flight, [other], driver.now)


def from_another_node(log: list[StoredCommit], act: Callable[[RoomDriver], object]) -> StoredCommit:
    """Return the commit of another node that acts on the same log."""
    other = RoomDriver("Ada")
    opened = Room.open(None, log, 0.0, 1000.0)
    assert opened is not None
    other.room = opened
    other.log = list(log)
    for name in PEOPLE[:2]:
        other.connect(name)
    act(other)
    return other.log[len(log)]


def test_command_is_decided_again_after_conflict() -> None:
    driver = seated("Ada", "Ben", durable=False)
    driver.send("Ada", do.Rename("Zoe"), "mine")
    other = from_another_node(driver.log, lambda node: node.send("Ben", do.Rename("Zoe")))
    report_conflict(driver, other)
    assert driver.in_flight is not None
    driver.call("committed", driver.in_flight, driver.now)
    names = [chair.name for chair in driver.states("Ada")[-1].view.seats]
    assert names == ["Zoe 2", "Zoe"]
    assert driver.last_message("Ada")["ack"] == "mine"


def test_command_done_by_other_node_is_acknowledged_once() -> None:
    driver = seated("Ada", "Ben", durable=False)
    driver.send("Ada", do.Rename("Zoe"), "mine")
    other = from_another_node(driver.log, lambda node: node.send("Ada", do.Rename("Zoe"), "mine"))
    version, mine = driver.room.table.version, driver.in_flight
    report_conflict(driver, other)
    assert driver.room.table.version == version + 1
    assert driver.last_message("Ada")["ack"] == "mine"
    assert driver.room.idle is False
    assert driver.call("committed", mine, driver.now) == [], "a late report changes nothing"


def test_own_commit_may_be_received_before_committed() -> None:
    driver = seated("Ada", "Ben", durable=False)
    driver.send("Ada", do.Emote("wow"), "mine")
    assert driver.in_flight is not None
    mine = driver.in_flight
    driver.call("commits_received", [StoredCommit(mine.version + 1, mine.key, mine.entry)], driver.now)
    assert driver.last_message("Ada")["ack"] == "mine"
    driver.send("Ben", do.Emote("hmm"), "next")
    late = driver.call("committed", mine, driver.now)
    assert not [effect for effect in late if isinstance(effect, Send)], "the report belongs to the entry before"
    driver.call("committed", driver.in_flight, driver.now)
    assert driver.last_message("Ben")["ack"] == "next"


def test_deleted_table_closes_all_connections() -> None:
    driver = seated("Ada", "Ben", durable=False)
    driver.send("Ada", do.Emote("wow"))
    assert driver.in_flight is not None
    driver.call("conflicted", driver.in_flight, [], driver.now)
    assert driver.closed == dict.fromkeys(("Ada", "Ben"), (SERVICE_RESTART, "come back"))


def test_endless_conflict_is_refused_without_disconnecting() -> None:
    driver = seated("Ada", "Ben", durable=False)
    driver.send("Ada", do.Emote("wow"), "tired")
    sent_at = driver.now
    for seconds in (0.0, CONTENDED_SECONDS - 0.1, CONTENDED_SECONDS):
        assert "no" not in driver.last_message("Ada")
        driver.now = sent_at + seconds
        other = from_another_node(driver.log, partial(send_emote, id_=f"hmm{seconds}"))
        driver.log.append(other)
        report_conflict(driver, other)
    assert driver.closed == {}
    assert (driver.last_message("Ada")["no"], driver.last_message("Ada")["reason"]) == ("tired", "too_fast")
    driver.send("Ada", do.Emote("wow"), "tired")
    assert driver.in_flight is not None, "the same id may be sent again"


def test_repeated_id_happens_once_with_same_ack() -> None:
    driver = seated("Ada")
    for _ in range(3):
        driver.send("Ada", do.Rename("Anna"), "once")
        assert driver.last_message("Ada")["ack"] == "once"
    assert driver.room.table.version == 3
    assert driver.last_message("Ada")["happened"] == []


def test_house_moves_when_patience_ends() -> None:
    driver = seated("Ada", "Ben", patience_seconds=10, starter=0)
    driver.send("Ada", do.Start())
    driver.send("Ada", do.Draw(0))
    driver.advance(13.5)
    assert [event["event"] for event in driver.last_message("Ben")["happened"]] == ["out_of_time", "offered"]


def test_disconnected_guest_lingers_before_being_away() -> None:
    driver = seated("Ada", "Ben")
    driver.disconnect("Ben")
    driver.advance(pace.AWAY_AFTER - 0.1)
    assert not driver.is_away(1, "Ada")
    driver.advance(0.2)
    assert driver.is_away(1, "Ada")
    driver.connect("Ben")
    assert not driver.is_away(1, "Ada")


def may(driver: RoomDriver, connection: str) -> set[str]:
    return {one["do"] for one in driver.last_message(connection)["may"]}


def test_others_may_act_for_absent_player_after_a_while() -> None:
    driver = seated("Ada", "Ben", "Cem", starter=1)
    driver.send("Ada", do.Start())
    driver.disconnect("Ben")
    driver.advance(pace.AWAY_AFTER + 0.1)
    assert "sit_in" in may(driver, "Ada")
    assert "sit_in" not in may(driver, "Cem")
    driver.advance(pace.LONG_AWAY)
    assert "sit_in" in may(driver, "Cem")
    driver.send("Cem", do.SitIn(1))
    assert driver.room.table.seats[1].stand_in
    driver.connect("Ben")
    driver.advance(1.0)
    assert not driver.room.table.seats[1].stand_in


def test_table_without_connections_sleeps() -> None:
    driver = seated("Ada", "Ben", bots=2, starter=2)
    driver.send("Ada", do.Start())
    driver.disconnect("Ada")
    driver.disconnect("Ben")
    driver.advance(pace.AWAY_AFTER)
    assert driver.wake is None
    version = driver.room.table.version
    driver.advance(3600.0)
    assert driver.room.table.version == version
    driver.connect("Ada")
    assert first_look_seconds(driver) == pace.first_look(4)


def first_look_seconds(driver: RoomDriver) -> float | None:
    deadline = driver.states("Ada")[-1].view.deadline
    return None if deadline is None else deadline.seconds


@pytest.mark.parametrize("speed", ["relaxed", "normal", "brisk"])
def test_r3_2_first_look_in_company_has_two_seconds_a_gift(speed: str) -> None:
    driver = seated("Ada", "Ben", bots=2, starter=2, pace=speed, gifts_each=2)
    driver.send("Ada", do.Start())
    seconds = first_look_seconds(driver)
    assert seconds is not None
    assert seconds >= 2 * 8


@pytest.mark.parametrize("patience", [0, 30])
def test_r3_2_first_look_alone_has_no_time_limit(patience: int) -> None:
    driver = seated("Ada", bots=2, starter=1, pace="brisk", patience_seconds=patience)
    driver.send("Ada", do.Start())
    driver.advance(3600.0)
    assert first_look_seconds(driver) is None
    assert driver.room.table.is_first_look
    driver.send("Ada", do.Ready())
    driver.advance(pace.REACH_FOR_THE_SHOP)
    assert not driver.room.table.is_first_look


@pytest.mark.parametrize(("speed", "longest"), [("normal", 30.0), ("brisk", 20.0)])
def test_one_person_alone_has_time_to_vote_and_to_read(speed: str, longest: float) -> None:
    """Between computer players nothing that is read or judged is shorter at a brisk pace, and there is soon something
    to do again: a move, or a vote.
    """
    driver = seated("Ada", bots=3, pace=speed)
    rng, seen, busy_at = Random(1), set(), 0.0
    for _ in range(1000):
        driver.send("Ada", do.Ready())
        if command := next_command(driver, rng):
            driver.send(*command, seed=rng.getrandbits(63))
            busy_at = driver.now
        elif driver.wake is not None:
            seen.add(meanwhile := check_pause(driver, pace.SPEED[speed]))
            busy_at = driver.now if meanwhile == "vote" else busy_at
        assert driver.now - busy_at <= longest
    assert seen > {"vote", "reveal"}


def check_pause(driver: RoomDriver, speed: float) -> str:
    """Wait for the next move, check how long that takes, and return what there is to do meanwhile."""
    round_, wait = driver.room.table.round, (driver.wake or 0.0) - driver.now
    assert round_ is not None
    driver.advance(wait)
    if isinstance(phase := round_.phase, Answering) and phase.giver != 0:
        stays = pace.CLAIM_STAYS if driver.last_message("Ada")["happened"][0]["event"] == "accepted" else 0.0
        assert wait + stays / speed >= max(pace.READ_CLAIM / speed, pace.READ_QUICKLY) - 0.001
        return "vote"
    if isinstance(phase, Drawing) and round_.turn > 0:
        assert wait >= pace.REVEAL + (pace.SCENE[Refused] - pace.REVEAL) / speed
        return "reveal"
    return ""


def must_answer_then_give(driver: RoomDriver, seat: int) -> bool:
    table = driver.room.table
    assert table.round is not None
    return table.due.seat == seat and "accept" in table.due.moves and table.round.unwrapped[seat] == 0


def test_reconnecting_player_gets_full_time_for_next_decision() -> None:
    driver = seated("Ada", "Ben", patience_seconds=60, starter=0)
    driver.send("Ada", do.Start())
    rng = Random(1)
    while not must_answer_then_give(driver, 1):
        command = next_command(driver, rng)
        driver.send(*command) if command else driver.advance(1.0)
    driver.advance(40.0)
    driver.disconnect("Ben")
    driver.connect("Ben", "again", changes=True)
    assert driver.last_message("again")["view"]["deadline"] == {"for": 1, "seconds": pytest.approx(20.0)}
    driver.send("again", do.Accept(driver.room.table.round.turn))  # type: ignore[union-attr]
    assert driver.last_message("again")["changed"]["deadline"] == {"for": 1, "seconds": 60.0}


def test_wall_clock_cannot_make_table_time_jump() -> None:
    """Only elapsed time counts, not the wall clock of this or another node."""
    driver = seated("Ada", "Ben", patience_seconds=30, starter=0)
    driver.send("Ada", do.Start())
    ahead = Entry(decode(driver.log[-1].events).at + 3600.0, (Emoted(1, "wow"),))
    driver.log.append(StoredCommit(driver.room.table.version + 1, "other:1", encode(ahead)))
    driver.call("commits_received", driver.log[-1:], driver.now)  # from a node whose clock is an hour ahead
    driver.advance(1.0)
    driver.send("Ada", do.Draw(0))
    assert decode(driver.log[-1].events).at == pytest.approx(ahead.at + 1.0)
    driver.advance(3.0)
    deadline = driver.states("Ada")[-1].view.deadline
    assert deadline is not None
    assert deadline.seconds == pytest.approx(30.0)
    opened = Room.open(None, driver.log, driver.now, at=0.0)  # a clock that was set back by years
    assert opened is not None
    reopened = RoomDriver()
    reopened.room, reopened.log, reopened.now = opened, list(driver.log), driver.now
    reopened.connect("Ada").advance(0.5)
    reopened.send("Ada", do.Emote("wow"), "after the clock was set")
    assert decode(reopened.log[-1].events).at == pytest.approx(ahead.at + 4.5)
    deadline = reopened.states("Ada")[-1].view.deadline
    assert deadline is not None
    assert deadline.seconds == pytest.approx(29.5)


def test_screen_is_neither_spectator_nor_player() -> None:
    driver = seated("Ada", "Ben")
    driver.connect("Eva").connect("TV", screen=True)
    seen = driver.states("Ada")[-1].view
    assert (seen.watching, seen.screens, seen.screen) == (1, 1, False)
    driver.connect("Ben", connection="Ben's laptop", screen=True)
    assert driver.states("Ada")[-1].view.screens == 2
    driver.disconnect("Ben")
    driver.advance(pace.AWAY_AFTER)
    assert driver.is_away(1, "Ada")
    driver.disconnect("TV")
    driver.disconnect("Ben's laptop")
    driver.advance(pace.AWAY_AFTER)
    seen = driver.states("Ada")[-1].view
    assert (seen.watching, seen.screens) == (1, msgspec.UNSET)
    driver.call("connected_elsewhere", frozenset({screen_id(guest("TV"))}), driver.now)  # at another node
    assert driver.states("Ada")[-1].view.screens == 1


def test_unanswered_knock_is_forgotten_after_a_minute() -> None:
    driver = seated("Ada", "Ben", starter=0)
    driver.send("Ada", do.Start())
    driver.call("knocked", guest("Eve"), "Eve", driver.now)
    driver.advance(KNOCK_SECONDS - 1)
    assert [one.name for one in driver.room.table.knocks.values()] == ["Eve"]
    driver.advance(2)
    assert not driver.room.table.knocks
    assert all(one["do"] != "answer_knock" for one in driver.last_message("Ada")["may"])


def test_unknown_connections_are_ignored() -> None:
    driver = seated("Ada")
    assert driver.send("nobody", do.Start()) == []
    assert driver.call("disconnected", "nobody", driver.now) == []


def test_spectators_are_closed_when_a_match_without_them_starts() -> None:
    driver = seated("Ada", "Ben", spectators=False).connect("Eva")
    driver.send("Ada", do.Start())
    assert driver.closed == {"Eva": (POLICY_VIOLATION, "no_spectators")}


def test_two_connections_of_one_guest_are_one_person() -> None:
    driver = seated("Ada", "Ben").connect("Ben", "Ben's phone")
    driver.disconnect("Ben")
    driver.advance(100.0)
    assert not driver.is_away(1, "Ada")


def test_role_of_absent_host_passes_on_and_returns() -> None:
    driver = seated("Ada", "Ben")
    driver.disconnect("Ada")
    driver.advance(pace.AWAY_AFTER + pace.HOST_AWAY + 0.1)
    assert driver.room.table.host == guest("Ben")
    driver.connect("Ada")
    driver.advance(0.1)
    assert driver.room.table.host == guest("Ada")
