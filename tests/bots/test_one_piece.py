"""A mind of one piece: what it believes when it says thank you is what it believes afterwards."""

from collections.abc import Iterator

import pytest
from msgspec import Struct

from notahat.bots import LEVELS, Bot, sit_down
from notahat.bots.memory import Memory
from notahat.bots.parcel import Parcel
from notahat.bots.player import Player
from notahat.lab.lie_metrics import knows, trial
from notahat.live import pace
from notahat.rules import Accept, Draw, Event, Give, Move, Refuse, Round, Wrap, legal, play, view
from support.rounds import dealt

SEEDS = range(100)
DEAL = "kite< teapot> anchor< violin> saxophone<"


class Evening(Struct):
    """A table of four where somebody watches, and the clock runs as it does at a table."""

    round: Round
    watching: Bot
    now: float = 0.0
    events: tuple[Event, ...] = ()

    def look(self) -> None:
        self.watching.see(view(self.round), self.events, self.now)

    def do(self, *moves: Move) -> None:
        for move in moves:
            wait = 3.0 if isinstance(move, Wrap) else pace.move_after(2.0, self.events)
            self.now += wait
            self.round, self.events = play(self.round, move)
            self.look()

    def asked(self) -> Move:
        return self.watching.answer(view(self.round), legal(self.round), self.now).move


def evenings(level: str, seat: int) -> Iterator[Evening]:
    """A saxophone is drawn from the shop by seat 0, for all to see; somebody of that level has noticed it."""
    for seed in SEEDS:
        evening = Evening(dealt(DEAL), sit_down(level, seat, seed))
        evening.look()
        evening.do(Draw(0), Wrap(0))
        if knows(evening.watching, "saxophone"):
            yield evening


@pytest.mark.parametrize("level", LEVELS)
def test_r6_a_saxophone_shown_a_moment_ago_is_no_armchair(level: str) -> None:
    answers = []
    for evening in evenings(level, seat=1):
        evening.do(Give(0, "armchair"))
        answers.append(type(evening.asked()))
    assert len(answers) > 80
    assert answers.count(Accept) <= (0.10 if level == "goldfish" else 0.03) * len(answers)


@pytest.mark.parametrize("level", LEVELS)
def test_r5_the_truth_about_it_is_accepted(level: str) -> None:
    for evening in evenings(level, seat=1):
        evening.do(Give(0, "saxophone"))
        assert type(evening.asked()) is Accept


@pytest.mark.parametrize("level", LEVELS)
def test_whoever_thanked_for_an_armchair_passes_no_saxophone_on(level: str) -> None:
    """Seat 1 said thank you for it; soon it has to go on, and nobody has seen it since."""
    named = []
    for evening in evenings(level, seat=1):
        evening.do(Give(0, "armchair"), Accept(1), Wrap(1), Give(1, "teapot"))
        evening.do(Accept(0), Wrap(0), Give(0, "kite"), Accept(1))
        move = evening.asked()
        assert isinstance(move, Give)
        named.append(move.claim)
    assert named.count("saxophone") <= 0.02 * len(named)
    assert named.count("armchair") > 0.6 * len(named)


def test_whoever_thanked_for_an_armchair_sees_that_it_is_none_when_the_armchair_turns_up() -> None:
    evening = Evening(dealt(f"{DEAL} drum< armchair<"), sit_down("elephant", 1, 1))
    evening.look()
    evening.do(Draw(0), Wrap(0), Give(0, "armchair"), Accept(1), Wrap(1))
    assert isinstance(evening.watching, Player)
    mind = evening.watching.mind
    (parcel,) = mind.parcels.columns[1]
    assert mind.sure_of(parcel) == "armchair"
    evening.do(Give(1, "teapot"), Refuse(0), Draw(0))
    assert view(evening.round).shop.top == "armchair"
    assert mind.sure_of(parcel) is None
    assert mind.belief(parcel).best != "armchair"


@pytest.mark.parametrize("level", LEVELS)
def test_a_gift_that_was_open_a_moment_ago_is_named_for_what_it_is(level: str) -> None:
    assert {evening.asked() for evening in evenings(level, seat=0)} == {Give(0, "saxophone")}


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_bystander_who_saw_it_does_not_believe_it_because_somebody_else_does(level: str) -> None:
    """Seat 1 thanks for an armchair and soon gives it on to seat 2, who has watched it all the time."""
    answers = []
    for evening in evenings(level, seat=2):
        evening.do(Give(0, "armchair"), Accept(1), Wrap(1), Give(1, "teapot"))
        evening.do(Accept(0), Wrap(0), Give(0, "kite"), Accept(1), Give(1, "armchair"))
        answers.append(type(evening.asked()))
    assert answers.count(Refuse) > 0.5 * len(answers)


@pytest.mark.parametrize("level", LEVELS)
def test_at_whole_tables_lies_are_seen_through_and_thanks_are_meant(level: str) -> None:
    found = trial(level, games=60, seed=21)
    followed = [lie.accepted for lie in found.lies if lie.followed]
    assert len(followed) > 50
    assert sum(followed) <= (0.10 if level == "goldfish" else 0.03) * len(followed)
    assert len(found.named_rightly) > 50
    assert sum(found.named_rightly) <= 0.02 * len(found.named_rightly)


def test_a_slow_table_a_pause_or_a_night_changes_no_decision() -> None:
    """A mind ages by what happens: the same events at other times lead to the same moves."""
    for level in LEVELS:
        quick, slow = (Evening(dealt(DEAL), sit_down(level, 1, 5)) for _ in range(2))
        for evening, wait in ((quick, 0.0), (slow, 3600.0)):
            evening.look()
            for move in (Draw(0), Wrap(0), Give(0, "saxophone"), Accept(1), Wrap(1), Give(1, "teapot"), Accept(0)):
                evening.now += wait
                evening.do(move)
            evening.do(Wrap(0), Give(0, "kite"), Accept(1))
        assert quick.asked() == slow.asked()


def test_every_gift_is_there_once_thanking_for_it_here_means_it_is_not_there() -> None:
    memory, here, there = Memory(), Parcel(1), Parcel(2)
    memory.store(here, "kite", 1.0)
    memory.store(there, "hat", 2.0)
    memory.believe(here, "hat", 3.0)
    assert [(trace.parcel, trace.gift) for trace in memory.traces] == [(here, "hat")]
    assert [trace.gift for trace in memory.of(here)] == ["hat"]
    assert not memory.of(there)
