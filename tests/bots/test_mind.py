"""A player believes what it has just seen or accepted, and its mind ages by events only."""

from collections.abc import Iterator

import pytest
from msgspec import Struct

from notahat.bots import LEVELS, Bot, sit_down
from notahat.bots.player import Player
from notahat.live import pace
from notahat.rules import Accept, Draw, Event, Give, Move, Refuse, Round, Wrap, legal, play, view
from support.rounds import dealt

SEEDS = range(100)
DEAL = "kite< teapot> anchor< violin> saxophone<"


class WatchedTable(Struct):
    """A table of four with one computer player and a clock that runs at the normal pace."""

    round: Round
    player: Bot
    now: float = 0.0
    events: tuple[Event, ...] = ()

    def show(self) -> None:
        self.player.see(view(self.round), self.events, self.now)

    def play(self, *moves: Move) -> None:
        for move in moves:
            wait = 3.0 if isinstance(move, Wrap) else pace.move_after(2.0, self.events)
            self.now += wait
            self.round, self.events = play(self.round, move)
            self.show()

    def answer(self) -> Move:
        return self.player.answer(view(self.round), legal(self.round), self.now).move


def tables_with_shown_saxophone(level: str, seat: int) -> Iterator[WatchedTable]:
    """Yield tables where seat 0 drew a saxophone and the computer player noticed it."""
    for seed in SEEDS:
        table = WatchedTable(dealt(DEAL), sit_down(level, seat, seed))
        table.show()
        table.play(Draw(0), Wrap(0))
        assert isinstance(table.player, Player)
        mind = table.player.mind
        if mind.parcels.hand and any(trace.gift == "saxophone" for trace in mind.memory.traces_of(mind.parcels.hand)):
            yield table


@pytest.mark.parametrize("level", LEVELS)
def test_r6_lie_about_a_gift_just_shown_is_refused(level: str) -> None:
    answers = []
    for table in tables_with_shown_saxophone(level, seat=1):
        table.play(Give(0, "armchair"))
        answers.append(type(table.answer()))
    assert len(answers) > 80
    assert answers.count(Accept) <= (0.10 if level == "goldfish" else 0.03) * len(answers)


@pytest.mark.parametrize("level", LEVELS)
def test_r5_truth_about_a_gift_just_shown_is_accepted(level: str) -> None:
    for table in tables_with_shown_saxophone(level, seat=1):
        table.play(Give(0, "saxophone"))
        assert type(table.answer()) is Accept


@pytest.mark.parametrize("level", LEVELS)
def test_accepted_claim_is_repeated_when_passed_on(level: str) -> None:
    """Seat 1 accepted a saxophone as an armchair and soon passes it on unseen."""
    named = []
    for table in tables_with_shown_saxophone(level, seat=1):
        table.play(Give(0, "armchair"), Accept(1), Wrap(1), Give(1, "teapot"))
        table.play(Accept(0), Wrap(0), Give(0, "kite"), Accept(1))
        move = table.answer()
        assert isinstance(move, Give)
        named.append(move.claim)
    assert named.count("saxophone") <= 0.05 * len(named)
    assert named.count("armchair") > 0.9 * len(named)


@pytest.mark.parametrize("level", LEVELS)
def test_giver_avoids_what_the_receiver_holds_or_gave(level: str) -> None:
    """Seat 1 gives the teapot to seat 0, which holds the kite and has just given away the saxophone."""
    for table in tables_with_shown_saxophone(level, seat=1):
        table.play(Give(0, "saxophone"), Accept(1), Wrap(1))
        assert isinstance(table.player, Player)
        mind = table.player.mind
        hand = mind.parcels.hand
        assert hand is not None
        if mind.memory.traces_of(mind.parcels.columns[0][0]):
            assert mind.placed_for(hand, (0,)) == {"saxophone", "kite"}


@pytest.mark.parametrize("level", LEVELS)
def test_gift_just_shown_is_named_truly(level: str) -> None:
    assert {table.answer() for table in tables_with_shown_saxophone(level, seat=0)} == {Give(0, "saxophone")}


@pytest.mark.parametrize("level", LEVELS[1:])
def test_bystander_trusts_its_eyes_more_than_an_accepted_lie(level: str) -> None:
    """Seat 1 accepts a saxophone as an armchair and passes it on to seat 2, which saw it."""
    answers = []
    for table in tables_with_shown_saxophone(level, seat=2):
        table.play(Give(0, "armchair"), Accept(1), Wrap(1), Give(1, "teapot"))
        table.play(Accept(0), Wrap(0), Give(0, "kite"), Accept(1), Give(1, "armchair"))
        answers.append(type(table.answer()))
    assert answers.count(Refuse) > 0.5 * len(answers)


@pytest.mark.parametrize(("claim", "record"), [("saxophone", (1, 0)), ("armchair", (0, 1))])
def test_claim_is_compared_with_a_firm_memory(claim: str, record: tuple[int, int]) -> None:
    """Seat 0 names the saxophone that all have just seen, which proves nothing; seat 1 passes it on by some name."""
    (table, *_) = tables_with_shown_saxophone("elephant", seat=2)
    table.play(Give(0, "saxophone"), Accept(1), Wrap(1), Give(1, "teapot"))
    table.play(Accept(0), Wrap(0), Give(0, "kite"), Accept(1), Give(1, claim))
    assert isinstance(table.player, Player)
    first, giver, *_ = table.player.mind.reputations
    assert (first.true_claims, first.false_claims) == (0, 0)
    assert (giver.true_claims, giver.false_claims) == record


def test_pauses_between_moves_change_no_decision() -> None:
    for level in LEVELS:
        quick, slow = (WatchedTable(dealt(DEAL), sit_down(level, 1, 5)) for _ in range(2))
        for table, wait in ((quick, 0.0), (slow, 3600.0)):
            table.show()
            for move in (Draw(0), Wrap(0), Give(0, "saxophone"), Accept(1), Wrap(1), Give(1, "teapot"), Accept(0)):
                table.now += wait
                table.play(move)
            table.play(Wrap(0), Give(0, "kite"), Accept(1))
        assert quick.answer() == slow.answer()
