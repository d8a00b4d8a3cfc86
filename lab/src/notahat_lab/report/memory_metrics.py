"""Measure how players remember: forgetting, thinking times, and wrong claims."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, pvariance

from msgspec import Struct

from notahat.bots.memory import catalogue_look_alikes
from notahat.bots.player import Player
from notahat.live import pace
from notahat.rules import Event, Round
from notahat.rules.round import Answering, Giving
from notahat_lab.game import play_out
from notahat_lab.tournament import Setup, seat_game

AGES = ((10.0, 20.0), (20.0, 40.0), (40.0, 80.0), (80.0, 160.0))


class Probe(Struct, frozen=True):
    """One test of one memory: how long ago it was last right about this card, and whether it is right now."""

    age: float
    right: bool


class Claim(Struct, frozen=True):
    """One claim: its thinking time, whether it was true, and how it relates to the gifts in play."""

    seconds: float
    true: bool
    in_play: bool
    look_alike: bool
    chance: float  # probability that a random wrong gift in play is a look-alike


class MemoryRecorder:
    """Observes a game: probes every player before each claim, and records every claim."""

    def __init__(self, players: Sequence[Player], seed: int | str = 0) -> None:
        self._players = players
        self._rng = Random(f"study/{seed}")  # each probe has its own retrieval noise, like a decision
        self._last_right: dict[tuple[int, str], float] = {}
        self._decision_since = 0.0
        self.probes: list[Probe] = []
        self.claims: list[Claim] = []

    def __call__(self, round_: Round, events: Sequence[Event], now: float) -> None:
        phase = round_.phase
        if type(phase) is Giving:
            self._decision_since = now + pace.scene(events)
            self._probe(phase.card.gift, now)
        if type(phase) is Answering:
            in_play = [card.gift for column in round_.columns for card in column]
            self.claims.append(_claim(phase.card.gift, phase.claim, in_play, now - self._decision_since))

    def add(self, other: "MemoryRecorder") -> None:
        """Append what was observed in other games."""
        self.probes += other.probes
        self.claims += other.claims

    def _probe(self, gift: str, now: float) -> None:
        for seat, player in enumerate(self._players):
            hand = player.mind.parcels.hand
            right = hand is not None and player.mind.belief(hand, self._rng.random()).best == gift
            last = self._last_right.get((seat, gift))
            if last is not None:
                self.probes.append(Probe(now - last, right))
            if right:
                self._last_right[seat, gift] = now


def measure_memory(level: str, seed: int, numbers: range) -> MemoryRecorder:
    """Play these games between four players of a level, and record what they remember and claim."""
    total = MemoryRecorder(())
    setup = Setup((level,) * 4, seed)
    for number in numbers:
        table = seat_game(setup, number)
        game = MemoryRecorder([player for player in table.players if isinstance(player, Player)], f"{seed}/{number}")
        play_out(table.players, table.cards, starter=table.starter, observer=game)
        total.add(game)
    return total


def _claim(gift: str, claim: str | None, in_play: Sequence[str], seconds: float) -> Claim:
    alike = catalogue_look_alikes()[gift]
    others = [other for other in in_play if other != gift]
    return Claim(
        seconds=seconds,
        true=claim == gift,
        in_play=claim == gift or claim in others,
        look_alike=claim in alike,
        chance=fmean(other in alike for other in others),
    )


def forgetting(probes: Sequence[Probe]) -> list[tuple[int, int]]:
    """Return the numbers of right probes and of all probes, by the time since the memory was last right."""
    curve = []
    for young, old in AGES:
        found = [probe.right for probe in probes if young <= probe.age < old]
        curve.append((sum(found), len(found)))
    return curve


def cohens_d(claims: Sequence[Claim]) -> float:
    """Return how much slower false claims are than true ones, in standard deviations."""
    true = [claim.seconds for claim in claims if claim.true]
    false = [claim.seconds for claim in claims if not claim.true]
    if not true or not false:
        return 0.0
    pooled = (pvariance(true) * len(true) + pvariance(false) * len(false)) / (len(true) + len(false))
    return (fmean(false) - fmean(true)) / sqrt(pooled)
