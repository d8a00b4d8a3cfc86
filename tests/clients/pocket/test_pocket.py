"""A pocket loses nothing that it acknowledged, and keeps two tabs in step."""

from uuid import UUID

import msgspec

from notahat.live.limits import MAX_FRAMES, MAX_STRIKES
from notahat.live.settings import Determinism
from support.pocket_driver import CODE, PocketTable

SEEDED = Determinism("pocket ")


def solo(**options: object) -> PocketTable:
    pocket = PocketTable({"patience_seconds": 0, "show_seconds": 0, "starter": 0, **options}, determinism=SEEDED)
    pocket.connect()
    pocket.do("sit", name="Ada")
    for _ in range(3):
        pocket.do("add_bot", level="casual")
    pocket.do("start")
    return pocket


def test_what_is_malformed_or_impossible_is_refused() -> None:
    table = PocketTable()
    table.connect()
    table.send("what?")
    assert table.last_message()["reason"] == "unreadable"
    pocket = table.pocket
    answers = [pocket.opening_entry("POCKET-2", options, 0.0) for options in ('{"edition":"none"}', "[")]
    answers += [pocket.spoken_lines('{"lang":"de","word":{"name":"Teetasse"}}'), pocket.spoken_lines("[")]
    reasons = [msgspec.json.decode(answer)["reason"] for answer in answers]
    assert reasons == ["bad_options", "unreadable", "deck_name", "unreadable"]
    assert table.put_deck("what?")["reason"] == "deck_unreadable"
    assert msgspec.json.decode(table.ask("story", 1))["reason"] == "no_such_round"
    assert msgspec.json.decode(table.deck(1))["reason"] == "no_such_deck"
    assert len(table.browser.rows) == 1


def test_guest_of_another_device_is_limited_and_has_own_seat() -> None:
    pocket = PocketTable({"patience_seconds": 0})
    pocket.connect()
    pocket.do("sit", name="Ada")
    pocket.connect("ben", UUID(int=2))
    assert pocket.do("start", "ben")["reason"] == "not_host"
    pocket.do("sit", "ben", name="Ben")
    assert pocket.last_message("ben")["you"] == [1]
    assert pocket.last_message("me")["you"] == [0]
    for _ in range(MAX_FRAMES + MAX_STRIKES + 10):
        pocket.send('{"do":"beat"}', "ben")
        pocket.send('{"do":"beat"}')
    assert pocket.last_message("ben")["reason"] == "too_fast"
    assert pocket.browser.closed == [("ben", 1008, "too_fast")]
    assert pocket.last_message() == {"beat": True}, "this device has no limit"


def test_repeated_command_id_is_acknowledged_after_reload() -> None:
    pocket = PocketTable()
    pocket.connect()
    pocket.send('{"id":"a","do":"sit","name":"Ada"}')
    again = PocketTable(browser=pocket.browser.other_tab(), now=0.0)
    again.connect("again")
    again.send('{"id":"a","do":"sit","name":"Ada"}', "again")
    assert again.last_message("again")["ack"] == "a"
    assert len(again.last_message("again")["view"]["seats"]) == 1


def test_second_tab_catches_up_after_a_conflict() -> None:
    one = solo()
    other = PocketTable(browser=one.browser.other_tab(), determinism=SEEDED)
    other.connect("other")
    one.do("draw", turn=0)
    assert other.do("draw", "other", turn=0)["reason"] == "stale"  # it applied the other tab's entries
    refusal = other.last_message("other")
    assert refusal == {"no": "draw1", "reason": "stale", "detail": refusal["detail"]}
    one.do("emote", emote="hello", seat=0)
    other.pocket.commits_received(CODE, other.browser.log(other.pocket.version(CODE)), other.now)
    assert [event["event"] for event in other.last_message("other")["happened"]] == ["emoted"]
    assert other.last_message("other")["you"] == [0]


def test_write_failure_closes_connections_and_table() -> None:
    pocket = PocketTable()
    pocket.connect()
    pocket.pocket.receive(CODE, "me", '{"id":"a","do":"sit","name":"Ada"}', pocket.now)
    pocket.pocket.failed(CODE)
    assert [(line, code) for line, code, _ in pocket.browser.closed] == [("me", 1012)]
    assert not pocket.pocket.is_open(CODE)
    assert pocket.browser.wakes == {}


def test_table_without_connections_is_closed() -> None:
    pocket = PocketTable()
    pocket.connect()
    pocket.pocket.close_if_idle(CODE)
    assert pocket.pocket.is_open(CODE)
    pocket.pocket.disconnect(CODE, "me", pocket.now)
    pocket.now += 10
    pocket.run_next_wake()
    pocket.pocket.close_if_idle(CODE)
    assert not pocket.pocket.is_open(CODE)
    pocket.pocket.wake(CODE, pocket.now)


def test_log_with_newer_schema_is_refused() -> None:
    pocket = PocketTable()
    newer = '[{"version":1,"command":"","entry":{"schema":99,"at":0,"events":[]}}]'
    for log, is_readable, reason in ((newer, False, "busy"), ("[]", True, "no_such_table")):
        pocket.pocket.connect("POCKET-9", "me", 0.0)
        assert pocket.browser.loads.pop() == "POCKET-9"
        assert pocket.pocket.loaded("POCKET-9", "null", log, 0.0, 0.0) is is_readable
        assert pocket.browser.closed[-1][2] == reason
