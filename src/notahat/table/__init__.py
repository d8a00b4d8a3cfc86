"""A live table, pure as well: commands become events, events become state, and one view of it serves all."""

from notahat.table.admission import may_watch, welcome
from notahat.table.commands import GuestCommand, HouseCommand, Order
from notahat.table.decide import apply, decide, entry, open_table, resolve
from notahat.table.events import Entry, Unknown
from notahat.table.evolve import evolve
from notahat.table.illegal import TableReason
from notahat.table.may import May, may
from notahat.table.options import Options
from notahat.table.shown import Shown, shown
from notahat.table.step import Step, fold, steps
from notahat.table.story import Story
from notahat.table.table import EMOTES, Seat, Stage, Table
from notahat.table.view import Chair, Deadline, MatchView, TableView, view

__all__ = [
    "EMOTES",
    "Chair",
    "Deadline",
    "Entry",
    "GuestCommand",
    "HouseCommand",
    "MatchView",
    "May",
    "Options",
    "Order",
    "Seat",
    "Shown",
    "Stage",
    "Step",
    "Story",
    "Table",
    "TableReason",
    "TableView",
    "Unknown",
    "apply",
    "decide",
    "entry",
    "evolve",
    "fold",
    "may",
    "may_watch",
    "open_table",
    "resolve",
    "shown",
    "steps",
    "view",
    "welcome",
]
