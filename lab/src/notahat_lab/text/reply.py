"""Read a text player's reply: a move, and the notebook that follows it."""

from msgspec import Struct

from notahat.gifts.find import fold
from notahat.narration.narrator import Narrator
from notahat.rules import Accept, Give, Legal, Move, Refuse

NAMES = ("Ada", "Bo", "Cleo", "Dev", "Eve", "Finn", "Gus", "Hana")
_EDGES = " \t`*_\"'.!“”„«»‘’"


class Reply(Struct, frozen=True):
    """A move or a sentence that says what was wrong, and the new notebook if the reply has one."""

    move: Move | None
    problem: str | None
    notebook: str | None


def read_reply(text: str, narrator: Narrator, legal: Legal, claim: str | None, players: int) -> Reply:
    """Read the last line that is a move, and everything after the line `notebook:`."""
    heading = narrator.say("notebook").casefold() + ":"
    lines, notebook = text.splitlines(), None
    for number, line in enumerate(lines):
        if line.strip().casefold().startswith(heading):
            notebook = "\n".join([line.strip()[len(heading) :].strip(), *lines[number + 1 :]]).strip()
            lines = lines[:number]
            break
    read = [_read_move(line.strip(_EDGES), narrator, legal, claim, players) for line in lines]
    moves = [move for move in read if move is not None and not isinstance(move, str)]
    problems = [problem for problem in read if isinstance(problem, str)]
    if moves:
        return Reply(moves[-1], None, notebook)
    problem = problems[-1] if problems else narrator.say("not_understood")
    possible = narrator.say("possible", lines=", ".join(_possible(narrator, legal, claim)))
    return Reply(None, f"{problem} {possible}", notebook)


def _possible(narrator: Narrator, legal: Legal, claim: str | None) -> tuple[str, ...]:
    """Return the lines that would be read, the game's own words last."""
    if claim is not None:
        accept, refuse = narrator.say("accept"), narrator.say("refuse")
        thanks = narrator.say("accept_said").split("|")[0].capitalize()
        return f"`{accept}`", f"`{refuse}`", f"`{thanks}!`", f"`{narrator.vocabulary.denial(claim)}`"
    to = f" {narrator.say('to')} …" if len(legal.receivers) > 1 else ""
    return (f"`{narrator.say('give')} …{to}`",)


def _read_move(line: str, narrator: Narrator, legal: Legal, claim: str | None, players: int) -> Move | str | None:
    """Return the move in a line, a problem with it, or None if the line is not a move."""
    seat, word, rest = legal.seat, *_split(line)
    if seat is None:
        return None
    for key, answer in (("accept", Accept(seat)), ("refuse", Refuse(seat))):
        if fold(line) in map(fold, (narrator.say(key), *narrator.say(f"{key}_said").split("|"))):
            return answer if key in legal.moves else narrator.say("not_now")
    if claim is not None and fold(line) == fold(narrator.vocabulary.denial(claim)):
        return Refuse(seat)
    offered = narrator.vocabulary.offered(line)
    if offered is None and word != narrator.say("give"):
        return None
    if "give" not in legal.moves:
        return narrator.say("not_now")
    return _read_give(narrator.vocabulary.name(offered) if offered else rest, narrator, legal, players)


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
