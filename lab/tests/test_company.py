"""Good company: wrong names travel, blanks and lies are counted, and no exploit pays."""

import pytest

from notahat.bots import LEVELS
from notahat.rules import Accept, Draw, Give, Refuse, Wrap, play, view
from notahat_lab import arena
from notahat_lab.exploit import LIAR_PACES, Parrot
from notahat_lab.report.company_metrics import Company, CompanyRecorder, measure_company
from support.rounds import dealt


def recorded(*moves: Draw | Wrap | Give | Accept | Refuse) -> CompanyRecorder:
    """Return a recorder that watched these moves at a table of players without a memory."""
    round_ = dealt("kite< teapot> anchor< violin> saxophone< drum< armchair<")
    recorder = CompanyRecorder([object()] * 4, "test")  # type: ignore[list-item]
    for move in moves:
        round_, events = play(round_, move)
        recorder(round_, events, 0.0)
    return recorder


def test_wrong_name_that_is_accepted_twice_has_travelled() -> None:
    watched = recorded(
        *(Draw(0), Wrap(0), Give(0, "armchair"), Accept(1), Wrap(1), Give(1, "teapot"), Accept(0), Wrap(0)),
        *(Give(0, "kite"), Accept(1), Give(1, "armchair"), Accept(2)),
    )
    assert watched.longest == 2
    assert watched.found.untrue == [True, False, False, True]
    assert watched.found.believed == [True, True]


def test_naming_the_gift_just_accepted_is_counted() -> None:
    watched = recorded(Draw(0), Wrap(0), Give(0, "saxophone"), Accept(1), Wrap(1), Give(1, "saxophone"), Refuse(0))
    assert watched.found.just_accepted == [True]
    assert watched.found.believed == [False]


def test_naming_what_the_receiver_holds_or_gave_is_counted() -> None:
    """Seat 1 gives the teapot to seat 0, which holds the kite and has just given away the saxophone."""
    start = (Draw(0), Wrap(0), Give(0, "saxophone"), Accept(1), Wrap(1))
    assert recorded(*start, Give(1, "kite")).found.with_receiver == [True]
    assert recorded(*start, Give(1, "saxophone")).found.with_receiver == [True]
    assert recorded(*start, Give(1, "violin")).found.with_receiver == [False]


def test_repeating_a_refused_name_is_counted() -> None:
    watched = recorded(*(Draw(0), Wrap(0), Give(0, "hat"), Refuse(1), Draw(0), Wrap(0), Give(0, "hat")))
    assert watched.found.refused_again == [False, True]


@pytest.mark.parametrize("level", LEVELS)
def test_slips_and_blanks_happen_at_every_level(level: str) -> None:
    found = measure_company((level,) * 4, 1, 5, range(12))
    assert 0.02 < mean(found.untrue) < 0.36
    assert 0.05 < mean(found.believed) < 0.8
    assert mean(found.just_accepted) < 0.1
    assert mean(found.with_receiver) < 0.25
    assert mean(found.refused_again) < 0.04
    assert any(found.blank)
    assert not any(found.known_lies)  # a neutral temper never lies about what it knows
    assert max(found.travels) >= 2


def test_known_cards_saturate_with_their_number() -> None:
    nine, seventeen = (measure_company(("casual",) * players, 2, 6, range(4)) for players in (4, 8))
    assert mean(nine.known_cards) > 2.5
    assert mean(seventeen.known_cards) < mean(nine.known_cards) * 1.5


def test_pace_of_a_lie_matters_little() -> None:
    believed = [measure_company((liar, *("casual",) * 3), 1, 7, range(30)).lies_believed for liar in LIAR_PACES]
    shares = [mean(one) for one in believed]
    assert all(len(one) > 40 for one in believed)
    assert max(shares) - min(shares) < 0.1


@pytest.mark.parametrize("exploit", ["parrot", "quick-liar", "last-name-doubter"])
def test_exploits_do_not_pay(exploit: str) -> None:
    assert arena([exploit, "casual", "casual", "casual"], games=40, seed=8, jobs=1).seats[0].low < 0.25


def test_parrot_remembers_the_last_two_names() -> None:
    round_ = dealt("kite< teapot> anchor< violin> saxophone<")
    parrot = Parrot("", 1, 1)
    parrot.see(view(round_), (), 0.0)
    for move in (Draw(0), Wrap(0), Give(0, "armchair"), Accept(1), Wrap(1)):
        round_, events = play(round_, move)
        parrot.see(view(round_), events, 0.0)
    assert set(parrot.names.values()) == {"teapot", "armchair"}


def test_results_of_two_runs_are_added() -> None:
    both, first = Company(), measure_company(("goldfish",) * 3, 1, 9, range(1))
    both.add(first)
    both.add(measure_company(("goldfish",) * 3, 1, 9, range(1, 2)))
    assert both == measure_company(("goldfish",) * 3, 1, 9, range(2))
    assert len(both.travels) == 2


def mean(values: list[bool] | list[float]) -> float:
    return sum(values) / len(values)
