"""A computer player that follows a policy trained on the environments' observations."""

from collections.abc import Callable, Sequence

from notahat.bots import Answer
from notahat.lab.encoding import ACCEPT, GIFTS, REFUSE, TO, WATCH
from notahat.lab.observation import Observation, ObservationBuilder
from notahat.rules import Accept, Event, Give, Legal, Refuse, View

SECONDS = 2.0  # for every decision, so that the timing reveals nothing

Policy = Callable[[Observation], int]


class PolicyPlayer:
    """A `notahat.bots.Bot` around a function from observations to actions."""

    def __init__(self, seat: int, policy: Policy) -> None:
        self._seat = seat
        self._policy = policy
        self._observer = ObservationBuilder(seat)

    def see(self, view: View, events: Sequence[Event], now: float) -> None:  # noqa: ARG002
        """Take in the view, and let the policy watch where it would otherwise miss an event."""
        self._observer.see(view, events)
        if self._observer.must_watch():
            self._act({WATCH})

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        """Return the policy's move. Raise `ValueError` if it chooses an illegal action."""
        if "give" not in legal.moves:
            accepts = self._act({ACCEPT, REFUSE}) == ACCEPT
            return Answer(Accept(self._seat) if accepts else Refuse(self._seat), SECONDS)
        if len(legal.receivers) == 1:
            return Answer(Give(self._seat, GIFTS[self._act(set(GIFTS))]), SECONDS)
        to = self._observer.chosen_receiver = self._act({TO + seat for seat in legal.receivers}) - TO
        claim = GIFTS[self._act(set(GIFTS))]
        self._observer.chosen_receiver = None
        return Answer(Give(self._seat, claim, to), SECONDS)

    def _act(self, allowed: set[int]) -> int:
        action = int(self._policy(self._observer.observation()))
        if action not in allowed:
            raise ValueError(f"the policy of seat {self._seat} chose {action}, which is not allowed now")
        self._observer.end_turn()
        return action
