"""The numbers that learners see in every version and variant. A gift has one number, on a card and as a claim."""

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

# Actions. TO + seat gives a card with an `any` back to that seat; FIRST_GIFT and above claim the gift of that number.
ACCEPT, REFUSE, WATCH, TO, ACTIONS = 0, 1, 2, 8, 256

# Kinds of decisions.
CHOOSING_RECEIVER, CLAIMING, ANSWERING, OVER = range(4)

# Positions in an observation. A column has two slots, the bottom one first; a discard pile has three.
OWN_SEAT, ACTOR, DECISION, GIVER, RECEIVER, BACK, CLAIM, SHOP_TOP, COLUMNS = range(9)
COLUMN_SLOTS = 2
PILES = COLUMNS + MOST_PLAYERS * COLUMN_SLOTS
OBSERVATION_SIZE = PILES + MOST_PLAYERS * PENALTIES_THAT_END
STATE_SIZE = OBSERVATION_SIZE + 1 + MOST_PLAYERS * COLUMN_SLOTS  # a state adds the gifts in hand and in all columns

# Fields of an event row. There is one row for each gift that was passed on or is in hand.
EVENT_SOURCE, EVENT_GIVER, EVENT_SHOWN, EVENT_BACK, EVENT_RECEIVER, EVENT_CLAIM, EVENT_ANSWER, EVENT_REVEALED = range(8)
EVENT_FIELDS = 8
FROM_SHOP, OPEN_FROM_COLUMN, WRAPPED_FROM_COLUMN = 1, 2, 3
ACCEPTED, REFUSED = 1, 2
EVENT_ROWS = 16  # in an observation; a seat that would miss a row gets a turn to watch first

assert max(GIFTS) < NOBODY
