"""The exception for everything that the rules do not allow."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a set-up or a move is not allowed. The values are public."""

    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    WRONG_GIFTS_EACH = "wrong_gifts_each"
    TWO_PLAYERS_NEED_TWO_GIFTS = "two_players_need_two_gifts"
    WRONG_PENALTIES = "wrong_penalties"
    TOO_FEW_CARDS = "too_few_cards"
    SAME_GIFT_TWICE = "same_gift_twice"
    NO_SUCH_SEAT = "no_such_seat"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    NOT_A_RECEIVER = "not_a_receiver"
    RECEIVER_NEEDED = "receiver_needed"
    WRONG_VERDICT = "wrong_verdict"
    ALREADY_JUDGED = "already_judged"
    ROUND_OVER = "round_over"
    ROUND_RUNNING = "round_running"
    MATCH_OVER = "match_over"
    UNREADABLE = "unreadable"


class Illegal(Exception):  # noqa: N818 - the game's own word
    """A set-up or move that the rules refuse. The state is unchanged."""

    def __init__(self, reason: StrEnum, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type["Illegal"], tuple[StrEnum, str]]:
        """Pickle both arguments: the default would pass on only the detail."""
        return type(self), (self.reason, self.detail)
