"""Measure who believes lies about a gift that was just shown, and what they claim after accepting one."""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from notahat.bots import Answer, Bot, sit_down
from notahat.bots.memory import catalogue_look_alikes
from notahat.bots.player import Player
from notahat.gifts import cards, catalogue
from notahat.rules import Accepted, Event, Give, Legal, Refused, Round, View, Wrapped
from notahat.rules.round import Answering, Giving
from notahat.rules.view import FaceUp
from notahat_lab.baseline import AlwaysAccept
from notahat_lab.exploit import PlaysLike
from notahat_lab.game import play_out

JUST_SHOWN = 10.0  # maximum age in seconds of a gift that was just shown
SOON = 60.0  # maximum time in seconds from accepting a gift to passing it on
_CAP = 60  # passes; games where everything is accepted would never end


class Lie(Struct, frozen=True):
    """A false claim about a gift that was just shown: whether the receiver had followed it, and accepted."""

    followed: bool
    accepted: bool


class Liar(PlaysLike):
    """Plays like a level, but names a look-alike, another gift in play or any gift for each gift just shown."""

    def __init__(self, level: str, seat: int, seed: int) -> None:
        super().__init__(level, seat, seed)
        self._rng = Random(f"liar/{seed}")
        self._in_play: set[str] = set()
        self._just_shown: str | None = None

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        super().see(view, events, now)
        hand = getattr(view.phase, "card", None)
        if isinstance(hand, FaceUp):
            self._just_shown = hand.gift
            self._in_play.add(hand.gift)
        elif any(isinstance(event, Accepted | Refused) for event in events):
            self._just_shown = None

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = super().answer(view, legal, now)
        if self._just_shown is None or not isinstance(answer.move, Give):
            return answer
        lie = self._other_gift(self._just_shown, view)
        return Answer(Give(self.seat, lie, answer.move.to), answer.seconds)

    def _other_gift(self, shown: str, view: View) -> str:
        """Return a gift that does not lie open: such a lie would be obvious."""
        visible = {card.gift for seat in view.seats for card in seat.column if isinstance(card, FaceUp)}
        visible |= {gift for seat in view.seats for gift in seat.penalties} | {shown, view.shop.top or ""}
        pool = self._rng.choice((set(catalogue_look_alikes()[shown]), self._in_play, set(catalogue())))
        return self._rng.choice(sorted(pool - visible) or sorted(set(catalogue()) - visible))


class LieRecorder:
    """Observes a game: records who accepts which lie, and what they claim about the gift afterwards."""

    def __init__(self, players: Sequence[Bot]) -> None:
        self._players = players
        self._shown_at: dict[str, float] = {}
        self._accepted_at: dict[tuple[int, str], float] = {}  # by seat and true gift, for falsely named gifts
        self._claim: Answering | None = None
        self._claimed_at = 0.0
        self._followed = False
        self.lies: list[Lie] = []
        self.named_rightly: list[bool] = []  # for gifts accepted under a false name and soon passed on

    def __call__(self, round_: Round, events: Sequence[Event], now: float) -> None:
        phase = round_.phase
        for event in events:
            if isinstance(event, Accepted | Refused):
                self._answered(type(event) is Accepted, now)
            elif isinstance(event, Wrapped) and type(phase) is Giving:
                self._shown_at[phase.card.gift] = now
        if type(phase) is Answering:
            self._offered(phase, now)

    def add(self, other: "LieRecorder") -> None:
        """Append what was observed in other games."""
        self.lies += other.lies
        self.named_rightly += other.named_rightly

    def _offered(self, claim: Answering, now: float) -> None:
        gift = claim.card.gift
        self._claim, self._claimed_at = claim, now
        self._followed = knows(self._players[claim.receiver], gift)
        accepted_at = self._accepted_at.pop((claim.giver, gift), None)
        if accepted_at is not None and now - accepted_at <= SOON:
            self.named_rightly.append(claim.claim == gift)

    def _answered(self, accepted: bool, now: float) -> None:
        claim = self._claim
        if claim is None or claim.claim == claim.card.gift or isinstance(self._players[claim.receiver], Liar):
            return
        gift = claim.card.gift
        may_refuse = isinstance(self._players[claim.receiver], Player)
        if may_refuse and self._claimed_at - self._shown_at[gift] <= JUST_SHOWN:
            self.lies.append(Lie(self._followed, accepted))
        if accepted:
            self._accepted_at[claim.receiver, gift] = now


def knows(player: Bot, gift: str) -> bool:
    """Return whether a built-in player has a memory of this gift in the giver's hand."""
    if not isinstance(player, Player) or player.mind.parcels.hand is None:
        return False
    return any(trace.gift == gift for trace in player.mind.memory.traces_of(player.mind.parcels.hand))


def measure_lies(level: str, seed: int, numbers: range) -> LieRecorder:
    """Play games of three players of a level and a liar; in every other one the three accept everything."""
    total = LieRecorder(())
    for number in numbers:
        rng = Random(f"{seed}/{number}")
        deck = list(cards("classic"))
        rng.shuffle(deck)
        seeds = [rng.getrandbits(62) for _ in range(4)]
        players: list[Bot] = [AlwaysAccept(level, seat, seeds[seat]) for seat in range(3)]
        if number % 2:
            players = [sit_down(level, seat, seeds[seat]) for seat in range(3)]
        players.append(Liar(level, 3, seeds[3]))
        game = LieRecorder(players)
        play_out(players, deck, starter=rng.randrange(4), cap=_CAP, observer=game)
        total.add(game)
    return total
