"""Read a text player's reply: a move, and the notebook that follows it."""

from msgspec import Struct

from notahat.narration.narrator import Narrator
from notahat.rules import Accept, Give, Legal, Move, Refuse

NAMES = ("Ada", "Bo", "Cleo", "Dev", "Eve", "Finn", "Gus", "Hana")
_EDGES = " \t`*_\"'.!“”„«»‘’"


class Reply(Struct, frozen=True):
    """A move or a sentence that says what was wrong, and the new notebook if the reply has one."""

    move: Move | None
    problem: str | None
    notebook: str | None


def read_reply(text: str, narrator: Narrator, legal: Legal, players: int) -> Reply:
    """Read the first line that is a move, and everything after the line `notebook:`."""
    heading = narrator.say("notebook").casefold() + ":"
    lines, notebook = text.splitlines(), None
    for number, line in enumerate(lines):
        if line.strip().casefold().startswith(heading):
            notebook = "\n".join([line.strip()[len(heading) :].strip(), *lines[number + 1 :]]).strip()
            lines = lines[:number]
            break
    move: Move | str = narrator.say("not_understood")
    for line in lines:
        found = _read_move(line.strip(_EDGES), narrator, legal, players)
        if found is not None:
            move = found
            break
    problem = move if isinstance(move, str) else None
    return Reply(None if isinstance(move, str) else move, problem, notebook)


def _read_move(line: str, narrator: Narrator, legal: Legal, players: int) -> Move | str | None:
    """Return the move in a line, a problem with it, or None if the line is not a move."""
    seat, word, rest = legal.seat, *_split(line)
    if seat is None or word not in (narrator.say(key) for key in ("accept", "refuse", "give")):
        return None
    if word != narrator.say("give"):
        if rest:
            return None
        if "accept" not in legal.moves:
            return narrator.say("not_now")
        return Accept(seat) if word == narrator.say("accept") else Refuse(seat)
    if "give" not in legal.moves:
        return narrator.say("not_now")
    return _read_give(rest, narrator, legal, players)


def _read_give(text: str, narrator: Narrator, legal: Legal, players: int) -> Move | str:
    thing, to = text, None
    before, separator, name = text.rpartition(f" {narrator.say('to')} ")
    names = {known.casefold(): number for number, known in enumerate(NAMES[:players])}
    if separator and name.strip(_EDGES).casefold() in names:
        thing, to = before, names[name.strip(_EDGES).casefold()]
    gift = narrator.vocabulary.find(thing.strip(_EDGES))
    if gift is None:
        return narrator.say("no_such_gift", gift=thing.strip(_EDGES)[:60])
    if to is None and len(legal.receivers) > 1:
        return narrator.say("whom")
    if to is not None and to not in legal.receivers:
        return narrator.say("no_such_player", name=NAMES[to])
    return Give(legal.seat or 0, gift, to if len(legal.receivers) > 1 else None)


def _split(line: str) -> tuple[str, str]:
    word, _, rest = line.partition(" ")
    return word.strip(_EDGES).casefold(), rest.strip()
