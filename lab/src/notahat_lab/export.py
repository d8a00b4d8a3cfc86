"""Export one row per decision. docs/export.md describes the columns."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from notahat import rules
from notahat.bots import Bot
from notahat.bots.memory import catalogue_look_alikes
from notahat.bots.player import Player
from notahat.rules.round import Answering, Giving
from notahat_lab.errors import LabError
from notahat_lab.game import play_out
from notahat_lab.tournament import Setup, map_batches, seat_game

ACCEPTED, GIVER_WRONG, RECEIVER_WRONG = "accepted", "giver_wrong", "receiver_wrong"


class Decision(Struct, frozen=True):
    """One claim or one answer."""

    game: str
    turn: int
    players: int
    seat: int
    player: str
    kind: str
    claim: str
    truth: str
    believed: str | None
    seconds: float
    passes_since_seen: int
    seconds_since_seen: float
    look_alike: bool
    outcome: str
    by: str
    gifts_each: int
    edition: str
    pace: str
    giver: int
    receiver: int
    back: str
    scores: str
    exposures: int
    exposure_seconds: str
    confidence: int | None = None
    at: float = 0.0


class DecisionRecorder:
    """Records every decision of one game. Times are seconds since the deal."""

    def __init__(self, game: str, dealt: rules.Round, edition: str, pace: str = "normal") -> None:
        self._game = game
        self._edition, self._pace, self._gifts_each = edition, pace, len(dealt.columns[0])
        self._passes = 0
        top = dealt.shop[:1]
        self._exposed: dict[str, list[float]] = {
            card.gift: [0.0] for cards in (*dealt.columns, top) for card in cards
        }  # by gift: when it became visible, and when claims named it
        self._shown: dict[str, tuple[int, float]] = {}  # by gift: passes and time when it was last open
        self._pending: list[Decision] = []  # decisions of the current pass, without an outcome yet
        self.decisions: list[Decision] = []

    def record(
        self,
        before: rules.Round,
        move: rules.Move,
        events: Iterable[rules.Event],
        now: float,
        seconds: float,
        player: str,
        believed: str | None = None,
        by: str = "bot",
        confidence: int | None = None,
    ) -> None:
        """Record a move that was made at `now` after `seconds` of thinking."""
        phase = before.phase
        row = partial(self._row, before, move.seat, now, seconds, player, believed, by, confidence)
        for event in events:
            if isinstance(event, rules.Wrapped):
                self._shown[_in_hand(before)] = self._passes, now
            elif isinstance(event, rules.Drawn):
                for card in before.shop[1:2]:  # the next gift lies open on top of the shop
                    self._exposed.setdefault(card.gift, []).append(round(now, 3))
            elif isinstance(event, rules.Offered) and isinstance(phase, Giving) and isinstance(move, rules.Give):
                self._pending = [row("give", event.claim, receiver=event.receiver)]
                self._passes += 1
                self._exposed.setdefault(event.claim or "", []).append(round(now, 3))
            elif isinstance(event, rules.Accepted | rules.Refused) and isinstance(phase, Answering):
                self._pending.append(row("answer", phase.claim))
                if isinstance(event, rules.Accepted):
                    self._settle(ACCEPTED)
            elif isinstance(event, rules.Penalised) and isinstance(phase, Answering):
                self._settle(GIVER_WRONG if event.seat == phase.giver else RECEIVER_WRONG)

    def _settle(self, outcome: str) -> None:
        self.decisions += [structs.replace(one, outcome=outcome) for one in self._pending]
        self._pending = []

    def _row(
        self,
        before: rules.Round,
        seat: int,
        now: float,
        seconds: float,
        player: str,
        believed: str | None,
        by: str,
        confidence: int | None,
        kind: str,
        claim: str | None,
        receiver: int | None = None,
    ) -> Decision:
        truth, phase = _in_hand(before), before.phase
        if not isinstance(phase, Giving | Answering):
            raise AssertionError("a decision without a card in hand")
        passes, shown = self._shown[truth]
        return Decision(
            game=self._game,
            turn=before.turn,
            players=len(before.columns),
            seat=seat,
            player=player,
            kind=kind,
            claim=claim or "",
            truth=truth,
            believed=believed,
            seconds=round(seconds, 3),
            passes_since_seen=self._passes - passes - (kind == "answer"),
            seconds_since_seen=round(now - shown, 3),
            look_alike=claim in catalogue_look_alikes().get(truth, ()),
            outcome="",  # set by `_settle`
            by=by,
            gifts_each=self._gifts_each,
            edition=self._edition,
            pace=self._pace,
            giver=phase.giver,
            receiver=seat if receiver is None else receiver,
            back=str(phase.card.back),
            scores="/".join(map(str, before.scores)),
            exposures=len(self._exposed[truth]),
            exposure_seconds="/".join(f"{time:g}" for time in self._exposed[truth]),
            confidence=confidence,
            at=round(now, 3),
        )


def _in_hand(round_: rules.Round) -> str:
    gift: str = round_.phase.card.gift  # type: ignore[union-attr]  # every decision is about a card in hand
    return gift


def from_arena(setup: Setup, games: int, jobs: int) -> Iterator[Decision]:
    """Yield every decision of a tournament's games."""
    for batch in map_batches(partial(_play_batch, setup), games, jobs):
        yield from batch


def _play_batch(setup: Setup, numbers: range) -> list[Decision]:
    return [one for number in numbers for one in _play_game(setup, number)]


def _play_game(setup: Setup, number: int) -> list[Decision]:
    table = seat_game(setup, number)
    seen: list[tuple[rules.Round, tuple[rules.Event, ...], str | None]] = []

    def observe(round_: rules.Round, events: tuple[rules.Event, ...], now: float) -> None:  # noqa: ARG001
        seen.append((round_, events, _believed(table.players, round_)))

    played = play_out(table.players, table.cards, setup.gifts, table.starter, setup.cap, observe)
    recorder = DecisionRecorder(f"{setup.seed}/{number}", seen[0][0], setup.edition)
    for made, (before, _, believed), (_, events, _) in zip(played.moves, seen, seen[1:], strict=False):
        belief = believed if isinstance(made.move, rules.Give | rules.Accept | rules.Refuse) else None
        player = table.names[made.move.seat]
        recorder.record(before, made.move, events, made.now, made.seconds, player, belief)
    return recorder.decisions


def _believed(players: Sequence[Bot], round_: rules.Round) -> str | None:
    """Return the deciding player's best guess for the card in hand, if it is a built-in player with a memory."""
    phase = round_.phase
    if not isinstance(phase, Giving | Answering):
        return None
    player = players[phase.giver if isinstance(phase, Giving) else phase.receiver]
    if not isinstance(player, Player) or player.mind.parcels.hand is None:
        return None
    return player.mind.belief(player.mind.parcels.hand).best


def write_decisions(decisions: Iterable[Decision], file: Path) -> int:
    """Write rows as Parquet or CSV, by the file's suffix. Return their number."""
    if file.suffix == ".parquet":
        return _write_parquet(decisions, file)
    if file.suffix != ".csv":
        raise LabError(f"the file must end with .parquet or .csv, not {file.name}")
    count = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(Decision.__struct_fields__)
        for one in decisions:
            writer.writerow(["" if value is None else value for value in structs.astuple(one)])
            count += 1
    return count


def _write_parquet(decisions: Iterable[Decision], file: Path) -> int:
    import pyarrow as arrow
    from pyarrow import parquet

    kinds: dict[Any, Any] = {str: arrow.string(), int: arrow.int32(), float: arrow.float64(), bool: arrow.bool_()}
    hints = {**Decision.__annotations__, "believed": str, "confidence": int}
    schema = arrow.schema([(name, kinds[hints[name]]) for name in Decision.__struct_fields__])
    rows = [structs.asdict(one) for one in decisions]
    parquet.write_table(arrow.Table.from_pylist(rows, schema), file)
    return len(rows)
