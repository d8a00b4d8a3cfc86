"""The rules once more, compiled: rounds as rows of 256 bytes that change in place, thousands of them in one call.

It is the one second form of the rules. Tests play both side by side, move by move, and compare them.
Draws and wraps are no decisions and happen by themselves. Loops are written out: compiled, they are what is quick.
They stay in one file: what Numba keeps compiled is made anew when the file of a kernel changes, not when the file of
something that it calls does.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from notahat.optional_dependencies import how_to_add

try:
    import numba
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as missing:
    told = f"the simulator needs {missing.name}: {how_to_add('lab')}"
    raise ModuleNotFoundError(told, name=missing.name) from None

from notahat.lab.encoding import (
    ACCEPT,
    ACCEPTED,
    ACTIONS,
    ACTOR,
    ANSWER,
    ANSWERING,
    ANY,
    ARROW,
    BACK,
    CLAIM,
    CLAIMING,
    COLUMNS,
    DECISION,
    EVENTS,
    FIELDS,
    FIRST_GIFT,
    FROM,
    FROM_SHOP,
    GIVER,
    HOW,
    INTO,
    LEFT,
    NAMED,
    NOBODY,
    NOTHING,
    OPEN_FROM_COLUMN,
    OVER,
    PILES,
    PLACES,
    PRESENT,
    RECEIVER,
    RECEIVING,
    REFUSE,
    REFUSED,
    RIGHT,
    SHOWN,
    TO,
    TOP,
    TURNED_OVER,
    WATCH,
    WRAPPED_FROM_COLUMN,
    YOU,
)
from notahat.rules.round import MOST_PLAYERS, PENALTIES_THAT_END

# Where a row keeps what nobody sees now. It begins with the present, as everyone sees it.
HAND = PRESENT
CARDS = HAND + 1  # by place in the deck, like the columns
ORDER = CARDS + MOST_PLAYERS * PLACES
MOST_DEALT = MOST_PLAYERS * PLACES + MOST_PLAYERS * (PENALTIES_THAT_END - 1) + 2
NEXT = ORDER + MOST_DEALT
SCORES = NEXT + 1
PLAYERS = SCORES + MOST_PLAYERS
GIFTS_EACH = PLAYERS + 1
PASS = GIFTS_EACH + 1  # the number of the gift that is being passed on, counted round and round from 0 to 255
SEEN = PASS + 1  # and of the one that each seat saw when it last had a turn
DUE = SEEN + MOST_PLAYERS  # and of the one with which somebody may have to watch
PASSES = DUE + 1  # two bytes, the lower one first
LIMIT = PASSES + 2
CUT = LIMIT + 2
LOG = CUT + 1
ROW = 256
assert LOG + EVENTS * FIELDS <= ROW

NO_PENALTY, NOT_ALLOWED = -1, -2

Bytes = NDArray[np.uint8]
Luck = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile when first called, and keep the result for the next process."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def part(function: Function) -> Function:
    """What kernels are made of: compiled into them."""
    # Without counting references: that is three times as quick, and nothing is allocated in here.
    return cast(Function, cast(Any, numba).njit(forceinline=True, _nrt=False)(function))


@part
def _random(luck: Luck, game: int, choices: int) -> int:
    """One of so many, after SplitMix64: every game has its own luck."""
    luck[game] += np.uint64(0x9E3779B97F4A7C15)
    mixed = luck[game]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int(((mixed >> np.uint64(32)) * np.uint64(choices)) >> np.uint64(32))


@part
def _turn(row: Bytes) -> None:
    """Whose turn it is: who must decide, unless somebody would miss something and has to watch first."""
    actor = row[RECEIVER] if row[DECISION] == ANSWERING else row[GIVER]
    row[ACTOR] = actor
    if row[PASS] != row[DUE]:  # until then nobody can have missed so much
        return
    current = int(row[PASS])
    most = 0
    for seat in range(row[PLAYERS]):
        missed = (current - int(row[SEEN + seat])) & 255
        if missed == EVENTS - 1 and seat != actor:
            row[ACTOR] = seat
            return
        if missed > most and missed < EVENTS - 1:
            most = missed
    row[DUE] = (current + EVENTS - 1 - most) & 255


@part
def _pass_on(row: Bytes, faces: Bytes, giver: int, how: int, shown: int) -> None:
    """Somebody has a wrapped card in hand: its arrow says who receives it."""
    players = int(row[PLAYERS])
    back = faces[1, row[HAND]]
    decision = CLAIMING
    receiver = giver + int(back == LEFT) - int(back == RIGHT)
    receiver += players * int(receiver < 0) - players * int(receiver >= players)
    if back == ANY:
        receiver = 1 - giver
        if players > 2:
            receiver, decision = NOBODY, RECEIVING
    row[GIVER] = giver
    row[RECEIVER] = receiver
    row[BACK] = back
    row[CLAIM] = NOTHING
    row[DECISION] = decision
    row[PASS] += np.uint8(1)
    event = LOG + (row[PASS] % EVENTS) * FIELDS
    row[event + HOW] = how
    row[event + FROM] = giver
    row[event + SHOWN] = shown
    row[event + ARROW] = back
    row[event + INTO] = receiver
    row[event + NAMED] = NOTHING
    row[event + ANSWER] = NOTHING
    row[event + TURNED_OVER] = NOTHING
    _turn(row)


@part
def _draw(row: Bytes, faces: Bytes, seat: int) -> None:
    drawn = int(row[NEXT])
    card = row[ORDER + drawn]
    row[HAND] = card
    row[NEXT] = drawn + 1
    row[TOP] = faces[0, row[ORDER + drawn + 1]]
    _pass_on(row, faces, seat, FROM_SHOP, faces[0, card])


@part
def _deal(row: Bytes, faces: Bytes, starter: int) -> None:
    """Deal the cards that lie in order, and draw the first."""
    players, gifts = int(row[PLAYERS]), int(row[GIFTS_EACH])
    for place in range(COLUMNS, PRESENT):
        row[place] = NOTHING
    for place in range(gifts):
        for seat in range(players):
            card = row[ORDER + place * players + seat]
            row[CARDS + seat * PLACES + place] = card
            row[COLUMNS + seat * PLACES + place] = faces[0, card]
    for seat in range(MOST_PLAYERS):
        row[SCORES + seat] = 0
        row[SEEN + seat] = 0
    for place in range(EVENTS * FIELDS):
        row[LOG + place] = NOTHING
    row[NEXT] = players * gifts
    row[PASS] = 255  # the first is number 0
    row[DUE] = EVENTS - 1
    row[PASSES] = row[PASSES + 1] = 0
    row[CUT] = 0
    _draw(row, faces, starter)


@part
def _shuffle_and_deal(row: Bytes, game: int, faces: Bytes, luck: Luck, deck: Bytes) -> None:
    """No more cards are shuffled than a round can need (rule 9.3), and one that is the shop's top to the end."""
    cards = faces.shape[1]
    players, gifts = int(row[PLAYERS]), int(row[GIFTS_EACH])
    for card in range(cards):
        deck[card] = card
    for place in range(players * gifts + players * (PENALTIES_THAT_END - 1) + 2):
        other = place + _random(luck, game, cards - place)
        row[ORDER + place] = deck[other]
        deck[other] = deck[place]
    _deal(row, faces, _random(luck, game, players))


@part
def _stop(row: Bytes, cut: int) -> None:
    """Nobody has anything to decide any more."""
    row[DECISION] = OVER
    row[ACTOR] = row[GIVER] = row[RECEIVER] = NOBODY
    row[BACK] = row[CLAIM] = NOTHING
    row[CUT] = cut


@part
def _at_the_limit(row: Bytes) -> bool:
    passes = int(row[PASSES]) + 256 * int(row[PASSES + 1])
    return bool(passes >= int(row[LIMIT]) + 256 * int(row[LIMIT + 1]))


@part
def _accept(row: Bytes, faces: Bytes) -> None:
    """Rule 5: the card goes on top, unseen, and the bottom one is given on."""
    seat = int(row[RECEIVER])
    open_, cards = COLUMNS + seat * PLACES, CARDS + seat * PLACES
    top = int(row[GIFTS_EACH]) - 1
    shown, card = row[open_], row[cards]
    if top == 1:
        row[open_] = row[open_ + 1]
        row[cards] = row[cards + 1]
    row[open_ + top] = row[BACK]
    row[cards + top] = row[HAND]
    row[HAND] = card
    if _at_the_limit(row):
        _stop(row, 1)
    elif shown >= FIRST_GIFT:
        _pass_on(row, faces, seat, OPEN_FROM_COLUMN, shown)
    else:
        _pass_on(row, faces, seat, WRAPPED_FROM_COLUMN, NOTHING)


@part
def _refuse(row: Bytes, faces: Bytes) -> int:
    """Rule 6: the card is turned over, and whoever was wrong has a penalty and draws."""
    gift = faces[0, row[HAND]]
    row[LOG + (row[PASS] % EVENTS) * FIELDS + TURNED_OVER] = gift
    blamed = int(row[RECEIVER] if row[CLAIM] == gift else row[GIVER])
    score = int(row[SCORES + blamed])
    row[PILES + blamed * PENALTIES_THAT_END + score] = gift
    row[SCORES + blamed] = score + 1
    if score + 1 == PENALTIES_THAT_END:
        _stop(row, 0)
    elif _at_the_limit(row):
        _stop(row, 1)
    else:
        _draw(row, faces, blamed)
    return blamed


@part
def _allowed(row: Bytes, known: Bytes, action: int) -> bool:
    """Whether whoever's turn it is may do this."""
    decision, actor = row[DECISION], row[ACTOR]
    if decision == OVER or action < 0 or action >= ACTIONS:
        return False
    if actor != (row[RECEIVER] if decision == ANSWERING else row[GIVER]):
        return action == WATCH
    if decision == ANSWERING:
        return action in (ACCEPT, REFUSE)
    if decision == CLAIMING:
        return bool(known[action])
    return bool(TO <= action < TO + row[PLAYERS] and action - TO != actor)


@part
def _play(row: Bytes, faces: Bytes, action: int) -> int:
    """Make a move that is allowed; who was penalised, if anybody."""
    actor, decision = row[ACTOR], row[DECISION]
    row[SEEN + actor] = row[PASS]
    event = LOG + (row[PASS] % EVENTS) * FIELDS
    if action == WATCH:
        _turn(row)
    elif decision == CLAIMING:
        row[CLAIM] = row[event + NAMED] = action
        row[DECISION] = ANSWERING
        row[ACTOR] = row[RECEIVER]
        row[PASSES] += np.uint8(1)
        if row[PASSES] == 0:
            row[PASSES + 1] += np.uint8(1)
    elif decision == RECEIVING:
        row[RECEIVER] = row[event + INTO] = action - TO
        row[DECISION] = CLAIMING
    elif action == ACCEPT:
        row[event + ANSWER] = ACCEPTED
        _accept(row, faces)
    else:
        row[event + ANSWER] = REFUSED
        return _refuse(row, faces)
    return NO_PENALTY


@part
def _may(row: Bytes, known: Bytes, seat: int, mask: NDArray[np.int8], game: int) -> None:
    """Which actions are open to somebody on a seat."""
    for action in range(ACTIONS):
        mask[game, action] = 0
    decision = row[DECISION]
    if row[ACTOR] != seat or decision == OVER:
        return
    if seat != (row[RECEIVER] if decision == ANSWERING else row[GIVER]):
        mask[game, WATCH] = 1
    elif decision == ANSWERING:
        mask[game, ACCEPT] = mask[game, REFUSE] = 1
    elif decision == CLAIMING:
        for action in range(FIRST_GIFT, ACTIONS):
            mask[game, action] = known[action]
    else:
        for other in range(row[PLAYERS]):
            mask[game, TO + other] = other != seat


@part
def _look(
    row: Bytes, known: Bytes, seat: int, present: Bytes, events: Bytes, mask: NDArray[np.int8], game: int
) -> None:
    """What somebody on a seat sees: the present, what happened since their last turn, and what they may do."""
    for place in range(PRESENT):
        present[game, place] = row[place]
    present[game, YOU] = seat
    first = int(row[SEEN + seat])
    count = ((int(row[PASS]) - first) & 255) + 1
    for number in range(EVENTS):
        event = LOG + ((first + number) % EVENTS) * FIELDS
        for field in range(FIELDS):
            events[game, number, field] = row[event + field] if number < count else NOTHING
    _may(row, known, seat, mask, game)


@part
def _score(row: Bytes, blamed: int, actor: int, rewards: NDArray[np.float32], game: int) -> None:
    """A penalty costs a point at once; the winners share one; a move that is not allowed costs its maker three."""
    players = int(row[PLAYERS])
    for seat in range(players):
        rewards[game, seat] = 0.0
    if blamed == NOT_ALLOWED:
        rewards[game, actor] = -3.0
        return
    if blamed >= 0:
        rewards[game, blamed] = -1.0
    if row[DECISION] != OVER or row[CUT]:
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
    """Deal one game from the order that its row already has."""
    _deal(rows[game], faces, starter)


@kernel
def deal_anew(rows: Bytes, faces: Bytes, luck: Luck) -> None:
    """Shuffle and deal every game."""
    deck = np.empty(256, np.uint8)
    for game in range(luck.size):
        _shuffle_and_deal(rows[game], game, faces, luck, deck)


@kernel
def stop(rows: Bytes, game: int) -> None:
    """A game that is over."""
    _stop(rows[game], 0)


@kernel
def move(rows: Bytes, game: int, faces: Bytes, known: Bytes, action: int) -> int:
    """One move in one game: who was penalised, NO_PENALTY or NOT_ALLOWED, in which case nothing has changed."""
    row = rows[game]
    return _play(row, faces, action) if _allowed(row, known, action) else NOT_ALLOWED


@kernel
def look(
    rows: Bytes, game: int, known: Bytes, seat: int, present: Bytes, events: Bytes, mask: NDArray[np.int8], place: int
) -> None:
    """What one seat of one game sees, into one place of arrays for many."""
    _look(rows[game], known, seat, present, events, mask, place)


@kernel
def look_round(rows: Bytes, known: Bytes, present: Bytes, events: Bytes, mask: NDArray[np.int8]) -> None:
    """In every game, what is seen by whoever's turn it is (at the end, by seat 0)."""
    for game in range(len(rows)):
        row = rows[game]
        seat = int(row[ACTOR])
        _look(row, known, seat if seat != NOBODY else 0, present, events, mask, game)


@kernel
def step(
    rows: Bytes,
    faces: Bytes,
    known: Bytes,
    luck: Luck,
    actions: NDArray[np.int64],
    rewards: NDArray[np.float32],
    reward: NDArray[np.float64],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
) -> None:
    """One move in every game; where it is over, deal anew instead (Gymnasium calls that `NEXT_STEP`)."""
    deck = np.empty(256, np.uint8)
    for game in range(luck.size):
        row = rows[game]
        actor = int(row[ACTOR])
        if actor == NOBODY:
            _shuffle_and_deal(row, game, faces, luck, deck)
            for seat in range(rewards.shape[1]):
                rewards[game, seat] = 0.0
            reward[game] = 0.0
            terminated[game] = truncated[game] = False
            continue
        blamed = NOT_ALLOWED
        if _allowed(row, known, actions[game]):
            blamed = _play(row, faces, actions[game])
        else:
            _stop(row, 0)
        _score(row, blamed, actor, rewards, game)
        reward[game] = rewards[game, actor]
        over = row[DECISION] == OVER
        terminated[game] = over and row[CUT] == 0
        truncated[game] = over and row[CUT] == 1


@part
def _any_action(row: Bytes, claims: Bytes, luck: Luck, game: int) -> int:
    decision = row[DECISION]
    actor = row[ACTOR]
    if decision == ANSWERING:
        return _random(luck, game, 2) if actor == row[RECEIVER] else WATCH
    if actor != row[GIVER]:
        return WATCH
    if decision == CLAIMING:
        return int(claims[_random(luck, game, claims.size)])
    other = _random(luck, game, int(row[PLAYERS]) - 1)
    return TO + (other + 1 if other >= actor else other)


@kernel
def any_actions(rows: Bytes, claims: Bytes, luck: Luck, actions: NDArray[np.int64]) -> None:
    """In every game, one of the actions that are open, each as likely (where a game is over: 0)."""
    for game in range(luck.size):
        row = rows[game]
        actions[game] = 0 if row[DECISION] == OVER else _any_action(row, claims, luck, game)


@kernel
def play_randomly(rows: Bytes, faces: Bytes, claims: Bytes, luck: Luck, moves: int) -> int:
    """So many random moves in every game, dealt anew whenever one is over; how many games were played to their end."""
    deck = np.empty(256, np.uint8)
    ended = 0
    for game in range(luck.size):
        row = rows[game]
        for _ in range(moves):
            if row[DECISION] == OVER:
                ended += 1
                _shuffle_and_deal(row, game, faces, luck, deck)
            _play(row, faces, _any_action(row, claims, luck, game))
    return ended
