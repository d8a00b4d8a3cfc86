"""Good company: wrong names travel, blanks and lies are counted, and no exploit pays."""

import pytest

from notahat.bots import LEVELS
from notahat.rules import Accept, Draw, Give, Refuse, Wrap, play
from notahat_lab import arena
from notahat_lab.report.company_metrics import CompanyRecorder, measure_company
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
    assert watched.found.untrue_repeats == [True]


def test_return_to_the_true_name_is_counted() -> None:
    """The saxophone goes to seat 1 as an armchair; seat 1 passes it on by another name."""
    start = (Draw(0), Wrap(0), Give(0, "armchair"), Accept(1), Wrap(1), Give(1, "teapot"), Accept(0), Wrap(0))
    for claim, back in (("saxophone", [True]), ("violin", [False]), ("armchair", [])):
        assert recorded(*start, Give(0, "kite"), Accept(1), Give(1, claim)).found.back_to_truth == back


@pytest.mark.parametrize("level", LEVELS)
def test_slips_and_blanks_happen_at_every_level(level: str) -> None:
    found = measure_company((level,) * 4, 1, 5, range(12))
    assert 0.02 < mean(found.untrue) < 0.36
    assert 0.05 < mean(found.believed) < 0.8
    assert mean(found.just_accepted) < 0.1
    assert mean(found.with_receiver) < 0.25
    assert any(found.blank)
    assert not any(found.known_lies)  # a neutral temper never lies about what it knows
    assert max(found.travels) >= 2


@pytest.mark.parametrize("exploit", ["own-column", "quick-liar", "last-name-doubter", "always-accept"])
def test_exploits_do_not_pay(exploit: str) -> None:
    assert arena([exploit, "casual", "casual", "casual"], games=40, seed=8, jobs=1).seats[0].low < 0.25


def mean(values: list[bool] | list[float]) -> float:
    return sum(values) / len(values)
