"""How often computer players of each level name a wrapped gift rightly, by how many moves ago it was last seen: what
web/src/game/levelEstimate.ts compares people with. Prints a table; the same one every time.
"""

import sys
from random import Random

from notahat.bots import CHARACTERS, LEVELS, sit_down
from notahat.gifts import cards
from notahat.lab.game import play_out
from notahat.rules import Event, FaceUp, Offered, Round, view
from notahat.rules.view import WrapView

EDGES = (5, 9, 15, 24)  # moves: up to five, up to nine, ... and more
SEATS = 4


class Count:
    """Named rightly and named at all, in each stretch of time."""

    def __init__(self) -> None:
        self.right = [0] * (len(EDGES) + 1)
        self.named = [0] * (len(EDGES) + 1)

    def game(self, level: str, luck: Random) -> None:
        deck = list(cards("classic"))
        luck.shuffle(deck)
        who = luck.sample(sorted(CHARACTERS), SEATS)
        players = [sit_down(level, seat, luck.getrandbits(63), name) for seat, name in enumerate(who)]
        seen: dict[str, int] = {}
        turn = 0

        def watch(round_: Round, events: tuple[Event, ...], _: float) -> None:
            nonlocal turn
            for event in events:
                if isinstance(event, Offered):
                    gift = round_.phase.card.gift  # type: ignore[union-attr]
                    self._named(turn - 1 - seen.get(gift, turn), event.claim == gift)
            now = view(round_)
            shown = [card for seat in now.seats for card in seat.column]
            shown += [now.phase.card] if isinstance(now.phase, WrapView) else []
            seen.update((card.gift, turn) for card in shown if isinstance(card, FaceUp))
            turn += 1

        play_out(players, deck, watch=watch)

    def _named(self, ago: int, right: bool) -> None:
        place = sum(ago > edge for edge in EDGES)
        self.named[place] += 1
        self.right[place] += right


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for level in LEVELS:
        count, luck = Count(), Random(f"like a {level}")
        for _ in range(games):
            count.game(level, luck)
        told = ", ".join(f"{right / max(1, named):.2f}" for right, named in zip(count.right, count.named, strict=True))
        print(f"{level}: [{told}]  of {count.named}")


if __name__ == "__main__":
    main()
