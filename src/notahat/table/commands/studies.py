"""Commands of a study: agreeing to it or withdrawing, and answering its questions."""

from collections.abc import Iterable

from notahat.rules import Illegal
from notahat.table import events as log
from notahat.table.commands.command import NOT_SEATED, Context, GuestCommand, May, Rejection
from notahat.table.events import Events
from notahat.table.options import TableReason
from notahat.table.table import MOST_CONFIDENCE

_NOT_AGREED = Rejection(TableReason.NO_STUDY, "you have not agreed to the study")
_NO_STUDY = Rejection(TableReason.NO_STUDY, "rounds at this table are not studied")


class Study(GuestCommand, frozen=True):
    """Agree that the operator may study the rounds played from now on, or withdraw that for all rounds."""

    agree: bool

    def rejection(self, ctx: Context) -> Rejection | None:
        """A guest may withdraw at any time, also without a seat. Spoken claims are not recorded, so not studied."""
        table = ctx.table
        if not self.agree:
            return None if ctx.guest in ctx.table.agreed else _NOT_AGREED
        if not table.study or table.spoken:
            return _NO_STUDY
        return None if ctx.held or ctx.guest in table.waiting else NOT_SEATED

    def events(self, ctx: Context) -> Events:
        if not self.agree:
            return (log.Withdrew(ctx.guest),)
        return () if ctx.guest in ctx.table.agreed else (log.Agreed(ctx.guest),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        agree = ctx.guest not in ctx.table.agreed
        if cls(agree).rejection(ctx) is None:
            yield May("study", agree=agree, probes=ctx.table.probe > 0 or None)


class Probe(GuestCommand, frozen=True):
    """Say what you believe the gift of your decision at `turn` to be; `confidence`: 0 (no idea) to 4, null to skip."""

    turn: int
    believed: str | None = None
    confidence: int | None = None

    def rejection(self, ctx: Context) -> Rejection | None:
        asked = any(one.turn == self.turn and one.seat in ctx.held for one in ctx.table.asked)
        if asked and ctx.stage == "play" and ctx.guest in ctx.table.agreed:
            return None
        return Rejection(TableReason.STALE, f"nothing is asked about turn {self.turn}")

    def events(self, ctx: Context) -> Events:
        believed, confidence = self.believed, self.confidence
        if believed is not None and not ctx.table.allows_claim(believed):
            raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {believed[:40]!r} in the catalogue")
        if confidence is not None and not 0 <= confidence <= MOST_CONFIDENCE:
            raise Illegal(TableReason.BAD_OPTIONS, f"confidence is a number from 0 to {MOST_CONFIDENCE}")
        if (believed is None) != (not confidence):
            raise Illegal(TableReason.BAD_OPTIONS, "a gift and a confidence above 0 belong together")
        seat = next(one.seat for one in ctx.table.asked if one.turn == self.turn)
        return (log.Probed(seat, self.turn, believed, confidence),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        for one in ctx.table.asked:
            if one.seat in ctx.held and cls(one.turn).rejection(ctx) is None:
                yield May("probe", turn=one.turn, about=one.about)
