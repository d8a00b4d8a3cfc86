"""The batch simulator is the same game as the rules, move by move, and shows everyone what they can see."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.gifts import cards
from notahat.lab.batch import Tables, ready
from notahat.lab.encoding import (
    ACCEPT,
    ACCEPTED,
    ACTIONS,
    ACTOR,
    ANSWER,
    ANSWERING,
    BACK,
    CLAIMING,
    CODES,
    COLUMNS,
    DECISION,
    FIRST_GIFT,
    FROM,
    GIFTS,
    GIVER,
    HOW,
    INTO,
    NOBODY,
    OPEN_FROM_COLUMN,
    OVER,
    PLACES,
    PRESENT,
    RECEIVING,
    REFUSE,
    SHOWN,
    TO,
    WATCH,
    WRAPPED_FROM_COLUMN,
    YOU,
)
from notahat.lab.kernels import CARDS, CUT, HAND, NEXT, NOT_ALLOWED, ORDER, PASS, SCORES, SEEN
from notahat.lab.observation import Sight
from notahat.lab.policy_player import ByNumbers
from notahat.lab.vector import VectorTables
from notahat.rules import Accept, Draw, Give, Illegal, Move, Refuse, Round, Wrap, deal, legal, play, view
from notahat.rules.round import Answering, Drawing, Giving, Layout, Over, Wrapping, receivers

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
    """A game in the rules and in the simulator, and everyone's sight made from the rules."""

    def __init__(self, variant: dict[str, Any], luck: Random) -> None:
        self.tables = Tables(1, **variant)
        self.luck = luck
        deck = self.tables.deck
        order = luck.sample(range(len(deck)), len(deck))
        starter = luck.randrange(variant["players"])
        self.round: Round = deal([deck[card] for card in order], variant["players"], variant["gifts"], starter)
        self.tables.deal_in_order(0, order, starter)
        self.sights = [Sight(seat) for seat in range(variant["players"])]
        self.show(())
        self.get_ready()

    @property
    def row(self) -> Any:
        return self.tables.rows[0]

    def show(self, events: Any) -> None:
        for sight in self.sights:
            sight.see(view(self.round), events)

    def do(self, move: Move) -> None:
        self.round, events = play(self.round, move)
        self.show(events)

    def get_ready(self) -> None:
        while isinstance(self.round.phase, Drawing | Wrapping):
            seat = self.round.phase.giver
            self.do(Draw(seat) if isinstance(self.round.phase, Drawing) else Wrap(seat))

    def is_the_same(self) -> None:
        seat = int(self.row[ACTOR]) if self.row[ACTOR] != NOBODY else 0
        theirs, ours = self.sights[seat].look(), self.tables.look(seat)
        for name, seen in zip(("observation", "events", "action_mask"), ours, strict=True):
            np.testing.assert_array_equal(seen, theirs[name], name)
        lying = [CODES[card.gift] for column in self.round.columns for card in column]
        assert [int(code) for code in self.tables.known_gifts()[1:] if code] == lying
        assert tuple(self.row[SCORES : SCORES + len(self.sights)]) == self.round.scores

    def moves_on(self) -> None:
        """One decision in both."""
        seat, action = int(self.row[ACTOR]), self.picked()
        assert self.tables.move(action) != NOT_ALLOWED
        sight = self.sights[seat]
        sight.acted()
        if action == WATCH:
            return
        if TO <= action < FIRST_GIFT:
            sight.to = action - TO
            return
        if action >= FIRST_GIFT:
            self.do(Give(seat, GIFTS[action], sight.to))
            sight.to = None
        else:
            self.do(Accept(seat) if action == ACCEPT else Refuse(seat))
            self.get_ready()

    def picked(self) -> int:
        """Mostly the truth and thanks, so that games take long enough for somebody to have to watch."""
        mask = self.tables.look(int(self.row[ACTOR]))[2]
        if mask[ACCEPT]:
            return ACCEPT if self.luck.random() < 0.85 else REFUSE
        if mask[FIRST_GIFT:].any() and self.luck.random() < 0.6:
            return int(self.tables.known_gifts()[0])
        return int(self.luck.choice(np.flatnonzero(mask)))


@settings(max_examples=60, deadline=None)
@given(VARIANTS, st.integers(0, 2**32))
def test_it_is_the_same_game_as_the_rules_move_by_move(variant: dict[str, Any], seed: int) -> None:
    both = BothForms(variant, Random(seed))
    for _ in range(80):
        both.is_the_same()
        if both.round.over:
            assert both.row[DECISION] == OVER
            break
        both.moves_on()
    both.is_the_same()


def anywhere(variant: dict[str, Any], luck: Random) -> Round:
    """A round in the middle of nowhere: cards lie about as the rules allow, and somebody gives or answers."""
    players, gifts = variant["players"], variant["gifts"]
    pack = list(cards(variant["edition"], variant["special_cards"], variant["arrows"]))
    luck.shuffle(pack)
    columns = tuple(tuple(pack.pop() for _ in range(gifts)) for _ in range(players))
    piles = tuple(tuple(pack.pop() for _ in range(luck.randrange(3))) for _ in range(players))
    unwrapped = tuple(luck.randint(0, gifts) for _ in range(players))
    card, giver = pack.pop(), luck.randrange(players)
    layout = Layout(columns, unwrapped, piles, tuple(pack), 0)
    to = receivers(card.back, giver, players)
    from_shop = luck.random() < 0.5
    if luck.random() < 0.5:
        return Round(layout, Giving(giver, card, from_shop, to), 0)
    claim = card.gift if luck.random() < 0.5 else luck.choice(list(CODES))
    return Round(layout, Answering(giver, luck.choice(to), card, from_shop, claim), 0)


def seen_of(round_: Round) -> Any:
    """The present, as the rules show it."""
    sight = Sight(0)
    sight._view = view(round_)
    return sight._present()[ACTOR:]


@settings(max_examples=60, deadline=None)
@given(VARIANTS, st.integers(0, 2**32))
def test_from_any_state_every_move_leads_to_the_same_place(variant: dict[str, Any], seed: int) -> None:
    """Rules 4 to 6 and 8.1: what is allowed, who is penalised, what lies where."""
    luck = Random(seed)
    round_ = anywhere(variant, luck)
    tables = Tables(2, **variant)
    tables.place(round_)
    np.testing.assert_array_equal(tables.rows[0, ACTOR:PRESENT], seen_of(round_))
    seat = legal(round_).seat
    assert seat is not None
    assert seat == tables.rows[0, ACTOR]
    mask = tables.look(seat)[2]
    for action in (*range(TO + 8), *luck.sample(range(FIRST_GIFT, ACTIONS), 3), ACTIONS, -1):
        tables.rows[1] = tables.rows[0]
        blamed = tables.move(action, table=1)
        if not 0 <= action < ACTIONS or not mask[action]:
            assert blamed == NOT_ALLOWED
            np.testing.assert_array_equal(tables.rows[1], tables.rows[0])
        elif not TO <= action < FIRST_GIFT:
            after = led_to(round_, seat, action)
            np.testing.assert_array_equal(tables.rows[1, ACTOR:PRESENT], seen_of(after))
            grew = [a - b for a, b in zip(after.scores, round_.scores, strict=True)]
            assert blamed == (grew.index(1) if any(grew) else -1)


def led_to(round_: Round, seat: int, action: int) -> Round:
    if action >= FIRST_GIFT:
        return ready(play(round_, Give(seat, GIFTS[action]))[0])
    return ready(play(round_, Accept(seat) if action == ACCEPT else Refuse(seat))[0])


def test_a_round_that_is_over_can_be_placed_too() -> None:
    tables = Tables()
    round_ = deal(tables.deck, 4)
    tables.place(Round(round_.layout, Over(), 9))
    assert tables.rows[0, DECISION] == OVER
    assert not tables.look(0)[2].any()


@pytest.mark.parametrize(
    ("round_", "why"),
    [
        (deal(cards("classic"), 3), "4 players have 1 each"),
        (deal(cards("classic"), 4, 2), "4 players have 1 each"),
        (deal(cards("special"), 4), "not in this deck"),
        (play(ready(deal(cards("classic"), 4)), Give(0, None))[0], "claims are entered"),
        (play(play(ready(deal(cards("classic"), 4)), Give(0, None))[0], Refuse(1))[0], "claims are entered"),
    ],
)
def test_r9_1_a_round_of_another_table_is_refused(round_: Round, why: str) -> None:
    """It would go on with cards that are there twice."""
    tables = Tables()
    tables.seed(0)
    tables.deal()
    before = tables.rows.copy()
    with pytest.raises(ValueError, match=why):
        tables.place(round_)
    np.testing.assert_array_equal(tables.rows, before)


class Rememberer:
    """Remembers all it observes on one seat, and works out from nothing else which gift is where."""

    def __init__(self, players: int, gifts: int) -> None:
        self.players, self.gifts = players, gifts
        self.columns: list[list[int]] = []
        self.hand = 0
        self.last: list[int] = []

    def observe(self, present: Any, events: Any) -> None:
        events = [list(map(int, event)) for event in events if event[HOW]]
        if not self.columns:
            self.columns = self.as_dealt(present, events)
            self.begin(events[0])
        else:
            assert events[0][:ANSWER] == self.last[: ANSWER - 2] + events[0][INTO:ANSWER]
        for number, event in enumerate(events):
            if number:
                self.begin(event)
            if event[ANSWER] == ACCEPTED:
                self.columns[event[INTO]].append(self.hand)
        self.last = events[-1]

    def begin(self, event: list[int]) -> None:
        giver, shown = event[FROM], event[SHOWN]
        self.hand = shown
        if event[HOW] in (OPEN_FROM_COLUMN, WRAPPED_FROM_COLUMN):
            lying = self.columns[giver].pop(0)
            assert shown in (0, lying)
            self.hand = lying

    def as_dealt(self, present: Any, events: list[list[int]]) -> list[list[int]]:
        """What was wrapped before the first turn was shown when it was wrapped; what was not still lies open."""
        columns: list[list[int]] = []
        for seat in range(self.players):
            wrapped = [event[SHOWN] for event in events if event[HOW] == OPEN_FROM_COLUMN and event[FROM] == seat]
            place = COLUMNS + seat * PLACES
            lying = [int(code) for code in present[place : place + self.gifts] if code >= FIRST_GIFT]
            columns.append((wrapped + lying)[: self.gifts])
        return columns


@pytest.mark.parametrize(("players", "gifts"), [(2, 2), (3, 1), (4, 1), (5, 2), (8, 1), (8, 2)])
def test_whoever_remembers_all_observations_knows_every_gift(players: int, gifts: int) -> None:
    """And that is all that a person could know: every gift was shown to everybody once."""
    watched = 0
    for seed in range(8):
        luck = Random(seed)
        tables = Tables(1, players, gifts, edition="special" if seed % 2 else "classic")
        tables.seed(seed)
        tables.deal()
        minds = [Rememberer(players, gifts) for _ in range(players)]
        while (row := tables.rows[0])[DECISION] != OVER:
            seat = int(row[ACTOR])
            present, events, mask = tables.look(seat)
            minds[seat].observe(present, events)
            truth = tables.known_gifts()
            assert minds[seat].hand == truth[0]
            known = [code for column in minds[seat].columns for code in column]
            assert known == [code for code in truth[1:] if code]
            watched += mask[WATCH]
            if mask[ACCEPT]:
                action = ACCEPT if luck.random() < 0.9 else REFUSE
            else:
                action = int(luck.choice(np.flatnonzero(mask)))
            tables.move(action)
    assert watched or players < 5


@pytest.mark.parametrize("edition", ["classic", "special"])
def test_r9_5_exchanging_hidden_gifts_changes_no_observation(edition: str) -> None:
    """And no more than a person could know: fronts of wrapped cards and of the shop below its top are nowhere in it."""
    for seed in range(20):
        tables = Tables(2, 4, edition=edition)
        tables.seed(seed)
        tables.deal()
        tables.rows[1] = tables.rows[0]
        luck = Random(seed)
        for turn in range(60):
            if turn == 12:
                exchange_fronts(tables, luck)
            row = tables.rows[0]
            if row[DECISION] == OVER:
                break
            for seat in range(4):
                for one, other in zip(tables.look(seat, 0), tables.look(seat, 1), strict=True):
                    np.testing.assert_array_equal(one, other)
            mask = tables.look(int(row[ACTOR]))[2]
            mask[REFUSE] *= turn < 12  # afterwards a refusal would show it
            action = int(luck.choice(np.flatnonzero(mask)))
            assert tables.move(action, 0) == tables.move(action, 1)


def exchange_fronts(tables: Tables, luck: Random) -> None:
    """Other fronts on everything of the second table that lies face down, backs as they are."""
    row = tables.rows[1]
    hidden = [CARDS + seat * PLACES for seat in range(4) if row[COLUMNS + seat * PLACES] < FIRST_GIFT]
    if row[DECISION] != OVER:
        hidden.append(HAND)
    hidden += range(ORDER + int(row[NEXT]) + 1, ORDER + tables.dealt)
    for back in (1, 2, 3):
        places = [place for place in hidden if tables.faces[1, row[place]] == back]
        fronts = [row[place] for place in places]
        luck.shuffle(fronts)
        row[places] = fronts


def test_many_moves_in_one_go_are_the_same_as_one_by_one() -> None:
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


def test_nobody_ever_misses_a_row() -> None:
    """The number of rows is enough by construction: here for every seat at a thousand tables, at every moment."""
    tables = VectorTables(256, players=8, max_cycles=2000)
    tables.reset(seed=3)
    for _ in range(300):
        rows = tables.tables.rows
        missed = (rows[:, PASS : PASS + 1].astype(int) - rows[:, SEEN : SEEN + 8]) & 255
        assert missed.max() < 16
        actions = tables.any_actions()
        actions[actions == REFUSE] = ACCEPT
        tables.step(actions)


def test_gymnasiums_vector_form() -> None:
    tables = VectorTables(64, players=3, max_cycles=30)
    seen, info = tables.reset(seed=1)
    assert tables.observation_space.contains(seen)
    ended, total = 0, np.zeros(3)
    for _ in range(200):
        actor = info["seat"]
        assert (seen["observation"][:, YOU] == actor).all()
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


def test_without_a_seed_no_two_play_the_same_games() -> None:
    """Workers that each begin without a seed gather games of their own."""
    one, other = VectorTables(4), VectorTables(4)
    one.reset()
    other.reset()
    assert len({row.tobytes() for row in (*one.tables.rows, *other.tables.rows)}) == 8
    one.reset(seed=0)
    other.reset(seed=0)
    np.testing.assert_array_equal(one.tables.rows, other.tables.rows)


def test_a_vector_of_one_is_the_same_as_one_of_many() -> None:
    alone, many = VectorTables(1), VectorTables(3)
    alone.reset(seed=[5])
    many.reset(seed=[1, 5, None])
    np.testing.assert_array_equal(alone.tables.rows[0], many.tables.rows[1])


@pytest.mark.parametrize("actions", [np.array([0]), np.zeros(5, np.int64), np.zeros((4, 1), np.int64), np.int64(0)])
def test_as_many_actions_as_tables_or_nothing_happens(actions: Any) -> None:
    tables = VectorTables(4)
    tables.reset(seed=1)
    before = tables.tables.rows.copy()
    with pytest.raises(ValueError, match="each of 4 tables"):
        tables.step(actions)
    np.testing.assert_array_equal(tables.tables.rows, before)


def test_actions_and_seeds_come_in_any_whole_numbers() -> None:
    plain, other = VectorTables(2), VectorTables(2)
    plain.reset(seed=3)
    other.reset(seed=np.int64(3))  # type: ignore[arg-type]
    np.testing.assert_array_equal(plain.tables.rows, other.tables.rows)
    actions = plain.any_actions()
    plain.step(actions)
    other.step(np.repeat(actions, 2).astype(np.int32)[::2])  # type: ignore[arg-type]
    np.testing.assert_array_equal(plain.tables.rows, other.tables.rows)


@pytest.mark.parametrize("seeds", [[1, 2], [1, 2, 3, 4, 5]])
def test_as_many_seeds_as_tables_or_nothing_happens(seeds: list[int | None]) -> None:
    tables = VectorTables(4)
    before = tables.tables.luck.copy()
    with pytest.raises(ValueError, match="for 4 tables"):
        tables.reset(seed=seeds)
    np.testing.assert_array_equal(tables.tables.luck, before)


def test_a_move_that_is_not_allowed_ends_that_game_only() -> None:
    tables = VectorTables(2)
    tables.reset(seed=1)
    actions = np.array([REFUSE, CODES["hat"]])
    _, reward, terminated, _, _ = tables.step(actions)
    assert list(reward) == [-3.0, 0.0]
    assert list(terminated) == [True, False]
    seen, *_ = tables.step(np.array([0, ACCEPT]))
    assert seen["observation"][0, DECISION] == CLAIMING


def test_r9_6_after_so_many_passes_a_game_is_stopped() -> None:
    tables = Tables(max_cycles=300)
    tables.seed(0)
    tables.deal()
    for _ in range(10_000):
        if tables.rows[0, DECISION] == OVER:
            break
        mask = tables.look(int(tables.rows[0, ACTOR]))[2]
        tables.move(WATCH if mask[WATCH] else ACCEPT if mask[ACCEPT] else CODES["hat"])
    assert tables.rows[0, CUT]
    with pytest.raises(ValueError, match="65535"):
        Tables(max_cycles=2**16)


def test_r3_1_impossible_tables_are_refused() -> None:
    with pytest.raises(Illegal):
        Tables(players=2, gifts=1)
    with pytest.raises(ValueError, match="more cards"):
        Tables().deal_in_order(0, [1, 2, 3], 0)


def test_r4_3_a_special_card_is_two_decisions_receiver_then_claim() -> None:
    tables = Tables(64, edition="special")
    tables.seed(0)
    tables.deal()
    table = int(np.flatnonzero(tables.rows[:, DECISION] == RECEIVING)[0])
    seat = int(tables.rows[table, GIVER])
    mask = tables.look(seat, table)[2]
    assert set(np.flatnonzero(mask)) == {TO + other for other in range(4) if other != seat}
    tables.move(TO + (seat + 2) % 4, table)
    assert set(np.flatnonzero(tables.look(seat, table)[2])) == set(GIFTS)
    tables.move(CODES["hat"], table)
    assert tables.rows[table, ACTOR] == (seat + 2) % 4
    assert tables.rows[table, DECISION] == ANSWERING
    assert tables.rows[table, BACK] == 3


def test_a_policy_that_does_what_it_may_not_is_told() -> None:
    player = ByNumbers(0, lambda _: REFUSE)
    round_ = ready(deal(cards("classic"), 4))
    seen = deal(cards("classic"), 4)
    for move in (Draw(0), Wrap(0)):
        seen, events = play(seen, move)
        player.see(view(seen), events, 0.0)
    with pytest.raises(ValueError, match="not allowed"):
        player.answer(view(round_), legal(round_), 0.0)
