"""An OpenAPI description of the HTTP side, made from the messages themselves."""

from typing import Any

import msgspec
from msgspec import Struct

from notahat.gifts import Hat
from notahat.server.http.pdf_jobs import Order
from notahat.table import Story
from notahat.table.options import LEAST_PATIENCE, MOST_PATIENCE
from notahat.table.view import DeckView
from notahat.wire.messages import (
    AskLines,
    DeckTold,
    LinesTold,
    OpenTable,
    Refusal,
    Summary,
    TableLink,
    Ticket,
    Token,
    UseTicket,
)

_MESSAGES: tuple[type[Struct], ...] = (
    OpenTable,
    Refusal,
    Summary,
    TableLink,
    Ticket,
    Token,
    UseTicket,
    Story,
    Hat,
    DeckView,
    DeckTold,
    AskLines,
    LinesTold,
)
_CODE = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}, "description": "A table's code"}
_NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
_PATH = {"name": "path", "in": "query", "required": True, "schema": {"type": "string"}, "example": "/t/K7QX"}


def openapi() -> dict[str, Any]:
    """The description as plain values, ready for JSON."""
    _, components = msgspec.json.schema_components(_MESSAGES, ref_template="#/components/schemas/{name}")
    _mind_options(components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Not a Hat", "version": "1", "description": "Sockets are told of in docs/protocol.md."},
        "components": {
            "schemas": components,
            "securitySchemes": {"guest": {"type": "http", "scheme": "bearer"}},
        },
        "paths": {
            "/api/guests": {"post": _operation("Be a guest", {201: Token, 200: Token}, (403, 429))},
            "/api/tables": {
                "post": _operation("Open a table", {201: TableLink}, (400, 401, 403, 413, 429), OpenTable, guest=True)
            },
            "/api/tables/{code}": {
                "get": _operation("Read a table's summary", {200: Summary}, (404, 429), parameters=(_CODE,))
            },
            "/api/tables/{code}/rounds/{number}": {
                "get": _operation(
                    "Read the story of a finished round",
                    {200: Story},
                    (401, 403, 404, 429),
                    parameters=(_CODE, _NUMBER),
                )
            },
            "/api/tables/{code}/deck": {
                "post": _operation(
                    "Put a deck on a table",
                    {201: DeckView},
                    (400, 401, 403, 404, 413, 429),
                    Hat,
                    guest=True,
                    parameters=(_CODE,),
                )
            },
            "/api/tables/{code}/decks/{number}": {
                "get": _operation(
                    "Read the gifts of a deck that somebody made",
                    {200: DeckTold},
                    (401, 403, 404, 429),
                    guest=True,
                    parameters=(_CODE, _NUMBER),
                )
            },
            "/api/lines": {
                "post": _operation("Hear the lines of an own gift", {200: LinesTold}, (400, 413, 429), AskLines)
            },
            "/api/tickets": {"post": _operation("Go on elsewhere", {201: Ticket}, (401, 403, 429), guest=True)},
            "/api/tickets/use": {
                "post": _operation("Use a ticket", {201: Token}, (400, 403, 404, 409, 413, 429), UseTicket)
            },
            "/api/qr.svg": {"get": _drawing()},
            "/api/print.pdf": {"get": _deck_to_print()},
        },
    }


def _mind_options(components: dict[str, Any]) -> None:
    """What `changed` asks of options beyond their types."""
    components["OpenTable"]["properties"]["options"] = {"$ref": "#/components/schemas/Options", "default": {}}
    components["Options"]["additionalProperties"] = False
    patience = {"type": "integer", "minimum": LEAST_PATIENCE, "maximum": MOST_PATIENCE}
    components["Options"]["properties"]["patience_seconds"] = {"anyOf": [{"const": 0}, patience], "default": 0}


def _operation(
    summary: str,
    good: dict[int, type[Struct]],
    bad: tuple[int, ...],
    body: type[Struct] | None = None,
    guest: bool = False,
    parameters: tuple[dict[str, Any], ...] = (),
) -> dict[str, Any]:
    answers = {str(status): _content(message) for status, message in good.items()}
    answers |= {str(status): _content(Refusal) for status in (*bad, 503)}
    operation: dict[str, Any] = {"summary": summary, "responses": answers, "parameters": list(parameters)}
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


def _drawing() -> dict[str, Any]:
    operation = _operation("A QR code for a link", {}, (404, 429), parameters=(_PATH,))
    operation["responses"]["200"] = {
        "description": "The code",
        "content": {"image/svg+xml": {"schema": {"type": "string"}}},
    }
    return operation


def _deck_to_print() -> dict[str, Any]:
    _, components = msgspec.json.schema_components((Order,))
    order = components["Order"]["properties"]
    asked = tuple({"name": name, "in": "query", "schema": schema} for name, schema in order.items())
    operation = _operation("A deck to print", {}, (400, 404, 429), parameters=asked)
    operation["responses"]["200"] = {
        "description": "The sheets",
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
    }
    return operation
