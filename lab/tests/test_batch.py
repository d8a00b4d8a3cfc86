"""The batch simulator plays by the rules, move by move, and shows each seat what it may see."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.gifts import cards
from notahat.rules import Accept, Draw, Give, Illegal, Move, Refuse, Round, Wrap, deal, legal, play, view
from notahat.rules.round import Answering, Drawing, Giving, Layout, Over, Wrapping, receivers
from notahat_lab import encoding as enc
from notahat_lab.batch import Tables, play_forced_moves
from notahat_lab.encoding import (
    ACCEPT,
    ACTIONS,
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
    PASS_NUMBER,
    SCORES,
    SEEN_PASS,
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


def random_round(variant: dict[str, Any], rng: Random) -> Round:
    """Return a random round in which a seat gives or answers."""
    players, gifts = variant["players"], variant["gifts"]
    pack = list(cards(variant["edition"], variant["special_cards"], variant["arrows"]))
    rng.shuffle(pack)
    columns = tuple(tuple(pack.pop() for _ in range(gifts)) for _ in range(players))
    piles = tuple(tuple(pack.pop() for _ in range(rng.randrange(3))) for _ in range(players))
    unwrapped = tuple(rng.randint(0, gifts) for _ in range(players))
    card, giver = pack.pop(), rng.randrange(players)
    layout = Layout(columns, unwrapped, piles, tuple(pack), 0)
    to = receivers(card.back, giver, players)
    from_shop = rng.random() < 0.5
    if rng.random() < 0.5:
        return Round(layout, Giving(giver, card, from_shop, to), 0)
    claim = card.gift if rng.random() < 0.5 else rng.choice(list(CODES))
    return Round(layout, Answering(giver, rng.choice(to), card, from_shop, claim), 0)


def observation_of(round_: Round) -> Any:
    """Return the observation that the rules give, without the own seat."""
    observer = ObservationBuilder(0)
    observer._view = view(round_)
    return observer._present()[ACTOR:]


@settings(max_examples=30, deadline=None)
@given(VARIANTS, st.integers(0, 2**32))
def test_every_move_from_a_random_state_agrees_with_the_rules(variant: dict[str, Any], seed: int) -> None:
    """Rules 4 to 6 and 8.1: legal actions, penalties and positions of cards."""
    rng = Random(seed)
    round_ = random_round(variant, rng)
    tables = Tables(2, **variant)
    tables.place(round_)
    np.testing.assert_array_equal(tables.rows[0, ACTOR : enc.OBSERVATION_SIZE], observation_of(round_))
    seat = legal(round_).seat
    assert seat is not None
    assert seat == tables.rows[0, ACTOR]
    mask = tables.observe(seat)[2]
    for action in (*range(TO + 8), *rng.sample(range(FIRST_GIFT, ACTIONS), 3), ACTIONS, -1):
        tables.rows[1] = tables.rows[0]
        penalised = tables.move(action, table=1)
        if not 0 <= action < ACTIONS or not mask[action]:
            assert penalised == ILLEGAL
            np.testing.assert_array_equal(tables.rows[1], tables.rows[0])
        elif not TO <= action < FIRST_GIFT:
            after = play_action(round_, seat, action)
            np.testing.assert_array_equal(tables.rows[1, ACTOR : enc.OBSERVATION_SIZE], observation_of(after))
            grew = [a - b for a, b in zip(after.scores, round_.scores, strict=True)]
            assert penalised == (grew.index(1) if any(grew) else -1)


def play_action(round_: Round, seat: int, action: int) -> Round:
    if action >= FIRST_GIFT:
        return play_forced_moves(play(round_, Give(seat, GIFTS[action]))[0])
    return play_forced_moves(play(round_, Accept(seat) if action == ACCEPT else Refuse(seat))[0])


def test_finished_round_can_be_placed() -> None:
    tables = Tables()
    round_ = deal(tables.deck, 4)
    tables.place(Round(round_.layout, Over(), 9))
    assert tables.rows[0, DECISION] == OVER
    assert not tables.observe(0)[2].any()


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


class PerfectMemory:
    """Derives the position of every gift from one seat's observations alone."""

    def __init__(self, players: int, gifts: int) -> None:
        self.players, self.gifts = players, gifts
        self.columns: list[list[int]] = []
        self.hand = 0
        self.last: list[int] = []

    def observe(self, present: Any, events: Any) -> None:
        events = [list(map(int, event)) for event in events if event[enc.EVENT_SOURCE]]
        if not self.columns:
            self.columns = self.as_dealt(present, events)
            self.begin(events[0])
        else:
            assert (
                events[0][: enc.EVENT_ANSWER]
                == self.last[: enc.EVENT_ANSWER - 2] + events[0][enc.EVENT_RECEIVER : enc.EVENT_ANSWER]
            )
        for number, event in enumerate(events):
            if number:
                self.begin(event)
            if event[enc.EVENT_ANSWER] == enc.ACCEPTED:
                self.columns[event[enc.EVENT_RECEIVER]].append(self.hand)
        self.last = events[-1]

    def begin(self, event: list[int]) -> None:
        giver, shown = event[enc.EVENT_GIVER], event[enc.EVENT_SHOWN]
        self.hand = shown
        if event[enc.EVENT_SOURCE] in (enc.OPEN_FROM_COLUMN, enc.WRAPPED_FROM_COLUMN):
            lying = self.columns[giver].pop(0)
            assert shown in (0, lying)
            self.hand = lying

    def as_dealt(self, present: Any, events: list[list[int]]) -> list[list[int]]:
        """Return the dealt gifts: those wrapped before the first turn are in the events, the others are open."""
        columns: list[list[int]] = []
        for seat in range(self.players):
            wrapped = [
                event[enc.EVENT_SHOWN]
                for event in events
                if event[enc.EVENT_SOURCE] == enc.OPEN_FROM_COLUMN and event[enc.EVENT_GIVER] == seat
            ]
            place = enc.COLUMNS + seat * COLUMN_SLOTS
            lying = [int(code) for code in present[place : place + self.gifts] if code >= FIRST_GIFT]
            columns.append((wrapped + lying)[: self.gifts])
        return columns


@pytest.mark.parametrize(("players", "gifts"), [(2, 2), (3, 1), (4, 1), (5, 2), (8, 1), (8, 2)])
def test_observations_determine_every_gift(players: int, gifts: int) -> None:
    watched = 0
    for seed in range(8):
        rng = Random(seed)
        tables = Tables(1, players, gifts, edition="special" if seed % 2 else "classic")
        tables.seed(seed)
        tables.deal()
        memories = [PerfectMemory(players, gifts) for _ in range(players)]
        while (row := tables.rows[0])[DECISION] != OVER:
            seat = int(row[ACTOR])
            present, events, mask = tables.observe(seat)
            memories[seat].observe(present, events)
            truth = tables.known_gifts()
            assert memories[seat].hand == truth[0]
            known = [code for column in memories[seat].columns for code in column]
            assert known == [code for code in truth[1:] if code]
            watched += mask[WATCH]
            if mask[ACCEPT]:
                action = ACCEPT if rng.random() < 0.9 else REFUSE
            else:
                action = int(rng.choice(np.flatnonzero(mask)))
            tables.move(action)
    assert watched or players < 5


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


def test_no_seat_misses_an_event_row() -> None:
    tables = VectorTables(256, players=8, max_cycles=2000)
    tables.reset(seed=3)
    for _ in range(300):
        rows = tables.tables.rows
        missed = (rows[:, PASS_NUMBER : PASS_NUMBER + 1].astype(int) - rows[:, SEEN_PASS : SEEN_PASS + 8]) & 255
        assert missed.max() < 16
        actions = tables.any_actions()
        actions[actions == REFUSE] = ACCEPT
        tables.step(actions)


def test_vector_form_conforms_to_gymnasium() -> None:
    tables = VectorTables(64, players=3, max_cycles=30)
    seen, info = tables.reset(seed=1)
    assert tables.observation_space.contains(seen)
    ended, total = 0, np.zeros(3)
    for _ in range(200):
        actor = info["seat"]
        assert (seen["observation"][:, enc.OWN_SEAT] == actor).all()
        actions = tables.any_actions()
        assert seen["action_mask"][np.arange(64), actions][~(seen["observation"][:, DECISION] == OVER)].all()
        seen, reward, terminated, truncated, info = tables.step(actions)
        assert tables.observation_space.contains(seen)
        np.testing.assert_allclose(reward, info["rewards"][np.arange(64), actor], rtol=1e-6)
        assert not (terminated & truncated).any()
        ended += int(terminated.sum())
        total += info["rewards"].sum(axis=0)
    assert ended > 100
    assert total.sum() < 0


def test_unseeded_tables_play_different_games() -> None:
    one, other = VectorTables(4), VectorTables(4)
    one.reset()
    other.reset()
    assert len({row.tobytes() for row in (*one.tables.rows, *other.tables.rows)}) == 8
    one.reset(seed=0)
    other.reset(seed=0)
    np.testing.assert_array_equal(one.tables.rows, other.tables.rows)


def test_seeded_table_is_independent_of_the_others() -> None:
    alone, many = VectorTables(1), VectorTables(3)
    alone.reset(seed=[5])
    many.reset(seed=[1, 5, None])
    np.testing.assert_array_equal(alone.tables.rows[0], many.tables.rows[1])


@pytest.mark.parametrize("actions", [np.array([0]), np.zeros(5, np.int64), np.zeros((4, 1), np.int64), np.int64(0)])
def test_wrong_number_of_actions_changes_nothing(actions: Any) -> None:
    tables = VectorTables(4)
    tables.reset(seed=1)
    before = tables.tables.rows.copy()
    with pytest.raises(ValueError, match="each of 4 tables"):
        tables.step(actions)
    np.testing.assert_array_equal(tables.tables.rows, before)


def test_numpy_integers_are_accepted_as_actions_and_seeds() -> None:
    plain, other = VectorTables(2), VectorTables(2)
    plain.reset(seed=3)
    other.reset(seed=np.int64(3))  # type: ignore[arg-type]
    np.testing.assert_array_equal(plain.tables.rows, other.tables.rows)
    actions = plain.any_actions()
    plain.step(actions)
    other.step(np.repeat(actions, 2).astype(np.int32)[::2])  # type: ignore[arg-type]
    np.testing.assert_array_equal(plain.tables.rows, other.tables.rows)


@pytest.mark.parametrize("seeds", [[1, 2], [1, 2, 3, 4, 5]])
def test_wrong_number_of_seeds_changes_nothing(seeds: list[int | None]) -> None:
    tables = VectorTables(4)
    before = tables.tables.luck.copy()
    with pytest.raises(ValueError, match="for 4 tables"):
        tables.reset(seed=seeds)
    np.testing.assert_array_equal(tables.tables.luck, before)


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


def test_r4_3_special_card_takes_two_decisions() -> None:
    tables = Tables(64, edition="special")
    tables.seed(0)
    tables.deal()
    table = int(np.flatnonzero(tables.rows[:, DECISION] == enc.CHOOSING_RECEIVER)[0])
    seat = int(tables.rows[table, enc.GIVER])
    mask = tables.observe(seat, table)[2]
    assert set(np.flatnonzero(mask)) == {TO + other for other in range(4) if other != seat}
    tables.move(TO + (seat + 2) % 4, table)
    assert set(np.flatnonzero(tables.observe(seat, table)[2])) == set(GIFTS)
    tables.move(CODES["hat"], table)
    assert tables.rows[table, ACTOR] == (seat + 2) % 4
    assert tables.rows[table, DECISION] == enc.ANSWERING
    assert tables.rows[table, enc.BACK] == 3
