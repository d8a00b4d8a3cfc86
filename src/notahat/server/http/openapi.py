"""The OpenAPI description of the HTTP API: the endpoints of openapi.toml with schemas of the message types."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from notahat.gifts import Hat
from notahat.table import Story
from notahat.table.options import LEAST_PATIENCE, MOST_PATIENCE
from notahat.table.view import DeckView
from notahat.wire import messages

_TYPES: dict[str, Any] = {**vars(messages), "Story": Story, "Hat": Hat, "DeckView": DeckView}
_PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "code": {"schema": {"type": "string"}, "description": "A table's code"},
    "number": {"schema": {"type": "integer", "minimum": 1}},
}


class Endpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """An endpoint in openapi.toml, with messages by the names of their types."""

    summary: str
    returns: dict[str, str]
    refusals: tuple[int, ...]
    body: str | None = None
    guest: bool = False

    @property
    def messages(self) -> tuple[str, ...]:
        return (*self.returns.values(), "Refusal", *(() if self.body is None else (self.body,)))


@cache
def openapi() -> dict[str, Any]:
    """Return the description as plain values, ready for JSON."""
    source = tomllib.loads(files(__package__).joinpath("openapi.toml").read_text("utf-8"))
    paths = msgspec.convert(source, dict[str, dict[str, Endpoint]])
    used = dict.fromkeys(name for methods in paths.values() for one in methods.values() for name in one.messages)
    _, components = msgspec.json.schema_components(map(_TYPES.get, used), ref_template="#/components/schemas/{name}")
    # what the table requires of options beyond their types
    components["OpenTable"]["properties"]["options"] = {"$ref": "#/components/schemas/Options", "default": {}}
    components["Options"]["additionalProperties"] = False
    limit_patience(components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Not a Hat", "version": "1", "description": "Sockets are described by /api/asyncapi.json."},
        "components": {"schemas": components, "securitySchemes": {"guest": {"type": "http", "scheme": "bearer"}}},
        "paths": {
            path: {method: _operation(path, one) for method, one in methods.items()} for path, methods in paths.items()
        },
    }


def limit_patience(components: dict[str, Any]) -> None:
    patience = {"type": "integer", "minimum": LEAST_PATIENCE, "maximum": MOST_PATIENCE}
    components["Options"]["properties"]["patience_seconds"] = {"anyOf": [{"const": 0}, patience], "default": 0}


def _operation(path: str, endpoint: Endpoint) -> dict[str, Any]:
    answers = endpoint.returns | {str(status): "Refusal" for status in (*endpoint.refusals, 503)}
    parameters = [
        {"name": name, "in": "path", "required": True} | schema
        for name, schema in _PATH_PARAMETERS.items()
        if f"{{{name}}}" in path
    ]
    operation: dict[str, Any] = {"summary": endpoint.summary, "parameters": parameters}
    operation["responses"] = {status: _content(name) for status, name in answers.items()}
    if endpoint.body is not None:
        required = any(field.required for field in msgspec.structs.fields(_TYPES[endpoint.body]))
        operation["requestBody"] = {"required": required} | _content(endpoint.body)
    if endpoint.guest:
        operation["security"] = [{"guest": []}]
    return operation


def _content(name: str) -> dict[str, Any]:
    return {
        "description": " ".join(_TYPES[name].__doc__.split()),
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
    }
