"""A player sees what a person sees, and the same views and events give the same answers."""

from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec import structs

from notahat.bots import LEVELS, Answer, Bot, sit_down
from notahat.bots.mind import Mind
from notahat.bots.parcel import Parcel
from notahat.bots.player import LONGEST_THOUGHT
from notahat.bots.presets import levels
from notahat.gifts import Deck, cards, read_deck
from notahat.gifts.hat_file import look_alikes_in
from notahat.rules import (
    Accept,
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
from notahat.rules.view import AnswerView, FaceUp, GiveView
from support.pictures import hat, own, picture

Seen = tuple[View, tuple[Event, ...], float]
SECONDS = 3.0  # between two moves


def play_out(
    players: Sequence[Bot],
    cards: Sequence[Card],
    gifts_each: int = 1,
    cap: int = 400,
    observer: Callable[[Round, tuple[Event, ...], float], None] = lambda *_: None,
) -> tuple[Answer, ...]:
    """Play to the end or to the cap on decisions, and return these."""
    round_, now = deal(cards, len(players), gifts_each, starter=0), 0.0
    events: tuple[Event, ...] = ()
    answers: list[Answer] = []
    while True:
        for player in players:
            player.see(view(round_), events, now)
        observer(round_, events, now)
        if round_.over or len(answers) == cap:
            return tuple(answers)
        allowed = legal(round_)
        assert allowed.seat is not None
        if allowed.moves in (("draw",), ("wrap",)):
            move: Move = Draw(allowed.seat) if allowed.moves == ("draw",) else Wrap(allowed.seat)
        else:
            answers.append(players[allowed.seat].answer(view(round_), allowed, now))
            move = answers[-1].move
        round_, events = play(round_, move)
        now += SECONDS


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

    for seed in range(6):
        bots = [sit_down(level, seat, seed * 10 + seat) for seat in range(4)]
        play_out(bots, shuffled(seed), gifts_each=1 + seed % 2, cap=160, observer=check)
    assert claims > 150


def own_deck() -> Deck:
    """Return a deck of twelve own gifts; the first two are look-alikes."""
    gifts = [own(f"thing {letter * 3}", picture(size=(8 + n, 5))) for n, letter in enumerate("abcdefghjkop")]
    gifts[0]["look_alikes"] = ["#2"]
    return read_deck(hat(balanced=[f"#{n + 1}" for n in range(12)], own=gifts))


@pytest.mark.parametrize("level", ["goldfish", "regular"])
def test_own_gifts_are_remembered_and_claimed(level: str) -> None:
    deck, rng = own_deck(), Random(3)
    claims = []
    for _ in range(6):
        bots = [sit_down(level, seat, rng.getrandbits(60), None, look_alikes_in(deck)) for seat in range(3)]
        answers = play_out(bots, rng.sample(deck.cards, len(deck.cards)))
        claims += [answer.move.claim for answer in answers if isinstance(answer.move, Give)]
    assert sum(claim in {gift.key for gift in deck.own} for claim in claims) > len(claims) / 2


def test_slip_names_only_marked_look_alikes() -> None:
    deck = own_deck()
    first, second, third = (gift.key for gift in deck.own[:3])
    mind = Mind(levels()["goldfish"], 0, 1, view(deal(deck.cards, seats=3)), 0.0, look_alikes_in(deck))
    passed = Parcel(1)
    passed.passes = 3
    mind.parcels.open_gifts.clear()  # as if all were wrapped
    said = {mind.with_slip(first, passed, step / 10_000) for step in range(10_000)}
    assert said == {first, second}
    assert {mind.with_slip(third, passed, step / 10_000) for step in range(10_000)} == {third}
