"""Measure good company: how often claims are wrong, how far wrong names travel, and what players know."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from msgspec import Struct, field

from notahat.bots import Bot
from notahat.bots.memory import catalogue_look_alikes
from notahat.bots.player import Player
from notahat.gifts import cards
from notahat.live import pace
from notahat.rules import Accepted, Event, Give, Refuse, Refused, Round
from notahat.rules.round import Answering, Giving, Wrapping
from notahat_lab.game import GameRecord, play_out
from notahat_lab.player_factory import player_factory

_PROBE_EVERY = 5  # gives; asking what everybody knows takes longer than playing
_KNOWS = 0.6  # above this probability a giver knows its card
_RECENT = 8  # passes: what everybody still has in mind


class Company(Struct):
    """What was observed; lists have one item for each claim, untrue claim, give, refusal or game."""

    untrue: list[bool] = field(default_factory=list)
    believed: list[bool] = field(default_factory=list)
    just_accepted: list[bool] = field(default_factory=list)  # names the gift that the giver has just accepted
    with_receiver: list[bool] = field(default_factory=list)  # names what the receiver holds, or gave in the last passes
    untrue_repeats: list[bool] = field(default_factory=list)  # of claims that repeat a name refused in the last passes
    back_to_truth: list[bool] = field(default_factory=list)  # of new names for a gift that travels under a wrong one
    blank: list[bool] = field(default_factory=list)  # nothing comes to the giver's mind
    known_lies: list[bool] = field(default_factory=list)  # of the claims whose truth the giver knew
    known_cards: list[float] = field(default_factory=list)  # mean number of cards that a player knows
    right_refusals: list[float] = field(default_factory=list)  # thinking times
    wrong_refusals: list[float] = field(default_factory=list)
    travels: list[int] = field(default_factory=list)  # accepted under wrong names so often in a row, by game
    lies_believed: list[bool] = field(default_factory=list)  # of the first player, not about a gift just shown
    first_remembers: list[bool] = field(default_factory=list)  # whether the first player as giver knows the last name
    first_lies: list[bool] = field(default_factory=list)  # of the first player, about what it knew
    first_accepts: list[bool] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)  # of a game at brisk pace with a person on the first seat

    def add(self, other: "Company") -> None:
        """Append what was observed in other games."""
        for name in self.__struct_fields__:
            getattr(self, name).extend(getattr(other, name))


class CompanyRecorder:
    """Observes one game."""

    def __init__(self, players: Sequence[Bot], seed: str) -> None:
        self._players = players
        self._random = Random(f"company/{seed}")  # each probe has its own retrieval noise
        self._accepted: dict[int, str | None] = {}  # by seat, the last name
        self._names: dict[str, str | None] = {}  # by gift: the name under which it was last shown or accepted
        self._given: dict[int, tuple[str | None, int]] = {}  # by seat: the last name given away, and after which pass
        self._refused: dict[str | None, int] = {}  # wrong names, and in which pass they were refused
        self._passes = 0
        self._runs: Counter[str] = Counter()  # by gift: accepted under wrong names in a row
        self._knows: str | None = None
        self._offer: Answering | None = None
        self._just_shown = True
        self._gives = 0
        self.longest = 0
        self.found = Company()

    def __call__(self, round_: Round, events: Sequence[Event], now: float) -> None:  # noqa: ARG002
        for event in events:
            if type(event) is Accepted or type(event) is Refused:
                self._answered(type(event) is Accepted)
        phase = round_.phase
        if type(phase) is Wrapping:
            self._names[phase.card.gift] = phase.card.gift
        elif type(phase) is Giving:
            self._just_shown = not any(type(event) is Accepted for event in events)
            self._giving(round_, phase)
        elif type(phase) is Answering:
            self._offered(round_, phase)

    def _giving(self, round_: Round, phase: Giving) -> None:
        self._gives += 1
        giver = self._players[phase.giver]
        self._knows = None
        if not isinstance(giver, Player):
            return
        hand = giver.mind.parcels.hand
        if hand is None:
            return
        belief = giver.mind.giver_belief(hand, giver.mind.placed_for(hand, phase.receivers))
        self.found.blank.append(belief.best is None)
        if phase.giver == 0 and not self._just_shown:
            self.found.first_remembers.append(belief.best == self._names.get(phase.card.gift, phase.card.gift))
        if belief.best is not None and belief.probabilities[belief.best] > _KNOWS:
            self._knows = belief.best
        if self._gives % _PROBE_EVERY == 0 and not any(round_.unwrapped):
            self.found.known_cards.append(self._count_known(round_, phase.card.gift))

    def _count_known(self, round_: Round, in_hand: str) -> float:
        """Return how many of all cards a player names rightly, averaged over the players with a memory."""
        known, minds = 0, [player.mind for player in self._players if isinstance(player, Player)]
        for mind in minds:
            tracked = [parcel for column in mind.parcels.columns for parcel in column]
            gifts = [card.gift for column in round_.columns for card in column]
            for parcel, gift in zip((mind.parcels.hand, *tracked), (in_hand, *gifts), strict=True):
                known += parcel is not None and mind.belief(parcel, self._random.random()).best == gift
        return known / len(minds)

    def _offered(self, round_: Round, offer: Answering) -> None:
        self._offer = offer
        self._passes += 1
        untrue = offer.claim != offer.card.gift
        self.found.untrue.append(untrue)
        if self._recent(self._refused.get(offer.claim)):
            self.found.untrue_repeats.append(untrue)
        if self._names.get(offer.card.gift, offer.card.gift) not in (offer.card.gift, offer.claim):
            self.found.back_to_truth.append(not untrue)
        if untrue:
            self.found.just_accepted.append(self._accepted.get(offer.giver) == offer.claim)
            self.found.with_receiver.append(self._receiver_knows(round_, offer))
        if self._knows is not None:
            alike = catalogue_look_alikes().get(self._knows, ())
            lies = offer.claim != self._knows and offer.claim not in alike
            self.found.known_lies.append(lies)
            if offer.giver == 0:
                self.found.first_lies.append(lies)

    def _receiver_knows(self, round_: Round, offer: Answering) -> bool:
        """Return whether the receiver holds a card under the claimed name, or gave one away in the last passes."""
        names = {self._names.get(card.gift, card.gift) for card in round_.columns[offer.receiver]}
        given, after = self._given.get(offer.receiver, (None, None))
        return offer.claim in names or (offer.claim == given and self._recent(after))

    def _recent(self, number: int | None) -> bool:
        return number is not None and self._passes - number <= _RECENT

    def _answered(self, accepted: bool) -> None:
        offer = self._offer
        if offer is None:
            return
        gift, untrue = offer.card.gift, offer.claim != offer.card.gift
        if offer.receiver == 0:
            self.found.first_accepts.append(accepted)
        if untrue:
            self.found.believed.append(accepted)
            if offer.giver == 0 and not self._just_shown:
                self.found.lies_believed.append(accepted)
        if accepted:
            self._accepted[offer.receiver] = self._names[gift] = offer.claim
            self._given[offer.giver] = offer.claim, self._passes
            self._runs[gift] = self._runs[gift] + 1 if untrue else 0
            self.longest = max(self.longest, self._runs[gift])
        elif untrue:
            self._refused[offer.claim] = self._passes


def measure_company(names: Sequence[str], gifts: int, seed: int, numbers: range) -> Company:
    """Play these games between named players, the first always on seat 0, and record what happens."""
    total = Company()
    for number in numbers:
        rng = Random(f"company/{seed}/{number}")
        deck = list(cards("classic"))
        rng.shuffle(deck)
        players = [player_factory(name)(seat, rng.getrandbits(62)) for seat, name in enumerate(names)]
        recorder = CompanyRecorder(players, f"{seed}/{number}")
        played = play_out(players, deck, gifts, rng.randrange(len(names)), observer=recorder)
        _add_times(recorder.found, played)
        recorder.found.travels.append(recorder.longest)
        total.add(recorder.found)
    return total


def _add_times(found: Company, played: GameRecord) -> None:
    claim: str | None = None
    person = 0.0
    for made in played.moves:
        if type(made.move) is Give:
            claim = made.move.claim
        elif type(made.move) is Refuse:
            (found.wrong_refusals if claim == made.gift else found.right_refusals).append(made.seconds)
        if made.move.seat == 0:
            person += made.seconds
    shown = played.moves[-1].now - person  # a brisk pace shortens scenes and computer players' thoughts
    found.minutes.append((shown / pace.SPEED["brisk"] + person) / 60.0)
