"""Tournaments: reproducible, independent of the number of jobs, with correct intervals."""

import json
import sys
from pathlib import Path

import msgspec
import pytest

from notahat.bots import LEVELS
from notahat.cli import main
from notahat.gifts import Hat, catalogue
from notahat.rules import Give, Illegal, Refuse
from notahat_lab import arena
from notahat_lab.batch import Tables
from notahat_lab.player_factory import player_factory
from notahat_lab.tournament import Setup, game_stats, interval, play_game, seat_game, seating, spread

BASELINES = ("always-accept", "always-refuse", "random", "honest", "perfect")


def test_result_depends_on_the_seed_but_not_on_the_jobs() -> None:
    seats = ["elephant", "casual", "honest", "random"]
    alone = arena(seats, games=23, seed=7, jobs=1)
    assert arena(seats, games=23, seed=7, jobs=2) == alone
    assert arena(seats, games=23, seed=8, jobs=1) != alone


def test_own_deck_is_played_in_arena_and_environments(tmp_path: Path) -> None:
    gifts = list(catalogue())
    hat = Hat(hat=1, name="Small", balanced=tuple(gifts[:20]))
    (tmp_path / "small.hat").write_bytes(msgspec.json.encode(hat))
    own = str(tmp_path / "small.hat")
    dealt = {card.gift for card in seat_game(Setup(("casual",) * 4, 1, edition=own), 0).cards}
    assert dealt == set(gifts[:20])
    assert arena(["casual"] * 4, games=2, edition=own, jobs=1).games == 2
    assert {card.gift for card in Tables(1, edition=own).deck} == dealt
    with pytest.raises(ValueError, match="6 more cards"):
        Tables(1, players=8, gifts=1, edition=own)
    seats = ",".join(["casual"] * 8)
    assert main(["lab", "arena", "--seats", seats, "--games", "1", "--edition", own]) == 2
    assert main(["lab", "arena", "--games", "1", "--edition", str(tmp_path / "none.hat")]) == 2


def test_json_has_the_documented_fields(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    seats = "elephant,casual,casual,casual"
    assert (
        main(["lab", "arena", "--seats", seats, "--games", "6", "--seed", "7", "--jobs", "1", "--json", str(out)]) == 0
    )
    result = json.loads(out.read_text())
    assert set(result) == {"games", "capped", "passes", "first_refusal", "refusals_right", "seats"}
    assert result["games"] == 6
    assert 0.0 <= result["capped"] <= 1.0
    for spread_ in (result["passes"], result["first_refusal"]):
        assert spread_["p10"] <= spread_["median"] <= spread_["p90"]
    assert [seat["name"] for seat in result["seats"]] == seats.split(",")
    for seat in result["seats"]:
        assert set(seat) == {"name", "win_share", "low", "high", "penalties_per_100"}
        assert 0.0 <= seat["low"] <= seat["win_share"] <= seat["high"] <= 1.0
    assert sum(seat["win_share"] for seat in result["seats"]) == pytest.approx(1.0)


def test_arena_command_accepts_every_variant(capsys: pytest.CaptureFixture[str]) -> None:
    variant = ["--edition", "special", "--gifts", "2", "--arrows", "black", "--jobs", "1", "--games", "2"]
    assert main(["lab", "arena", "--seats", "goldfish,perfect,regular/gustav", *variant]) == 0
    shown = capsys.readouterr()
    assert "regular/gustav" in shown.out
    assert "2 games" in shown.out
    assert "2/2" in shown.err


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        ("casual,genius,casual", "genius"),
        ("casual,casual/nobody,casual", "nobody"),
        ("honest@genius,casual,casual", "genius"),
        ("no_such_module:Bot,casual,casual", "no_such_module"),
        ("notahat.bots:NoSuchBot,casual,casual", "NoSuchBot"),
        ("casual", "too few"),
    ],
)
def test_unknown_player_is_reported_in_one_line(seats: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "arena", "--seats", seats, "--games", "1", "--jobs", "1"]) == 2
    assert says in capsys.readouterr().err


def test_ray_is_used_or_its_install_command_printed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["lab", "arena", "--seats", "random,random,random", "--games", "12", "--seed", "5", "--ray"]
    try:
        import ray  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
    except ImportError:
        assert main(arguments) == 2
        assert "pip install 'ray>=" in capsys.readouterr().err
    else:
        assert arena(["random"] * 3, 12, 5, ray=True) == arena(["random"] * 3, 12, 5, jobs=1)


@pytest.mark.parametrize("name", [*LEVELS, *BASELINES, "honest@elephant", "casual/berta"])
def test_every_player_can_be_created_by_name(name: str) -> None:
    result = arena([name, "casual", "goldfish"], games=2, seed=1, cap=30, jobs=1)
    assert result.seats[0].name == name


OWN = """
from notahat.bots import Answer
from notahat.rules import Give, Refuse

class Stubborn:
    def __init__(self, seat, seed):
        self.seat = seat

    def see(self, view, events, now):
        pass

    def answer(self, view, legal, now):
        if "give" in legal.moves:
            return Answer(Give(self.seat, "hat", legal.receivers[0]), 1.0)
        return Answer(Refuse(self.seat), 1.0)
"""


def test_own_bot_in_the_working_directory_can_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "stubborn_bot.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert main(["lab", "arena", "--seats", "stubborn_bot:Stubborn,casual,casual", "--games", "12", "--jobs", "2"]) == 0
    assert "stubborn_bot:Stubborn" in capsys.readouterr().out


def test_perfect_is_never_penalised_and_always_refuse_loses() -> None:
    perfect = arena(["perfect", "goldfish", "goldfish", "goldfish"], games=10, seed=1, jobs=1)
    assert perfect.seats[0].penalties_per_100 == 0.0
    stubborn = arena(["always-refuse", "casual", "casual", "casual"], games=30, seed=1, jobs=1)
    assert stubborn.seats[0].win_share <= 0.06


def test_players_rotate_through_all_seats() -> None:
    assert [seating(3, number) for number in range(4)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]


def test_statistics_belong_to_players_not_seats() -> None:
    setup = Setup(("always-refuse", "perfect", "perfect"), seed=3)
    for number in range(3):
        stats = game_stats(setup, play_game(setup, number), number)
        assert stats.penalties == (3, 0, 0)
        assert stats.wins == (0.0, 0.5, 0.5)


def test_statistics_agree_with_the_moves() -> None:
    setup = Setup(("goldfish",) * 4, seed=9)
    played = play_game(setup, 0)
    stats = game_stats(setup, played, 0)
    moves = [made.move for made in played.moves]
    assert stats.passes == sum(type(move) is Give for move in moves) == sum(stats.received)
    assert stats.refusals == sum(type(move) is Refuse for move in moves) == sum(stats.penalties)
    assert 0 <= stats.right <= stats.refusals
    assert not stats.capped


def test_r9_6_cap_limits_the_passes() -> None:
    setup = Setup(("perfect",) * 4, seed=1, cap=17)
    stats = game_stats(setup, play_game(setup, 0), 0)
    assert stats.capped
    assert stats.passes == 17


def test_intervals_contain_the_share_and_shrink_with_games() -> None:
    few, many = interval([1.0, 0.0, 0.0, 0.0] * 5), interval([1.0, 0.0, 0.0, 0.0] * 500)
    for share, low, high in (few, many):
        assert low < share == 0.25 < high
    assert many[2] - many[1] < (few[2] - few[1]) / 5
    assert interval([0.0] * 10)[1] == 0.0
    assert interval([0.0] * 10)[2] > 0.0


def test_spread_of_no_values_is_none() -> None:
    assert spread([]).median is None
    assert spread([4]).p90 == 4
    assert spread(list(range(101))).p10 == 10


def test_impossible_tournament_is_refused() -> None:
    with pytest.raises(Illegal):
        arena(["casual", "casual"], games=1, jobs=1, gifts=1)
    with pytest.raises(ValueError, match="at least one game"):
        arena(["casual"] * 3, games=0, jobs=1)


def test_player_factory_creates_a_new_player_each_time() -> None:
    make = player_factory("casual")
    assert make(0, 1) is not make(0, 1)
