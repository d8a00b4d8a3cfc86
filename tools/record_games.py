"""Record whole games as JSON lines for web/test/game/sceneLaws.test.ts; the file is not in git.

Random players with fixed seeds play every number of seats, one gift and two, both editions, entered and spoken claims,
and correct judgements. Each state is written as its change to the state before.
"""

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from notahat import gifts
from notahat.live.pace import REVEAL, SCENE, SPEED
from notahat.rules import Accept, Draw, Give, Judge, Move, Refuse, Round, Wrap, deal, legal, play, view
from notahat.rules.moves import Wrong
from notahat.rules.round import Drawing

EDITIONS = (
    ("classic", True, "both"),
    ("classic", True, "black"),
    ("special", False, "both"),
    ("special", True, "white"),
    ("special", True, "both"),
)
GAMES_PER_KIND = 8
ACCEPT_PROBABILITY = 0.72
CORRECT_PROBABILITY = 0.25
CLAIMS = ("hat", "umbrella", "kite", "broccoli")


def pace() -> dict[str, Any]:
    """Return the first line: how long the server waits after each event, and the speeds of a table."""
    scenes = {kind.__name__.lower(): seconds for kind, seconds in SCENE.items()}
    return {"scene": scenes, "speed": SPEED, "reveal": REVEAL}


def games() -> Iterator[dict[str, Any]]:
    kinds = product(range(2, 9), (1, 2), EDITIONS, (False, True))
    for number, (seats, each, edition, spoken) in enumerate(kinds):
        if seats == 2 and each == 1:
            continue
        for repetition in range(GAMES_PER_KIND if not spoken else GAMES_PER_KIND // 3):
            yield game(seats, each, edition, spoken, Random(number * 1000 + repetition))


def game(seats: int, each: int, edition: tuple[str, bool, str], spoken: bool, randomness: Random) -> dict[str, Any]:
    pack = list(gifts.cards(*edition))
    randomness.shuffle(pack)
    round_ = deal(tuple(pack), seats=seats, gifts_each=each, starter=randomness.randrange(seats))
    first = shown = msgspec.to_builtins(view(round_))
    steps = []
    while not round_.over:
        round_, events = play(round_, _move(round_, spoken, randomness))
        now = msgspec.to_builtins(view(round_))
        steps.append([msgspec.to_builtins(events), _changes(shown, now)])
        shown = now
    columns = [[msgspec.to_builtins(card) for card in column] for column in round_.columns]
    kind = {"seats": seats, "each": each, "edition": edition, "spoken": spoken}
    return {**kind, "first": first, "steps": steps, "columns": columns}


def _move(round_: Round, spoken: bool, randomness: Random) -> Move:
    now = legal(round_)
    seats = len(round_.columns)
    if now.moves == ("judge",):
        return Judge(randomness.randrange(seats), randomness.choice(["giver", "receiver"]))
    if now.correctable and randomness.random() < CORRECT_PROBABILITY:
        return Judge(randomness.randrange(seats), _opposite_verdict(round_))
    assert now.seat is not None
    match now.moves[0]:
        case "draw":
            return Draw(now.seat)
        case "wrap":
            return Wrap(now.seat)
        case "give":
            return Give(now.seat, None if spoken else randomness.choice(CLAIMS), randomness.choice(now.receivers))
        case _:
            return Accept(now.seat) if randomness.random() < ACCEPT_PROBABILITY else Refuse(now.seat)


def _opposite_verdict(round_: Round) -> Wrong:
    """Return the opposite of the last judgement."""
    assert isinstance(round_.phase, Drawing)
    assert round_.phase.verdict is not None
    return "receiver" if round_.phase.verdict.wrong == "giver" else "giver"


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the changed keys; of the seats, only the changed ones."""
    changed = {key: value for key, value in after.items() if value != before[key]}
    if "seats" in changed:
        changed["seats"] = {n: seat for n, seat in enumerate(after["seats"]) if seat != before["seats"][n]}
    return changed


def main() -> None:
    path = Path(sys.argv[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [pace(), *games()]
    path.write_text("\n".join(json.dumps(line, separators=(",", ":")) for line in lines), "utf-8")
    print(f"recorded {len(lines) - 1} games, {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
