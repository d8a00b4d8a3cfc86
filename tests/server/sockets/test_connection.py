"""The socket protocol: who is sent what, and an answer to every frame. tests/live tests what rooms do."""

import asyncio

from support.raw_table import open_socket, open_table
from support.server_process import ServerProcess

MALFORMED: list[tuple[bytes, str | None]] = [
    (b"", None),
    (b"hello", None),
    (b"[]", None),
    (b'{"do": "draw", "turn": 0}', None),
    (b'{"id": "", "do": "draw", "turn": 0}', None),
    (b'{"id": 5, "do": "draw", "turn": 0}', None),
    (b'{"id": "x"}', "x"),
    (b'{"id": "x", "do": "fly"}', "x"),
    (b'{"id": "x", "do": "draw"}', "x"),
    (b'{"id": "x", "do": "draw", "turn": "0"}', "x"),
    (b'{"id": "x", "do": "judge", "turn": 0, "wrong": "me"}', "x"),
    (b'{"id": "\xff", "do": "draw", "turn": 0}', None),
    (b'{"id": "x", "do": "sit", "name": "\xff"}', "x"),
    (b"[" * 5000, None),
    (b'{"id": "x", "do": "set_options", "options": {"edition": ' + b"[" * 3000 + b"]" * 3000 + b"}}", None),
    (b'{"id": "x", "do": "sit", "name": ' + b'{"a":' * 1200 + b"1" + b"}" * 1200 + b"}", None),
]


def test_malformed_frame_gets_a_reason(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as connection:
        connection.message()
        for frame, id_ in MALFORMED:
            connection.send(frame)
            answer = connection.message()
            assert (answer["no"], answer["reason"]) == (id_, "unreadable"), frame
        connection.send(b'{"do": "beat"}')
        assert connection.message() == {"beat": True}
