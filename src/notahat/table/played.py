"""A move is looked at several times in a row: to decide about it, to let it happen, to show it. It is played once."""

from notahat.rules import Event, Match, Move, play_match

_last: tuple[Match, Move, tuple[Match, tuple[Event, ...]]] | None = None


def play_once(match: Match, move: Move) -> tuple[Match, tuple[Event, ...]]:
    """`play_match`, which remembers its last answer: matches and moves never change, so neither does the answer."""
    global _last
    last = _last  # read once: another thread may play too
    if last is not None and last[0] is match and last[1] is move:
        return last[2]
    answer = play_match(match, move)
    _last = (match, move, answer)
    return answer
