"""The content of the printed rules: texts of the web app in order, with pictures between them.

A picture is a row of gifts and backs; `>` is an arrow between them. `over` starts a new column. The browser prints the
same list.
"""

from typing import Literal, NamedTuple

Kind = Literal["lead", "head", "text", "important", "tip", "row", "column", "offer", "denial", "example", "over"]


class Part(NamedTuple):
    """One part: `of` is the key of a text, the gift of a spoken line, or the content of a picture."""

    kind: Kind
    of: str


PARTS = (
    Part("lead", "rules.idea"),
    Part("head", "rules.setup"),
    Part("row", "hat guitar muffin"),
    Part("text", "rules.setup_text"),
    Part("text", "rules.people"),
    Part("head", "rules.turn"),
    Part("row", "piano > left"),
    Part("text", "rules.draw_text"),
    Part("row", "left right any"),
    Part("text", "rules.arrows_text"),
    Part("offer", "piano"),
    Part("text", "rules.give_text"),
    Part("head", "rules.accept"),
    Part("text", "rules.accept_text"),
    Part("important", "rules.oldest_text"),
    Part("head", "rules.refuse"),
    Part("denial", "piano"),
    Part("text", "rules.refuse_text"),
    Part("text", "rules.need_not"),
    Part("head", "rules.end"),
    Part("text", "rules.end_text"),
    Part("head", "rules.harder"),
    Part("text", "rules.harder_text"),
    Part("head", "rules.examples"),
    Part("row", "left > piano"),
    Part("example", "rules.example_wrong"),
    Part("row", "any"),
    Part("example", "rules.example_special"),
    Part("column", "right guitar muffin"),
    Part("example", "rules.example_two"),
    Part("over", ""),
    Part("head", "rules.tips"),
    Part("tip", "rules.tip_forgotten"),
    Part("tip", "rules.tip_sure"),
    Part("tip", "rules.tip_unsure"),
)
SMALL_PRINT = ("door.unofficial", "credits.openmoji")
LICENCE = "openmoji.org · CC BY-SA 4.0 · Nunito, Patrick Hand: SIL OFL 1.1"
