"""An evening: votes for another match, and the tally of won matches."""

from msgspec import UNSET

from notahat.live.settings import open_daily_table, parse_day
from notahat.table import commands as do
from notahat.table import fold, view
from notahat.table.events import Entry
from notahat.table.shown import HostChanged, LobbyAgain, MatchStarted, PlayedWithout, RoundDealt, WantsAgain
from notahat.table.table import Tally
from support.tables import TableDriver

VOTE = do.Again(deal=True)


def finished_match(*names: str, **options: object) -> TableDriver:
    driver = TableDriver(**{"starter": 0, **options}).seated(*names).started()  # type: ignore[arg-type]
    driver.play_round()
    return driver


def votes(driver: TableDriver) -> list[object]:
    return [chair.again for chair in view(driver.table, driver.present).seats]


def test_next_match_is_dealt_when_all_present_want_it() -> None:
    driver = finished_match("Ada", "Ben", "Cem")
    assert votes(driver) == [UNSET] * 3
    assert driver.send("Cem", VOTE) == (WantsAgain(2),)
    assert driver.stage() == "over"
    assert votes(driver) == [False, False, True]
    driver.send("Cem", VOTE)
    driver.send("Ada", VOTE)
    seen = driver.send("Ben", VOTE)
    assert seen[0] == WantsAgain(1)
    assert isinstance(seen[1], LobbyAgain)
    assert isinstance(seen[2], MatchStarted)
    assert isinstance(seen[3], RoundDealt)
    assert votes(driver) == [UNSET] * 3
    assert driver.table.dealt == 2


def test_absent_players_are_decided_about_before_next_match() -> None:
    driver = finished_match("Ada", "Ben", "Cem", "Dora")
    driver.away = {"Ada", "Cem"}  # Ada is the host
    assert driver.send("Ben", VOTE) == (WantsAgain(1),)
    assert driver.send("Dora", VOTE) == (WantsAgain(3),)
    assert driver.refusal(None, do.DealNext()) == "match_over"
    assert driver.refusal("Ben", do.PlayWithout(3)) == "not_away"
    assert driver.refusal("Eva", do.PlayWithout(2)) == "not_seated"
    assert driver.send("Ben", do.PlayWithout(2)) == (PlayedWithout(2, "Cem"),)
    events = driver.send("Dora", do.PlayWithout(0))
    assert events[:2] == (PlayedWithout(0, "Ada"), HostChanged(1))
    assert isinstance(events[-1], RoundDealt)
    assert driver.names == ["Ben", "Dora"]


def test_host_need_not_wait_for_who_does_not_answer() -> None:
    driver = finished_match("Ada", "Ben", "Cem")  # Ada is the host
    driver.send("Ben", VOTE)
    assert driver.refusal("Ada", do.PlayWithout(2)) == "not_away", "she has not said herself"
    driver.send("Ada", VOTE)
    assert driver.refusal("Ben", do.PlayWithout(2)) == "not_away", "only the host decides"
    assert driver.refusal("Ada", do.PlayWithout(1)) == "not_away", "he wants another match"
    events = driver.send("Ada", do.PlayWithout(2))
    assert events[0] == PlayedWithout(2, "Cem")
    assert isinstance(events[-1], RoundDealt)
    assert driver.names == ["Ada", "Ben"]


def test_next_match_is_dealt_when_last_opponent_has_left() -> None:
    driver = finished_match("Ada", "Ben", "Cem")
    assert driver.refusal(None, do.DealNext()) == "match_over"
    driver.send("Ada", VOTE)
    driver.send("Ben", VOTE)
    assert driver.refusal(None, do.DealNext()) == "match_over"
    driver.send("Cem", do.Leave())
    assert isinstance(driver.send(None, do.DealNext())[-1], RoundDealt)


def test_tally_survives_matches_and_renaming() -> None:
    driver = finished_match("Ada", "Ben", "Cem")
    best = view(driver.table, driver.present).match.winners  # type: ignore[union-attr]
    names = driver.names
    tallies = view(driver.table, driver.present).evening
    assert tallies == tuple(
        sorted((Tally(name, int(n in best), 1) for n, name in enumerate(names)), key=lambda tally: -tally.wins)
    )
    driver.send("Ada", do.Again())
    assert view(driver.table, driver.present).evening == tallies
    driver.started()
    driver.play_round()
    driver.send("Ada", do.Again())
    driver.send("Ada", do.Rename("Adelheid"))
    evening = view(driver.table, driver.present).evening
    assert isinstance(evening, tuple)
    assert {tally.name: tally.games for tally in evening} == {"Adelheid": 2, "Ben": 2, "Cem": 2}
    assert fold(None, driver.log).standings == driver.table.standings


def test_daily_table_has_one_person_and_one_match() -> None:
    driver = TableDriver()
    entry = open_daily_table(parse_day("2026-11-16", 1_794_787_200.0), "K7QX", driver.table.owner, 1000.0)
    driver.log = [Entry(entry.at, entry.events)]
    driver.table = fold(None, driver.log)
    assert len(driver.table.seats) == 3
    driver.send("Ada", do.Sit("Ada"))
    for command in (do.AddBot("casual"), do.Remove(0), do.SetOptions({"arrows": "black"}), do.ShuffleSeats()):
        assert driver.refusal("Ada", command) == "of_the_day"
    assert driver.refusal("Ben", do.Sit("Ben")) == "of_the_day"
    driver.started()
    driver.send("Ada", do.EndMatch())
    assert driver.refusal("Ada", do.Again()) == "of_the_day"
    assert "again" not in driver.may("Ada")
