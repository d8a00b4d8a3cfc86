"""Compare moves per CPU-second of random games by our rules and by three peers, in one run.

Each round gives every engine the same slice of CPU time in turn, so noise affects all; the median of the rounds counts.
"""

import gc
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import cycle
from typing import Any

from notahat import gifts
from notahat.rules import Accept, Draw, Give, Refuse, Round, Wrap, deal, legal, play

ROUNDS = 15
SLICE = 0.4  # seconds of CPU time for each engine in each round
Game = Callable[[random.Random], int]


def ours() -> Game:
    """Play random claims and answers. Shuffling is not measured, because the rules take shuffled cards."""
    randomness = random.Random(0)
    packs = cycle([tuple(randomness.sample(gifts.cards("classic"), 110)) for _ in range(1000)])
    claims = cycle(randomness.sample(list(gifts.catalogue()), len(gifts.catalogue())))

    def game(randomness: random.Random) -> int:
        round_, moves, claim = deal(next(packs), seats=4), 0, next(claims)
        while True:
            now = legal(round_)
            if not now.moves:
                return moves
            kind, seat = now.moves[0], now.seat
            assert seat is not None
            if kind == "give":
                round_, _ = play(round_, Give(seat, claim))
            elif kind == "wrap":
                round_, _ = play(round_, Wrap(seat))
            elif kind == "draw":
                round_, _ = play(round_, Draw(seat))
            elif randomness.choice(now.moves) == "accept":
                round_, _ = play(round_, Accept(seat))
            else:
                round_, _ = play(round_, Refuse(seat))
            moves += 1

    return game


def openspiel() -> Game:
    import pyspiel

    liars_dice = pyspiel.load_game("liars_dice")

    def game(randomness: random.Random) -> int:
        state, moves = liars_dice.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(randomness.choice(state.legal_actions()))
            moves += 1
        return moves

    return game


def rlcard() -> Game:
    import rlcard as library

    env: Any = library.make("leduc-holdem")

    def game(randomness: random.Random) -> int:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            state, _ = env.step(randomness.choice(list(state["legal_actions"])))
            moves += 1
        return moves

    return game


def pettingzoo() -> Game:
    from pettingzoo.classic import leduc_holdem_v4

    env: Any = leduc_holdem_v4.raw_env()

    def game(randomness: random.Random) -> int:
        env.reset(seed=randomness.getrandbits(31))
        moves = 0
        for _ in env.agent_iter():
            observation, _, over, truncated, _ = env.last()
            if over or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(randomness.choice([action for action in range(len(mask)) if mask[action]]))
            moves += 1
        return moves

    return game


ENGINES = {
    "Not a Hat, rules": ours,
    "OpenSpiel, liars_dice": openspiel,
    "RLCard, leduc": rlcard,
    "PettingZoo, leduc (raw)": pettingzoo,
}


def speed(game: Game, randomness: random.Random) -> float:
    moves, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SLICE:
        moves += game(randomness)
    return moves / spent


def memory_of_a_round() -> int:
    """Return the bytes of a round without its cards, which are shared."""
    pack = gifts.cards("classic")
    first = deal(pack, seats=4)
    gc.collect()
    tracemalloc.start()
    rounds: list[Round] = [deal(pack, seats=4) for _ in range(1000)]
    bytes_each = tracemalloc.get_traced_memory()[0] // len(rounds)
    tracemalloc.stop()
    assert all(round_ == first for round_ in rounds)
    return bytes_each


def main() -> None:
    engines = {}
    for name, make in ENGINES.items():
        try:
            engines[name] = make()
        except ImportError as missing:
            print(f"{name}: not installed ({missing.name}); `make bench` installs it")
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    for number in range(ROUNDS):
        print(f"\rmeasuring, round {number + 1} of {ROUNDS} ", end="", file=sys.stderr, flush=True)
        for name, game in engines.items():
            speeds[name].append(speed(game, random.Random(number)))
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    mine = medians["Not a Hat, rules"]
    print(f"{'engine':<26}{'moves per CPU-second':>22}{'we are':>12}")
    for name, median in medians.items():
        print(f"{name:<26}{median:>22,.0f}{mine / median:>10.2f} ×")
    print(f"memory of a round: {memory_of_a_round():,} bytes (without the cards, which are shared)")


if __name__ == "__main__":
    main()
