"""An evening: another match is a proposal, dealt when everybody wants it, and a tally says who won how often."""

from msgspec import UNSET

from notahat.live.daily import day_of, day_opened
from notahat.table import commands as do
from notahat.table import fold, view
from notahat.table.events import Entry
from notahat.table.shown import LobbyAgain, MatchStarted, RoundDealt, WantsAgain
from notahat.table.tally import Tally
from support.tables import Sitting

DEAL = do.Again(deal=True)


def finished(*names: str, **options: object) -> Sitting:
    sitting = Sitting(**{"starter": 0, **options}).seated(*names).started()  # type: ignore[arg-type]
    sitting.play_round()
    return sitting


def wants(sitting: Sitting) -> list[object]:
    return [chair.again for chair in view(sitting.table, sitting.present).seats]


def test_another_match_is_dealt_when_everybody_here_wants_it() -> None:
    sitting = finished("Ada", "Ben", "Cem")
    assert wants(sitting) == [UNSET] * 3
    assert sitting.does("Cem", DEAL) == (WantsAgain(2),)
    assert sitting.stage() == "over"  # nobody is torn out of the results
    assert wants(sitting) == [False, False, True]
    sitting.does("Cem", DEAL)
    sitting.does("Ada", DEAL)
    seen = sitting.does("Ben", DEAL)
    assert seen[0] == WantsAgain(1)
    assert isinstance(seen[1], LobbyAgain)
    assert isinstance(seen[2], MatchStarted)
    assert isinstance(seen[3], RoundDealt)
    assert wants(sitting) == [UNSET] * 3
    assert sitting.table.dealt == 2


def test_alone_another_match_is_dealt_at_once() -> None:
    sitting = finished("Ada", "Ben", "Cem")
    sitting.away = {"Ben", "Cem"}
    assert isinstance(sitting.does("Ada", DEAL)[-1], RoundDealt)


def test_who_left_is_not_waited_for_and_who_waited_is_dealt_in() -> None:
    sitting = finished("Ada", "Ben", "Cem")
    sitting.does("Eva", do.Sit("Eva"))
    sitting.does("Ada", DEAL)
    sitting.does("Ben", do.Leave())
    assert sitting.refusal("Zoe", DEAL) == "not_seated"
    assert isinstance(sitting.does("Cem", DEAL)[-1], RoundDealt)
    assert [seat.name for seat in sitting.table.seats] == ["Ada", "Cem", "Eva"]


def test_the_house_deals_when_the_last_who_did_not_want_is_gone() -> None:
    sitting = finished("Ada", "Ben", "Cem")
    assert sitting.refusal(None, do.DealNext()) == "match_over"
    sitting.does("Ada", DEAL)
    sitting.does("Ben", DEAL)
    assert sitting.refusal(None, do.DealNext()) == "match_over"
    sitting.away = {"Cem"}
    assert isinstance(sitting.does(None, do.DealNext())[-1], RoundDealt)


def test_the_tally_of_an_evening_stays() -> None:
    sitting = finished("Ada", "Ben", "Cem")
    best = view(sitting.table, sitting.present).match.winners  # type: ignore[union-attr]
    names = [seat.name for seat in sitting.table.seats]
    told = view(sitting.table, sitting.present).evening
    assert told == tuple(
        sorted((Tally(name, int(n in best), 1) for n, name in enumerate(names)), key=lambda tally: -tally.wins)
    )
    sitting.does("Ada", do.Again())
    assert view(sitting.table, sitting.present).evening == told
    sitting.started()
    sitting.play_round()
    sitting.does("Ada", do.Again())
    sitting.does("Ada", do.Rename("Adelheid"))
    evening = view(sitting.table, sitting.present).evening
    assert isinstance(evening, tuple)
    assert {tally.name: tally.games for tally in evening} == {"Adelheid": 2, "Ben": 2, "Cem": 2}
    assert fold(None, sitting.log).standings == sitting.table.standings


def test_a_match_without_a_finished_round_counts_for_nobody() -> None:
    sitting = Sitting(starter=0).seated("Ada", "Ben", "Cem").started()
    sitting.does("Ada", do.EndMatch())
    assert view(sitting.table, sitting.present).evening is UNSET


def test_the_gift_of_a_day_is_for_one_person_and_played_once() -> None:
    sitting = Sitting()
    entry = day_opened(day_of("2026-11-16", 1_794_787_200.0), "K7QX", sitting.table.owner, 1000.0)
    sitting.log = [Entry(entry.at, entry.events)]
    sitting.table = fold(None, sitting.log)
    assert len(sitting.table.seats) == 3
    sitting.does("Ada", do.Sit("Ada"))
    for command in (do.AddBot("casual"), do.Remove(0), do.SetOptions({"arrows": "black"}), do.ShuffleSeats()):
        assert sitting.refusal("Ada", command) == "of_the_day"
    assert sitting.refusal("Ben", do.Sit("Ben")) == "of_the_day"
    sitting.started()
    sitting.does("Ada", do.EndMatch())
    assert sitting.refusal("Ada", do.Again()) == "of_the_day"
    assert "again" not in sitting.may("Ada")
