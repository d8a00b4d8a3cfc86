"""The game as plain text for language models, with a memory that the environment limits."""

from collections.abc import Sequence
from random import Random
from typing import Literal

from msgspec import Struct

from notahat.bots import Bot
from notahat.live import pace
from notahat.narration.narrator import Narrator, Vocabulary, nonsense_names
from notahat.rules import Event, Give, Illegal, Move, Round, deal, legal, play, view
from notahat.rules.round import Answering, check_players, usual_gifts
from notahat_lab.errors import LabError
from notahat_lab.game import CAP, deck_cards, next_move
from notahat_lab.player_factory import player_factory
from notahat_lab.text.reply import NAMES, read_reply

Memory = Literal["transcript", "since", "notebook"]

TEXT = "text"  # the name of a seat for a text player
SECONDS = 2.0  # of thinking for every decision, so that the timing reveals nothing
MAX_ATTEMPTS = 3  # unreadable replies to one question; then the player forfeits the game


class Setup(Struct, frozen=True):
    """What is played: `seats` are names as in the arena, or `text` for a player that reads and writes."""

    seats: tuple[str, ...] = (TEXT, "casual", "casual", "casual")
    lang: str = "en"
    memory: Memory = "transcript"
    notebook: int = 0
    renamed: bool = False
    gifts: int | None = None
    edition: str = "classic"
    special_cards: bool = True
    arrows: str = "both"
    cap: int = CAP


_DEFAULT = Setup()


class Outcome(Struct, frozen=True):
    """How a game ended. A seat that forfeited does not win; a capped game counts for the leaders."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    passes: int
    capped: bool
    forfeited: int | None


class Trace(Struct, frozen=True):
    """A whole game as data: the setup, the seed and every reply determine all messages and the outcome."""

    setup: Setup
    seed: int
    replies: tuple[str, ...]
    outcome: Outcome | None


class _Reader:
    """What one text player has been told since the last turn, and its notebook."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.notebook = ""


class TextTable:
    """One game at a time: read `seat` and `message`, call `reply`, until `outcome` is not None."""

    def __init__(self, setup: Setup = _DEFAULT) -> None:
        if TEXT not in setup.seats:
            raise LabError(f"at least one seat must be {TEXT!r}")
        self._gifts = setup.gifts or usual_gifts(len(setup.seats))
        try:
            check_players(len(setup.seats), self._gifts)
        except Illegal as problem:
            raise LabError(problem.detail) from None
        if setup.notebook < 0:
            raise LabError("a notebook cannot have fewer than 0 characters")
        self.setup = setup
        self._factories = [None if name == TEXT else player_factory(name) for name in setup.seats]
        self._deck = deck_cards(setup.edition, setup.special_cards, setup.arrows)
        self.outcome: Outcome | None = None

    def reset(self, seed: int) -> None:
        """Shuffle, deal, and play up to the first decision of a text player."""
        setup, rng = self.setup, Random(seed)
        self.seed, self.replies = seed, list[str]()
        deck, starter = rng.sample(self._deck, len(self._deck)), rng.randrange(len(setup.seats))
        renamed = nonsense_names(rng) if setup.renamed else None
        self._narrator = Narrator(setup.lang, NAMES[: len(setup.seats)], Vocabulary(setup.lang, renamed))
        self._bots: dict[int, Bot] = {
            seat: make(seat, rng.getrandbits(62)) for seat, make in enumerate(self._factories) if make is not None
        }
        self._readers = {seat: _Reader() for seat, make in enumerate(self._factories) if make is None}
        self._round: Round = deal(deck, len(setup.seats), self._gifts, starter)
        self._now, self._passes, self._attempts, self._problem = 0.0, 0, 0, ""
        self.outcome = None
        self._show(())
        self._go_on()

    @property
    def seat(self) -> int:
        """The text player who has to reply."""
        return self._decider

    @property
    def message(self) -> str:
        """All that this player is told now: rules, what happened, the table, the notebook and the question."""
        return "\n\n".join((*self.instructions(self.seat), self.turn_text()))

    def instructions(self, seat: int) -> tuple[str, ...]:
        """Return the part of a message that never changes."""
        say, setup = self._narrator.say, self.setup
        memory = say(f"memory_{setup.memory}", size=setup.notebook)
        return ("\n".join((self._narrator.rules(seat), say("how"), memory)),)

    def turn_text(self) -> str:
        """Return the part of a message that changes from turn to turn."""
        say, reader, seen = self._narrator.say, self._readers[self.seat], view(self._round)
        parts = [
            "\n".join((say("so_far" if self.setup.memory == "transcript" else "since"), *reader.lines)),
            self._narrator.table(seen),
        ]
        if self.setup.memory == "notebook":
            heading = say("notes", used=len(reader.notebook), size=self.setup.notebook)
            parts.append(f"{heading}\n{reader.notebook}".rstrip())
        question = self._narrator.question(seen)
        return "\n\n".join((*parts, f"{self._problem} {question}".lstrip()))

    def reply(self, text: str) -> None:
        """Take a reply. One that cannot be read is asked for again, with the reason; the third forfeits the game."""
        if self.outcome is not None:
            raise LabError("the game is over")
        self.replies.append(text)
        reader = self._readers[self.seat]
        phase = self._round.phase
        claim = phase.claim if isinstance(phase, Answering) else None
        read = read_reply(text, self._narrator, legal(self._round), claim, len(self.setup.seats))
        if read.notebook is not None and self.setup.memory == "notebook":
            reader.notebook = read.notebook[: self.setup.notebook]
        if read.move is None:
            self._attempts, self._problem = self._attempts + 1, read.problem or ""
            if self._attempts == MAX_ATTEMPTS:
                self._end(forfeited=self.seat)
            return
        self._attempts, self._problem = 0, ""
        if self.setup.memory != "transcript":
            reader.lines.clear()
        self._play(read.move, pace.move_after(SECONDS, self._events))
        self._go_on()

    def trace(self) -> Trace:
        """Return the game so far as data."""
        return Trace(self.setup, self.seed, tuple(self.replies), self.outcome)

    def _go_on(self) -> None:
        """Play up to the next decision of a text player, or to the end."""
        while True:
            if self._round.over or (self._passes >= self.setup.cap and "accept" not in legal(self._round).moves):
                return self._end()
            allowed = legal(self._round)
            if allowed.seat in self._readers and allowed.moves not in (("draw",), ("wrap",)):
                self._decider = allowed.seat
                return None
            move, _, after = next_move(self._bots, view(self._round), allowed, self._events, self._now)
            self._play(move, after if self._events else pace.first_look(len(self.setup.seats) * self._gifts))

    def _play(self, move: Move, after: float) -> None:
        self._now += after
        self._passes += isinstance(move, Give)
        self._round, events = play(self._round, move)
        self._show(events)

    def _show(self, events: Sequence[Event]) -> None:
        self._events, seen = events, view(self._round)
        for bot in self._bots.values():
            bot.see(seen, events, self._now)
        lines = tuple(self._narrator.see(seen, events))
        for reader in self._readers.values():
            reader.lines.extend(lines)

    def _end(self, forfeited: int | None = None) -> None:
        scores = self._round.scores
        playing = [score for seat, score in enumerate(scores) if seat != forfeited]
        winners = tuple(seat for seat, score in enumerate(scores) if score == min(playing) and seat != forfeited)
        capped = forfeited is None and not self._round.over
        self.outcome = Outcome(scores, winners, self._passes, capped, forfeited)


def derive(trace: Trace) -> Outcome | None:
    """Play a trace again and return its outcome, for comparison with the one it states."""
    table = TextTable(trace.setup)
    table.reset(trace.seed)
    for reply in trace.replies:
        table.reply(reply)
    return table.outcome
