"""The HTTP API: guests, cookies, tickets, codes, pages and refusals."""

import asyncio
import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest

from notahat.clients.python import Client, Declined
from notahat.server.http.guests import MAX_COOKIES, cookie_token
from notahat.server.http.strangers import is_in_house
from notahat.server.limits.accounts import address_key
from notahat.server.settings import Settings
from notahat.server.table_codes import table_link
from notahat.store import open_store
from support.raw_http import RawSocket, Response, send_request
from support.server_process import ServerProcess, in_process_server, running_server

HOUSE = Settings(lan=True)


def browser_headers(server: ServerProcess) -> dict[str, str]:
    """Return the headers that one of our own pages sends."""
    return {"origin": server.url, "sec_fetch_site": "same-origin"}


async def get(url: str, path: str, **headers: str) -> Response:
    return await asyncio.to_thread(send_request, url, "GET", path, **headers)


def cookie_from(answer: Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def new_guest(server: ServerProcess) -> str:
    return str(send_request(server.url, "POST", "/api/guests").json["token"])


def new_cookie(server: ServerProcess) -> str:
    return cookie_from(send_request(server.url, "POST", "/api/guests", **browser_headers(server)))


def open_table(server: ServerProcess, token: str, body: bytes = b"{}") -> Response:
    return send_request(server.url, "POST", "/api/tables", body, authorization=f"Bearer {token}")


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


@pytest.mark.anyio
async def test_public_url_with_a_path_needs_no_stripping(tmp_path: Path) -> None:
    url, opened = f"sqlite:///{tmp_path}/tables.db", uuid4()
    store = await open_store(url)
    await store.create_alias("K7QX", opened)  # its opening failed between its code and its first entry
    await store.close()
    async with in_process_server(Settings(port=0, store=url, public_url="https://house.example/games/hat/")) as url:
        redirect = await get(url, "/games/hat")  # without the last slash
        assert (redirect.status, redirect.headers["location"]) == (307, "/games/hat/")
        lesson = await get(url, "/games/hat/learn")
        assert (lesson.status, b'href="./manifest.webmanifest"' in lesson.body) == (200, True)
        link = await get(url, f"/games/hat{table_link('K7QX', opened)}")
        assert (link.status, link.headers["content-type"]) == (200, "text/html; charset=utf-8")
        script = link.body.partition(b'src="../')[2].partition(b'"')[0].decode()
        assert (await get(url, f"/games/hat/{script}", accept_encoding="gzip")).headers["content-encoding"] == "gzip"
        manifest = (await get(url, "/games/hat/manifest.webmanifest")).json
        assert (manifest["id"], manifest["start_url"]) == ("/games/hat/", "./")


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


def test_foreign_origin_cannot_use_the_cookie(server: ServerProcess) -> None:
    cookie = new_cookie(server)
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
    cookie = new_cookie(server)
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


def test_link_preview_names_inviter_of_open_lobby_only(server: ServerProcess) -> None:
    def title(path: str, **headers: str) -> str:
        page = send_request(server.url, "GET", path, **headers).body.decode()
        return unescape(page.partition('property="og:title" content="')[2].partition('"')[0])

    async def scenario() -> None:
        async with Client(server.url) as client, client.table(await client.open_table()) as table:
            await table.do("sit", name="Ada & Bo")
            summary = await asyncio.to_thread(send_request, server.url, "GET", f"/api/tables/{table.code}")
            link = str(summary.json["invitation"])
            german = {"accept_language": "xx, de-AT;q=0.9"}
            assert await asyncio.to_thread(title, link, **german) == "Ada & Bo lädt dich zu Not a Hat ein"
            assert await asyncio.to_thread(title, link) == "Ada & Bo invites you to Not a Hat"
            forged = link[:-1] + ("Q" if link.endswith("A") else "A")
            for path in (f"/t/{table.code}", forged, "/"):
                assert await asyncio.to_thread(title, path) == "Not a Hat"
            await table.do("lock", locked=True)
            assert await asyncio.to_thread(title, link) == "Not a Hat"

    asyncio.run(scenario())
    page = send_request(server.url, "GET", "/").body.decode()
    assert f'property="og:image" content="{server.url}/preview.jpg"' in page


def test_debug_log_has_each_request_and_command_without_codes(tmp_path: Path) -> None:
    async def sit(url: str) -> str:
        async with Client(url) as client, client.table(await client.open_table()) as table:
            await table.do("sit", name="Ada")
            return table.code

    with running_server(tmp_path, NOTAHAT_LOG_LEVEL="debug") as server:
        code = asyncio.run(sit(server.url))
        send_request(server.url, "GET", f"/api/tables/{code}")
    lines = [json.loads(line) for line in server.log.splitlines()]
    requests = [(one["method"], one["route"], one["status"]) for one in lines if one["what"] == "request"]
    assert ("GET", "/api/tables/{code}", 200) in requests
    assert [one["outcome"] for one in lines if one["what"] == "command"] == ["done"]
    assert all(one["seconds"] >= 0 for one in lines if one["level"] == "debug")
    assert code not in server.log


def test_house_is_for_the_same_network_only(server: ServerProcess) -> None:
    assert send_request(server.url, "GET", "/api/house").status == 404, "it needs --lan"
    assert b"house" not in send_request(server.url, "GET", "/").body
    here = {"host": "192.168.1.2:8000"}
    for address in ("192.168.1.7", "fd00::1", "fe80::1%eth0", "127.0.0.1", "::1"):
        assert is_in_house(address_key(address), here, HOUSE), address
    for address in ("8.8.8.8", "2001:4860::1", ""):
        assert not is_in_house(address_key(address), here, HOUSE), address


@pytest.mark.parametrize(
    ("headers", "behind_proxy", "public_url", "allowed"),
    [
        ({"host": "localhost:8000"}, "", "", True),
        ({"host": "[fd00::2]:8000"}, "", "", True),
        ({"host": "attic.local:8000"}, "", "", True),
        ({"host": "hats.example"}, "", "https://hats.example/", True),
        ({"host": "evil.example"}, "", "", False),  # a page whose name leads here
        ({"host": "[", "x-forwarded-for": ""}, "", "", False),
        ({"host": "192.168.1.2", "x-forwarded-for": "8.8.8.8"}, "", "", False),  # a tunnel that nobody configured
        ({"host": "192.168.1.2", "forwarded": "for=8.8.8.8"}, "", "", False),
        ({"host": "192.168.1.2", "x-forwarded-for": "192.168.1.7"}, "127.0.0.1", "", True),
    ],
)
def test_house_is_not_shown_through_tunnels(
    headers: dict[str, str], behind_proxy: str, public_url: str, allowed: bool
) -> None:
    settings = msgspec.structs.replace(HOUSE, behind_proxy=behind_proxy, public_url=public_url)
    assert is_in_house("192.168.1.7", headers, settings) is allowed


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


def test_requests_without_token_are_refused(server: ServerProcess) -> None:
    assert send_request(server.url, "POST", "/api/tables", b"{}").status == 401
    assert open_table(server, "x" * 22).json["reason"] == "no_guest"
    assert open_table(server, "x" * 500).json["reason"] == "no_guest"
    assert send_request(server.url, "POST", "/api/tickets").status == 401
