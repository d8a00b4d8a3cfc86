"""The rules of a round. Values are immutable: every move returns a new round."""

from collections.abc import Sequence
from typing import assert_never, final

from msgspec import Struct, structs

from notahat.rules.card import Back, Card
from notahat.rules.events import Accepted, Drawn, Ended, Event, Judged, Offered, Penalised, Refused, Wrapped
from notahat.rules.illegal import Illegal, Reason
from notahat.rules.moves import Accept, Draw, Give, Judge, Move, Refuse, Wrap, Wrong

FEWEST_PLAYERS = 2
MOST_PLAYERS = 8
GIFTS_EACH = (1, 2)
PENALTIES_THAT_END = 3

# The laboratory calls this module a million times a second. So it compares exact types (faster than `match` on
# classes) and keeps these values (faster than enum access).
_LEFT, _RIGHT = Back.LEFT, Back.RIGHT
_SEAT = tuple((seat,) for seat in range(MOST_PLAYERS))


class Verdict(Struct, frozen=True, gc=False):
    """The last judgement of a spoken claim, while it may still be corrected (12.2)."""

    giver: int
    receiver: int
    card: Card
    wrong: Wrong


@final
class Drawing(Struct, frozen=True, gc=False, tag=True):
    """The giver is to draw from the shop."""

    giver: int
    verdict: Verdict | None = None


@final
class Wrapping(Struct, frozen=True, gc=False, tag=True):
    """The giver's card lies open, to be wrapped."""

    giver: int
    card: Card
    from_shop: bool


@final
class Giving(Struct, frozen=True, gc=False, tag=True):
    """The giver's card is wrapped, to be given to one of the receivers."""

    giver: int
    card: Card
    from_shop: bool
    receivers: tuple[int, ...]


@final
class Answering(Struct, frozen=True, gc=False, tag=True):
    """The receiver is to accept or refuse."""

    giver: int
    receiver: int
    card: Card
    from_shop: bool
    claim: str | None


@final
class Judging(Struct, frozen=True, gc=False, tag=True):
    """A spoken claim was refused: the card lies open, and the players are to judge who was wrong."""

    giver: int
    receiver: int
    card: Card


@final
class Over(Struct, frozen=True, gc=False, tag=True):
    """A player has as many penalties as end the round, usually three."""

    verdict: Verdict | None = None


Phase = Drawing | Wrapping | Giving | Answering | Judging | Over


class Layout(Struct, frozen=True, gc=False):
    """The cards on the table, except the one in the giver's hand. Most moves do not change it."""

    columns: tuple[tuple[Card, ...], ...]  # bottom first
    unwrapped: tuple[int, ...]  # how many cards at the bottom of each column still lie face up
    penalties: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]  # the whole shop at the start, top first: all states of a round share it
    drawn: int
    end: int = PENALTIES_THAT_END  # penalties of one player that end the round


class Round(Struct, frozen=True, gc=False):
    """The state of a round: the cards, what must happen next, and the number of moves made."""

    layout: Layout
    phase: Phase
    turn: int

    def __repr__(self) -> str:
        phase = type(self.phase).__name__
        return f"<Round of {len(self.columns)}: turn {self.turn}, {phase}, scores {self.scores}, shop {len(self.shop)}>"

    def _repr_svg_(self) -> str:
        """Draw what everyone sees, for notebooks."""
        from notahat.rules.view import view

        return view(self)._repr_svg_()

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]:
        return self.layout.columns

    @property
    def unwrapped(self) -> tuple[int, ...]:
        return self.layout.unwrapped

    @property
    def penalties(self) -> tuple[tuple[Card, ...], ...]:
        return self.layout.penalties

    @property
    def shop(self) -> tuple[Card, ...]:
        return self.layout.stock[self.layout.drawn :]

    @property
    def over(self) -> bool:
        return type(self.phase) is Over

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(map(len, self.penalties))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the fewest penalties, empty until the round is over (8.1)."""
        return lowest(self.scores) if self.over else ()


class Legal(Struct, frozen=True, gc=False):
    """Which seat must act (`None`: anyone seated may judge, or the round is over), its moves, and the receivers.

    `correctable`: anyone seated may still correct the last judgement by judging again.
    """

    seat: int | None
    moves: tuple[str, ...]
    receivers: tuple[int, ...] = ()
    correctable: bool = False


def lowest(scores: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that share the lowest score."""
    best = min(scores)
    return tuple([seat for seat, score in enumerate(scores) if score == best])


def cards_needed(seats: int, gifts_each: int, penalties: int = PENALTIES_THAT_END) -> int:
    """Return how many cards a round needs, so that the shop never runs out (9.3)."""
    return seats * gifts_each + seats * (penalties - 1) + 1


def usual_gifts(seats: int) -> int:
    """Return the default number of gifts for each player (3.1, 7.2)."""
    return 2 if seats == 2 else 1


def check_players(seats: int, gifts_each: int) -> None:
    """Raise `Illegal` for a wrong number of players or gifts (3.1, 7.2)."""
    if seats < FEWEST_PLAYERS:
        raise Illegal(Reason.TOO_FEW_PLAYERS, f"{seats} is too few: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    if seats > MOST_PLAYERS:
        raise Illegal(
            Reason.TOO_MANY_PLAYERS, f"{seats} is too many: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS}"
        )
    if gifts_each not in GIFTS_EACH:
        raise Illegal(Reason.WRONG_GIFTS_EACH, f"everyone starts with one gift or two, not {gifts_each}")
    if seats == 2 and gifts_each == 1:
        raise Illegal(Reason.TWO_PLAYERS_NEED_TWO_GIFTS, "two players always start with two gifts each")


def deal(
    cards: Sequence[Card], seats: int, gifts_each: int = 1, starter: int = 0, penalties: int = PENALTIES_THAT_END
) -> Round:
    """Deal shuffled cards, top first: one to each seat in turn from seat 0, `gifts_each` times (3.2).

    The round ends when a player has as many `penalties` (8.1).
    """
    check_players(seats, gifts_each)
    if penalties < 1:
        raise Illegal(Reason.WRONG_PENALTIES, f"a round ends with one penalty or more, not {penalties}")
    if not 0 <= starter < seats:
        raise Illegal(Reason.NO_SUCH_SEAT, f"the starter must be a seat from 0 to {seats - 1}, not {starter}")
    missing = cards_needed(seats, gifts_each, penalties) - len(cards)
    if missing > 0:
        raise Illegal(Reason.TOO_FEW_CARDS, f"{missing} more cards are needed: {len(cards)} of {len(cards) + missing}")
    if len({card.gift for card in cards}) != len(cards):
        raise Illegal(Reason.SAME_GIFT_TWICE, "every card in a deck shows a different gift")
    cards = [card if type(card.back) is Back else Card(card.gift, _back(card)) for card in cards]
    dealt = seats * gifts_each
    layout = Layout(
        columns=tuple([tuple(cards[seat:dealt:seats]) for seat in range(seats)]),
        unwrapped=(gifts_each,) * seats,
        penalties=((),) * seats,
        stock=tuple(cards[dealt:]),
        drawn=0,
        end=penalties,
    )
    return Round(layout, Drawing(starter), 0)


def _back(card: Card) -> Back:
    """Return the back of a card that was made with the back's value."""
    try:
        return Back(card.back)
    except ValueError:
        raise Illegal(Reason.UNREADABLE, f"the back of a card is left, right or any, not {card.back!r}") from None


_MAY_DRAW, _MAY_WRAP, _MAY_ANSWER = (
    tuple(Legal(seat, moves) for seat in range(MOST_PLAYERS)) for moves in (("draw",), ("wrap",), ("accept", "refuse"))
)


def legal(round_: Round) -> Legal:
    """Return which seat must act now, and its legal moves."""
    phase = round_.phase
    if type(phase) is Answering:
        return _MAY_ANSWER[phase.receiver]
    if type(phase) is Giving:
        return Legal(phase.giver, ("give",), phase.receivers)
    if type(phase) is Wrapping:
        return _MAY_WRAP[phase.giver]
    if type(phase) is Drawing:
        return Legal(phase.giver, ("draw",), (), True) if phase.verdict else _MAY_DRAW[phase.giver]
    if type(phase) is Judging:
        return Legal(None, ("judge",))
    if type(phase) is Over:
        return Legal(None, (), (), phase.verdict is not None)
    assert_never(phase)


def play(round_: Round, move: Move) -> tuple[Round, tuple[Event, ...]]:
    """Return the round after a move, and its events. Raise `Illegal` if the move is not legal."""
    if type(move) is Give:
        return _give(round_, move)
    if type(move) is Wrap:
        return _wrap(round_, move)
    if type(move) is Accept:
        return _accept(round_, move)
    if type(move) is Refuse:
        return _refuse(round_, move)
    if type(move) is Draw:
        return _draw(round_, move)
    if type(move) is Judge:
        return _judge(round_, move)
    assert_never(move)


def _draw(round_: Round, move: Draw) -> tuple[Round, tuple[Event, ...]]:
    phase = round_.phase
    if type(phase) is not Drawing:
        raise _not_now(round_, "draw")
    giver = phase.giver
    if move.seat != giver:
        raise _not_you(giver)
    lay = round_.layout
    card = lay.stock[lay.drawn]
    layout = Layout(lay.columns, lay.unwrapped, lay.penalties, lay.stock, lay.drawn + 1, lay.end)
    return Round(layout, Wrapping(giver, card, True), round_.turn + 1), (Drawn(giver, card.gift),)


def _wrap(round_: Round, move: Wrap) -> tuple[Round, tuple[Event, ...]]:
    phase = round_.phase
    if type(phase) is not Wrapping:
        raise _not_now(round_, "wrap")
    giver, card, layout = phase.giver, phase.card, round_.layout
    if move.seat != giver:
        raise _not_you(giver)
    giving = Giving(giver, card, phase.from_shop, receivers(card.back, giver, len(layout.columns)))
    return Round(layout, giving, round_.turn + 1), (Wrapped(giver, card.back),)


def _give(round_: Round, move: Give) -> tuple[Round, tuple[Event, ...]]:
    phase = round_.phase
    if type(phase) is not Giving:
        raise _not_now(round_, "give")
    giver = phase.giver
    if move.seat != giver:
        raise _not_you(giver)
    receiver = move.to
    if receiver is None:
        if len(phase.receivers) > 1:
            raise Illegal(Reason.RECEIVER_NEEDED, "this card may go to anyone: say who receives it")
        receiver = phase.receivers[0]
    elif receiver not in phase.receivers:
        raise Illegal(Reason.NOT_A_RECEIVER, f"this card cannot go to seat {receiver}, only to {phase.receivers}")
    claim = move.claim
    answering = Answering(giver, receiver, phase.card, phase.from_shop, claim)
    return Round(round_.layout, answering, round_.turn + 1), (Offered(giver, receiver, claim),)


def _accept(round_: Round, move: Accept) -> tuple[Round, tuple[Event, ...]]:
    phase = round_.phase
    if type(phase) is not Answering:
        raise _not_now(round_, "accept")
    seat = phase.receiver
    if move.seat != seat:
        raise _not_you(seat)
    lay = round_.layout
    columns, unwrapped = [*lay.columns], lay.unwrapped
    column = columns[seat]
    bottom = column[0]
    columns[seat] = column[1:] + (phase.card,)
    if unwrapped[seat]:
        passing_on: Phase = Wrapping(seat, bottom, False)
        still_open = [*unwrapped]
        still_open[seat] -= 1
        unwrapped = tuple(still_open)
    else:
        passing_on = Giving(seat, bottom, False, receivers(bottom.back, seat, len(columns)))
    layout = Layout(tuple(columns), unwrapped, lay.penalties, lay.stock, lay.drawn, lay.end)
    return Round(layout, passing_on, round_.turn + 1), (Accepted(phase.giver, seat),)


def _refuse(round_: Round, move: Refuse) -> tuple[Round, tuple[Event, ...]]:
    phase = round_.phase
    if type(phase) is not Answering:
        raise _not_now(round_, "refuse")
    giver, receiver, card, claim = phase.giver, phase.receiver, phase.card, phase.claim
    if move.seat != receiver:
        raise _not_you(receiver)
    refused = Refused(giver, receiver, claim, card.gift)
    if claim is None:
        return Round(round_.layout, Judging(giver, receiver, card), round_.turn + 1), (refused,)
    return _penalise(round_, receiver if claim == card.gift else giver, card, refused)


def _judge(round_: Round, move: Judge) -> tuple[Round, tuple[Event, ...]]:
    phase, wrong = round_.phase, move.wrong
    if not 0 <= move.seat < len(round_.columns):
        raise Illegal(Reason.NO_SUCH_SEAT, f"only someone seated may judge, not {move.seat}")
    if wrong not in ("giver", "receiver"):
        raise Illegal(Reason.WRONG_VERDICT, f"either the giver or the receiver was wrong, not {wrong!r}")
    if type(phase) is Judging:
        refused: Judging | Verdict = phase
    elif isinstance(phase, Drawing | Over) and phase.verdict is not None:
        refused = phase.verdict
        if refused.wrong == wrong:
            raise Illegal(Reason.ALREADY_JUDGED, f"the table has already said that the {wrong} was wrong")
        round_ = _without_penalty(round_, refused.giver if refused.wrong == "giver" else refused.receiver)
    else:
        raise _not_now(round_, "judge")
    verdict = Verdict(refused.giver, refused.receiver, refused.card, wrong)
    blamed = verdict.giver if wrong == "giver" else verdict.receiver
    return _penalise(round_, blamed, verdict.card, Judged(move.seat, wrong), verdict)


def _penalise(
    round_: Round, seat: int, card: Card, cause: Event, verdict: Verdict | None = None
) -> tuple[Round, tuple[Event, ...]]:
    """Add the card to the penalties of `seat` (6.2), which draws next unless the round is over (6.3)."""
    lay = round_.layout
    penalties = [*lay.penalties]
    penalties[seat] = pile = penalties[seat] + (card,)
    layout = Layout(lay.columns, lay.unwrapped, tuple(penalties), lay.stock, lay.drawn, lay.end)
    penalised = Penalised(seat, card.gift)
    if len(pile) < lay.end:
        return Round(layout, Drawing(seat, verdict), round_.turn + 1), (cause, penalised)
    scores = tuple([len(pile) for pile in penalties])
    return Round(layout, Over(verdict), round_.turn + 1), (cause, penalised, Ended(scores, lowest(scores)))


def _without_penalty(round_: Round, seat: int) -> Round:
    """Undo a judgement: remove the last penalty of the blamed seat."""
    penalties = [*round_.penalties]
    penalties[seat] = penalties[seat][:-1]
    return structs.replace(round_, layout=structs.replace(round_.layout, penalties=tuple(penalties)))


def receivers(back: Back, giver: int, seats: int) -> tuple[int, ...]:
    """Return the seats to which a card with this arrow may go (4.3)."""
    if back is _LEFT:
        return _SEAT[(giver + 1) % seats]
    if back is _RIGHT:
        return _SEAT[(giver - 1) % seats]
    return tuple([seat for seat in range(seats) if seat != giver])


def _not_now(round_: Round, move: str) -> Illegal:
    if round_.over:
        return Illegal(Reason.ROUND_OVER, "the round is over")
    return Illegal(Reason.WRONG_PHASE, f"{move} is not possible now, only {' or '.join(legal(round_).moves)}")


def _not_you(seat: int) -> Illegal:
    return Illegal(Reason.NOT_YOUR_TURN, f"it is the turn of seat {seat}")
