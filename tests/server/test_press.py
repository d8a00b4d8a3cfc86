"""Decks as PDFs: who asks gets one, strange orders get a reason, and nobody else is kept waiting."""

import asyncio

import msgspec
import pytest
from starlette.requests import Request

from notahat.gifts import LANGUAGES
from notahat.paper import sheet
from notahat.server.http.app import get_openapi
from notahat.server.http.openapi import openapi
from notahat.server.http.pdf_jobs import MOST_WAITING, Jammed, Order, Press, order
from support.raw_http import ask
from support.server_process import Served

SMALL = "/api/print.pdf?deck=special&special_cards=false&arrows=black&language=nl&paper=letter&size=56x35&backs=saving"


def test_a_deck_is_made_once_and_kept(server: Served) -> None:
    head = ask(server.url, "HEAD", SMALL)
    assert (head.status, head.headers["content-type"], head.body) == (200, "application/pdf", b"")
    first, again = (ask(server.url, "GET", SMALL) for _ in range(2))
    assert (first.status, first.headers["content-type"]) == (200, "application/pdf")
    assert first.headers["content-disposition"] == 'attachment; filename="not-a-hat-special-nl.pdf"'
    assert first.body.startswith(b"%PDF-")
    assert again.body == first.body


@pytest.mark.parametrize(
    "asked", ["deck=tarot", "language=tlh", "paper=a5", "size=88x54", "arrows=", "more=1", "flip=long&special_cards=x"]
)
def test_what_cannot_be_printed_gets_a_reason(server: Served, asked: str) -> None:
    answer = ask(server.url, "GET", f"/api/print.pdf?{asked}")
    assert (answer.status, answer.json["reason"]) == (400, "bad_options")


def test_what_is_described_is_what_can_be_ordered() -> None:
    described = openapi()["paths"]["/api/print.pdf"]["get"]["parameters"]
    assert [one["name"] for one in described] == [field.name for field in msgspec.structs.fields(Order)]
    for one in described:
        for value in one["schema"].get("enum", ("true", "false")):
            order({one["name"]: value})
    sizes = next(one["schema"]["enum"] for one in described if one["name"] == "size")
    assert [sheet.size(text) for text in sizes] == list(sheet.OFFERED)


def test_the_description_is_made_once() -> None:
    async def asked() -> bytes:
        return bytes((await get_openapi(Request({"type": "http"}))).body)

    assert asyncio.run(asked()) is asyncio.run(asked())


async def _crowd() -> None:
    press = Press()
    orders = [order({"language": lang}) for lang in LANGUAGES]
    waiting = [asyncio.ensure_future(press.of(one)) for one in orders[:MOST_WAITING]]
    await asyncio.sleep(0)  # all of them are in line, and nothing is made yet
    with pytest.raises(Jammed):
        await press.of(orders[MOST_WAITING])
    await press.close()
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one) for one in ended] == [asyncio.CancelledError] * MOST_WAITING


def test_a_crowd_is_turned_away_and_a_press_that_closes_leaves_nothing_running() -> None:
    asyncio.run(_crowd())
