"""The HTTP side: guests, cookies, tickets, codes, pages, and who is turned away."""

import asyncio
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from notahat.clients.python import Client, Declined
from notahat.server.table_codes import LETTERS, new_code, tidy_code
from support.raw_http import Answer, RawSocket, ask
from support.server_process import Served, served
from support.timeouts import PATIENCE


def browser(server: Served) -> dict[str, str]:
    """What a page of ours sends along."""
    return {"origin": server.url, "sec_fetch_site": "same-origin"}


def cookie_of(answer: Answer) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def new_guest(server: Served) -> str:
    return str(ask(server.url, "POST", "/api/guests").json["token"])


def open_table(server: Served, token: str, body: bytes = b"{}") -> Answer:
    return ask(server.url, "POST", "/api/tables", body, authorization=f"Bearer {token}")


def at_once(server: Served, paths: list[str]) -> list[Answer]:
    """The answers, when all are asked at the same time: what fills up again with time hardly does meanwhile."""
    with ThreadPoolExecutor(len(paths)) as people:
        return list(people.map(lambda path: ask(server.url, "GET", path), paths))


def test_a_program_gets_a_token_of_128_random_bits(server: Served) -> None:
    tokens = {new_guest(server) for _ in range(5)}
    assert len(tokens) == 5
    assert all(re.fullmatch(r"[\w-]{22}", token) for token in tokens)


def test_a_browser_gets_a_cookie_that_no_script_can_read(server: Served) -> None:
    answer = ask(server.url, "POST", "/api/guests", **browser(server))
    assert (answer.status, answer.json) == (201, {"token": None})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    again = ask(server.url, "POST", "/api/guests", cookie=cookie_of(answer), **browser(server))
    assert again.status == 200
    assert "set-cookie" not in again.headers


def test_tokens_are_kept_only_as_hashes(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        token = new_guest(server)
        assert open_table(server, token).status == 201
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in stored
    assert token not in server.log


def test_minting_guests_is_limited_for_each_address(tmp_path: Path) -> None:
    with served(tmp_path, NOTAHAT_GUESTS_PER_ADDRESS="3") as server:
        answers = [ask(server.url, "POST", "/api/guests") for _ in range(5)]
    assert [answer.status for answer in answers] == [201, 201, 201, 429, 429]
    assert answers[-1].json["reason"] == "too_many_guests"


def test_behind_a_proxy_the_address_is_the_one_the_proxy_saw(tmp_path: Path) -> None:
    with served(tmp_path, NOTAHAT_GUESTS_PER_ADDRESS="1", NOTAHAT_BEHIND_PROXY="yes") as server:
        first = [ask(server.url, "POST", "/api/guests", x_forwarded_for=f"9.9.9.9, 10.0.0.{n}") for n in (1, 2)]
        again = ask(server.url, "POST", "/api/guests", x_forwarded_for="8.8.8.8, 10.0.0.1")
    assert [answer.status for answer in first] == [201, 201]
    assert again.status == 429


def test_a_table_has_a_code_of_four_letters_that_look_like_no_others(server: Served) -> None:
    answer = open_table(server, new_guest(server))
    code = str(answer.json["code"])
    assert answer.status == 201
    assert answer.json["link"] == f"/t/{code}"
    assert len(code) == 4
    assert set(code) <= set(LETTERS)
    for look_alikes in ("0OQ", "1IL", "2Z", "5S", "8B", "UV"):
        assert len(set(look_alikes) & set(LETTERS)) <= 1
    assert ask(server.url, "GET", f"/api/tables/{code.lower()}").status == 200
    assert tidy_code(f" {code.lower()} ") == code
    assert tidy_code("K7Q") is None
    assert len({new_code() for _ in range(50)}) > 40


def test_a_summary_tells_strangers_no_more_than_the_door_needs(server: Served) -> None:
    code = open_table(server, new_guest(server), b'{"options": {"rounds": "each"}}').json["code"]
    summary = ask(server.url, "GET", f"/api/tables/{code}").json
    assert set(summary) == {
        "code",
        "stage",
        "seats",
        "watching",
        "locked",
        "options",
        "match",
        "you",
        "invitation",
        "home",
    }
    assert summary["stage"] == "lobby"
    assert summary["options"]["rounds"] == "each"  # type: ignore[index]


def test_the_summary_says_why_somebody_may_not_come_in(server: Served) -> None:
    async def sent_away() -> tuple[str, str, str]:
        async with Client(server.url) as ada, Client(server.url) as ben:
            code = await ada.open_table()
            async with ada.table(code) as host:
                async with ben.table(code) as visitor:
                    await visitor.do("sit", name="Ben")
                await host.do("remove", seat=0)
                await host.do("lock", locked=True)
            return code, str(ada.token), str(ben.token)

    code, ada, ben = asyncio.run(sent_away())
    path = f"/api/tables/{code}"
    assert ask(server.url, "GET", path, authorization=f"Bearer {ada}").json["you"] is None
    assert ask(server.url, "GET", path, authorization=f"Bearer {ben}").json["you"] == "removed"
    assert ask(server.url, "GET", path).json["reason"] == "no_such_table"
    invited = str(ask(server.url, "GET", path, authorization=f"Bearer {ada}").json["invitation"]).replace("/t/", "")
    assert ask(server.url, "GET", f"/api/tables/{invited}").json["you"] == "locked"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "reason"),
    [
        ("POST", "/api/tables", b"{", 400, "unreadable"),
        ("POST", "/api/tables", b'{"options": []}', 400, "unreadable"),
        ("POST", "/api/tables", b"\xff", 400, "unreadable"),
        ("POST", "/api/tables", b'{"options": {"edition": ' + b"[" * 3000 + b"]" * 3000 + b"}}", 400, "unreadable"),
        ("POST", "/api/tables", b'{"options": {"gifts_each": 5}}', 400, "bad_options"),
        ("POST", "/api/tables", b'{"options": {"a": "' + b"x" * 9000 + b'"}}', 413, "too_big"),
        ("GET", "/api/tables/AAAA", None, 404, "no_such_table"),
        ("GET", "/api/tables/AAAAA", None, 404, "no_such_table"),
        ("GET", "/api/tables/AAAA/rounds/1", None, 404, "no_such_table"),
        ("POST", "/api/tickets/use", b'{"ticket": "nonsense"}', 404, "no_such_ticket"),
        ("POST", "/api/tickets/use", b"{}", 400, "unreadable"),
        ("GET", "/api/qr.svg?path=https://elsewhere.example/", None, 404, "no_such_page"),
        ("GET", "/api/qr.svg", None, 404, "no_such_page"),
        ("GET", "/api/nothing", None, 404, "no_such_page"),
        ("DELETE", "/api/tables", None, 405, "wrong_method"),
        ("GET", "/assets/nothing.js", None, 404, "no_such_page"),
        ("GET", "/assets/../../etc/passwd", None, 404, "no_such_page"),
        ("GET", "/api/tables/AAAA/socket", None, 404, "no_such_page"),
    ],
)
def test_every_bad_request_gets_a_reason(
    server: Served, method: str, path: str, body: bytes | None, status: int, reason: str
) -> None:
    answer = ask(server.url, method, path, body, authorization=f"Bearer {new_guest(server)}")
    assert (answer.status, answer.json["reason"]) == (status, reason)


def test_without_a_token_nothing_can_be_opened(server: Served) -> None:
    assert ask(server.url, "POST", "/api/tables", b"{}").status == 401
    assert open_table(server, "x" * 22).json["reason"] == "no_guest"
    assert open_table(server, "x" * 500).json["reason"] == "no_guest"
    assert ask(server.url, "POST", "/api/tickets").status == 401


def test_other_pages_cannot_use_our_cookie(server: Served) -> None:
    cookie = cookie_of(ask(server.url, "POST", "/api/guests", **browser(server)))
    for origin in ("https://elsewhere.example", "null", server.url.replace("http", "ftp"), server.url + ".example"):
        refused = ask(server.url, "POST", "/api/tables", b"{}", cookie=cookie, origin=origin)
        assert (refused.status, refused.json["reason"]) == (403, "bad_origin")
    assert ask(server.url, "POST", "/api/tables", b"{}", cookie=cookie, sec_fetch_site="cross-site").status == 403
    assert ask(server.url, "POST", "/api/tables", b"{}", cookie=cookie, **browser(server)).status == 201


def test_on_a_socket_browsers_must_come_from_our_pages_and_programs_have_a_token(server: Served) -> None:
    cookie = cookie_of(ask(server.url, "POST", "/api/guests", **browser(server)))
    opened = ask(server.url, "POST", "/api/tables", b"{}", cookie=cookie, **browser(server))
    path = f"/api/tables/{opened.json['code']}/socket"
    with RawSocket(server.url, path, cookie=cookie, origin=server.url) as line:
        assert line.status == 101
    refusals = [
        ({"cookie": cookie, "origin": "https://elsewhere.example"}, 403, "bad_origin"),
        ({"cookie": cookie}, 401, "no_guest"),
        ({}, 401, "no_guest"),
        ({"authorization": "Bearer nonsense"}, 401, "no_guest"),
        ({"authorization": f"Bearer {new_guest(server)}", "origin": "https://elsewhere.example"}, 403, "bad_origin"),
    ]
    for headers, status, reason in refusals:
        with RawSocket(server.url, path, **headers) as line:
            assert (line.status, line.reason) == (status, reason)


def test_the_public_url_is_an_origin_of_ours_too(tmp_path: Path) -> None:
    with served(tmp_path, NOTAHAT_PUBLIC_URL="https://hats.example") as server:
        answer = ask(server.url, "POST", "/api/guests", origin="https://hats.example")
        assert answer.status == 201
        assert "secure" in answer.headers["set-cookie"].lower()
        code = open_table(server, new_guest(server)).json["code"]
        assert ask(server.url, "GET", f"/api/tables/{code}").json["home"] == "https://hats.example"


def test_wrong_codes_are_throttled_but_people_at_home_are_let_in(tmp_path: Path) -> None:
    with served(tmp_path, pace=1.0) as server:
        token = new_guest(server)
        code = open_table(server, token).json["code"]
        answers = at_once(server, [f"/api/tables/AAA{a}" for a in LETTERS] + [f"/api/tables/AAC{a}" for a in LETTERS])
        assert {answer.json["reason"] for answer in answers} == {"no_such_table", "too_many_tries"}
        path = f"/api/tables/{code}/socket"
        with RawSocket(server.url, path, authorization=f"Bearer {token}") as line:
            assert line.status == 101
        throttled(server, lambda: ask(server.url, "GET", f"/api/tables/{code}").status)
        stranger = f"Bearer {new_guest(server)}"
        throttled(server, lambda: knock(server, path, stranger))


def throttled(server: Served, status: Callable[[], int]) -> None:
    """Somebody else tries codes from the same address, so there is no try left; a slow machine may bring one back."""
    deadline = time.monotonic() + PATIENCE
    while status() != 429:
        assert time.monotonic() < deadline
        at_once(server, ["/api/tables/CCCC"] * 4)


def knock(server: Served, path: str, authorization: str) -> int:
    with RawSocket(server.url, path, authorization=authorization) as line:
        return line.status


def test_a_ticket_lets_the_same_guest_go_on_elsewhere_exactly_once(server: Served) -> None:
    async def story() -> None:
        async with Client(server.url) as phone:
            code = await phone.open_table()
            async with phone.table(code) as table:
                await table.do("sit", name="Ada")
                ticket = await phone.ticket()
                laptop = Client(server.url, "none yet")
                await laptop.use_ticket(ticket)
                assert laptop.token != phone.token
                async with laptop.table(code) as other:
                    assert (await other.do("emote", emote="hello")).you == (0,)
                with pytest.raises(Declined) as used:
                    await laptop.use_ticket(ticket)
                assert used.value.reason == "no_such_ticket"

    asyncio.run(story())


def test_a_browser_with_a_ticket_gets_the_cookie(server: Served) -> None:
    token = new_guest(server)
    link = str(ask(server.url, "POST", "/api/tickets", authorization=f"Bearer {token}").json["link"])
    assert link.startswith("/c/")
    body = b'{"ticket": "' + link.removeprefix("/c/").encode() + b'"}'
    answer = ask(server.url, "POST", "/api/tickets/use", body, **browser(server))
    assert (answer.status, answer.json) == (201, {"token": None})
    assert "httponly" in answer.headers["set-cookie"].lower()


def test_opening_a_ticket_makes_nobody_somebody_else_without_asking(server: Served) -> None:
    link = str(ask(server.url, "POST", "/api/tickets", authorization=f"Bearer {new_guest(server)}").json["link"])
    mine, ticket = a_cookie(server), link.removeprefix("/c/")
    body = b'{"ticket": "%b"}' % ticket.encode()
    asked = ask(server.url, "POST", "/api/tickets/use", body, cookie=mine, **browser(server))
    assert (asked.status, asked.json["reason"]) == (409, "already_somebody")
    assert "set-cookie" not in asked.headers
    sure = b'{"ticket": "%b", "instead": true}' % ticket.encode()
    assert ask(server.url, "POST", "/api/tickets/use", sure, cookie=mine, **browser(server)).status == 201


def test_a_qr_code_is_a_drawing_of_our_own_link(server: Served) -> None:
    answer = ask(server.url, "GET", "/api/qr.svg?path=/t/K7QX")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.body.startswith(b"<svg xmlns=")
    other = ask(server.url, "GET", "/api/qr.svg?path=/t/K7QY")
    assert other.body != answer.body


def test_every_client_route_is_the_one_page_and_runs_no_inline_script(server: Served) -> None:
    for path in ("/", "/t/K7QX", "/c/abcdef", "/rules", "/privacy"):
        answer = ask(server.url, "GET", path)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/html")
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-cache"


def test_the_server_is_healthy(server: Served) -> None:
    assert ask(server.url, "GET", "/healthz").json == {"ok": True}


def test_a_story_is_told_only_after_its_round(server: Served) -> None:
    async def story() -> list[str]:
        reasons = []
        async with Client(server.url) as client:
            code = await client.open_table()
            async with client.table(code) as table:
                for name in ("Ada", "Ben", "Cem"):
                    await table.do("sit", name=name)
                for number in (1, 0):
                    with pytest.raises(Declined) as missing:
                        await client.story(code, number)
                    reasons.append(missing.value.reason)
                await table.do("start")
                with pytest.raises(Declined) as early:
                    await client.story(code, 1)
                reasons.append(early.value.reason)
                await table.do("end_match")
                told = await client.story(code, 1)
                assert told.ended_early
                assert [player.name for player in told.seats] == ["Ada", "Ben", "Cem"]
        return reasons

    assert asyncio.run(story()) == ["no_such_round", "no_such_round", "round_running"]


@pytest.mark.parametrize("neighbour", ['foo={"a":1}', "x[1]=2", "name=J\xfcrgen", "junk", '="', 'q="\\"\\"'])
def test_odd_cookies_beside_ours_do_no_harm(server: Served, neighbour: str) -> None:
    mine = a_cookie(server)
    for cookies in (f"{neighbour}; {mine}", f"{mine}; {neighbour}"):
        answer = ask(server.url, "POST", "/api/guests", b"", origin=server.url, cookie=cookies)
        assert answer.status == 200, "they are known"


def test_a_large_cookie_header_is_not_read_at_all(server: Served) -> None:
    hostile = 'notahat="' + '\\"' * 10_000
    began = processor_seconds(server)
    answer = ask(server.url, "POST", "/api/tables", b"{}", origin=server.url, cookie=hostile)
    assert (answer.status, answer.json["reason"]) == (401, "no_guest")
    assert processor_seconds(server) - began < 1.0  # the standard library's parser takes many


def processor_seconds(server: Served) -> float:
    said = server.figures()
    return float(re.findall(r"notahat_cpu_seconds_total (\S+)", said.replace("counter", ""))[-1])


def a_cookie(server: Served) -> str:
    answer = ask(server.url, "POST", "/api/guests", b"", origin=server.url)
    return answer.headers["set-cookie"].partition(";")[0]


def test_one_address_cannot_open_tables_without_end(tmp_path: Path) -> None:
    with served(tmp_path, NOTAHAT_GUESTS_PER_ADDRESS="30") as server:
        tokens = [new_guest(server) for _ in range(3)]
        began = time.monotonic()
        told = [open_table(server, tokens[n % 3]).status for n in range(36)]
        seconds = time.monotonic() - began
    assert told[:30] == [201] * 30
    assert 30 <= told.count(201) <= 31 + seconds * 30 / 2400
    assert set(told) == {201, 429}


def test_qr_codes_are_drawn_once_and_not_without_end(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        began = time.monotonic()
        told = [answer.status for answer in at_once(server, [f"/api/qr.svg?path=/t/A{n}" for n in range(120)])]
        seconds = time.monotonic() - began
        assert 60 <= told.count(200) <= 61 + seconds  # one more each second
        assert set(told) <= {200, 429}
        drawn = told.index(200)
        again = at_once(server, [f"/api/qr.svg?path=/t/A{drawn}"] * 100)
        assert {answer.status for answer in again} == {200}, "it was drawn before"


def test_a_story_is_told_once_and_beside_everything_else(server: Served) -> None:
    async def story() -> None:
        async with Client(server.url) as client:
            code = await client.open_table()
            async with client.table(code) as table:
                for name in ("Ada", "Ben"):
                    await table.do("sit", name=name)
                await table.do("start")
                await table.do("end_match")
                told = await asyncio.gather(*(client.story(code, 1) for _ in range(8)))
                assert all(one == told[0] for one in told)
                await table.do("again")
                await table.do("start")
                assert await client.story(code, 1) == told[0]
                with pytest.raises(Declined) as early:
                    await client.story(code, 2)
                assert early.value.reason == "round_running"

    asyncio.run(story())
