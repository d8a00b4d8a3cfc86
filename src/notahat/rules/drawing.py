"""A view as an SVG drawing for notebooks and documents: columns around the shop, penalties, the card on its way."""

import math
from collections.abc import Iterator
from html import escape
from typing import assert_never

from notahat.rules.card import Back
from notahat.rules.view import AnswerView, DrawView, FaceDown, FaceUp, GiveView, JudgeView, OverView, View, WrapView

_WIDTH, _HEIGHT = 840, 620
_CARD_WIDTH, _CARD_HEIGHT = 116, 34
_PAPERS = {
    Back.LEFT: ("#e9a820", "#1b1a17", "← left"),
    Back.RIGHT: ("#1d5fae", "#ffffff", "right →"),
    Back.ANY: ("#6f4a8e", "#ffffff", "← any →"),
}


def svg(seen: View) -> str:
    """Return a drawing of what everyone sees: seat 0 at the bottom, the others clockwise."""
    parts = [*_shop(seen), *(part for seat in range(len(seen.seats)) for part in _seat(seen, seat))]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'font-family="sans-serif" font-size="13" text-anchor="middle">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="16" fill="#ebe1ce"/>{"".join(parts)}</svg>'
    )


def _seat(seen: View, seat: int) -> Iterator[str]:
    """Yield a seat's name and score, and its column towards the middle, the bottom card nearest to the player."""
    angle = math.pi / 2 + 2 * math.pi * seat / len(seen.seats)
    x, y = _WIDTH / 2 + 320 * math.cos(angle), _HEIGHT / 2 + 190 * math.sin(angle)
    player = seen.seats[seat]
    crown = " ♛" if seat in seen.winners else ""
    yield _text(x, y - 8, f"seat {seat}: {len(player.penalties)}{crown}", weight="bold")
    for n, card in enumerate(player.column):
        yield from _card(x, y + 14 + n * (_CARD_HEIGHT + 4), card)
    if player.penalties:
        yield _text(x, y - 26, "penalties: " + ", ".join(player.penalties), colour="#a8271f")


def _shop(seen: View) -> Iterator[str]:
    x, y = _WIDTH / 2, _HEIGHT / 2 + 36
    if seen.shop.top is not None:
        yield from _card(x, y - 74, FaceUp(seen.shop.top))
    yield _text(x, y - 82, f"shop: {seen.shop.left}")
    card, words = _on_its_way(seen)
    if card is not None:
        yield from _card(x, y - 8, card)
    yield _text(x, y + 48, words, weight="bold")
    yield _text(x, y + 66, f"turn {seen.turn}", colour="#5e574b")


def _on_its_way(seen: View) -> tuple[FaceUp | FaceDown | None, str]:
    """Return the card between the players, and what must happen next."""
    match seen.phase:
        case DrawView(giver=giver):
            return None, f"seat {giver} is to draw"
        case WrapView(giver=giver, card=card):
            return card, f"seat {giver} is to wrap it"
        case GiveView(giver=giver, card=wrapped, receivers=receivers):
            return wrapped, f"seat {giver} is to give it to {' or '.join(map(str, receivers))}"
        case AnswerView(giver=giver, receiver=receiver, card=wrapped, claim=claim):
            return wrapped, f"seat {giver} to seat {receiver}: " + ("said aloud" if claim is None else f"“{claim}”")
        case JudgeView(giver=giver, receiver=receiver, card=card):
            return card, f"who was wrong: seat {giver} or seat {receiver}?"
        case OverView():
            return None, "the round is over"
        case _:
            assert_never(seen.phase)


def _card(x: float, y: float, card: FaceUp | FaceDown) -> Iterator[str]:
    paper, ink, words = ("#ffffff", "#1b1a17", card.gift) if isinstance(card, FaceUp) else _PAPERS[card.back]
    left = x - _CARD_WIDTH / 2
    yield f'<rect x="{left:.0f}" y="{y:.0f}" width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="5" fill="{paper}" '
    yield 'stroke="#1b1a17"/>'
    yield _text(x, y + 21, words, colour=ink)


def _text(x: float, y: float, words: str, *, colour: str = "#1b1a17", weight: str = "normal") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" font-weight="{weight}">{escape(words)}</text>'
