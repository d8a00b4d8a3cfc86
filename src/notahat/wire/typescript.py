"""TypeScript types made from the messages: `python -m notahat.wire.typescript > web/src/wire.ts`."""

import sys
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct, inspect

from notahat.bots import CHARACTERS, LEVELS
from notahat.rules import View
from notahat.table import EMOTES, FACES, Chair, Options, Shown, Story, TableView
from notahat.table.commands import ANY_GUEST_COMMAND
from notahat.wire import messages
from notahat.wire.messages import Changes, OpenTable
from notahat.wire.reasons import reasons
from notahat.wire.structs import collect_structs, is_unset_by_default, may_be_left_out

_PARTS_OF: dict[tuple[type[Struct], str], type[Struct]] = {(Changes, "changed"): TableView, (Changes, "round"): View}
_HEADER = """\
// Made by `python -m notahat.wire.typescript`; change src/notahat/wire/ or src/notahat/table/ instead.

"""


def typescript() -> str:
    """Return the whole file: an interface for each message and each part of one."""
    public = [kind for name, kind in vars(messages).items() if not name.startswith("_") and isinstance(kind, type)]
    own = [kind for kind in public if kind.__module__ == messages.__name__ and issubclass(kind, Struct)]
    structs = collect_structs(*own, Options, Chair, TableView, Story, ANY_GUEST_COMMAND, Shown)
    return _HEADER + "\n".join(_parts(structs))


def _parts(structs: dict[str, type[Struct]]) -> Iterator[str]:
    for name in sorted(structs):
        yield _interface(structs[name])
    yield f"export type GuestCommand = {_write(inspect.type_info(ANY_GUEST_COMMAND))};\n"
    yield f"export type Shown = {_write(inspect.type_info(Shown))};\n"
    yield "export type Frame = ({ id: string } & GuestCommand) | Heartbeat;\n"
    yield "export type FromServer = State | Changes | No | HeartbeatReply;\n"
    yield _list("EMOTES", "EmoteName", EMOTES)
    yield _list("FACES", "Face", FACES)
    yield _list("LEVELS", "Level", LEVELS)
    yield _list("CHARACTERS", "Character", tuple(CHARACTERS))
    yield _list("REASONS", "Reason", reasons())


def _list(constant: str, kind: str, words: tuple[str, ...]) -> str:
    items = "".join(f"\n  {_quoted(word)}," for word in words)
    return f"export const {constant} = [{items}\n] as const;\nexport type {kind} = (typeof {constant})[number];\n"


def _interface(cls: type[Struct]) -> str:
    info = inspect.type_info(cls)
    if not isinstance(info, inspect.StructType):
        raise AssertionError(f"{cls.__name__} is not a message")
    comment = " ".join((cls.__doc__ or "").split())
    lines = [f"/** {comment} */", f"export interface {cls.__name__} {{"]
    if info.tag_field is not None:
        lines.append(f"  {info.tag_field}: {_quoted(info.tag)};")
    lines += [_field(cls, field) for field in info.fields]
    return "\n".join([*lines, "}", ""])


def _field(cls: type[Struct], field: inspect.Field) -> str:
    sent_by_client = cls.__struct_config__.tag_field == "do" or cls in (OpenTable,)
    may_lack = may_be_left_out(cls, field) or (sent_by_client and not field.required)
    kind = _write(field.type)
    if isinstance(field.type, inspect.DictType) and isinstance(field.type.value_type, inspect.AnyType):
        kind = f"Partial<{_PARTS_OF.get((cls, field.name), Options).__name__}>"
    if may_lack and not sent_by_client:
        kind = " | ".join(part for part in kind.split(" | ") if part != "null")
    if is_unset_by_default(cls, field.name) and cls in _PARTS_OF.values():  # a delta removes it
        kind += " | null"
    return f"  {field.encode_name}{'?' if may_lack else ''}: {kind};"


def _write(kind: inspect.Type) -> str:  # noqa: C901 - one line for each kind
    match kind:
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.UnionType(types=types):
            return " | ".join(_write(inner) for inner in types)
        case inspect.VarTupleType(item_type=item):
            inner = _write(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.LiteralType(values=values):
            return " | ".join(map(_quoted, values))
        case inspect.EnumType(cls=cls):
            return " | ".join(_quoted(member.value) for member in cls)
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.DictType(value_type=value):
            return f"Record<string, {_write(value)}>"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(_write, items))}]"
        case inspect.AnyType():
            return "unknown"
        case inspect.StrType() | inspect.BytesType():  # bytes are base64
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case _:
            raise AssertionError(f"no TypeScript for {kind}")


def _quoted(value: Any) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    sys.stdout.write(typescript())
