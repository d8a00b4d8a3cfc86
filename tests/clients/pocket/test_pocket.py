"""A pocket by itself: nothing acknowledged is lost, two tabs are one player, and hidden gifts stay inside."""

from typing import Any

import msgspec
import pytest

from notahat.clients.pocket import YOU
from notahat.table.events import Dealt, decode
from notahat.wire.messages import LONGEST_DETAIL
from support.pictures import a_large_deck
from support.pocket_driver import CODE, Pocketed


def solo(**options: object) -> Pocketed:
    pocket = Pocketed(
        {"patience_seconds": 0, "show_seconds": 0, "starter": 0, **options}, luck=lambda table: table.version
    )
    pocket.arrives()
    pocket.orders("sit", name="Ada")
    for _ in range(3):
        pocket.orders("add_bot", level="casual")
    pocket.orders("start")
    return pocket


def test_a_heartbeat_is_answered_and_nonsense_refused() -> None:
    pocket = Pocketed()
    pocket.arrives()
    pocket.sends('{"do":"beat"}')
    assert pocket.last() == {"beat": True}
    pocket.sends("what?")
    assert pocket.last()["reason"] == "unreadable"
    assert pocket.orders("accept", turn=0)["reason"] == "no_match"


def test_impossible_options_open_no_table() -> None:
    pocket = Pocketed().pocket
    assert msgspec.json.decode(pocket.first_entry("POCKET-2", '{"edition":"none"}', 0.0))["reason"] == "bad_options"
    assert msgspec.json.decode(pocket.first_entry("POCKET-2", "[", 0.0))["reason"] == "unreadable"
    odd = msgspec.json.decode(pocket.first_entry("POCKET-2", f'{{"{"x" * 500}": 1}}', 0.0))
    assert len(odd["detail"]) == LONGEST_DETAIL, "whoever is refused is not told all of it again"


def test_a_deck_of_ones_own_is_checked_kept_and_told_with_its_pictures() -> None:
    pocket = Pocketed()
    pocket.arrives()
    assert pocket.brings("what?")["reason"] == "deck_unreadable"
    assert pocket.brings('{"hat":1,"name":"Too small","balanced":["hat"]}')["reason"] == "deck_too_small"
    assert len(pocket.shelf.rows) == 1
    assert pocket.brings(a_large_deck())["view"]["deck"]["name"] == "At home"
    assert pocket.last()["view"]["deck"] == {"name": "At home", "cards": 24, "version": 2, "missing": 0}
    told = msgspec.json.decode(pocket.deck(2))
    assert [own["kind"] for own in told["own"]] == ["image/png", "image/png"]
    assert [msgspec.json.decode(pocket.deck(version))["reason"] for version in (1, 3)] == ["no_such_deck"] * 2


def test_the_two_lines_of_an_own_gift_are_told_to_whoever_makes_it() -> None:
    pocket = Pocketed().pocket
    told = msgspec.json.decode(pocket.lines('{"lang":"de","word":{"name":"Teetasse","gender":"f"}}'))
    assert told["offer"] == "Ich habe eine schöne Teetasse für dich."
    assert msgspec.json.decode(pocket.lines('{"lang":"de","word":{"name":"Teetasse"}}'))["reason"] == "deck_name"
    assert msgspec.json.decode(pocket.lines("["))["reason"] == "unreadable"


def test_what_is_not_written_is_not_acknowledged() -> None:
    pocket = Pocketed()
    pocket.arrives()
    heard = len(pocket.shelf.heard["me"])
    pocket.pocket.received(CODE, "me", '{"id":"a","do":"sit","name":"Ada"}', pocket.now)
    assert len(pocket.shelf.heard["me"]) == heard
    pocket.settle()
    assert pocket.last()["ack"] == "a"


def test_a_page_that_is_loaded_again_goes_on_where_it_was() -> None:
    before = solo()
    before.orders("draw", turn=0)
    after = Pocketed(shelf=before.shelf.beside(), now=0.0)
    after.arrives("again")
    here, there = after.last("again"), before.last()
    assert (here["v"], here["view"]["round"], here["you"], here["may"]) == (
        there["v"],
        there["view"]["round"],
        there["you"],
        there["may"],
    )
    assert here["happened"] == []


def test_the_same_id_again_gets_the_same_answer_after_a_reload() -> None:
    pocket = Pocketed()
    pocket.arrives()
    pocket.sends('{"id":"a","do":"sit","name":"Ada"}')
    again = Pocketed(shelf=pocket.shelf.beside(), now=0.0)
    again.arrives("again")
    again.sends('{"id":"a","do":"sit","name":"Ada"}', "again")
    assert again.last("again")["ack"] == "a"
    assert len(again.last("again")["view"]["seats"]) == 1


def test_two_tabs_are_one_player_and_the_log_decides() -> None:
    one = solo()
    other = Pocketed(shelf=one.shelf.beside(), luck=lambda table: table.version)
    other.arrives("other")
    one.orders("draw", turn=0)
    assert other.orders("draw", "other", turn=0)["reason"] == "stale"  # it was behind, and has caught up
    assert other.last("other") == {"no": "draw1", "reason": "stale", "detail": other.last("other")["detail"]}
    one.orders("emote", emote="hello", seat=0)
    other.pocket.news(CODE, other.shelf.log(other.pocket.version(CODE)), other.now)
    assert [event["event"] for event in other.last("other")["happened"]] == ["emoted"]
    assert other.last("other")["you"] == [0]


def test_the_house_moves_once_in_two_tabs() -> None:
    one = solo()
    other = Pocketed(shelf=one.shelf.beside(), luck=lambda table: table.version)
    other.arrives("other")
    one.orders("draw", turn=0)
    other.pocket.news(CODE, other.shelf.log(other.pocket.version(CODE)), other.now)
    one.sleeps()
    other.sleeps()
    assert one.last()["view"]["round"]["turn"] == other.last("other")["view"]["round"]["turn"] == 2
    assert len({key for _, key, _ in one.shelf.rows if key}) == len(one.shelf.rows) - 1


def test_a_log_that_cannot_be_written_sends_lines_back_to_what_is_there() -> None:
    pocket = Pocketed()
    pocket.arrives()
    pocket.pocket.received(CODE, "me", '{"id":"a","do":"sit","name":"Ada"}', pocket.now)
    pocket.pocket.failed(CODE)
    assert [(line, code) for line, code, _ in pocket.shelf.closed] == [("me", 1012)]
    assert not pocket.pocket.holds(CODE)
    assert pocket.shelf.wakes == {}


def test_a_table_nobody_looks_at_is_put_away() -> None:
    pocket = Pocketed()
    pocket.arrives()
    pocket.pocket.put_away(CODE)
    assert pocket.pocket.holds(CODE)
    pocket.pocket.left(CODE, "me", pocket.now)
    pocket.now += 10
    pocket.sleeps()
    pocket.pocket.put_away(CODE)
    assert not pocket.pocket.holds(CODE)
    pocket.pocket.woken(CODE, pocket.now)


def test_a_table_is_told_of_and_a_round_only_when_it_is_over() -> None:
    pocket = solo()
    assert msgspec.json.decode(pocket.pocket.summary(CODE))["stage"] == "play"
    asked = [msgspec.json.decode(pocket.pocket.story(CODE, number, pocket.shelf.log())) for number in (1, 2)]
    assert [one["reason"] for one in asked] == ["round_running", "no_such_round"]
    pocket.orders("end_match")
    assert msgspec.json.decode(pocket.pocket.story(CODE, 1, pocket.shelf.log()))["ended_early"]


def test_a_log_of_a_newer_game_is_not_guessed_at() -> None:
    pocket = Pocketed()
    newer = '[{"version":1,"command":"","entry":{"schema":99,"at":0,"events":[]}}]'
    assert "reason" in msgspec.json.decode(pocket.pocket.open("POCKET-9", "null", newer, 0.0, 0.0))
    assert msgspec.json.decode(pocket.pocket.open("POCKET-9", "null", "[]", 0.0, 0.0))["reason"] == "no_such_table"


@pytest.mark.parametrize("moves", [1, 4])
def test_r9_5_exchanged_gifts_change_nothing_that_leaves_the_pocket(moves: int) -> None:
    """All four gifts on the table are wrapped before anybody is asked; then two of them change places."""
    options: dict[str, object] = {"patience_seconds": 0, "show_seconds": 0, "starter": 0, "arrows": "black"}
    pocket = Pocketed(options, luck=lambda table: table.version)
    pocket.arrives()
    for name in ("Ada", "Ben", "Cem", "Dora"):
        pocket.orders("sit", name=name)
    pocket.orders("start")
    pocket.orders("draw", turn=0, seat=0)
    pocket.sleeps()
    for _ in range(4):
        turn = pocket.last()["view"]["round"]["turn"]
        may = pocket.last()["may"]
        give = next(one for one in may if one["do"] == "give")
        pocket.orders("give", turn=turn, seat=give["seat"], claim="hat", to=give["to"][0])
        pocket.orders("accept", turn=turn + 1, seat=give["to"][0])
        pocket.sleeps()
    down = [
        card for seat in pocket.last()["view"]["round"]["seats"] for card in seat["column"] if card["face"] == "down"
    ]
    assert len(down) >= 3
    twins = [told_again(pocket, exchange, moves) for exchange in (False, True)]
    assert twins[0] == twins[1]
    assert len(twins[0]) > moves


def told_again(pocket: Pocketed, exchange: bool, moves: int) -> list[str]:
    rows = [entry if not exchange else exchanged(entry) for _, _, entry in pocket.shelf.rows]
    twin = Pocketed(log=rows)
    twin.arrives()
    for _ in range(moves):
        state: dict[str, Any] = twin.last()
        give = next((one for one in state["may"] if one["do"] == "give"), None)
        turn = state["view"]["round"]["turn"]
        if give is not None:
            twin.orders("give", turn=turn, seat=give["seat"], claim="book", to=give["to"][0])
        else:
            seat = next(one["seat"] for one in state["may"] if one["do"] == "accept")
            twin.orders("accept", turn=turn, seat=seat)
            twin.sleeps()
    return twin.shelf.heard["me"]


def exchanged(entry: str) -> str:
    """The first two cards dealt change their gifts: both have been wrapped since."""
    read = decode(entry.encode())
    dealt = next((event for event in read.events if isinstance(event, Dealt)), None)
    if dealt is None:
        return entry
    one, other = dealt.cards[0].gift, dealt.cards[1].gift
    return entry.replace(f'"{one}"', '"?"').replace(f'"{other}"', f'"{one}"').replace('"?"', f'"{other}"')


def test_everybody_on_this_device_is_one_guest() -> None:
    pocket = solo()
    assert pocket.pocket.summary(CODE)
    assert YOU.hex in {key.partition(":")[0] for _, key, _ in pocket.shelf.rows}
