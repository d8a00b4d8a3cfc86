"""Many tables at once: the batch simulator, from one game to as many as there is memory for (256 bytes each)."""

import numpy as np
from numpy.typing import NDArray

from notahat.gifts import cards
from notahat.lab import kernels
from notahat.lab.encoding import (
    ACTIONS,
    ACTOR,
    ANSWERING,
    ARROW,
    BACK,
    BACKS,
    CLAIM,
    CLAIMING,
    CODES,
    COLUMNS,
    DECISION,
    EVENTS,
    FIELDS,
    FROM,
    FROM_SHOP,
    GIFTS,
    GIVER,
    HOW,
    INTO,
    NAMED,
    NOBODY,
    PILES,
    PLACES,
    PRESENT,
    RECEIVER,
    RECEIVING,
    TOP,
    WRAPPED_FROM_COLUMN,
)
from notahat.lab.kernels import CARDS, GIFTS_EACH, HAND, LIMIT, LOG, NEXT, ORDER, PASS, PASSES, PLAYERS, ROW, SCORES
from notahat.rules import Draw, Round, Wrap, cards_needed, legal, play
from notahat.rules.round import (
    PENALTIES_THAT_END,
    Answering,
    Drawing,
    Giving,
    Judging,
    Wrapping,
    check_players,
    usual_gifts,
)

CUT_AT_MOST = 2**16 - 1
_LOOKS_AT_ONCE = 64  # to make arrays for one look takes longer than to look

Looks = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int8]]


class Tables:
    """So many tables of one variant. `rows` is all there is to know about them but their `luck`."""

    def __init__(
        self,
        number: int = 1,
        players: int = 4,
        gifts: int | None = None,
        edition: str = "classic",
        special_cards: bool = True,
        arrows: str = "both",
        max_cycles: int = 400,
    ) -> None:
        gifts = gifts or usual_gifts(players)
        check_players(players, gifts)
        if not 1 <= max_cycles <= CUT_AT_MOST:
            raise ValueError(f"a game is stopped after 1 to {CUT_AT_MOST} passes, not {max_cycles}")
        self.number, self.players, self.gifts = number, players, gifts
        self.deck = cards(edition, special_cards, arrows)
        self.dealt = cards_needed(players, gifts) + 1  # and one more, so that the shop always has a top
        self._places = {card: place for place, card in enumerate(self.deck)}
        self.faces = np.array([[CODES[card.gift] for card in self.deck], [BACKS[card.back] for card in self.deck]])
        self.faces = self.faces.astype(np.uint8)
        self.claims = np.array(list(GIFTS), np.uint8)
        self.known = np.zeros(ACTIONS, np.uint8)
        self.known[self.claims] = 1
        self.rows = np.zeros((number, ROW), np.uint8)
        self.rows[:, PLAYERS], self.rows[:, GIFTS_EACH] = players, gifts
        self.rows[:, LIMIT], self.rows[:, LIMIT + 1] = max_cycles % 256, max_cycles // 256
        self.luck = np.zeros(number, np.uint64)
        self._looks, self._looked = looks(_LOOKS_AT_ONCE), 0
        self.seed(None)

    def seed(self, seed: int | None) -> None:
        """Every table's luck, from one number; without one it is nobody's."""
        self.luck[:] = np.random.SeedSequence(seed).generate_state(self.number, np.uint64)

    def deal(self) -> None:
        """Shuffle and deal every table, as its luck has it."""
        kernels.deal_anew(self.rows, self.faces, self.luck)

    def deal_in_order(self, table: int, order: list[int], starter: int) -> None:
        """Deal one table from an order of one's own: places in the deck, top first."""
        if len(order) < self.dealt:
            raise ValueError(f"{self.dealt - len(order)} more cards are needed")
        self.rows[table, ORDER : ORDER + self.dealt] = order[: self.dealt]
        kernels.deal_in_order(self.rows, table, self.faces, starter)

    def move(self, action: int, table: int = 0) -> int:
        """One move at one table: the seat that was penalised, NO_PENALTY, or NOT_ALLOWED and nothing has changed."""
        return kernels.move(self.rows, table, self.faces, self.known, action)

    def look(self, seat: int, table: int = 0) -> Looks:
        """What somebody sees there: the present, what happened since their last turn, what they may do."""
        place = self._looked
        if place == _LOOKS_AT_ONCE:
            self._looks, place = looks(_LOOKS_AT_ONCE), 0
        self._looked = place + 1
        present, events, mask = self._looks
        kernels.look(self.rows, table, self.known, seat, present, events, mask, place)
        return present[place], events[place], mask[place]

    def known_gifts(self, table: int = 0) -> NDArray[np.uint8]:
        """The gift in hand and those in all columns, two places each, which everyone was shown once."""
        row = self.rows[table]
        gifts = np.zeros(1 + self.players * PLACES, np.uint8)
        if row[DECISION] <= ANSWERING:
            gifts[0] = self.faces[0, row[HAND]]
        columns = gifts[1:].reshape(self.players, PLACES)
        lying = row[CARDS : CARDS + self.players * PLACES].reshape(self.players, PLACES)
        columns[:, : self.gifts] = self.faces[0, lying[:, : self.gifts]]
        return gifts

    def stop(self, table: int = 0) -> None:
        """End a game for no reason of its own."""
        kernels.stop(self.rows, table)

    def play_randomly(self, moves: int) -> int:
        """So many random moves at every table, in one go; how many games came to their end."""
        return kernels.play_randomly(self.rows, self.faces, self.claims, self.luck, moves)

    def place(self, round_: Round, table: int = 0) -> None:
        """Go on from a round of this variant. What had happened before is not told to anybody."""
        round_ = ready(round_)
        self._check(round_)
        phase, row = round_.phase, self.rows[table]
        row[:PLAYERS] = 0
        row[PASS] = row[PASSES] = row[PASSES + 1] = 0
        row[LOG : LOG + EVENTS * FIELDS] = 0
        row[kernels.SEEN : PASSES] = 0
        row[kernels.DUE] = EVENTS - 1
        row[kernels.CUT] = 0
        for seat, (column, unwrapped, pile) in enumerate(
            zip(round_.columns, round_.unwrapped, round_.penalties, strict=True)
        ):
            for place, card in enumerate(column):
                row[CARDS + seat * PLACES + place] = self._places[card]
                face = CODES[card.gift] if place < unwrapped else BACKS[card.back]
                row[COLUMNS + seat * PLACES + place] = face
            for place, card in enumerate(pile):
                row[PILES + seat * PENALTIES_THAT_END + place] = CODES[card.gift]
            row[SCORES + seat] = len(pile)
        shop = [self._places[card] for card in round_.shop[: self.dealt]]
        row[ORDER : ORDER + len(shop)] = shop
        row[NEXT] = 0
        row[TOP] = self.faces[0, shop[0]]
        if isinstance(phase, Giving | Answering):
            self._put_in_hand(phase, table)
        else:
            self.stop(table)

    def _check(self, round_: Round) -> None:
        """Rows know nothing of another table's seats, gifts and cards, nor of spoken claims."""
        phase = round_.phase
        if [len(column) for column in round_.columns] != [self.gifts] * self.players:
            raise ValueError(f"a round of another table: here {self.players} players have {self.gifts} each")
        if isinstance(phase, Judging) or (isinstance(phase, Answering) and phase.claim not in CODES):
            raise ValueError("a round of another table: here claims are entered, and name gifts of the catalogue")
        lying = [card for part in (*round_.columns, *round_.penalties, round_.shop) for card in part]
        if isinstance(phase, Giving | Answering):
            lying.append(phase.card)
        if not self._places.keys() >= set(lying):
            raise ValueError("a round of another table: it has cards that are not in this deck")

    def _put_in_hand(self, phase: Giving | Answering, table: int) -> None:
        row = self.rows[table]
        row[HAND] = self._places[phase.card]
        row[GIVER], row[BACK] = phase.giver, BACKS[phase.card.back]
        if isinstance(phase, Answering):
            row[RECEIVER], row[DECISION], row[CLAIM] = phase.receiver, ANSWERING, CODES[str(phase.claim)]
        elif len(phase.receivers) > 1:
            row[RECEIVER], row[DECISION] = NOBODY, RECEIVING
        else:
            row[RECEIVER], row[DECISION] = phase.receivers[0], CLAIMING
        row[ACTOR] = row[RECEIVER] if row[DECISION] == ANSWERING else row[GIVER]
        row[LOG + HOW] = FROM_SHOP if phase.from_shop else WRAPPED_FROM_COLUMN
        row[LOG + FROM], row[LOG + INTO], row[LOG + NAMED] = row[GIVER], row[RECEIVER], row[CLAIM]
        row[LOG + ARROW] = row[BACK]


def ready(round_: Round) -> Round:
    """Draw and wrap until somebody has something to decide."""
    while isinstance(round_.phase, Drawing | Wrapping):
        seat = round_.phase.giver
        round_, _ = play(round_, Draw(seat) if legal(round_).moves == ("draw",) else Wrap(seat))
    return round_


def looks(number: int) -> Looks:
    """Arrays to look into."""
    return (
        np.empty((number, PRESENT), np.uint8),
        np.empty((number, EVENTS, FIELDS), np.uint8),
        np.empty((number, ACTIONS), np.int8),
    )
