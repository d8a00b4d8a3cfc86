"""The AsyncAPI description of a table's WebSocket, generated from the message types."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct, inspect

from notahat.bots import CHARACTERS, LEVELS
from notahat.rules import View
from notahat.server.http.guests import COOKIE
from notahat.server.http.openapi import limit_patience
from notahat.table import EMOTES, TableView
from notahat.table.commands import GUEST_COMMANDS
from notahat.wire.messages import LONGEST_ID, Changes, Heartbeat, HeartbeatReply, No, State
from notahat.wire.reasons import reasons
from notahat.wire.structs import collect_structs, is_unset_by_default, may_be_left_out

_SCHEMAS, _MESSAGES, _CHANNEL = "#/components/schemas/", "#/components/messages/", "#/channels/table"
_COMMANDS: tuple[type[Struct], ...] = GUEST_COMMANDS
_STATES: tuple[type[Struct], ...] = (State, Changes)
_CLIENT: tuple[type[Struct], ...] = (*_COMMANDS, Heartbeat)
_SERVER: tuple[type[Struct], ...] = (*_STATES, No, HeartbeatReply)
_CORRELATION_FIELDS = dict.fromkeys(_COMMANDS, "id") | {State: "ack", Changes: "ack", No: "no"}
_DESCRIPTION = """\
How a program plays at a table. This description takes the server's side: the server receives commands and sends \
states. HTTP is described by /api/openapi.json; docs/protocol.md explains both. Ignore fields that you do not know."""
_CHANNEL_DESCRIPTION = """\
The server sends the whole state at once and a new one after every change. A command is acknowledged by a state with \
its id in `ack`, or refused with the id in `no`. Frames of clients have at most 8 KiB."""


def asyncapi() -> dict[str, Any]:
    """Return the description as plain values, ready for JSON."""
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Not a Hat", "version": "1", "description": _DESCRIPTION},
        "defaultContentType": "application/json",
        "servers": {"server": _server()},
        "channels": {"table": _channel()},
        "operations": _operations(),
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in (*_CLIENT, *_SERVER)},
            "schemas": _schemas(),
            "securitySchemes": {
                "guest": {"type": "http", "scheme": "bearer", "description": "A program's token"},
                "cookie": {"type": "httpApiKey", "in": "cookie", "name": COOKIE, "description": "A browser's token"},
            },
        },
    }


def _server() -> dict[str, Any]:
    return {
        "host": "{host}",
        "protocol": "ws",
        "description": "This server; use wss where its pages are served by https",
        "variables": {"host": {"default": "localhost:8000", "description": "Host and port of the server's pages"}},
        "security": [{"$ref": "#/components/securitySchemes/guest"}, {"$ref": "#/components/securitySchemes/cookie"}],
    }


def _channel() -> dict[str, Any]:
    query = {
        "type": "object",
        "properties": {
            "changes": {"enum": ["1"], "description": "Send deltas after the first state"},
            "screen": {"enum": ["1"], "description": "This connection is a big screen"},
        },
    }
    return {
        "address": "/api/tables/{code}/socket",
        "title": "A table",
        "description": _CHANNEL_DESCRIPTION,
        "parameters": {"code": {"description": "A table's code, or the last part of an invitation"}},
        "messages": {kind.__name__: {"$ref": _MESSAGES + kind.__name__} for kind in (*_CLIENT, *_SERVER)},
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
    }


def _operations() -> dict[str, Any]:
    return {
        "command": _operation("receive", "A guest's command", _COMMANDS) | {"reply": _operation_part((*_STATES, No))},
        "heartbeat": _operation("receive", "A heartbeat", (Heartbeat,)) | {"reply": _operation_part((HeartbeatReply,))},
        "state": _operation("send", "The state after connecting and after every change", _STATES),
        "refusal": _operation("send", "The refusal of a frame that is not a command", (No,)),
    }


def _operation(action: str, summary: str, messages: Iterable[type[Struct]]) -> dict[str, Any]:
    return {"action": action, "summary": summary, **_operation_part(messages)}


def _operation_part(messages: Iterable[type[Struct]]) -> dict[str, Any]:
    references = [{"$ref": f"{_CHANNEL}/messages/{kind.__name__}"} for kind in messages]
    return {"channel": {"$ref": _CHANNEL}, "messages": references}


def _message(kind: type[Struct]) -> dict[str, Any]:
    tag = kind.__struct_config__.tag
    message = {
        "name": tag if isinstance(tag, str) else kind.__name__,
        "summary": _one_line(kind.__doc__ or ""),
        "payload": {"$ref": _SCHEMAS + kind.__name__},
    }
    field = _CORRELATION_FIELDS.get(kind)
    return message if field is None else message | {"correlationId": {"location": f"$message.payload#/{field}"}}


def _schemas() -> dict[str, Any]:
    """Return the schemas of the types, with what the protocol requires beyond them."""
    _, made = msgspec.json.schema_components((*_CLIENT, *_SERVER), ref_template=_SCHEMAS + "{name}")
    schemas: dict[str, Any] = _plain(made)
    limit_patience(schemas)
    for command in _COMMANDS:
        _add_id(schemas[command.__name__])
    for name, cls in collect_structs(*_SERVER).items():
        schemas[name]["required"] = _always_sent(cls)
    schemas["SetOptions"]["properties"]["options"] = _partial(schemas["Options"])
    changes = schemas["Changes"]["properties"]
    changes["changed"] = _partial(schemas["TableView"], TableView)
    changes["round"] = _partial(schemas["View"], View)
    _add_closed_lists(schemas)
    return schemas


def _add_id(schema: dict[str, Any]) -> None:
    length = {"minLength": 1, "maxLength": LONGEST_ID}
    schema["properties"] = {"id": {"type": "string", **length}} | schema["properties"]
    schema["required"] = ["id", *schema["required"]]


def _always_sent(cls: type[Struct]) -> list[str]:
    info = inspect.type_info(cls)
    if not isinstance(info, inspect.StructType):
        raise AssertionError(f"{cls.__name__} is not a message")
    tag = [] if info.tag_field is None else [info.tag_field]
    return tag + [field.encode_name for field in info.fields if not may_be_left_out(cls, field)]


def _partial(schema: dict[str, Any], delta_of: type[Struct] | None = None) -> dict[str, Any]:
    """Return a schema of some of the fields; in a delta, null removes a field that is not always set."""
    properties = {}
    for name, field in schema["properties"].items():
        kept = {key: value for key, value in field.items() if key != "default"}
        removable = delta_of is not None and is_unset_by_default(delta_of, name)
        properties[name] = {"anyOf": [kept, {"type": "null"}]} if removable else kept
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _add_closed_lists(schemas: dict[str, Any]) -> None:
    schemas["No"]["properties"]["reason"]["enum"] = list(reasons())
    schemas["May"]["properties"]["do"]["enum"] = [str(kind.__struct_config__.tag) for kind in _COMMANDS]
    schemas["Emote"]["properties"]["emote"]["enum"] = list(EMOTES)
    schemas["AddBot"]["properties"]["level"]["enum"] = list(LEVELS)
    schemas["AddBot"]["properties"]["character"] = {"enum": [*CHARACTERS, None], "default": None}


def _plain(value: Any) -> Any:
    """Return a schema without line breaks and without discriminators, which AsyncAPI writes in another form."""
    if isinstance(value, str):
        return _one_line(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key != "discriminator"}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _one_line(text: str) -> str:
    return " ".join(text.split())
