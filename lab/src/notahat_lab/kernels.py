"""The rules compiled with Numba: thousands of rounds as rows of 256 bytes that change in place.

This is the only second implementation of the rules. Tests play it side by side with `notahat.rules` and compare every
move. Draw and wrap moves happen automatically. Loops are explicit because Numba compiles them to fast code.
All kernels stay in one file: Numba's cache notices changes of a kernel's own file only, not of files it calls into.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from notahat.rules.round import MOST_PLAYERS, PENALTIES_THAT_END
from notahat_lab import encoding as enc

# Positions in a row. It begins with the observation that everybody shares; the rest is hidden.
HAND = enc.OBSERVATION_SIZE
COLUMN_CARDS = HAND + 1  # deck indices, in the order of the columns
DECK_ORDER = COLUMN_CARDS + MOST_PLAYERS * enc.COLUMN_SLOTS
MAX_DEALT = MOST_PLAYERS * enc.COLUMN_SLOTS + MOST_PLAYERS * (PENALTIES_THAT_END - 1) + 2
NEXT_CARD = DECK_ORDER + MAX_DEALT
SCORES = NEXT_CARD + 1
PLAYERS = SCORES + MOST_PLAYERS
GIFTS_EACH = PLAYERS + 1
PASS_NUMBER = GIFTS_EACH + 1  # number of the current pass, modulo 256
SEEN_PASS = PASS_NUMBER + 1  # pass number at each seat's last turn
WATCH_DUE = SEEN_PASS + MOST_PLAYERS  # pass number at which a seat may have to watch
PASS_COUNT = WATCH_DUE + 1  # two bytes, low byte first
PASS_LIMIT = PASS_COUNT + 2
TRUNCATED = PASS_LIMIT + 2
EVENT_LOG = TRUNCATED + 1
ROW_SIZE = 256
assert EVENT_LOG + enc.EVENT_ROWS * enc.EVENT_FIELDS <= ROW_SIZE

NO_PENALTY, ILLEGAL = -1, -2

Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]
RngStates = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile at the first call and cache the result on disk."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: Function) -> Function:
    """Compile a helper inline into the kernels."""
    # Without reference counting it is three times as fast; helpers allocate nothing.
    return cast(Function, cast(Any, numba).njit(forceinline=True, _nrt=False)(function))


@inlined
def _random_below(rng: RngStates, game: int, choices: int) -> int:
    """Return a random number below `choices`, from the game's own SplitMix64 generator."""
    rng[game] += np.uint64(0x9E3779B97F4A7C15)
    mixed = rng[game]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int(((mixed >> np.uint64(32)) * np.uint64(choices)) >> np.uint64(32))


@inlined
def _decider(row: Bytes) -> int:
    """Return the seat that has to give or to answer."""
    return int(row[enc.RECEIVER] if row[enc.DECISION] == enc.ANSWERING else row[enc.GIVER])


@inlined
def _current_event(row: Bytes) -> int:
    """Return the position of the current pass in the event log."""
    return int(EVENT_LOG + (row[PASS_NUMBER] % enc.EVENT_ROWS) * enc.EVENT_FIELDS)


@inlined
def _set_actor(row: Bytes) -> None:
    """Set the actor: the seat that must decide, or first a seat that would otherwise miss an event row."""
    actor = _decider(row)
    row[enc.ACTOR] = actor
    if row[PASS_NUMBER] != row[WATCH_DUE]:  # before that no seat can have missed enough
        return
    current = int(row[PASS_NUMBER])
    most = 0
    for seat in range(row[PLAYERS]):
        missed = (current - int(row[SEEN_PASS + seat])) & 255
        if missed == enc.EVENT_ROWS - 1 and seat != actor:
            row[enc.ACTOR] = seat
            return
        if missed > most and missed < enc.EVENT_ROWS - 1:
            most = missed
    row[WATCH_DUE] = (current + enc.EVENT_ROWS - 1 - most) & 255


@inlined
def _start_pass(row: Bytes, faces: Bytes, giver: int, source: int, shown: int) -> None:
    """Start a pass of the wrapped card in the giver's hand; its back determines the receiver."""
    players = int(row[PLAYERS])
    back = faces[1, row[HAND]]
    decision = enc.CLAIMING
    receiver = giver + int(back == enc.LEFT) - int(back == enc.RIGHT)
    receiver += players * int(receiver < 0) - players * int(receiver >= players)
    if back == enc.ANY:
        receiver = 1 - giver
        if players > 2:
            receiver, decision = enc.NOBODY, enc.CHOOSING_RECEIVER
    row[enc.GIVER] = giver
    row[enc.RECEIVER] = receiver
    row[enc.BACK] = back
    row[enc.CLAIM] = enc.NOTHING
    row[enc.DECISION] = decision
    row[PASS_NUMBER] += np.uint8(1)
    event = _current_event(row)
    row[event + enc.EVENT_SOURCE] = source
    row[event + enc.EVENT_GIVER] = giver
    row[event + enc.EVENT_SHOWN] = shown
    row[event + enc.EVENT_BACK] = back
    row[event + enc.EVENT_RECEIVER] = receiver
    row[event + enc.EVENT_CLAIM] = enc.NOTHING
    row[event + enc.EVENT_ANSWER] = enc.NOTHING
    row[event + enc.EVENT_REVEALED] = enc.NOTHING
    _set_actor(row)


@inlined
def _draw(row: Bytes, faces: Bytes, seat: int) -> None:
    drawn = int(row[NEXT_CARD])
    card = row[DECK_ORDER + drawn]
    row[HAND] = card
    row[NEXT_CARD] = drawn + 1
    row[enc.SHOP_TOP] = faces[0, row[DECK_ORDER + drawn + 1]]
    _start_pass(row, faces, seat, enc.FROM_SHOP, faces[0, card])


@inlined
def _deal(row: Bytes, faces: Bytes, starter: int) -> None:
    """Deal the cards in deck order and draw the first one."""
    players, gifts = int(row[PLAYERS]), int(row[GIFTS_EACH])
    for index in range(enc.COLUMNS, enc.OBSERVATION_SIZE):
        row[index] = enc.NOTHING
    for slot in range(gifts):
        for seat in range(players):
            card = row[DECK_ORDER + slot * players + seat]
            row[COLUMN_CARDS + seat * enc.COLUMN_SLOTS + slot] = card
            row[enc.COLUMNS + seat * enc.COLUMN_SLOTS + slot] = faces[0, card]
    for seat in range(MOST_PLAYERS):
        row[SCORES + seat] = 0
        row[SEEN_PASS + seat] = 0
    for index in range(enc.EVENT_ROWS * enc.EVENT_FIELDS):
        row[EVENT_LOG + index] = enc.NOTHING
    row[NEXT_CARD] = players * gifts
    row[PASS_NUMBER] = 255  # the first pass has number 0
    row[WATCH_DUE] = enc.EVENT_ROWS - 1
    row[PASS_COUNT] = row[PASS_COUNT + 1] = 0
    row[TRUNCATED] = 0
    _draw(row, faces, starter)


@inlined
def _shuffle_and_deal(row: Bytes, game: int, faces: Bytes, rng: RngStates, deck: Bytes) -> None:
    """Shuffle as many cards as a round can need (rule 9.3), plus one that remains on top of the shop."""
    cards = faces.shape[1]
    players, gifts = int(row[PLAYERS]), int(row[GIFTS_EACH])
    for card in range(cards):
        deck[card] = card
    for index in range(players * gifts + players * (PENALTIES_THAT_END - 1) + 2):
        other = index + _random_below(rng, game, cards - index)
        row[DECK_ORDER + index] = deck[other]
        deck[other] = deck[index]
    _deal(row, faces, _random_below(rng, game, players))


@inlined
def _end_game(row: Bytes, truncated: int) -> None:
    """End the game."""
    row[enc.DECISION] = enc.OVER
    row[enc.ACTOR] = row[enc.GIVER] = row[enc.RECEIVER] = enc.NOBODY
    row[enc.BACK] = row[enc.CLAIM] = enc.NOTHING
    row[TRUNCATED] = truncated


@inlined
def _at_pass_limit(row: Bytes) -> bool:
    passes = int(row[PASS_COUNT]) + 256 * int(row[PASS_COUNT + 1])
    return bool(passes >= int(row[PASS_LIMIT]) + 256 * int(row[PASS_LIMIT + 1]))


@inlined
def _accept(row: Bytes, faces: Bytes) -> None:
    """Put the card unseen on top of the column and pass the bottom one on (rule 5)."""
    seat = int(row[enc.RECEIVER])
    open_cards, cards = enc.COLUMNS + seat * enc.COLUMN_SLOTS, COLUMN_CARDS + seat * enc.COLUMN_SLOTS
    top = int(row[GIFTS_EACH]) - 1
    shown, card = row[open_cards], row[cards]
    if top == 1:
        row[open_cards] = row[open_cards + 1]
        row[cards] = row[cards + 1]
    row[open_cards + top] = row[enc.BACK]
    row[cards + top] = row[HAND]
    row[HAND] = card
    if _at_pass_limit(row):
        _end_game(row, 1)
    elif shown >= enc.FIRST_GIFT:
        _start_pass(row, faces, seat, enc.OPEN_FROM_COLUMN, shown)
    else:
        _start_pass(row, faces, seat, enc.WRAPPED_FROM_COLUMN, enc.NOTHING)


@inlined
def _refuse(row: Bytes, faces: Bytes) -> int:
    """Turn the card over; the seat that was wrong gets a penalty and draws (rule 6). Return that seat."""
    gift = faces[0, row[HAND]]
    row[_current_event(row) + enc.EVENT_REVEALED] = gift
    penalised = int(row[enc.RECEIVER] if row[enc.CLAIM] == gift else row[enc.GIVER])
    score = int(row[SCORES + penalised])
    row[enc.PILES + penalised * PENALTIES_THAT_END + score] = gift
    row[SCORES + penalised] = score + 1
    if score + 1 == PENALTIES_THAT_END:
        _end_game(row, 0)
    elif _at_pass_limit(row):
        _end_game(row, 1)
    else:
        _draw(row, faces, penalised)
    return penalised


@inlined
def _is_legal(row: Bytes, claimable: Bytes, action: int) -> bool:
    """Return whether the actor may take an action."""
    decision, actor = row[enc.DECISION], row[enc.ACTOR]
    if decision == enc.OVER or action < 0 or action >= enc.ACTIONS:
        return False
    if actor != _decider(row):
        return action == enc.WATCH
    if decision == enc.ANSWERING:
        return action in (enc.ACCEPT, enc.REFUSE)
    if decision == enc.CLAIMING:
        return bool(claimable[action])
    return bool(enc.TO <= action < enc.TO + row[PLAYERS] and action - enc.TO != actor)


@inlined
def _apply(row: Bytes, faces: Bytes, action: int) -> int:
    """Apply a legal action. Return the penalised seat or NO_PENALTY."""
    actor, decision = row[enc.ACTOR], row[enc.DECISION]
    row[SEEN_PASS + actor] = row[PASS_NUMBER]
    event = _current_event(row)
    if action == enc.WATCH:
        _set_actor(row)
    elif decision == enc.CLAIMING:
        row[enc.CLAIM] = row[event + enc.EVENT_CLAIM] = action
        row[enc.DECISION] = enc.ANSWERING
        row[enc.ACTOR] = row[enc.RECEIVER]
        row[PASS_COUNT] += np.uint8(1)
        if row[PASS_COUNT] == 0:
            row[PASS_COUNT + 1] += np.uint8(1)
    elif decision == enc.CHOOSING_RECEIVER:
        row[enc.RECEIVER] = row[event + enc.EVENT_RECEIVER] = action - enc.TO
        row[enc.DECISION] = enc.CLAIMING
    elif action == enc.ACCEPT:
        row[event + enc.EVENT_ANSWER] = enc.ACCEPTED
        _accept(row, faces)
    else:
        row[event + enc.EVENT_ANSWER] = enc.REFUSED
        return _refuse(row, faces)
    return NO_PENALTY


@inlined
def _write_mask(row: Bytes, claimable: Bytes, seat: int, mask: Mask, game: int) -> None:
    """Write which actions are legal for a seat."""
    for action in range(enc.ACTIONS):
        mask[game, action] = 0
    decision = row[enc.DECISION]
    if row[enc.ACTOR] != seat or decision == enc.OVER:
        return
    if seat != _decider(row):
        mask[game, enc.WATCH] = 1
    elif decision == enc.ANSWERING:
        mask[game, enc.ACCEPT] = mask[game, enc.REFUSE] = 1
    elif decision == enc.CLAIMING:
        for action in range(enc.FIRST_GIFT, enc.ACTIONS):
            mask[game, action] = claimable[action]
    else:
        for other in range(row[PLAYERS]):
            mask[game, enc.TO + other] = other != seat


@inlined
def _write_observation(
    row: Bytes, claimable: Bytes, seat: int, observation: Bytes, events: Bytes, mask: Mask, game: int
) -> None:
    """Write a seat's observation, the events since its last turn, and its action mask."""
    for index in range(enc.OBSERVATION_SIZE):
        observation[game, index] = row[index]
    observation[game, enc.OWN_SEAT] = seat
    first = int(row[SEEN_PASS + seat])
    count = ((int(row[PASS_NUMBER]) - first) & 255) + 1
    for number in range(enc.EVENT_ROWS):
        event = EVENT_LOG + ((first + number) % enc.EVENT_ROWS) * enc.EVENT_FIELDS
        for field in range(enc.EVENT_FIELDS):
            events[game, number, field] = row[event + field] if number < count else enc.NOTHING
    _write_mask(row, claimable, seat, mask, game)


@inlined
def _write_rewards(row: Bytes, penalised: int, actor: int, rewards: NDArray[np.float32], game: int) -> None:
    """Write rewards: -1 for a penalty, +1 shared by the winners, -3 for an illegal action."""
    players = int(row[PLAYERS])
    for seat in range(players):
        rewards[game, seat] = 0.0
    if penalised == ILLEGAL:
        rewards[game, actor] = -3.0
        return
    if penalised >= 0:
        rewards[game, penalised] = -1.0
    if row[enc.DECISION] != enc.OVER or row[TRUNCATED]:
        return
    best, winners = PENALTIES_THAT_END, 0
    for seat in range(players):
        score = int(row[SCORES + seat])
        if score < best:
            best, winners = score, 0
        winners += score == best
    for seat in range(players):
        if row[SCORES + seat] == best:
            rewards[game, seat] += 1.0 / winners


@kernel
def deal_in_order(rows: Bytes, game: int, faces: Bytes, starter: int) -> None:
    """Deal one game from the deck order in its row."""
    _deal(rows[game], faces, starter)


@kernel
def deal_all(rows: Bytes, faces: Bytes, rng: RngStates) -> None:
    """Shuffle and deal every game."""
    deck = np.empty(256, np.uint8)
    for game in range(rng.size):
        _shuffle_and_deal(rows[game], game, faces, rng, deck)


@kernel
def end_game(rows: Bytes, game: int) -> None:
    """End one game."""
    _end_game(rows[game], 0)


@kernel
def move(rows: Bytes, game: int, faces: Bytes, claimable: Bytes, action: int) -> int:
    """Apply an action to one game. Return the penalised seat, NO_PENALTY, or ILLEGAL if nothing changed."""
    row = rows[game]
    return _apply(row, faces, action) if _is_legal(row, claimable, action) else ILLEGAL


@kernel
def write_observation(
    rows: Bytes, game: int, claimable: Bytes, seat: int, observation: Bytes, events: Bytes, mask: Mask, index: int
) -> None:
    """Write what one seat of one game sees to one index of the arrays."""
    _write_observation(rows[game], claimable, seat, observation, events, mask, index)


@kernel
def write_observations(rows: Bytes, claimable: Bytes, observation: Bytes, events: Bytes, mask: Mask) -> None:
    """Write what the actor of every game sees (seat 0 in games that are over)."""
    for game in range(len(rows)):
        row = rows[game]
        seat = int(row[enc.ACTOR])
        _write_observation(row, claimable, seat if seat != enc.NOBODY else 0, observation, events, mask, game)


@kernel
def step(
    rows: Bytes,
    faces: Bytes,
    claimable: Bytes,
    rng: RngStates,
    actions: NDArray[np.int64],
    rewards: NDArray[np.float32],
    reward: NDArray[np.float64],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
) -> None:
    """Apply one action to every game; deal a new game where it is over (Gymnasium's `NEXT_STEP`)."""
    deck = np.empty(256, np.uint8)
    for game in range(rng.size):
        row = rows[game]
        actor = int(row[enc.ACTOR])
        if actor == enc.NOBODY:
            _shuffle_and_deal(row, game, faces, rng, deck)
            for seat in range(rewards.shape[1]):
                rewards[game, seat] = 0.0
            reward[game] = 0.0
            terminated[game] = truncated[game] = False
            continue
        penalised = ILLEGAL
        if _is_legal(row, claimable, actions[game]):
            penalised = _apply(row, faces, actions[game])
        else:
            _end_game(row, 0)
        _write_rewards(row, penalised, actor, rewards, game)
        reward[game] = rewards[game, actor]
        over = row[enc.DECISION] == enc.OVER
        terminated[game] = over and row[TRUNCATED] == 0
        truncated[game] = over and row[TRUNCATED] == 1


@inlined
def _random_action(row: Bytes, claims: Bytes, rng: RngStates, game: int) -> int:
    decision, actor = row[enc.DECISION], row[enc.ACTOR]
    if actor != _decider(row):
        return enc.WATCH
    if decision == enc.ANSWERING:
        return _random_below(rng, game, 2)
    if decision == enc.CLAIMING:
        return int(claims[_random_below(rng, game, claims.size)])
    other = _random_below(rng, game, int(row[PLAYERS]) - 1)
    return enc.TO + (other + 1 if other >= actor else other)


@kernel
def random_actions(rows: Bytes, claims: Bytes, rng: RngStates, actions: NDArray[np.int64]) -> None:
    """Write a uniformly random legal action for every game (0 where it is over)."""
    for game in range(rng.size):
        row = rows[game]
        actions[game] = 0 if row[enc.DECISION] == enc.OVER else _random_action(row, claims, rng, game)


@kernel
def play_randomly(rows: Bytes, faces: Bytes, claims: Bytes, rng: RngStates, moves: int) -> int:
    """Play random moves in every game, dealing again after each end. Return the number of games that ended."""
    deck = np.empty(256, np.uint8)
    ended = 0
    for game in range(rng.size):
        row = rows[game]
        for _ in range(moves):
            if row[enc.DECISION] == enc.OVER:
                ended += 1
                _shuffle_and_deal(row, game, faces, rng, deck)
            _apply(row, faces, _random_action(row, claims, rng, game))
    return ended
