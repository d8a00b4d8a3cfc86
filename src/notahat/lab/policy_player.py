"""By numbers: a policy that learnt on the environments' numbers sits down where computer players sit."""

from collections.abc import Callable, Sequence

from notahat.bots import Answer
from notahat.lab.encoding import ACCEPT, GIFTS, TO, WATCH
from notahat.lab.observation import Observation, Sight
from notahat.rules import Accept, Event, Give, Legal, Refuse, View

SECONDS = 2.0  # for every decision: whoever learnt from numbers has no tell

Policy = Callable[[Observation], int]


class ByNumbers:
    """A `notahat.bots.Bot` made of a function from observations to actions."""

    def __init__(self, seat: int, policy: Policy) -> None:
        self._seat = seat
        self._policy = policy
        self._sight = Sight(seat)

    def see(self, view: View, events: Sequence[Event], now: float) -> None:  # noqa: ARG002
        """Follow what happens, and watch where something would be missed otherwise."""
        self._sight.see(view, events)
        if self._sight.must_watch():
            self._act({WATCH})

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        if "give" not in legal.moves:
            accepts = self._act({ACCEPT, ACCEPT + 1}) == ACCEPT
            return Answer(Accept(self._seat) if accepts else Refuse(self._seat), SECONDS)
        if len(legal.receivers) == 1:
            return Answer(Give(self._seat, GIFTS[self._act(set(GIFTS))]), SECONDS)
        to = self._sight.to = self._act({TO + seat for seat in legal.receivers}) - TO
        claim = GIFTS[self._act(set(GIFTS))]
        self._sight.to = None
        return Answer(Give(self._seat, claim, to), SECONDS)

    def _act(self, allowed: set[int]) -> int:
        action = int(self._policy(self._sight.look()))
        if action not in allowed:
            raise ValueError(f"the policy of seat {self._seat} chose {action}, which is not allowed now")
        self._sight.acted()
        return action
