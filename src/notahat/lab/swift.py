"""A swift round: the same game as `notahat.rules`, but one that changes in place, for millions of steps.

It is the one second copy of the rules. Tests play both side by side, move by move, and compare them.
Gifts, backs and decisions are small numbers, so that all that lies open is one row of bytes.
"""

from collections.abc import Sequence

from notahat.gifts import catalogue
from notahat.rules import Back, Card
from notahat.rules.round import PENALTIES_THAT_END

GIFTS = tuple(sorted(catalogue(), key=lambda gift: catalogue()[gift].number))
BACKS = {back: code for code, back in enumerate(Back, 1)}  # 0 is nothing
CODES = {gift: code for code, gift in enumerate(GIFTS, len(BACKS) + 1)}
HIGHEST = len(BACKS) + len(GIFTS)
NAMES = {code: f"[{back}]" for back, code in BACKS.items()} | {code: gift for gift, code in CODES.items()}

RECEIVING, CLAIMING, ANSWERING, OVER = range(4)
LEFT, RIGHT, ANY = BACKS.values()
NOBODY = 255

# Where what lies open is found in the row; the columns come next, bottom first, and then the penalties.
YOU, DECISION, GIVER, RECEIVER, BACK, CLAIM, TOP, COLUMNS = range(8)


class SwiftRound:
    """A round in which draws and wraps happen by themselves. `row` is what everyone sees."""

    __slots__ = (
        "_backs",
        "_codes",
        "_gifts",
        "_next",
        "_order",
        "_piles",
        "_players",
        "columns",
        "hand",
        "row",
        "scores",
    )

    def __init__(self, cards: Sequence[Card], players: int, gifts: int) -> None:
        self._players, self._gifts = players, gifts
        self._codes = [CODES[card.gift] for card in cards]
        self._backs = [BACKS[card.back] for card in cards]
        self._piles = COLUMNS + players * gifts
        self.row = bytearray(self._piles + players * PENALTIES_THAT_END)
        self.columns: list[list[int]] = []
        self.scores = [0] * players
        self._order: Sequence[int] = ()
        self._next = self.hand = 0

    def deal(self, order: Sequence[int], starter: int) -> None:
        """Deal cards, named by their place in the deck, as the rules do, and draw the first."""
        row, codes, players, gifts = self.row, self._codes, self._players, self._gifts
        dealt = players * gifts
        self.columns = [list(order[seat:dealt:players]) for seat in range(players)]
        place = COLUMNS
        for column in self.columns:
            for card in column:
                row[place] = codes[card]
                place += 1
        row[place:] = bytes(players * PENALTIES_THAT_END)
        self.scores = [0] * players
        self._order, self._next = order, dealt
        self._draw(starter)

    def give(self, claim: int) -> None:
        """Name a gift to whoever receives the card."""
        self.row[CLAIM] = claim
        self.row[DECISION] = ANSWERING

    def give_to(self, seat: int) -> None:
        """Pick who receives a special card; the claim comes next."""
        self.row[RECEIVER] = seat
        self.row[DECISION] = CLAIMING

    def accept(self) -> None:
        row, gifts = self.row, self._gifts
        seat = row[RECEIVER]
        bottom = COLUMNS + seat * gifts
        if gifts == 2:
            row[bottom] = row[bottom + 1]
            row[bottom + 1] = row[BACK]
        else:
            row[bottom] = row[BACK]
        column = self.columns[seat]
        column.append(self.hand)
        self.hand = column.pop(0)
        self._pass_on(seat)

    def refuse(self) -> int:
        """Turn the card over, and tell who was wrong."""
        row = self.row
        gift = self._codes[self.hand]
        blamed = row[RECEIVER] if row[CLAIM] == gift else row[GIVER]
        score = self.scores[blamed]
        row[self._piles + blamed * PENALTIES_THAT_END + score] = gift
        self.scores[blamed] = score + 1
        if score + 1 == PENALTIES_THAT_END:
            self.stop()
        else:
            self._draw(blamed)
        return blamed

    def stop(self) -> None:
        """Nobody has anything to decide any more."""
        self.row[DECISION] = OVER
        self.row[GIVER] = self.row[RECEIVER] = NOBODY
        self.row[BACK] = self.row[CLAIM] = 0

    def known(self) -> bytearray:
        """The gifts in hand and in all columns, which everyone was shown once."""
        codes = self._codes
        hand = 0 if self.row[DECISION] == OVER else codes[self.hand]
        return bytearray([hand, *(codes[card] for column in self.columns for card in column)])

    def _draw(self, seat: int) -> None:
        self.hand = self._order[self._next]
        self._next += 1
        # The last card that a round can need is drawn only when there is no more than itself.
        self.row[TOP] = self._codes[self._order[self._next]] if self._next < len(self._order) else 0
        self._pass_on(seat)

    def _pass_on(self, giver: int) -> None:
        row = self.row
        back = self._backs[self.hand]
        row[GIVER], row[BACK], row[CLAIM], row[DECISION] = giver, back, 0, CLAIMING
        if back == LEFT:
            row[RECEIVER] = (giver + 1) % self._players
        elif back == RIGHT:
            row[RECEIVER] = (giver - 1) % self._players
        elif self._players == 2:
            row[RECEIVER] = 1 - giver
        else:
            row[RECEIVER] = NOBODY
            row[DECISION] = RECEIVING
