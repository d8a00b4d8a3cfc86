"""A text notation for whole games, one line for each move, with headers and comments like those of PGN.

    [Place "Kitchen table"]
    seats 4 gifts 1 starter 3
    cards guitar> hat< kite> muffin* piano< …
    3 draw
    3 wrap
    3 give piano ; after a long look at Ben
    0 accept

Backs are `<` left, `>` right and `*` any; `give pencil to 2` names a receiver, `give aloud` a spoken claim.
`penalties 5` after the starter is for rounds that do not end with three. A blank line separates the rounds of a match.
Unusual gift names are written as JSON strings, the values of headers always.
"""

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from typing import assert_never

import msgspec
from msgspec import Struct, field

from notahat.rules.card import Back, Card
from notahat.rules.illegal import Illegal, Reason
from notahat.rules.moves import Accept, Draw, Give, Judge, Move, Refuse, Wrap
from notahat.rules.round import PENALTIES_THAT_END, Round, deal, play

_BACKS = {Back.LEFT: "<", Back.RIGHT: ">", Back.ANY: "*"}
_SIGNS = {sign: back for back, sign in _BACKS.items()}
_BARE = re.compile(r"[a-z0-9_-]+")
_WORDS = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_ALOUD = "aloud"
_HEADER = re.compile(r"\[(\w+) (.*)\]")
_COMMENTED = re.compile(r'((?:"(?:[^"\\]|\\.)*"|[^";])*);(.*)')


class Game(Struct, frozen=True):
    """All that is needed to replay a round. `comments` are of the moves with these indexes."""

    cards: tuple[Card, ...]
    seats: int
    gifts_each: int
    starter: int
    moves: tuple[Move, ...]
    penalties: int = PENALTIES_THAT_END
    headers: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)

    def deal(self) -> Round:
        return deal(self.cards, self.seats, self.gifts_each, self.starter, self.penalties)

    def replay(self) -> Round:
        """Return the round after all moves."""
        round_ = self.deal()
        for move in self.moves:
            round_, _ = play(round_, move)
        return round_


def write(*games: Game) -> str:
    """Return games as text, separated by blank lines."""
    return "\n".join("\n".join(_lines(game)) + "\n" for game in games)


def read(text: str) -> tuple[Game, ...]:
    """Parse what `write` returned. Raise `Illegal` with the first line that cannot be parsed."""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return tuple(_game(block.splitlines()) for block in blocks if block.strip())


def _lines(game: Game) -> Iterable[str]:
    for name, value in game.headers.items():
        yield f"[{name} {json.dumps(value, ensure_ascii=False)}]"
    penalties = "" if game.penalties == PENALTIES_THAT_END else f" penalties {game.penalties}"
    yield f"seats {game.seats} gifts {game.gifts_each} starter {game.starter}{penalties}"
    yield " ".join(["cards", *(_word(card.gift) + _BACKS[card.back] for card in game.cards)])
    for index, move in enumerate(game.moves):
        comment = " ".join(game.comments.get(index, "").split())
        yield f"{move.seat} {_format(move)}" + (f" ; {comment}" if comment else "")


def _format(move: Move) -> str:
    match move:
        case Draw():
            return "draw"
        case Wrap():
            return "wrap"
        case Give(claim=claim, to=to):
            named = _ALOUD if claim is None else _word(claim)
            return f"give {named}" if to is None else f"give {named} to {to}"
        case Accept():
            return "accept"
        case Refuse():
            return "refuse"
        case Judge(wrong=wrong):
            return f"judge {wrong}"
        case _:
            assert_never(move)


def _word(gift: str) -> str:
    return gift if _BARE.fullmatch(gift) and gift != _ALOUD else json.dumps(gift)


def _words(line: str) -> list[str]:
    if _WORDS.sub("", line).strip():
        raise Illegal(Reason.UNREADABLE, f"a quotation mark is missing in {line!r}")
    return _WORDS.findall(line)


def _gift(word: str) -> str:
    if _BARE.fullmatch(word):
        return word
    try:
        return msgspec.json.decode(word, type=str)
    except msgspec.DecodeError:
        raise Illegal(Reason.UNREADABLE, f"{word!r} is not a gift") from None


def _game(lines: list[str]) -> Game:
    headers = [_header(line) for line in itertools.takewhile(lambda line: line.startswith("["), lines)]
    dealt = lines[len(headers) :]
    match [_words(line) for line in dealt[:2]]:
        case [["seats", seats, "gifts", gifts, "starter", starter, *rest], ["cards", *cards]]:
            pass
        case _:
            raise Illegal(Reason.UNREADABLE, "a game starts with the lines 'seats … gifts … starter …' and 'cards …'")
    match rest:
        case []:
            penalties = PENALTIES_THAT_END
        case ["penalties", number]:
            penalties = _number(number)
        case _:
            raise Illegal(Reason.UNREADABLE, f"{' '.join(rest)!r} is not 'penalties' and a number")
    moves = [_commented(line) for line in dealt[2:]]
    return Game(
        cards=tuple(map(_card, cards)),
        seats=_number(seats),
        gifts_each=_number(gifts),
        starter=_number(starter),
        moves=tuple(_move(move) for move, _ in moves),
        penalties=penalties,
        headers=dict(headers),
        comments={index: comment for index, (_, comment) in enumerate(moves) if comment},
    )


def _header(line: str) -> tuple[str, str]:
    parts = _HEADER.fullmatch(line.strip())
    if parts is None:
        raise Illegal(Reason.UNREADABLE, f'{line!r} is not a header: write [Name "value"]')
    return parts[1], _gift(parts[2])


def _commented(line: str) -> tuple[str, str]:
    """Return a move and its comment."""
    parts = _COMMENTED.fullmatch(line)
    return (parts[1], parts[2].strip()) if parts else (line, "")


def _number(word: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise Illegal(Reason.UNREADABLE, f"{word!r} is not a number")
    return int(word)


def _card(word: str) -> Card:
    back = _SIGNS.get(word[-1])
    if back is None or len(word) == 1:
        raise Illegal(Reason.UNREADABLE, f"{word!r} is not a card: write a gift and one of < > *")
    return Card(_gift(word[:-1]), back)


def _move(line: str) -> Move:
    match _words(line):
        case [seat, "draw"]:
            return Draw(_number(seat))
        case [seat, "wrap"]:
            return Wrap(_number(seat))
        case [seat, "give", claim]:
            return Give(_number(seat), _claim(claim))
        case [seat, "give", claim, "to", to]:
            return Give(_number(seat), _claim(claim), _number(to))
        case [seat, "accept"]:
            return Accept(_number(seat))
        case [seat, "refuse"]:
            return Refuse(_number(seat))
        case [seat, "judge", ("giver" | "receiver") as wrong]:
            return Judge(_number(seat), wrong)
        case _:
            raise Illegal(Reason.UNREADABLE, f"{line!r} is not a move")


def _claim(word: str) -> str | None:
    return None if word == _ALOUD else _gift(word)
