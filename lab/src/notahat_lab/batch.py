"""The batch simulator: many games at once, each in a row of 256 bytes."""

import numpy as np
from numpy.typing import NDArray

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
from notahat_lab import encoding as enc
from notahat_lab import kernels
from notahat_lab.encoding import BACKS, CODES, COLUMN_SLOTS
from notahat_lab.game import deck_cards

__all__ = ["Tables"]

MAX_CYCLES = 2**16 - 1
_POOL_SIZE = 64  # allocating arrays for a single observation takes longer than filling them

ObservationArrays = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int8]]


class Tables:
    """A number of tables of one variant. `rows` and `luck`, the random generators' states, are their complete state."""

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
        if not 1 <= max_cycles <= MAX_CYCLES:
            raise ValueError(f"max_cycles must be from 1 to {MAX_CYCLES}, not {max_cycles}")
        self.number, self.players, self.gifts = number, players, gifts
        self.deck = deck_cards(edition, special_cards, arrows)
        self.dealt = cards_needed(players, gifts) + 1  # one more, so that the shop always has a top card
        if len(self.deck) < self.dealt:
            raise ValueError(f"{self.dealt - len(self.deck)} more cards are needed: {len(self.deck)} of {self.dealt}")
        self._card_index = {card: index for index, card in enumerate(self.deck)}
        self.faces = np.array([[CODES[card.gift] for card in self.deck], [BACKS[card.back] for card in self.deck]])
        self.faces = self.faces.astype(np.uint8)
        self.claims = np.array(list(enc.GIFTS), np.uint8)
        self.claimable = np.zeros(enc.ACTIONS, np.uint8)
        self.claimable[self.claims] = 1
        self.rows = np.zeros((number, kernels.ROW_SIZE), np.uint8)
        self.rows[:, kernels.PLAYERS], self.rows[:, kernels.GIFTS_EACH] = players, gifts
        self.rows[:, kernels.PASS_LIMIT], self.rows[:, kernels.PASS_LIMIT + 1] = max_cycles % 256, max_cycles // 256
        self.luck = np.zeros(number, np.uint64)
        self._observations, self._pool_used = empty_observations(_POOL_SIZE), 0
        self.seed(None)

    def seed(self, seed: int | None) -> None:
        """Seed every table's random generator from one number, or from the operating system without one."""
        self.luck[:] = np.random.SeedSequence(seed).generate_state(self.number, np.uint64)

    def deal(self) -> None:
        """Shuffle and deal every table."""
        kernels.deal_all(self.rows, self.faces, self.luck)

    def deal_in_order(self, table: int, order: list[int], starter: int) -> None:
        """Deal one table from a given order: indices of cards in the deck, top first."""
        if len(order) < self.dealt:
            raise ValueError(f"{self.dealt - len(order)} more cards are needed")
        self.rows[table, kernels.DECK_ORDER : kernels.DECK_ORDER + self.dealt] = order[: self.dealt]
        kernels.deal_in_order(self.rows, table, self.faces, starter)

    def move(self, action: int, table: int = 0) -> int:
        """Apply an action. Return the penalised seat, `NO_PENALTY`, or `ILLEGAL` if nothing changed."""
        return kernels.move(self.rows, table, self.faces, self.claimable, action)

    def observe(self, seat: int, table: int = 0) -> ObservationArrays:
        """Return what a seat sees: the observation, the events since its last turn, and its action mask."""
        index = self._pool_used
        if index == _POOL_SIZE:
            self._observations, index = empty_observations(_POOL_SIZE), 0
        self._pool_used = index + 1
        observation, events, mask = self._observations
        kernels.write_observation(self.rows, table, self.claimable, seat, observation, events, mask, index)
        return observation[index], events[index], mask[index]

    def known_gifts(self, table: int = 0) -> NDArray[np.uint8]:
        """Return the gift in hand and those in all columns, two slots each; everybody has seen each of them once."""
        return self.all_known_gifts(slice(table, table + 1)).reshape(-1)

    def all_known_gifts(self, chosen: slice = slice(None)) -> NDArray[np.uint8]:
        """Return `known_gifts` of many tables, one row each."""
        rows, shape = self.rows[chosen], (-1, self.players, COLUMN_SLOTS)
        gifts = np.zeros((len(rows), 1 + self.players * COLUMN_SLOTS), np.uint8)
        playing = rows[:, enc.DECISION] <= enc.ANSWERING
        gifts[playing, 0] = self.faces[0, rows[playing, kernels.HAND]]
        lying = rows[:, kernels.COLUMN_CARDS :][:, : self.players * COLUMN_SLOTS].reshape(shape)
        gifts[:, 1:].reshape(shape)[:, :, : self.gifts] = self.faces[0, lying[:, :, : self.gifts]]
        return gifts

    def states(self, chosen: slice = slice(None)) -> NDArray[np.uint8]:
        """Return complete states for a central critic: what all seats see, then the gift in hand and in all columns."""
        rows = self.rows[chosen]
        states = np.zeros((len(rows), enc.STATE_SIZE), np.uint8)
        states[:, : enc.OBSERVATION_SIZE] = rows[:, : enc.OBSERVATION_SIZE]
        states[:, enc.OWN_SEAT] = enc.NOBODY
        known = self.all_known_gifts(chosen)
        states[:, enc.OBSERVATION_SIZE :][:, : known.shape[1]] = known
        return states

    def stop(self, table: int = 0) -> None:
        """End a game."""
        kernels.end_game(self.rows, table)

    def play_randomly(self, moves: int) -> int:
        """Play random moves at every table in one call. Return the number of games that ended."""
        return kernels.play_randomly(self.rows, self.faces, self.claims, self.luck, moves)

    def place(self, round_: Round, table: int = 0) -> None:
        """Continue from a round of this variant, without its past events. Raise `ValueError` for another variant."""
        round_ = play_forced_moves(round_)
        self._check_variant(round_)
        phase, row = round_.phase, self.rows[table]
        row[: kernels.PLAYERS] = 0
        row[kernels.PASS_NUMBER : kernels.PASS_LIMIT] = 0
        row[kernels.TRUNCATED :] = 0
        row[kernels.WATCH_DUE] = enc.EVENT_ROWS - 1
        for seat, (column, unwrapped, pile) in enumerate(
            zip(round_.columns, round_.unwrapped, round_.penalties, strict=True)
        ):
            for slot, card in enumerate(column):
                row[kernels.COLUMN_CARDS + seat * COLUMN_SLOTS + slot] = self._card_index[card]
                face = CODES[card.gift] if slot < unwrapped else BACKS[card.back]
                row[enc.COLUMNS + seat * COLUMN_SLOTS + slot] = face
            for slot, card in enumerate(pile):
                row[enc.PILES + seat * PENALTIES_THAT_END + slot] = CODES[card.gift]
            row[kernels.SCORES + seat] = len(pile)
        shop = [self._card_index[card] for card in round_.shop[: self.dealt]]
        row[kernels.DECK_ORDER : kernels.DECK_ORDER + len(shop)] = shop
        row[enc.SHOP_TOP] = self.faces[0, shop[0]]
        if isinstance(phase, Giving | Answering):
            self._put_in_hand(phase, table)
        else:
            self.stop(table)

    def _check_variant(self, round_: Round) -> None:
        phase = round_.phase
        if [len(column) for column in round_.columns] != [self.gifts] * self.players:
            raise ValueError(f"another variant: this table has {self.players} players with {self.gifts} each")
        if isinstance(phase, Judging) or (isinstance(phase, Answering) and phase.claim not in CODES):
            raise ValueError("another variant: claims must be entered and name gifts of the catalogue")
        lying = [card for part in (*round_.columns, *round_.penalties, round_.shop) for card in part]
        if isinstance(phase, Giving | Answering):
            lying.append(phase.card)
        if not self._card_index.keys() >= set(lying):
            raise ValueError("another variant: the round has cards that are not in this deck")

    def _put_in_hand(self, phase: Giving | Answering, table: int) -> None:
        row, event = self.rows[table], self.rows[table, kernels.EVENT_LOG :]
        row[kernels.HAND] = self._card_index[phase.card]
        row[enc.GIVER], row[enc.BACK] = phase.giver, BACKS[phase.card.back]
        if isinstance(phase, Answering):
            row[enc.RECEIVER], row[enc.DECISION] = phase.receiver, enc.ANSWERING
            row[enc.CLAIM] = CODES[str(phase.claim)]
        elif len(phase.receivers) > 1:
            row[enc.RECEIVER], row[enc.DECISION] = enc.NOBODY, enc.CHOOSING_RECEIVER
        else:
            row[enc.RECEIVER], row[enc.DECISION] = phase.receivers[0], enc.CLAIMING
        row[enc.ACTOR] = row[enc.RECEIVER] if row[enc.DECISION] == enc.ANSWERING else row[enc.GIVER]
        event[enc.EVENT_SOURCE] = enc.FROM_SHOP if phase.from_shop else enc.WRAPPED_FROM_COLUMN
        event[enc.EVENT_GIVER], event[enc.EVENT_BACK] = row[enc.GIVER], row[enc.BACK]
        event[enc.EVENT_RECEIVER], event[enc.EVENT_CLAIM] = row[enc.RECEIVER], row[enc.CLAIM]


def play_forced_moves(round_: Round) -> Round:
    """Draw and wrap until a seat has something to decide."""
    while isinstance(round_.phase, Drawing | Wrapping):
        seat = round_.phase.giver
        round_, _ = play(round_, Draw(seat) if legal(round_).moves == ("draw",) else Wrap(seat))
    return round_


def empty_observations(number: int) -> ObservationArrays:
    """Return uninitialised arrays for a number of observations."""
    return (
        np.empty((number, enc.OBSERVATION_SIZE), np.uint8),
        np.empty((number, enc.EVENT_ROWS, enc.EVENT_FIELDS), np.uint8),
        np.empty((number, enc.ACTIONS), np.int8),
    )
