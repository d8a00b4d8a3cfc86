"""Lies about what everyone has just seen, and what becomes of a claim once somebody has said thank you for it."""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from notahat.bots import Answer, Bot, sit_down
from notahat.bots.player import Player
from notahat.bots.similarity import look_alikes
from notahat.gifts import cards, catalogue
from notahat.lab.baseline import AlwaysAccept
from notahat.lab.game import play_out
from notahat.rules import Accepted, Event, Give, Legal, Refused, Round, View, Wrapped
from notahat.rules.round import Answering, Giving
from notahat.rules.view import FaceUp

JUST_SHOWN = 10.0  # seconds before the claim
SOON = 60.0  # seconds after the thanks
_CAP = 60  # passes: where nobody ever refuses a game would never end


class Lie(Struct, frozen=True):
    """A false claim about a gift that was open a moment ago: had its receiver followed it, and was it accepted?"""

    followed: bool
    accepted: bool


class Liar:
    """Plays like a player of a level, but calls whatever was just shown something else.

    In turn: something that looks like it, something else that is in play, and anything at all.
    """

    def __init__(self, level: str, seat: int, seed: int) -> None:
        self._seat = seat
        self._player = sit_down(level, seat, seed)
        self._luck = Random(f"liar/{seed}")
        self._in_play: set[str] = set()
        self._just_shown: str | None = None

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        self._player.see(view, events, now)
        hand = getattr(view.phase, "card", None)
        if isinstance(hand, FaceUp):
            self._just_shown = hand.gift
            self._in_play.add(hand.gift)
        elif any(isinstance(event, Accepted | Refused) for event in events):
            self._just_shown = None

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = self._player.answer(view, legal, now)
        if self._just_shown is None or not isinstance(answer.move, Give):
            return answer
        lie = self._something_else(self._just_shown, view)
        return Answer(Give(self._seat, lie, answer.move.to), answer.seconds)

    def _something_else(self, shown: str, view: View) -> str:
        """No gift that lies open: nobody would fall for that."""
        open_ = {card.gift for seat in view.seats for card in seat.column if isinstance(card, FaceUp)}
        open_ |= {gift for seat in view.seats for gift in seat.penalties} | {shown, view.shop.top or ""}
        pool = self._luck.choice((set(look_alikes()[shown]), self._in_play, set(catalogue())))
        return self._luck.choice(sorted(pool - open_) or sorted(set(catalogue()) - open_))


class Trial:
    """Watches a table and writes down who falls for which lie, and what they call the gift afterwards."""

    def __init__(self, players: Sequence[Bot]) -> None:
        self._players = players
        self._shown_at: dict[str, float] = {}
        self._thanked_at: dict[tuple[int, str], float] = {}  # who took which gift for something else, and when
        self._claim: Answering | None = None
        self._said_at = 0.0
        self._followed = False
        self.lies: list[Lie] = []
        self.named_rightly: list[bool] = []  # of the gifts accepted as something else and soon given on

    def __call__(self, round_: Round, events: Sequence[Event], now: float) -> None:
        phase = round_.phase
        for event in events:
            if isinstance(event, Accepted | Refused):
                self._answered(type(event) is Accepted, now)
            elif isinstance(event, Wrapped) and type(phase) is Giving:
                self._shown_at[phase.card.gift] = now
        if type(phase) is Answering:
            self._offered(phase, now)

    def _offered(self, claim: Answering, now: float) -> None:
        gift = claim.card.gift
        self._claim, self._said_at = claim, now
        self._followed = knows(self._players[claim.receiver], gift)
        thanked_at = self._thanked_at.pop((claim.giver, gift), None)
        if thanked_at is not None and now - thanked_at <= SOON:
            self.named_rightly.append(claim.claim == gift)

    def _answered(self, accepted: bool, now: float) -> None:
        claim = self._claim
        if claim is None or claim.claim == claim.card.gift or isinstance(self._players[claim.receiver], Liar):
            return
        gift = claim.card.gift
        freely = isinstance(self._players[claim.receiver], Player)
        if freely and self._said_at - self._shown_at[gift] <= JUST_SHOWN:
            self.lies.append(Lie(self._followed, accepted))
        if accepted:
            self._thanked_at[claim.receiver, gift] = now


def knows(player: Bot, gift: str) -> bool:
    """Whether a computer player has taken in which gift is in the giver's hand, and did not lose sight of it."""
    if not isinstance(player, Player) or player.mind.parcels.hand is None:
        return False
    return any(trace.gift == gift for trace in player.mind.memory.of(player.mind.parcels.hand))


def trial(level: str, games: int, seed: int, first: int = 0) -> Trial:
    """Three of a level at a table with a liar.

    At every other table they say thank you to everything, lies they see through included: so seldom
    does a good memory accept a lie that it could not be told otherwise what becomes of it.
    """
    found = Trial(())
    for number in range(first, first + games):
        luck = Random(f"{seed}/{number}")
        deck = list(cards("classic"))
        luck.shuffle(deck)
        seeds = [luck.getrandbits(62) for _ in range(4)]
        players: list[Bot] = [AlwaysAccept(level, seat, seeds[seat]) for seat in range(3)]
        if number % 2:
            players = [sit_down(level, seat, seeds[seat]) for seat in range(3)]
        players.append(Liar(level, 3, seeds[3]))
        one = Trial(players)
        play_out(players, deck, starter=luck.randrange(4), cap=_CAP, watch=one)
        found.lies += one.lies
        found.named_rightly += one.named_rightly
    return found
