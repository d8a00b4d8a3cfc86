"""A room is a machine: what goes in decides what comes out, byte for byte, and nothing else does."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from notahat.gifts import catalogue
from notahat.live import pace
from notahat.live.connections import NOT_WELCOME, SERVICE_RESTART
from notahat.live.effects import Answered, Append, Close, Effect, Send, Wake
from notahat.live.room import MOST_TRIES, Room
from notahat.rules import legal
from notahat.table import commands as do
from notahat.table.big_screen import screen_of
from notahat.table.events import Emoted, Entry, decode, encode
from support.room_driver import Driven, Written
from support.tables import guest

GIFTS = sorted(catalogue())
PEOPLE = ("Ada", "Ben", "Cem")


def seated(*names: str, bots: int = 0, durable: bool = True, **options: object) -> Driven:
    driven = Driven(names[0], options=options)
    for name in names:
        driven.arrives(name).orders(name, do.Sit(name))
    for _ in range(bots):
        driven.orders(names[0], do.AddBot("casual"))
    driven.durable = durable
    return driven


def next_order(driven: Driven, luck: Random) -> tuple[str, do.GuestCommand] | None:
    """What somebody might do now, if it is a person's turn."""
    table = driven.room.table
    if table.stage != "play" or table.round is None:
        return ("Ada", do.Again() if table.stage == "over" else do.Start())
    due, turn = legal(table.round), table.round.turn
    if due.seat is None or due.moves == ("wrap",) or table.seats[due.seat].guest is None:
        return None
    name = table.seats[due.seat].name
    match due.moves[0]:
        case "draw":
            return name, do.Draw(turn)
        case "give":
            return name, do.Give(turn, luck.choice(GIFTS), luck.choice(due.receivers))
        case _:
            return name, luck.choice((do.Accept(turn), do.Refuse(turn)))


def an_evening(seed: int) -> Driven:
    """People and computer players, who come and go, play several matches."""
    luck = Random(seed)
    driven = seated(*PEOPLE, bots=2, edition="special", rounds="each")
    driven.arrives("Eva", changes=True)
    for _ in range(250):
        driven.passes(luck.uniform(0.0, 4.0))
        order = next_order(driven, luck)
        if luck.random() < 0.05:
            name = luck.choice(PEOPLE)
            driven.leaves(name)
            driven.passes(luck.uniform(0.0, 70.0))
            driven.arrives(name, changes=luck.random() < 0.5)
        elif luck.random() < 0.05:
            driven.orders(luck.choice(PEOPLE), do.Emote(luck.choice(("wow", "hello", "nonsense"))))
        elif order is not None:
            driven.orders(order[0], order[1], luck=luck.getrandbits(63))
        elif driven.wake is not None:
            driven.passes(driven.wake - driven.now)
    return driven


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_calls_give_the_same_bytes(seed: int) -> None:
    played = an_evening(seed)
    assert len(played.log) > 100
    again = Room.open(None, played.log[:1], 0.0, 1000.0)
    assert again is not None
    said: list[Effect] = []
    for name, values in played.calls:
        said += getattr(again, name)(*values)
    assert said == played.said
    assert sum(isinstance(effect, Send) for effect in said) > 500


@pytest.mark.parametrize("seed", [4, 5])
def test_changes_added_up_are_the_whole(seed: int) -> None:
    """Who asked for changes only knows, at every moment, all that the others were told."""
    played = an_evening(seed)
    states = [state for state in map(msgspec.json.decode, played.heard["Ada"]) if "view" in state]
    by_version = {state["v"]: state for state in states}
    mine: dict[str, Any] = {}
    compared = slim = 0
    for message in map(msgspec.json.decode, played.heard["Eva"]):
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
    assert mine["view"] == states[-1]["view"] or mine["v"] != states[-1]["v"]


def test_changes_are_a_fraction_of_the_whole() -> None:
    played = an_evening(6)
    whole = [len(message) for message in played.heard["Ben"] if b'"view"' in message]
    changes = [len(message) for message in played.heard["Eva"] if b'"changed"' in message]
    assert sum(changes) / len(changes) < 0.4 * sum(whole) / len(whole)


def test_nobody_is_told_before_the_entry_is_durable() -> None:
    driven = seated("Ada", durable=False)
    said = driven.orders("Ada", do.Rename("Anna"), "r1")
    assert [type(effect) for effect in said if not isinstance(effect, Wake)] == [Append]
    assert driven.flying is not None
    said = driven.call("committed", driven.flying.version, driven.now)
    assert driven.last("Ada")["ack"] == "r1"
    assert Answered("done", driven.now) in said


def test_one_entry_flies_at_a_time_and_the_others_wait_in_line() -> None:
    driven = seated("Ada", "Ben", durable=False)
    driven.orders("Ada", do.Emote("wow"), "first")
    first = driven.flying
    assert driven.orders("Ben", do.Emote("hmm"), "second") == []
    assert driven.room.in_line("Ben") == 1
    assert first is not None
    driven.call("committed", first.version, driven.now)
    assert driven.flying is not None
    assert driven.flying.version == first.version + 1
    assert driven.flying.key.endswith(":second")


def pulls_a_face(node: Driven, id_: str) -> None:
    node.orders("Ben", do.Emote("hmm"), id_)


def overtaken(driven: Driven, other: Written) -> None:
    assert driven.flying is not None
    driven.call("overtaken", driven.flying.version, [other], driven.now)


def from_another_node(log: list[Written], order: Callable[[Driven], object]) -> Written:
    """What somebody at another node wrote meanwhile."""
    other = Driven("Ada")
    opened = Room.open(None, log, 0.0, 1000.0)
    assert opened is not None
    other.room = opened
    other.log = list(log)
    for name in PEOPLE[:2]:
        other.arrives(name)
    order(other)
    return other.log[len(log)]


def test_an_overtaken_order_is_decided_again() -> None:
    driven = seated("Ada", "Ben", durable=False)
    driven.orders("Ada", do.Rename("Zoe"), "mine")
    other = from_another_node(driven.log, lambda node: node.orders("Ben", do.Rename("Zoe")))
    overtaken(driven, other)
    assert driven.flying is not None
    driven.call("committed", driven.flying.version, driven.now)
    names = [chair.name for chair in driven.states("Ada")[-1].view.seats]
    assert names == ["Zoe 2", "Zoe"]
    assert driven.last("Ada")["ack"] == "mine"


def test_an_order_that_another_node_carried_out_is_answered_and_not_done_twice() -> None:
    driven = seated("Ada", "Ben", durable=False)
    driven.orders("Ada", do.Rename("Zoe"), "mine")
    other = from_another_node(driven.log, lambda node: node.orders("Ada", do.Rename("Zoe"), "mine"))
    version = driven.room.table.version
    overtaken(driven, other)
    assert driven.room.table.version == version + 1
    assert driven.last("Ada")["ack"] == "mine"
    assert driven.room.idle is False
    assert driven.call("committed", version, driven.now) == [], "word of it comes late, and changes nothing"


def test_ones_own_entry_may_be_heard_of_by_another_way_first() -> None:
    driven = seated("Ada", "Ben", durable=False)
    driven.orders("Ada", do.Emote("wow"), "mine")
    assert driven.flying is not None
    mine = driven.flying
    driven.call("news", [Written(mine.version + 1, mine.key, mine.entry)], driven.now)
    assert driven.last("Ada")["ack"] == "mine"
    driven.orders("Ben", do.Emote("hmm"), "next")
    late = driven.call("committed", mine.version, driven.now)
    assert not [effect for effect in late if isinstance(effect, Send)], "that was not the word about the next entry"
    driven.call("committed", driven.flying.version, driven.now)
    assert driven.last("Ben")["ack"] == "next"


def test_an_order_carried_out_long_ago_is_answered_with_the_present() -> None:
    driven = seated("Ada", durable=False)
    driven.orders("Ada", do.Emote("wow"), "old")
    assert driven.flying is not None
    driven.call("repeated", driven.flying.version, driven.now)
    assert driven.last("Ada")["ack"] == "old"
    assert driven.last("Ada")["happened"] == []


def test_when_the_table_is_gone_everybody_comes_back() -> None:
    driven = seated("Ada", "Ben", durable=False)
    driven.orders("Ada", do.Emote("wow"))
    assert driven.flying is not None
    driven.call("overtaken", driven.flying.version, [], driven.now)
    assert driven.closed == dict.fromkeys(("Ada", "Ben"), (SERVICE_RESTART, "come back"))


def test_who_is_overtaken_for_ever_is_told_so_and_nobody_is_sent_away() -> None:
    driven = seated("Ada", "Ben", durable=False)
    driven.orders("Ada", do.Emote("wow"), "tired")
    for number in range(MOST_TRIES):
        assert driven.closed == {}
        other = from_another_node(driven.log, partial(pulls_a_face, id_=f"hmm{number}"))
        driven.log.append(other)
        overtaken(driven, other)
    assert driven.closed == {}
    assert (driven.last("Ada")["no"], driven.last("Ada")["reason"]) == ("tired", "too_fast")
    driven.orders("Ada", do.Emote("wow"), "tired")
    assert driven.flying is not None, "it was no answer, so it may come again"


def test_the_same_id_gets_the_same_no_even_if_it_would_be_yes_now() -> None:
    driven = seated("Ada")
    driven.orders("Ada", do.Start(), "s")
    assert driven.last("Ada")["reason"] == "too_few_players"
    driven.orders("Ada", do.AddBot("casual"))
    driven.orders("Ada", do.Start(), "s")
    assert driven.last("Ada")["reason"] == "too_few_players"


def test_who_was_removed_is_told_and_dismissed() -> None:
    driven = seated("Ada", "Ben")
    driven.orders("Ada", do.Remove(1))
    assert driven.closed == {"Ben": (NOT_WELCOME, "removed")}


def test_a_broken_connection_is_not_an_absence_yet() -> None:
    driven = seated("Ada", "Ben")
    driven.leaves("Ben")
    driven.passes(pace.AWAY_AFTER - 0.1)
    assert not driven.away(1, "Ada")
    driven.passes(0.2)
    assert driven.away(1, "Ada")
    driven.arrives("Ben")
    assert not driven.away(1, "Ada")


def test_who_is_at_another_node_is_here() -> None:
    driven = seated("Ada", "Ben")
    driven.leaves("Ben")
    driven.call("elsewhere", frozenset({guest("Ben")}), driven.now)
    driven.passes(100.0)
    assert not driven.away(1, "Ada")
    driven.call("elsewhere", frozenset(), driven.now)
    assert driven.away(1, "Ada")


def test_two_connections_of_one_guest_are_one_person() -> None:
    driven = seated("Ada", "Ben").arrives("Ben", "Ben's phone")
    driven.leaves("Ben")
    driven.passes(100.0)
    assert not driven.away(1, "Ada")


def may(driven: Driven, line: str) -> set[str]:
    return {one["do"] for one in driven.last(line)["may"]}


def test_others_may_act_for_somebody_only_after_a_while() -> None:
    driven = seated("Ada", "Ben", "Cem", starter=1)
    driven.orders("Ada", do.Start())
    driven.leaves("Ben")
    driven.passes(pace.AWAY_AFTER + 0.1)
    assert "sit_in" in may(driven, "Ada"), "the host may at once"
    assert "sit_in" not in may(driven, "Cem")
    driven.passes(pace.LONG_AWAY)
    assert "sit_in" in may(driven, "Cem")
    driven.orders("Cem", do.SitIn(1))
    assert driven.room.table.seats[1].stand_in
    driven.arrives("Ben")
    driven.passes(1.0)
    assert not driven.room.table.seats[1].stand_in


def test_a_table_with_nobody_connected_sleeps_and_its_clock_with_it() -> None:
    driven = seated("Ada", bots=2, starter=1)
    driven.orders("Ada", do.Start())
    driven.leaves("Ada")
    driven.passes(pace.AWAY_AFTER)
    assert driven.wake is None
    version = driven.room.table.version
    driven.passes(3600.0)
    assert driven.room.table.version == version
    driven.arrives("Ada")
    first_look = driven.states("Ada")[-1].view.deadline
    assert first_look is not None
    assert first_look.seconds == pace.first_look(3), "whoever comes back has all the time"


def answers_and_gives_next(driven: Driven, seat: int) -> bool:
    round_ = driven.room.table.round
    assert round_ is not None
    return legal(round_).seat == seat and "accept" in legal(round_).moves and round_.unwrapped[seat] == 0


def test_whoever_comes_back_in_a_decision_has_all_the_time_for_the_next_one() -> None:
    driven = seated("Ada", "Ben", patience_seconds=60, starter=0)
    driven.orders("Ada", do.Start())
    luck = Random(1)
    while not answers_and_gives_next(driven, 1):
        order = next_order(driven, luck)
        driven.orders(*order) if order else driven.passes(1.0)
    driven.passes(40.0)
    driven.leaves("Ben")
    driven.arrives("Ben", "again", changes=True)
    assert driven.last("again")["view"]["deadline"] == {"for": 1, "seconds": pytest.approx(20.0)}
    driven.orders("again", do.Accept(driven.room.table.round.turn))  # type: ignore[union-attr]
    assert driven.last("again")["changed"]["deadline"] == {"for": 1, "seconds": 60.0}


def test_the_hosts_role_passes_on_and_returns() -> None:
    driven = seated("Ada", "Ben")
    driven.leaves("Ada")
    driven.passes(pace.AWAY_AFTER + pace.HOST_AWAY + 0.1)
    assert driven.room.table.host == guest("Ben")
    driven.arrives("Ada")
    driven.passes(0.1)
    assert driven.room.table.host == guest("Ada")


def test_the_hosts_role_passes_to_who_waits_for_a_seat_if_nobody_else_is_here() -> None:
    driven = seated("Ada", "Ben", starter=0)
    driven.orders("Ada", do.Start())
    driven.arrives("Eve")
    driven.orders("Eve", do.Sit("Eve"))
    driven.leaves("Ada")
    driven.leaves("Ben")
    driven.passes(pace.AWAY_AFTER + pace.HOST_AWAY + 0.1)
    assert {"sit_in", "end_match"} <= may(driven, "Eve")


def test_no_clock_can_make_the_tables_time_jump() -> None:
    """Only time that passes here counts: what another node's clock says, or ours after it was set, does not."""
    driven = seated("Ada", "Ben", patience_seconds=30, starter=0)
    driven.orders("Ada", do.Start())
    ahead = Entry(decode(driven.log[-1].events).at + 3600.0, (Emoted(1, "wow"),))
    driven.log.append(Written(driven.room.table.version + 1, "other:1", encode(ahead)))
    driven.call("news", driven.log[-1:], driven.now)  # from a node whose clock is an hour ahead
    driven.passes(1.0)
    driven.orders("Ada", do.Draw(0))
    assert decode(driven.log[-1].events).at == pytest.approx(ahead.at + 1.0)
    driven.passes(3.0)
    deadline = driven.states("Ada")[-1].view.deadline
    assert deadline is not None
    assert deadline.seconds == pytest.approx(30.0)
    opened = Room.open(None, driven.log, driven.now, at=0.0)  # a clock that was set back by years
    assert opened is not None
    reopened = Driven()
    reopened.room, reopened.log, reopened.now = opened, list(driven.log), driven.now
    reopened.arrives("Ada").passes(0.5)
    reopened.orders("Ada", do.Emote("wow"), "after the clock was set")
    assert decode(reopened.log[-1].events).at == pytest.approx(ahead.at + 4.5)
    deadline = reopened.states("Ada")[-1].view.deadline
    assert deadline is not None
    assert deadline.seconds == pytest.approx(29.5)


def test_a_game_of_computer_players_plays_itself_to_its_end() -> None:
    driven = seated("Ada", bots=3)
    driven.orders("Ada", do.Start())
    driven.orders("Ada", do.Leave())
    driven.until(lambda one: one.room.table.stage == "over", most=5000)
    said = b"".join(driven.heard["Ada"])
    for event in (b'"drawn"', b'"wrapped"', b'"offered"', b'"accepted"', b'"refused"', b'"ended"', b'"remarked"'):
        assert event in said


def test_pace_of_the_table_scales_what_happens_by_itself() -> None:
    waits = {}
    for speed in ("relaxed", "normal", "brisk"):
        driven = seated("Ada", "Ben", starter=0, pace=speed)
        driven.orders("Ada", do.Start())
        driven.orders("Ada", do.Draw(0))
        assert driven.wake is not None
        waits[speed] = driven.wake - driven.now
    assert waits["normal"] == pytest.approx(3.0)
    for speed, wait in waits.items():
        assert wait == pytest.approx(3.0 / pace.SPEED[speed])


def test_a_screen_beside_a_table_is_nobody_who_watches_or_sits() -> None:
    driven = seated("Ada", "Ben")
    driven.arrives("Eva").arrives("TV", screen=True)
    seen = driven.states("Ada")[-1].view
    assert (seen.watching, seen.screens, seen.screen) == (1, 1, False)
    driven.arrives("Ben", line="Ben's laptop", screen=True)
    assert driven.states("Ada")[-1].view.screens == 2
    driven.leaves("Ben")
    driven.passes(pace.AWAY_AFTER)
    assert driven.away(1, "Ada"), "nobody can act on a wall"
    driven.leaves("TV")
    driven.leaves("Ben's laptop")
    driven.passes(pace.AWAY_AFTER)
    seen = driven.states("Ada")[-1].view
    assert (seen.watching, seen.screens) == (1, msgspec.UNSET)
    driven.call("elsewhere", frozenset({screen_of(guest("TV"))}), driven.now)  # at another node
    assert driven.states("Ada")[-1].view.screens == 1


def test_strangers_lines_are_not_listened_to() -> None:
    driven = seated("Ada")
    assert driven.orders("nobody", do.Start()) == []
    assert driven.call("left", "nobody", driven.now) == []


def test_a_snapshot_is_asked_for_when_a_round_is_dealt() -> None:
    driven = seated("Ada", "Ben")
    assert driven.kept == []
    driven.orders("Ada", do.Start())
    assert [keep.version for keep in driven.kept] == [driven.room.table.version]


def test_close_is_the_last_word() -> None:
    driven = seated("Ada", "Ben")
    said = driven.orders("Ada", do.Remove(1))
    assert not [effect for effect in said if isinstance(effect, Close)], "not before it is durable"
