"""The HTTP API: guests, cookies, tickets, codes, pages and refusals."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request

from notahat.clients.python import Client, Declined
from notahat.server.http.app import get_description
from notahat.server.http.guests import MAX_COOKIES, cookie_token
from notahat.server.http.openapi import openapi
from notahat.server.table_codes import LETTERS, new_code, normalise_code
from support.raw_http import RawSocket, Response, send_request
from support.server_process import ServerProcess, running_server


def browser_headers(server: ServerProcess) -> dict[str, str]:
    """Return the headers that one of our own pages sends."""
    return {"origin": server.url, "sec_fetch_site": "same-origin"}


def cookie_from(answer: Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def new_guest(server: ServerProcess) -> str:
    return str(send_request(server.url, "POST", "/api/guests").json["token"])


def open_table(server: ServerProcess, token: str, body: bytes = b"{}") -> Response:
    return send_request(server.url, "POST", "/api/tables", body, authorization=f"Bearer {token}")


def test_program_gets_token_of_128_random_bits(server: ServerProcess) -> None:
    tokens = {new_guest(server) for _ in range(5)}
    assert len(tokens) == 5
    assert all(re.fullmatch(r"[\w-]{22}", token) for token in tokens)


def test_browser_gets_http_only_cookie(server: ServerProcess) -> None:
    answer = send_request(server.url, "POST", "/api/guests", **browser_headers(server))
    assert (answer.status, answer.json) == (201, {"token": None})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    repeated = send_request(server.url, "POST", "/api/guests", cookie=cookie_from(answer), **browser_headers(server))
    assert repeated.status == 200
    assert "set-cookie" not in repeated.headers


def test_tokens_are_stored_as_hashes(server: ServerProcess) -> None:
    token = new_guest(server)
    assert open_table(server, token).status == 201
    assert token.encode() not in server.disk_content
    assert token not in server.log


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a proxy, so that each test has addresses of its own."""
    with running_server(
        tmp_path_factory.mktemp("public"),
        NOTAHAT_PUBLIC_URL="https://hats.example",
        NOTAHAT_BEHIND_PROXY="yes",
        NOTAHAT_GUESTS_PER_ADDRESS="20",
    ) as server:
        yield server


def statuses(server: ServerProcess, times: int, method: str, path: str, **headers: str) -> list[int]:
    return [send_request(server.url, method, path, b"{}", **headers).status for _ in range(times)]


def test_new_guests_and_tables_are_limited_per_address(public_server: ServerProcess) -> None:
    here, there = {"x_forwarded_for": "9.9.9.9, 10.0.0.1"}, {"x_forwarded_for": "10.0.0.2"}
    made = [send_request(public_server.url, "POST", "/api/guests", **here) for _ in range(30)]
    assert {answer.status for answer in made[:20]} == {201}
    assert (made[-1].status, made[-1].json["reason"]) == (429, "too_many_guests")
    assert statuses(public_server, 1, "POST", "/api/guests", **there) == [201]
    tables: list[int] = []
    for guest in made[:3]:
        token = f"Bearer {guest.json['token']}"
        tables += statuses(public_server, 10, "POST", "/api/tables", authorization=token, **here)
    assert (set(tables[:20]), tables[-1]) == ({201}, 429)


def test_wrong_codes_are_throttled_but_members_get_in(public_server: ServerProcess) -> None:
    here = {"x_forwarded_for": "10.0.0.3"}
    guests = [str(send_request(public_server.url, "POST", "/api/guests", **here).json["token"]) for _ in range(2)]
    member, stranger = ({"authorization": f"Bearer {token}", **here} for token in guests)
    code = send_request(public_server.url, "POST", "/api/tables", b"{}", **member).json["code"]

    def attempt(_: int) -> tuple[int, object]:
        answer = send_request(public_server.url, "GET", "/api/tables/AAAA", **stranger)
        return answer.status, answer.json["reason"]

    with ThreadPoolExecutor(30) as threads:  # each wrong code takes a while, and one more is allowed every 30 s
        assert set(threads.map(attempt, range(30))) == {(404, "no_such_table"), (429, "too_many_tries")}
    assert send_request(public_server.url, "GET", f"/api/tables/{code}", **member).status == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("elsewhere.example", 403),
        ("127.0.0.1.elsewhere.example:8000", 403),
        ("[::1", 403),
        ("", 403),
        ("hats.example", 201),
        ("127.0.0.1:8000", 201),
        ("[::1]:8000", 201),
        ("localhost:8000", 201),
    ],
)
def test_public_name_is_the_only_name(public_server: ServerProcess, host: str, status: int) -> None:
    """Another name may resolve to this server; its page is not ours although Host and Origin agree."""
    headers = {"host": host, "origin": f"http://{host}", "x_forwarded_for": "10.0.0.5"}
    assert send_request(public_server.url, "POST", "/api/guests", **headers).status == status


def test_public_url_is_an_own_origin(public_server: ServerProcess) -> None:
    here = {"origin": "https://hats.example", "x_forwarded_for": "10.0.0.6"}
    answer = send_request(public_server.url, "POST", "/api/guests", **here)
    assert answer.status == 201
    assert "secure" in answer.headers["set-cookie"].lower()
    opened = send_request(public_server.url, "POST", "/api/tables", b"{}", cookie=cookie_from(answer), **here)
    summary = send_request(public_server.url, "GET", f"/api/tables/{opened.json['code']}", x_forwarded_for="10.0.0.6")
    assert summary.json["home"] == "https://hats.example"


def test_table_code_has_four_unambiguous_letters(server: ServerProcess) -> None:
    answer = open_table(server, new_guest(server))
    code = str(answer.json["code"])
    assert answer.status == 201
    assert answer.json["link"] == f"/t/{code}"
    assert len(code) == 4
    assert set(code) <= set(LETTERS)
    for look_alikes in ("0OQ", "1IL", "2Z", "5S", "8B", "UV"):
        assert len(set(look_alikes) & set(LETTERS)) <= 1
    assert send_request(server.url, "GET", f"/api/tables/{code.lower()}").status == 200
    assert normalise_code(f" {code.lower()} ") == code
    assert normalise_code("K7Q") is None
    assert len({new_code() for _ in range(50)}) > 40


def test_summary_has_only_public_fields(server: ServerProcess) -> None:
    code = open_table(server, new_guest(server), b'{"options": {"rounds": "each"}}').json["code"]
    summary = send_request(server.url, "GET", f"/api/tables/{code}").json
    assert " ".join(sorted(summary)) == "code home invitation locked match options seats stage watching you"
    assert summary["stage"] == "lobby"
    assert summary["options"]["rounds"] == "each"  # type: ignore[index]


def test_summary_gives_admission_limit(server: ServerProcess) -> None:
    async def remove_guest() -> tuple[str, str, str]:
        async with Client(server.url) as ada, Client(server.url) as ben:
            code = await ada.open_table()
            async with ada.table(code) as host:
                async with ben.table(code) as visitor:
                    await visitor.do("sit", name="Ben")
                await host.do("remove", seat=0)
                await host.do("lock", locked=True)
            return code, str(ada.token), str(ben.token)

    code, ada, ben = asyncio.run(remove_guest())
    path = f"/api/tables/{code}"
    assert send_request(server.url, "GET", path, authorization=f"Bearer {ada}").json["you"] is None
    assert send_request(server.url, "GET", path, authorization=f"Bearer {ben}").json["you"] == "removed"
    assert send_request(server.url, "GET", path).json["reason"] == "no_such_table"
    invited = str(send_request(server.url, "GET", path, authorization=f"Bearer {ada}").json["invitation"]).replace(
        "/t/", ""
    )
    assert send_request(server.url, "GET", f"/api/tables/{invited}").json["you"] == "locked"


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
        ("GET", "/api/nothing", None, 404, "no_such_page"),
        ("DELETE", "/api/tables", None, 405, "wrong_method"),
        ("GET", "/assets/nothing.js", None, 404, "no_such_page"),
        ("GET", "/assets/../../etc/passwd", None, 404, "no_such_page"),
        ("GET", "/api/tables/AAAA/socket", None, 404, "no_such_page"),
    ],
)
def test_every_bad_request_gets_a_reason(
    server: ServerProcess, method: str, path: str, body: bytes | None, status: int, reason: str
) -> None:
    answer = send_request(server.url, method, path, body, authorization=f"Bearer {new_guest(server)}")
    assert (answer.status, answer.json["reason"]) == (status, reason)


def test_requests_without_token_are_refused(server: ServerProcess) -> None:
    assert send_request(server.url, "POST", "/api/tables", b"{}").status == 401
    assert open_table(server, "x" * 22).json["reason"] == "no_guest"
    assert open_table(server, "x" * 500).json["reason"] == "no_guest"
    assert send_request(server.url, "POST", "/api/tickets").status == 401


def test_foreign_origin_cannot_use_the_cookie(server: ServerProcess) -> None:
    cookie = cookie_from(send_request(server.url, "POST", "/api/guests", **browser_headers(server)))
    for origin in ("https://elsewhere.example", "null", server.url.replace("http", "ftp"), server.url + ".example"):
        refused = send_request(server.url, "POST", "/api/tables", b"{}", cookie=cookie, origin=origin)
        assert (refused.status, refused.json["reason"]) == (403, "bad_origin")
    assert (
        send_request(server.url, "POST", "/api/tables", b"{}", cookie=cookie, sec_fetch_site="cross-site").status == 403
    )
    assert (
        send_request(server.url, "POST", "/api/tables", b"{}", cookie=cookie, **browser_headers(server)).status == 201
    )


def test_socket_requires_own_origin_or_bearer_token(server: ServerProcess) -> None:
    cookie = cookie_from(send_request(server.url, "POST", "/api/guests", **browser_headers(server)))
    opened = send_request(server.url, "POST", "/api/tables", b"{}", cookie=cookie, **browser_headers(server))
    path = f"/api/tables/{opened.json['code']}/socket"
    with RawSocket(server.url, path, cookie=cookie, origin=server.url) as connection:
        assert connection.status == 101
    elsewhere = {"origin": "https://elsewhere.example"}
    for headers in ({"cookie": cookie}, {"authorization": f"Bearer {new_guest(server)}"}):
        with RawSocket(server.url, path, **headers, **elsewhere) as connection:
            assert (connection.status, connection.reason) == (403, "bad_origin")
    for headers in ({"cookie": cookie}, {}, {"authorization": "Bearer nonsense"}):
        with RawSocket(server.url, path, **headers) as connection:
            assert connection.closed_with() == (1008, "no_guest")


def test_ticket_moves_guest_to_another_device_once(server: ServerProcess) -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


def test_ticket_sets_cookie_in_browser(server: ServerProcess) -> None:
    token = new_guest(server)
    link = str(send_request(server.url, "POST", "/api/tickets", authorization=f"Bearer {token}").json["link"])
    assert link.startswith("/c/")
    body = b'{"ticket": "' + link.removeprefix("/c/").encode() + b'"}'
    answer = send_request(server.url, "POST", "/api/tickets/use", body, **browser_headers(server))
    assert (answer.status, answer.json) == (201, {"token": None})
    assert "httponly" in answer.headers["set-cookie"].lower()


def test_ticket_does_not_replace_a_guest_without_consent(server: ServerProcess) -> None:
    link = str(
        send_request(server.url, "POST", "/api/tickets", authorization=f"Bearer {new_guest(server)}").json["link"]
    )
    own_cookie, ticket = new_cookie(server), link.removeprefix("/c/")
    body = b'{"ticket": "%b"}' % ticket.encode()
    unconfirmed = send_request(
        server.url, "POST", "/api/tickets/use", body, cookie=own_cookie, **browser_headers(server)
    )
    assert (unconfirmed.status, unconfirmed.json["reason"]) == (409, "already_somebody")
    assert "set-cookie" not in unconfirmed.headers
    confirmed = b'{"ticket": "%b", "instead": true}' % ticket.encode()
    replaced = send_request(
        server.url, "POST", "/api/tickets/use", confirmed, cookie=own_cookie, **browser_headers(server)
    )
    assert replaced.status == 201


def test_guest_below_a_path_or_without_cookies(server: ServerProcess) -> None:
    def become(body: bytes) -> tuple[str, object]:
        answer = send_request(server.url, "POST", "/api/guests", body, **browser_headers(server))
        assert answer.status == 201
        return answer.headers.get("set-cookie", ""), answer.json["token"]

    cookie, token = become(b'{"base": "/games/hat/"}')
    assert "; Path=/games/hat/;" in cookie
    assert token is None
    assert "; Path=/;" in become(b'{"base": "/;domain=x/"}')[0]
    cookie, token = become(b'{"cookies": false}')
    assert cookie == ""
    headers = browser_headers(server) | {"authorization": f"Bearer {token}"}
    known = send_request(server.url, "POST", "/api/guests", b"{}", **headers)
    assert (known.status, known.json) == (200, {"token": None}), "the page is a guest already"


def test_client_routes_serve_index_with_strict_csp(server: ServerProcess) -> None:
    for path in ("/", "/t/K7QX", "/c/abcdef", "/rules", "/privacy"):
        answer = send_request(server.url, "GET", path)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/html")
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-cache"


def test_story_is_refused_while_round_runs(server: ServerProcess) -> None:
    async def scenario() -> list[str]:
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
                story = await client.story(code, 1)
                assert story.ended_early
                assert [player.name for player in story.seats] == ["Ada", "Ben", "Cem"]
        return reasons

    assert asyncio.run(scenario()) == ["no_such_round", "no_such_round", "round_running"]


@pytest.mark.parametrize("neighbour", ['foo={"a":1}', "x[1]=2", "name=J\xfcrgen", "junk", '="', 'q="\\"\\"'])
def test_foreign_cookies_do_no_harm(server: ServerProcess, neighbour: str) -> None:
    own_cookie = new_cookie(server)
    for cookies in (f"{neighbour}; {own_cookie}", f"{own_cookie}; {neighbour}"):
        answer = send_request(server.url, "POST", "/api/guests", b"", origin=server.url, cookie=cookies)
        assert answer.status == 200, "the guest is known"


def test_large_cookie_header_is_not_parsed() -> None:
    """Parsing such a header takes the standard library many seconds."""
    assert cookie_token({"cookie": "junk; notahat=abc"}) == "abc"
    assert cookie_token({"cookie": "notahat=abc; " + "x" * MAX_COOKIES}) is None


def new_cookie(server: ServerProcess) -> str:
    answer = send_request(server.url, "POST", "/api/guests", b"", origin=server.url)
    return answer.headers["set-cookie"].partition(";")[0]


def test_story_is_built_once_and_stays_the_same(server: ServerProcess) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            code = await client.open_table()
            async with client.table(code) as table:
                for name in ("Ada", "Ben"):
                    await table.do("sit", name=name)
                await table.do("start")
                await table.do("end_match")
                stories = await asyncio.gather(*(client.story(code, 1) for _ in range(8)))
                assert all(story == stories[0] for story in stories)
                await table.do("again")
                await table.do("start")
                assert await client.story(code, 1) == stories[0]
                with pytest.raises(Declined) as early:
                    await client.story(code, 2)
                assert early.value.reason == "round_running"

    asyncio.run(scenario())


def test_openapi_is_generated_once() -> None:
    async def body() -> bytes:
        return bytes((await get_description(Request({"type": "http"}), openapi)).body)

    assert asyncio.run(body()) is asyncio.run(body())
