"""The AsyncAPI description of a table's WebSocket: asyncapi.toml with what follows from the message types."""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct, inspect

from notahat.bots import CHARACTERS, LEVELS, Dials
from notahat.rules import View
from notahat.server.http.openapi import limit_patience
from notahat.table import EMOTES, TableView
from notahat.table.commands import GUEST_COMMANDS
from notahat.wire.messages import LONGEST_ID, Changes, Heartbeat, HeartbeatReply, No, State, reasons
from notahat.wire.typescript import collect_structs, is_unset_by_default, may_be_left_out

_SCHEMAS, _MESSAGES, _CHANNEL = "#/components/schemas/", "#/components/messages/", "#/channels/table"
_COMMANDS: tuple[type[Struct], ...] = GUEST_COMMANDS
_STATES: tuple[type[Struct], ...] = (State, Changes)
_CLIENT: tuple[type[Struct], ...] = (*_COMMANDS, Heartbeat)
_SERVER: tuple[type[Struct], ...] = (*_STATES, No, HeartbeatReply)
_CORRELATION_FIELDS = dict.fromkeys(_COMMANDS, "id") | {State: "ack", Changes: "ack", No: "no"}


@cache
def asyncapi() -> dict[str, Any]:
    """Return the description as plain values, ready for JSON."""
    made = tomllib.loads(files(__package__).joinpath("asyncapi.toml").read_text("utf-8"))
    names = [kind.__name__ for kind in (*_CLIENT, *_SERVER)]
    made["channels"]["table"]["messages"] = {name: {"$ref": _MESSAGES + name} for name in names}
    made["operations"] = _operations()
    made["components"]["messages"] = {kind.__name__: _message(kind) for kind in (*_CLIENT, *_SERVER)}
    made["components"]["schemas"] = _schemas()
    return made


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
        schema = schemas[command.__name__]
        schema["properties"] = {"id": {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}} | schema[
            "properties"
        ]
        schema["required"] = ["id", *schema["required"]]
    for name, cls in collect_structs(*_SERVER).items():
        info = inspect.type_info(cls)
        assert isinstance(info, inspect.StructType)
        tag = [] if info.tag_field is None else [info.tag_field]
        always_sent = [field.encode_name for field in info.fields if not may_be_left_out(cls, field)]
        schemas[name]["required"] = tag + always_sent
    schemas["SetOptions"]["properties"]["options"] = _partial(schemas["Options"])
    changes = schemas["Changes"]["properties"]
    changes["changed"] = _partial(schemas["TableView"], TableView)
    changes["round"] = _partial(schemas["View"], View)
    _add_closed_lists(schemas)
    return schemas


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
    dials = {name: {"type": "number", "minimum": 0, "maximum": 1} for name in Dials.__struct_fields__}
    chosen = {"type": "object", "properties": dials, "additionalProperties": False}
    schemas["AddBot"]["properties"]["dials"] = {"anyOf": [chosen, {"type": "null"}], "default": None}
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
