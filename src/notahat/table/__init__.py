"""A table as pure functions: commands become events, events become state, and one view of it serves all guests."""

from notahat.table.admission import admission_limit
from notahat.table.commands.command import Context, GuestCommand, May, SystemCommand
from notahat.table.decide import decide, may, open_table
from notahat.table.events import Entry, Unknown
from notahat.table.evolve import Step, evolve, fold, steps
from notahat.table.options import Options, TableReason
from notahat.table.people import FACES
from notahat.table.shown import Shown, shown
from notahat.table.story import Story
from notahat.table.table import EMOTES, Seat, Stage, Table
from notahat.table.view import Chair, Deadline, Idle, MatchView, TableView, view
