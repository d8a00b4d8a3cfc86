"""The public view of a round, the same for all. It is built from open information, never by removing secrets."""

from typing import assert_never

from msgspec import Struct

from notahat.rules.card import Back, Card
from notahat.rules.round import Answering, Drawing, Giving, Judging, Over, Phase, Round, Wrapping


class FaceUp(Struct, frozen=True, tag="up", tag_field="face"):
    """A card that shows its gift and hides its arrow."""

    gift: str


class FaceDown(Struct, frozen=True, tag="down", tag_field="face"):
    """A card that shows its arrow. It has neither name nor identity."""

    back: Back


class SeatView(Struct, frozen=True):
    """What lies in front of one player: the column, bottom first, and the open penalties."""

    column: tuple[FaceUp | FaceDown, ...]
    penalties: tuple[str, ...]


class ShopView(Struct, frozen=True):
    """The shop: its open top gift, and how many cards are left with it."""

    top: str | None
    left: int


class DrawView(Struct, frozen=True, tag="draw", tag_field="name"):
    """The giver is to draw."""

    giver: int


class WrapView(Struct, frozen=True, tag="wrap", tag_field="name"):
    """The giver's card lies open, to be wrapped."""

    giver: int
    card: FaceUp
    from_shop: bool


class GiveView(Struct, frozen=True, tag="give", tag_field="name"):
    """The giver's card is wrapped and goes to one of the receivers."""

    giver: int
    card: FaceDown
    from_shop: bool
    receivers: tuple[int, ...]


class AnswerView(Struct, frozen=True, tag="answer", tag_field="name"):
    """A wrapped card is offered; the receiver is to answer."""

    giver: int
    receiver: int
    card: FaceDown
    claim: str | None
    from_shop: bool


class JudgeView(Struct, frozen=True, tag="judge", tag_field="name"):
    """A refused card lies open; the players are to judge who was wrong."""

    giver: int
    receiver: int
    card: FaceUp


class OverView(Struct, frozen=True, tag="over", tag_field="name"):
    """The round is over."""


PhaseView = DrawView | WrapView | GiveView | AnswerView | JudgeView | OverView


class View(Struct, frozen=True):
    """The state of a round, the same for every seat, spectator and screen."""

    turn: int
    seats: tuple[SeatView, ...]
    shop: ShopView
    phase: PhaseView
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def _repr_svg_(self) -> str:
        """Draw it, for notebooks."""
        from notahat.rules.drawing import svg

        return svg(self)


# Shared, because the laboratory makes ten thousand views a second.
_WRAPPED = {back: FaceDown(back) for back in Back}


def view(round_: Round) -> View:
    """Return what everyone sees of a round."""
    layout = round_.layout
    left = len(layout.stock) - layout.drawn
    return View(
        turn=round_.turn,
        seats=tuple(map(_seat, layout.columns, layout.unwrapped, layout.penalties)),
        shop=ShopView(top=layout.stock[layout.drawn].gift if left else None, left=left),
        phase=_phase(round_.phase),
        scores=round_.scores,
        winners=round_.winners,
    )


def view_after(seen: View, before: Round, after: Round) -> View:
    """Return the view after a move; reuse the one before it if no card on the table has changed."""
    if after.layout is not before.layout:
        return view(after)
    return View(after.turn, seen.seats, seen.shop, _phase(after.phase), seen.scores, seen.winners)


def _seat(column: tuple[Card, ...], unwrapped: int, penalties: tuple[Card, ...]) -> SeatView:
    return SeatView(
        column=(*map(_up, column[:unwrapped]), *map(_down, column[unwrapped:])),
        penalties=tuple([card.gift for card in penalties]) if penalties else (),
    )


def _phase(phase: Phase) -> PhaseView:
    match phase:
        case Drawing():
            return DrawView(phase.giver)
        case Wrapping():
            return WrapView(phase.giver, _up(phase.card), phase.from_shop)
        case Giving():
            return GiveView(phase.giver, _down(phase.card), phase.from_shop, phase.receivers)
        case Answering():
            return AnswerView(phase.giver, phase.receiver, _down(phase.card), phase.claim, phase.from_shop)
        case Judging():
            return JudgeView(phase.giver, phase.receiver, _up(phase.card))
        case Over():
            return OverView()
        case _:
            assert_never(phase)


def _up(card: Card) -> FaceUp:
    return FaceUp(card.gift)


def _down(card: Card) -> FaceDown:
    return _WRAPPED[card.back]
