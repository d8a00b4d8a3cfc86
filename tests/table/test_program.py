"""A guest that says it is a program is shown as one, and treated like a person otherwise."""

from notahat.table import commands as do
from notahat.table import fold, view
from notahat.table.events import decode, encode
from notahat.table.story import story
from support.tables import TableDriver


def test_program_is_shown_in_view_news_and_story() -> None:
    driver = TableDriver(rounds="each").seated("Ada", "Ben")
    (news,) = driver.send("Robo", do.Sit("Robo", program=True))
    assert news.kind == "program"  # type: ignore[union-attr]
    driver.started().play_round()
    assert [seat.kind for seat in view(driver.table, driver.present).seats] == ["person", "person", "program"]
    told = story(driver.log, 1)
    assert told is not None
    assert [seat.kind for seat in told.seats] == ["person", "person", "program"]
    assert fold(None, [decode(encode(entry)) for entry in driver.log]) == driver.table
