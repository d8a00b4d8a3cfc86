"""Simulate rounds of one person with three computer players, and print how long the person waits. No browser, no clock.

`python tools/pace_simulation.py [400]`: unlike in tools/pace_figures.py the person plays as well as the computer
players do, so rounds are long. Every decision takes 4 s; a page adds some tenths of a second to each wait.
"""

import sys
from math import ceil
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from notahat.rules import Accept, Draw, Give, Move, Refuse, legal  # noqa: E402
from notahat.table import GuestCommand  # noqa: E402
from notahat.table import commands as do  # noqa: E402
from support.room_driver import RoomDriver  # noqa: E402

THINKING_SECONDS = 4.0
MOST_STEPS = 5000


def play(seed: int) -> list[float]:
    """Play a round and return all waits between own decisions."""
    driver = RoomDriver("Ada", options={"pace": "brisk"}).connect("Ada")
    driver.send("Ada", do.Sit("Ada"))
    for _ in range(3):
        driver.send("Ada", do.AddBot("casual"))
    driver.send("Ada", do.Start(), seed=seed)
    driver.send("Ada", do.Ready())
    table, last, waits = driver.room.table, driver.now, [0.0]
    for _ in range(MOST_STEPS):
        table = driver.room.table
        if table.stage != "play" or table.round is None:
            return waits
        due = legal(table.round)
        if due.seat == 0 and due.moves and "wrap" not in due.moves:
            waits.append(driver.now - last)
            command = command_of(driver.room.game.bots.move(table, 0), table.round.turn)
            driver.advance(THINKING_SECONDS)
            driver.send("Ada", command)
            last = driver.now
        elif driver.wake is not None:
            driver.advance(driver.wake - driver.now)
    raise AssertionError("the round does not end")


def command_of(move: Move, turn: int) -> GuestCommand:
    match move:
        case Draw():
            return do.Draw(turn)
        case Accept():
            return do.Accept(turn)
        case Refuse():
            return do.Refuse(turn)
        case Give(claim=claim, to=to):
            return do.Give(turn, claim or "", to)
    raise AssertionError(move)


def main() -> None:
    rounds = [play(seed) for seed in range(1000, 1000 + int(sys.argv[1] if len(sys.argv) > 1 else 400))]
    longest = sorted(map(max, rounds))
    p95 = longest[ceil(0.95 * len(longest)) - 1]
    print(f"{len(rounds)} rounds, {mean(map(len, rounds)):.0f} own decisions each; longest wait of a round:")
    print(
        f"median {median(longest):.0f} s, 95th percentile {p95:.0f} s; at most 30 s in "
        f"{sum(wait <= 30 for wait in longest) / len(longest):.0%} of the rounds"
    )


if __name__ == "__main__":
    main()
