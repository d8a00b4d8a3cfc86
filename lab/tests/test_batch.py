"""The batch simulator plays by the rules, move by move, and shows each seat what it may see."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.gifts import cards
from notahat.rules import Accept, Draw, Give, Illegal, Move, Refuse, Round, Wrap, deal, play, view
from notahat.rules.round import Drawing, Wrapping
from notahat_lab import encoding as enc
from notahat_lab.batch import Tables, play_forced_moves
from notahat_lab.encoding import (
    ACCEPT,
    ACTOR,
    CODES,
    COLUMN_SLOTS,
    DECISION,
    FIRST_GIFT,
    GIFTS,
    OVER,
    REFUSE,
    TO,
    WATCH,
)
from notahat_lab.kernels import (
    COLUMN_CARDS,
    DECK_ORDER,
    HAND,
    ILLEGAL,
    NEXT_CARD,
    SCORES,
    TRUNCATED,
)
from notahat_lab.vector import VectorTables
from rule_observations import ObservationBuilder

VARIANTS = st.fixed_dictionaries(
    {
        "players": st.integers(2, 8),
        "gifts": st.sampled_from([1, 2]),
        "edition": st.sampled_from(["classic", "special"]),
        "special_cards": st.booleans(),
        "arrows": st.sampled_from(["both", "black", "white"]),
    }
).map(lambda one: {**one, "gifts": 2} if one["players"] == 2 else one)


class BothForms:
    """The same game in the rules and in the simulator, with observations built from the rules."""

    def __init__(self, variant: dict[str, Any], rng: Random) -> None:
        self.tables = Tables(1, **variant)
        self.rng = rng
        deck = self.tables.deck
        order = rng.sample(range(len(deck)), len(deck))
        starter = rng.randrange(variant["players"])
        self.round: Round = deal([deck[card] for card in order], variant["players"], variant["gifts"], starter)
        self.tables.deal_in_order(0, order, starter)
        self.observers = [ObservationBuilder(seat) for seat in range(variant["players"])]
        self.show(())
        self.play_forced()

    @property
    def row(self) -> Any:
        return self.tables.rows[0]

    def show(self, events: Any) -> None:
        for observer in self.observers:
            observer.see(view(self.round), events)

    def do(self, move: Move) -> None:
        self.round, events = play(self.round, move)
        self.show(events)

    def play_forced(self) -> None:
        while isinstance(self.round.phase, Drawing | Wrapping):
            seat = self.round.phase.giver
            self.do(Draw(seat) if isinstance(self.round.phase, Drawing) else Wrap(seat))

    def check_equal(self) -> None:
        seat = int(self.row[ACTOR]) if self.row[ACTOR] != enc.NOBODY else 0
        theirs, ours = self.observers[seat].observation(), self.tables.observe(seat)
        for name, seen in zip(("observation", "events", "action_mask"), ours, strict=True):
            np.testing.assert_array_equal(seen, theirs[name], name)
        lying = [CODES[card.gift] for column in self.round.columns for card in column]
        assert [int(code) for code in self.tables.known_gifts()[1:] if code] == lying
        assert tuple(self.row[SCORES : SCORES + len(self.observers)]) == self.round.scores

    def step(self) -> None:
        """Make one decision in both."""
        seat, action = int(self.row[ACTOR]), self.choose()
        assert self.tables.move(action) != ILLEGAL
        observer = self.observers[seat]
        observer.end_turn()
        if action == WATCH:
            return
        if TO <= action < FIRST_GIFT:
            observer.chosen_receiver = action - TO
            return
        if action >= FIRST_GIFT:
            self.do(Give(seat, GIFTS[action], observer.chosen_receiver))
            observer.chosen_receiver = None
        else:
            self.do(Accept(seat) if action == ACCEPT else Refuse(seat))
            self.play_forced()

    def choose(self) -> int:
        """Choose mostly true claims and accepts, so that games are long enough for turns to watch."""
        mask = self.tables.observe(int(self.row[ACTOR]))[2]
        if mask[ACCEPT]:
            return ACCEPT if self.rng.random() < 0.85 else REFUSE
        if mask[FIRST_GIFT:].any() and self.rng.random() < 0.6:
            return int(self.tables.known_gifts()[0])
        return int(self.rng.choice(np.flatnonzero(mask)))


@settings(max_examples=30, deadline=None)
@given(VARIANTS, st.integers(0, 2**32))
def test_simulator_agrees_with_the_rules_move_by_move(variant: dict[str, Any], seed: int) -> None:
    both = BothForms(variant, Random(seed))
    for _ in range(80):
        both.check_equal()
        if both.round.over:
            assert both.row[DECISION] == OVER
            break
        both.step()
    both.check_equal()


SPOKEN, _ = play(play_forced_moves(deal(cards("classic"), 4)), Give(0, None))


@pytest.mark.parametrize(
    ("round_", "why"),
    [
        (deal(cards("classic"), 3), "4 players with 1 each"),
        (deal(cards("classic"), 4, 2), "4 players with 1 each"),
        (deal(cards("special"), 4), "not in this deck"),
        (SPOKEN, "claims must be entered"),
        (play(SPOKEN, Refuse(1))[0], "claims must be entered"),
    ],
)
def test_r9_1_round_of_another_variant_is_refused(round_: Round, why: str) -> None:
    """It would continue with duplicate cards."""
    tables = Tables()
    tables.seed(0)
    tables.deal()
    before = tables.rows.copy()
    with pytest.raises(ValueError, match=why):
        tables.place(round_)
    np.testing.assert_array_equal(tables.rows, before)


@pytest.mark.parametrize("edition", ["classic", "special"])
def test_r9_5_shuffling_hidden_gifts_changes_no_observation(edition: str) -> None:
    for seed in range(20):
        tables = Tables(2, 4, edition=edition)
        tables.seed(seed)
        tables.deal()
        tables.rows[1] = tables.rows[0]
        rng = Random(seed)
        for turn in range(60):
            if turn == 12:
                exchange_fronts(tables, rng)
            row = tables.rows[0]
            if row[DECISION] == OVER:
                break
            for seat in range(4):
                for one, other in zip(tables.observe(seat, 0), tables.observe(seat, 1), strict=True):
                    np.testing.assert_array_equal(one, other)
            mask = tables.observe(int(row[ACTOR]))[2]
            mask[REFUSE] *= turn < 12  # afterwards a refusal would reveal it
            action = int(rng.choice(np.flatnonzero(mask)))
            assert tables.move(action, 0) == tables.move(action, 1)


def exchange_fronts(tables: Tables, rng: Random) -> None:
    """Shuffle the fronts of the second table's face-down cards among cards with the same back."""
    row = tables.rows[1]
    hidden = [
        COLUMN_CARDS + seat * COLUMN_SLOTS for seat in range(4) if row[enc.COLUMNS + seat * COLUMN_SLOTS] < FIRST_GIFT
    ]
    if row[DECISION] != OVER:
        hidden.append(HAND)
    hidden += range(DECK_ORDER + int(row[NEXT_CARD]) + 1, DECK_ORDER + tables.dealt)
    for back in (1, 2, 3):
        places = [place for place in hidden if tables.faces[1, row[place]] == back]
        fronts = [row[place] for place in places]
        rng.shuffle(fronts)
        row[places] = fronts


def test_fused_moves_equal_single_moves() -> None:
    variants: list[dict[str, Any]] = [{}, {"players": 5, "gifts": 2, "edition": "special"}]
    for variant in variants:
        fused, single = Tables(3, **variant), VectorTables(3, **variant)
        fused.seed(7)
        fused.deal()
        single.reset(seed=7)
        for table in range(3):
            np.testing.assert_array_equal(fused.rows[table], single.tables.rows[table])
        fused.play_randomly(300)
        made = np.zeros(3, int)
        kept = [single.tables.rows[table].copy() for table in range(3)]
        while (made < 300).any():
            over = single.tables.rows[:, DECISION] == OVER
            single.step(single.any_actions())
            made += ~over
            for table in map(int, np.flatnonzero((made == 300) & ~over)):
                kept[table] = single.tables.rows[table].copy()
        for table in range(3):
            np.testing.assert_array_equal(fused.rows[table], kept[table])


def test_unseeded_tables_play_different_games() -> None:
    one, other = VectorTables(4), VectorTables(4)
    one.reset()
    other.reset()
    assert len({row.tobytes() for row in (*one.tables.rows, *other.tables.rows)}) == 8
    one.reset(seed=0)
    other.reset(seed=0)
    np.testing.assert_array_equal(one.tables.rows, other.tables.rows)


@pytest.mark.parametrize("actions", [np.array([0]), np.zeros(5, np.int64), np.zeros((4, 1), np.int64), np.int64(0)])
def test_wrong_number_of_actions_or_seeds_changes_nothing(actions: Any) -> None:
    tables = VectorTables(4)
    tables.reset(seed=1)
    before = tables.tables.rows.copy()
    with pytest.raises(ValueError, match="each of 4 tables"):
        tables.step(actions)
    with pytest.raises(ValueError, match="for 4 tables"):
        tables.reset(seed=[1, 2])
    np.testing.assert_array_equal(tables.tables.rows, before)


def test_illegal_move_ends_only_its_own_game() -> None:
    tables = VectorTables(2)
    tables.reset(seed=1)
    actions = np.array([REFUSE, CODES["hat"]])
    _, reward, terminated, _, _ = tables.step(actions)
    assert list(reward) == [-3.0, 0.0]
    assert list(terminated) == [True, False]
    seen, *_ = tables.step(np.array([0, ACCEPT]))
    assert seen["observation"][0, DECISION] == enc.CLAIMING


def test_r9_6_game_is_truncated_at_the_pass_limit() -> None:
    tables = Tables(max_cycles=300)
    tables.seed(0)
    tables.deal()
    for _ in range(10_000):
        if tables.rows[0, DECISION] == OVER:
            break
        mask = tables.observe(int(tables.rows[0, ACTOR]))[2]
        tables.move(WATCH if mask[WATCH] else ACCEPT if mask[ACCEPT] else CODES["hat"])
    assert tables.rows[0, TRUNCATED]
    with pytest.raises(ValueError, match="65535"):
        Tables(max_cycles=2**16)


def test_r3_1_impossible_tables_are_refused() -> None:
    with pytest.raises(Illegal):
        Tables(players=2, gifts=1)
    with pytest.raises(ValueError, match="more cards"):
        Tables().deal_in_order(0, [1, 2, 3], 0)
