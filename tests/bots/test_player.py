"""A player sees what a person sees, and the same views and events give the same answers."""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec import structs

from notahat.bots import LEVELS, Answer, Bot, sit_down
from notahat.bots.player import LONGEST_THOUGHT
from notahat.gifts import cards
from notahat.rules import (
    Accept,
    Back,
    Card,
    Draw,
    Event,
    Give,
    Legal,
    Move,
    Refuse,
    Refused,
    Round,
    View,
    Wrap,
    deal,
    legal,
    play,
    view,
)
from notahat.rules.view import AnswerView, FaceDown, FaceUp, GiveView, SeatView, ShopView
from support.bot_games import play_out

Seen = tuple[View, tuple[Event, ...], float]


class Recorder:
    """Plays like a bot and records what it saw and answered."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seen: list[Seen] = []
        self.answers: list[tuple[int, Answer]] = []

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        self.seen.append((view, tuple(events), now))
        self.bot.see(view, events, now)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = self.bot.answer(view, legal, now)
        self.answers.append((len(self.seen), answer))
        return answer


def shuffled(seed: int, edition: str = "classic", arrows: str = "both") -> list[Card]:
    deck = list(cards(edition, arrows=arrows))
    Random(seed).shuffle(deck)
    return deck


def recorded(seed: int, seats: int = 4, gifts: int = 1, edition: str = "classic") -> list[Recorder]:
    """Return the recorders of a game between all levels."""
    players = [Recorder(sit_down(LEVELS[seat % 4], seat, seed * 100 + seat)) for seat in range(seats)]
    play_out(players, shuffled(seed, edition), gifts, cap=120)
    return players


@pytest.mark.parametrize("seed", range(4))
def test_same_seed_and_events_give_the_same_answers(seed: int) -> None:
    first, again = (recorded(seed, edition="special") for _ in range(2))
    assert [player.answers for player in first] == [player.answers for player in again]
    assert all(player.answers for player in first)


def test_other_seeds_give_other_answers() -> None:
    deck = shuffled(1)
    games = {play_out([sit_down("casual", seat, seed) for seat in range(4)], deck) for seed in range(5)}
    assert len(games) == 5


@pytest.mark.parametrize("gifts", [1, 2])
def test_player_rebuilt_from_the_events_makes_the_same_moves(gifts: int) -> None:
    for seat, player in enumerate(recorded(11, gifts=gifts)):
        for count, answer in player.answers[::3]:
            rebuilt = sit_down(LEVELS[seat % 4], seat, 1100 + seat)
            for view_, events, now in player.seen[:count]:
                rebuilt.see(view_, events, now)
            assert isinstance(view_.phase, GiveView | AnswerView)
            assert rebuilt.answer(view_, legal_of(view_), now) == answer


def legal_of(seen: View) -> Legal:
    match seen.phase:
        case GiveView(giver=giver, receivers=receivers):
            return Legal(giver, ("give",), receivers)
        case AnswerView(receiver=receiver):
            return Legal(receiver, ("accept", "refuse"))
    raise AssertionError(seen.phase)


def test_repeated_question_gives_the_same_answer() -> None:
    class AskedTwice(Recorder):
        def answer(self, view: View, legal: Legal, now: float) -> Answer:
            assert self.bot.answer(view, legal, now) == self.bot.answer(view, legal, now)
            return super().answer(view, legal, now)

    once = recorded(3)
    twice = [AskedTwice(sit_down(LEVELS[seat], seat, 300 + seat)) for seat in range(4)]
    play_out(twice, shuffled(3), cap=120)
    assert [player.answers for player in once] == [player.answers for player in twice]


def exchanged(round_: Round, rng: Random) -> Round:
    """Return the same table with the gifts of all face-down cards shuffled."""
    hidden = [card.gift for column, up in zip(round_.columns, round_.unwrapped, strict=True) for card in column[up:]]
    phase = round_.phase
    in_hand = type(phase).__name__ in ("Giving", "Answering")
    if in_hand:
        hidden.append(phase.card.gift)  # type: ignore[union-attr]
    rng.shuffle(hidden)
    columns = tuple(
        (*column[:up], *(Card(hidden.pop(), card.back) for card in column[up:]))
        for column, up in zip(round_.columns, round_.unwrapped, strict=True)
    )
    if in_hand:
        phase = structs.replace(phase, card=Card(hidden.pop(), phase.card.back))  # type: ignore[union-attr]
    return structs.replace(round_, layout=structs.replace(round_.layout, columns=columns), phase=phase)


def next_move(bots: Sequence[Bot], round_: Round, now: float) -> tuple[Move, float]:
    allowed = legal(round_)
    assert allowed.seat is not None
    if allowed.moves == ("draw",):
        return Draw(allowed.seat), 1.0
    if allowed.moves == ("wrap",):
        return Wrap(allowed.seat), 3.0
    answer = bots[allowed.seat].answer(view(round_), allowed, now)
    return answer.move, answer.seconds


@pytest.mark.parametrize("edition", ["classic", "special"])
@pytest.mark.parametrize("seed", range(2))
def test_r9_5_shuffling_hidden_fronts_changes_no_decision(seed: int, edition: str) -> None:
    """Until a hidden card is revealed, all players decide the same in both worlds."""
    compared = 0
    for exchange_at in range(20, 100, 16):
        rng = Random(exchange_at)
        true_bots, false_bots = ([sit_down(LEVELS[s], s, seed * 10 + s) for s in range(4)] for _ in range(2))
        true = false = deal(shuffled(seed, edition), 4)
        events: tuple[Event, ...] = ()
        now = 0.0
        while not true.over and true.turn < 140:
            for bot, other in zip(true_bots, false_bots, strict=True):
                bot.see(view(true), events, now)
                other.see(view(false), events, now)
            if true.turn == exchange_at:
                false = exchanged(true, rng)
            move, seconds = next_move(true_bots, true, now)
            assert (move, seconds) == next_move(false_bots, false, now)
            compared += true != false and type(move) in (Give, Accept, Refuse)
            true, events = play(true, move)
            false, others = play(false, move)
            now += seconds
            if events != others:
                assert any(isinstance(event, Refused) for event in events)
                break
    assert compared > 10


@pytest.mark.parametrize(
    ("seats", "gifts", "edition", "arrows"),
    [
        (2, 2, "classic", "both"),
        (2, 2, "special", "both"),
        (3, 1, "classic", "white"),
        (5, 2, "special", "black"),
        (8, 1, "special", "both"),
        (8, 2, "classic", "both"),
    ],
)
def test_every_variant_is_played_by_the_rules(seats: int, gifts: int, edition: str, arrows: str) -> None:
    for seed in range(3):
        bots = [sit_down(LEVELS[(seat + seed) % 4], seat, seed * 10 + seat) for seat in range(seats)]
        answers = play_out(bots, shuffled(seed, edition, arrows), gifts, cap=240)
        assert answers
        assert all(0.0 < answer.seconds <= LONGEST_THOUGHT for answer in answers)


def test_claim_of_an_open_gift_is_refused() -> None:
    table = View(
        turn=2,
        seats=(SeatView((FaceUp("egg"),), ()), SeatView((FaceUp("kite"),), ()), SeatView((FaceUp("key"),), ())),
        shop=ShopView("book", 70),
        phase=AnswerView(2, 0, FaceDown(Back.LEFT), "kite", True),
        scores=(0, 0, 0),
        winners=(),
    )
    bot = sit_down("goldfish", 0, 5)
    bot.see(table, (), 0.0)
    assert type(bot.answer(table, legal_of(table), 1.0).move) is Refuse


@pytest.mark.parametrize("level", LEVELS)
def test_open_gift_is_never_claimed(level: str) -> None:
    """Open gifts lie on discard piles, in columns and on top of the shop."""
    claims = 0

    def check(round_: Round, events: tuple[Event, ...], now: float) -> None:
        nonlocal claims
        seen = view(round_)
        if isinstance(seen.phase, AnswerView):
            shown = {card.gift for seat in seen.seats for card in seat.column if isinstance(card, FaceUp)}
            shown |= {gift for seat in seen.seats for gift in seat.penalties} | {seen.shop.top or ""}
            assert seen.phase.claim not in shown
            claims += 1

    for seed in range(20):
        bots = [sit_down(level, seat, seed * 10 + seat) for seat in range(4)]
        play_out(bots, shuffled(seed), gifts_each=1 + seed % 2, cap=160, observer=check)
    assert claims > 500


def test_player_without_a_view_cannot_answer() -> None:
    table = view(deal(shuffled(1), 4))
    with pytest.raises(ValueError, match="has not seen the table"):
        sit_down("casual", 0, 1).answer(table, legal(deal(shuffled(1), 4)), 0.0)


def test_spoken_claim_is_accepted() -> None:
    """Tables with spoken claims have no computer players, but one must not crash there."""
    round_ = deal(shuffled(2), 4)
    bot = sit_down("casual", 1, 3)
    now = 0.0
    bot.see(view(round_), (), now)
    for move in (Draw(0), Wrap(0)):
        round_, events = play(round_, move)
        bot.see(view(round_), events, now := now + 1)
    receiver = legal(round_).receivers[0]
    bot = sit_down("casual", receiver, 3)
    bot.see(view(round_), (), now)
    round_, events = play(round_, Give(0, None))
    bot.see(view(round_), events, now + 1)
    answer = bot.answer(view(round_), legal(round_), now + 1)
    assert answer.move == Accept(receiver)
    round_, events = play(round_, answer.move)
    bot.see(view(round_), events, now + 2)
