"""Tournaments: reproducible, independent of the number of jobs, with correct intervals."""

import json
from pathlib import Path

import msgspec
import pytest

from notahat.bots import LEVELS
from notahat.cli import main
from notahat.gifts import Hat, catalogue
from notahat.rules import Illegal
from notahat_lab import arena
from notahat_lab.batch import Tables
from notahat_lab.tournament import Setup, game_stats, interval, play_game, seat_game

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


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        ("casual,genius,casual", "genius"),
        ("casual,casual/nobody,casual", "nobody"),
        ("honest@genius,casual,casual", "genius"),
        ("honest/berta,casual,casual", "no level 'honest'"),
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


def test_statistics_belong_to_players_not_seats() -> None:
    setup = Setup(("always-refuse", "perfect", "perfect"), seed=3)
    for number in range(3):
        stats = game_stats(setup, play_game(setup, number), number)
        assert stats.penalties == (3, 0, 0)
        assert stats.wins == (0.0, 0.5, 0.5)


def test_intervals_contain_the_share_and_shrink_with_games() -> None:
    few, many = interval([1.0, 0.0, 0.0, 0.0] * 5), interval([1.0, 0.0, 0.0, 0.0] * 500)
    for share, low, high in (few, many):
        assert low < share == 0.25 < high
    assert many[2] - many[1] < (few[2] - few[1]) / 5
    assert interval([0.0] * 10)[1] == 0.0
    assert interval([0.0] * 10)[2] > 0.0


def test_impossible_tournament_is_refused() -> None:
    with pytest.raises(Illegal):
        arena(["casual", "casual"], games=1, jobs=1, gifts=1)
    with pytest.raises(ValueError, match="at least one game"):
        arena(["casual"] * 3, games=0, jobs=1)
