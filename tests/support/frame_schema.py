"""Validators for frames, made from the AsyncAPI description."""

from typing import Any

import msgspec
from jsonschema_rs import Draft7Validator

from notahat.server.http.asyncapi import asyncapi


class FrameSchema:
    """Validates frames of one direction: each must match exactly one message, without unknown fields."""

    def __init__(self, action: str) -> None:
        document = _without_unknown_fields(asyncapi())
        operations = [one for one in document["operations"].values() if one["action"] == action]
        if action == "send":
            operations += [one["reply"] for one in document["operations"].values() if "reply" in one]
        names = dict.fromkeys(message["$ref"].rpartition("/")[2] for one in operations for message in one["messages"])
        messages = [document["components"]["messages"][name]["payload"] for name in names]
        self._validator = Draft7Validator({"oneOf": messages, "components": document["components"]})

    def accepts(self, frame: bytes | str | dict[str, Any]) -> bool:
        return self._validator.is_valid(frame if isinstance(frame, dict) else msgspec.json.decode(frame))

    def errors(self, frame: bytes | str | dict[str, Any]) -> list[str]:
        value = frame if isinstance(frame, dict) else msgspec.json.decode(frame)
        return [f"{error.message} in {value}" for error in self._validator.iter_errors(value)]


def _without_unknown_fields(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_unknown_fields(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    closed = {key: _without_unknown_fields(inner) for key, inner in value.items()}
    return closed | {"additionalProperties": False} if isinstance(value.get("required"), list) else closed


FROM_CLIENTS = FrameSchema("receive")
FROM_SERVER = FrameSchema("send")
