"""The OpenAPI description of the HTTP API, generated from the message types."""

from typing import Any

import msgspec
from msgspec import Struct

from notahat.gifts import Hat
from notahat.table import Story
from notahat.table.options import LEAST_PATIENCE, MOST_PATIENCE
from notahat.table.view import DeckView
from notahat.wire.messages import (
    AskLines,
    DeckContents,
    KnockAnswer,
    KnockRequest,
    NewGuest,
    OpenTable,
    Refusal,
    SpokenLines,
    Summary,
    TableLink,
    Ticket,
    Token,
    UseTicket,
)

_MESSAGES: tuple[type[Struct], ...] = (
    *(KnockRequest, KnockAnswer, NewGuest, OpenTable, Refusal, Summary, TableLink, Ticket, Token, UseTicket),
    *(Story, Hat, DeckView, DeckContents, AskLines, SpokenLines),
)
_PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "code": {"schema": {"type": "string"}, "description": "A table's code"},
    "number": {"schema": {"type": "integer", "minimum": 1}},
}


def openapi() -> dict[str, Any]:
    """Return the description as plain values, ready for JSON."""
    _, components = msgspec.json.schema_components(_MESSAGES, ref_template="#/components/schemas/{name}")
    _describe_options(components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Not a Hat", "version": "1", "description": "Sockets are described by /api/asyncapi.json."},
        "components": {"schemas": components, "securitySchemes": {"guest": {"type": "http", "scheme": "bearer"}}},
        "paths": {path: _with_path_parameters(path, methods) for path, methods in _paths().items()},
    }


def _paths() -> dict[str, dict[str, Any]]:
    table, deck = (400, 401, 403, 413, 429), (400, 401, 403, 404, 413, 429)
    ticket, read = (400, 403, 404, 409, 413, 429), (401, 403, 404, 429)
    return {
        "/api/guests": {"post": _operation("Become a guest", {201: Token, 200: Token}, (400, 403, 413, 429), NewGuest)},
        "/api/tables": {"post": _operation("Open a table", {201: TableLink}, table, OpenTable, guest=True)},
        "/api/tables/{code}": {"get": _operation("Read a table's summary", {200: Summary}, (404, 429))},
        "/api/tables/{code}/rounds/{number}": {
            "get": _operation("Read the story of a finished round", {200: Story}, read)
        },
        "/api/tables/{code}/deck": {
            "post": _operation("Put a deck on a table", {201: DeckView}, deck, Hat, guest=True)
        },
        "/api/tables/{code}/decks/{number}": {
            "get": _operation("Read the gifts of an own deck", {200: DeckContents}, read, guest=True)
        },
        "/api/tables/{code}/knock": {
            "post": _operation("Knock at a running table", {202: KnockAnswer}, table, KnockRequest, guest=True)
        },
        "/api/lines": {
            "post": _operation("Read the spoken lines of an own gift", {200: SpokenLines}, (400, 413, 429), AskLines)
        },
        "/api/tickets": {
            "post": _operation("Make a ticket for another device", {201: Ticket}, (401, 403, 429), guest=True)
        },
        "/api/tickets/use": {"post": _operation("Use a ticket", {201: Token}, ticket, UseTicket)},
    }


def _describe_options(components: dict[str, Any]) -> None:
    """Add what the table requires of options beyond their types."""
    components["OpenTable"]["properties"]["options"] = {"$ref": "#/components/schemas/Options", "default": {}}
    components["Options"]["additionalProperties"] = False
    limit_patience(components)


def limit_patience(components: dict[str, Any]) -> None:
    patience = {"type": "integer", "minimum": LEAST_PATIENCE, "maximum": MOST_PATIENCE}
    components["Options"]["properties"]["patience_seconds"] = {"anyOf": [{"const": 0}, patience], "default": 0}


def _with_path_parameters(path: str, methods: dict[str, Any]) -> dict[str, Any]:
    for operation in methods.values():
        operation["parameters"] += [
            {"name": name, "in": "path", "required": True} | schema
            for name, schema in _PATH_PARAMETERS.items()
            if f"{{{name}}}" in path
        ]
    return methods


def _operation(
    summary: str,
    returns: dict[int, type[Struct]],
    refusals: tuple[int, ...],
    body: type[Struct] | None = None,
    guest: bool = False,
) -> dict[str, Any]:
    responses = {str(status): _content(message) for status, message in returns.items()}
    responses |= {str(status): _content(Refusal) for status in (*refusals, 503)}
    operation: dict[str, Any] = {"summary": summary, "responses": responses, "parameters": []}
    if body is not None:
        required = any(field.required for field in msgspec.structs.fields(body))
        operation["requestBody"] = {"required": required} | _content(body)
    if guest:
        operation["security"] = [{"guest": []}]
    return operation


def _content(message: type[Struct]) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{message.__name__}"}
    return {
        "description": " ".join((message.__doc__ or "").split()),
        "content": {"application/json": {"schema": schema}},
    }
