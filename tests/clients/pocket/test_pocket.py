"""A pocket loses nothing that it acknowledged, and keeps two tabs in step."""

from uuid import UUID

import msgspec

from notahat.clients.pocket import YOU
from notahat.live.frame_gate import MAX_FRAMES, MAX_STRIKES
from notahat.live.settings import Determinism
from notahat.wire.messages import LONGEST_DETAIL
from support.pictures import large_deck
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


def test_heartbeat_is_answered_and_bad_frame_refused() -> None:
    pocket = PocketTable()
    pocket.connect()
    pocket.send('{"do":"beat"}')
    assert pocket.last_message() == {"beat": True}
    pocket.send("what?")
    assert pocket.last_message()["reason"] == "unreadable"
    assert pocket.do("accept", turn=0)["reason"] == "no_match"


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


def test_impossible_options_open_no_table() -> None:
    pocket = PocketTable().pocket
    assert msgspec.json.decode(pocket.opening_entry("POCKET-2", '{"edition":"none"}', 0.0))["reason"] == "bad_options"
    assert msgspec.json.decode(pocket.opening_entry("POCKET-2", "[", 0.0))["reason"] == "unreadable"
    odd = msgspec.json.decode(pocket.opening_entry("POCKET-2", f'{{"{"x" * 500}": 1}}', 0.0))
    assert len(odd["detail"]) == LONGEST_DETAIL, "the refusal is cut"


def test_gift_of_the_day_has_the_players_pace() -> None:
    def entry(options: str) -> str:
        return PocketTable().pocket.opening_entry("POCKET-2", options, 5000.0, "1970-01-01")

    assert '"pace":"brisk"' in entry('{"pace":"brisk","gifts_each":2}').replace(" ", "")
    assert entry('{"gifts_each":2}') == entry("{}"), "nothing else can be chosen"


def test_own_deck_is_validated_and_stored_with_pictures() -> None:
    pocket = PocketTable()
    pocket.connect()
    assert pocket.put_deck("what?")["reason"] == "deck_unreadable"
    assert pocket.put_deck('{"hat":1,"name":"Too small","balanced":["hat"]}')["reason"] == "deck_too_small"
    assert len(pocket.browser.rows) == 1
    assert pocket.put_deck(large_deck())["name"] == "At home"
    assert pocket.last_message()["view"]["deck"] == {"name": "At home", "cards": 24, "version": 2, "missing": 0}
    deck = msgspec.json.decode(pocket.deck(2))
    assert [own["kind"] for own in deck["own"]] == ["image/png", "image/png"]
    assert [msgspec.json.decode(pocket.deck(version))["reason"] for version in (1, 3)] == ["no_such_deck"] * 2


def test_spoken_lines_of_own_gift_follow_its_grammar() -> None:
    pocket = PocketTable().pocket
    lines = msgspec.json.decode(pocket.spoken_lines('{"lang":"de","word":{"name":"Teetasse","gender":"f"}}'))
    assert lines["offer"] == "Ich habe eine schöne Teetasse für dich."
    assert msgspec.json.decode(pocket.spoken_lines('{"lang":"de","word":{"name":"Teetasse"}}'))["reason"] == "deck_name"
    assert msgspec.json.decode(pocket.spoken_lines("["))["reason"] == "unreadable"


def test_command_is_acknowledged_only_after_commit() -> None:
    pocket = PocketTable()
    pocket.connect()
    count = len(pocket.browser.messages["me"])
    pocket.pocket.receive(CODE, "me", '{"id":"a","do":"sit","name":"Ada"}', pocket.now)
    assert len(pocket.browser.messages["me"]) == count
    pocket.commit_pending()
    assert pocket.last_message()["ack"] == "a"


def test_reloaded_page_resumes_the_same_state() -> None:
    before = solo()
    before.do("draw", turn=0)
    after = PocketTable(browser=before.browser.other_tab(), now=0.0)
    after.connect("again")
    here, there = after.last_message("again"), before.last_message()
    assert (here["v"], here["view"]["round"], here["you"], here["may"]) == (
        there["v"],
        there["view"]["round"],
        there["you"],
        there["may"],
    )
    assert here["happened"] == []


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


def test_bot_moves_once_when_two_tabs_are_open() -> None:
    one = solo()
    other = PocketTable(browser=one.browser.other_tab(), determinism=SEEDED)
    other.connect("other")
    one.do("draw", turn=0)
    other.pocket.commits_received(CODE, other.browser.log(other.pocket.version(CODE)), other.now)
    one.run_next_wake()
    other.run_next_wake()
    assert one.last_message()["view"]["round"]["turn"] == other.last_message("other")["view"]["round"]["turn"] == 2
    assert len({key for _, key, _ in one.browser.rows if key}) == len(one.browser.rows) - 1


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


def test_story_is_refused_until_round_is_over() -> None:
    pocket = solo()
    assert msgspec.json.decode(pocket.ask("summary"))["stage"] == "play"
    asked = [msgspec.json.decode(pocket.ask("story", number)) for number in (1, 2)]
    assert [one["reason"] for one in asked] == ["round_running", "no_such_round"]
    pocket.do("end_match")
    assert msgspec.json.decode(pocket.ask("story", 1))["ended_early"]


def test_log_with_newer_schema_is_refused() -> None:
    pocket = PocketTable()
    newer = '[{"version":1,"command":"","entry":{"schema":99,"at":0,"events":[]}}]'
    for log, is_readable, reason in ((newer, False, "busy"), ("[]", True, "no_such_table")):
        pocket.pocket.connect("POCKET-9", "me", 0.0)
        assert pocket.browser.loads.pop() == "POCKET-9"
        assert pocket.pocket.loaded("POCKET-9", "null", log, 0.0, 0.0) is is_readable
        assert pocket.browser.closed[-1][2] == reason


def test_all_seats_of_a_device_are_one_guest() -> None:
    pocket = solo()
    assert pocket.ask("summary")
    assert YOU.hex in {key.partition(":")[0] for _, key, _ in pocket.browser.rows}
