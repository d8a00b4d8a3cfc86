import asyncio

import msgspec
import pytest
from starlette.requests import Request

from notahat.gifts import LANGUAGES
from notahat.paper import sheet
from notahat.server.http.app import get_openapi
from notahat.server.http.openapi import openapi
from notahat.server.http.pdf_jobs import MAX_PENDING, PdfBusy, PdfJobs, PdfOptions, parse_options
from support.raw_http import send_request
from support.server_process import ServerProcess

SMALL = "/api/print.pdf?deck=special&special_cards=false&arrows=black&language=nl&paper=letter&size=56x35&backs=saving"


def test_pdf_is_made_once_and_cached(server: ServerProcess) -> None:
    head = send_request(server.url, "HEAD", SMALL)
    assert (head.status, head.headers["content-type"], head.body) == (200, "application/pdf", b"")
    first, again = (send_request(server.url, "GET", SMALL) for _ in range(2))
    assert (first.status, first.headers["content-type"]) == (200, "application/pdf")
    assert first.headers["content-disposition"] == 'attachment; filename="not-a-hat-special-nl.pdf"'
    assert first.body.startswith(b"%PDF-")
    assert again.body == first.body


@pytest.mark.parametrize(
    "query", ["deck=tarot", "language=tlh", "paper=a5", "size=88x54", "arrows=", "more=1", "flip=long&special_cards=x"]
)
def test_invalid_pdf_options_are_refused(server: ServerProcess, query: str) -> None:
    answer = send_request(server.url, "GET", f"/api/print.pdf?{query}")
    assert (answer.status, answer.json["reason"]) == (400, "bad_options")


def test_described_pdf_options_are_accepted() -> None:
    described = openapi()["paths"]["/api/print.pdf"]["get"]["parameters"]
    assert [option["name"] for option in described] == [field.name for field in msgspec.structs.fields(PdfOptions)]
    for option in described:
        for value in option["schema"].get("enum", ("true", "false")):
            parse_options({option["name"]: value})
    sizes = next(option["schema"]["enum"] for option in described if option["name"] == "size")
    assert [sheet.parse_size(text) for text in sizes] == list(sheet.SIZES)


def test_openapi_is_generated_once() -> None:
    async def body() -> bytes:
        return bytes((await get_openapi(Request({"type": "http"}))).body)

    assert asyncio.run(body()) is asyncio.run(body())


def test_too_many_pdf_jobs_are_refused_and_close_cancels_all() -> None:
    async def scenario() -> None:
        jobs = PdfJobs()
        options = [parse_options({"language": language}) for language in LANGUAGES]
        pending = [asyncio.ensure_future(jobs.pdf(one)) for one in options[:MAX_PENDING]]
        await asyncio.sleep(0)  # all jobs are queued, and none has started
        with pytest.raises(PdfBusy):
            await jobs.pdf(options[MAX_PENDING])
        await jobs.close()
        results = await asyncio.gather(*pending, return_exceptions=True)
        assert [type(result) for result in results] == [asyncio.CancelledError] * MAX_PENDING

    asyncio.run(scenario())
