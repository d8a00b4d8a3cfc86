"""Numbers for learners, the same in every version, for every number of players and in every variant.

A gift has one number wherever it turns up: as what lies open, as what is claimed, and as the action that claims it.
"""

from notahat.gifts import catalogue
from notahat.rules import Back
from notahat.rules.round import MOST_PLAYERS, PENALTIES_THAT_END

NOTHING, NOBODY = 0, 255
BACKS = {Back.LEFT: 1, Back.RIGHT: 2, Back.ANY: 3}
LEFT, RIGHT, ANY = BACKS.values()
FIRST_GIFT = 16
CODES = {key: FIRST_GIFT + gift.number for key, gift in catalogue().items()}
GIFTS = {code: gift for gift, code in sorted(CODES.items(), key=lambda one: one[1])}
NAMES = {code: f"[{back}]" for back, code in BACKS.items()} | GIFTS

# Actions; and from FIRST_GIFT on, to claim the gift of that number.
ACCEPT, REFUSE, WATCH, TO, ACTIONS = 0, 1, 2, 8, 256  # TO + seat: give a special card to that seat

# What is to be decided.
RECEIVING, CLAIMING, ANSWERING, OVER = range(4)

# The present: where what lies open is found. A column has two places, the bottom first; a discard pile has three.
YOU, ACTOR, DECISION, GIVER, RECEIVER, BACK, CLAIM, TOP, COLUMNS = range(9)
PLACES = 2
PILES = COLUMNS + MOST_PLAYERS * PLACES
PRESENT = PILES + MOST_PLAYERS * PENALTIES_THAT_END

# What happened: one row for each gift that was passed on, or is about to be.
HOW, FROM, SHOWN, ARROW, INTO, NAMED, ANSWER, TURNED_OVER, FIELDS = range(9)
FROM_SHOP, OPEN_FROM_COLUMN, WRAPPED_FROM_COLUMN = 1, 2, 3
ACCEPTED, REFUSED = 1, 2
EVENTS = 16  # rows that an observation holds; whoever would miss one gets a turn to watch first

assert max(GIFTS) < NOBODY
