"""TypeScript types made from the messages; tools/web_catalogue.py writes them for the page."""

from collections.abc import Iterator
from textwrap import fill
from typing import Any, get_args

import msgspec
from msgspec import UNSET, Struct, inspect, structs

from notahat.bots import CHARACTERS, LEVELS
from notahat.rules import Event, View
from notahat.table import EMOTES, FACES, Chair, Options, Shown, Story, TableView
from notahat.table.commands import ANY_GUEST_COMMAND
from notahat.wire import messages
from notahat.wire.messages import Changes, State, reasons


def collect_structs(*kinds: Any) -> dict[str, type[Struct]]:
    """Return all structs that these types contain, by name."""
    found: dict[str, type[Struct]] = {}
    for kind in kinds:
        _collect(inspect.type_info(kind), found)
    return found


def is_unset_by_default(cls: type[Struct], field: str) -> bool:
    return any(one.name == field and one.default is UNSET for one in structs.fields(cls))


def may_be_left_out(cls: type[Struct], field: inspect.Field) -> bool:
    """Return whether the server leaves out a field in some messages."""
    has_omitted_default = cls.__struct_config__.omit_defaults and not field.required
    is_ack = cls is State and field.name == "ack"
    return has_omitted_default or is_ack or is_unset_by_default(cls, field.name)


def _collect(kind: inspect.Type, found: dict[str, type[Struct]]) -> None:
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            if found.get(cls.__name__, cls) is not cls:
                raise AssertionError(f"two messages are called {cls.__name__}")
            if cls.__name__ in found:
                return
            found[cls.__name__] = cls
            for field in fields:
                _collect(field.type, found)
        case inspect.UnionType(types=types):
            for inner in types:
                _collect(inner, found)
        case inspect.VarTupleType(item_type=item) | inspect.DictType(value_type=item):
            _collect(item, found)


_PARTS_OF: dict[tuple[type[Struct], str], type[Struct]] = {(Changes, "changed"): TableView, (Changes, "round"): View}
_UNIONS = {"GuestCommand": get_args(ANY_GUEST_COMMAND), "RoundEvent": get_args(Event), "Shown": get_args(Shown)}
# the page writes these requests where it sends them, and reads the fields of a refusal that it needs
_WITHOUT_TYPE = {"AskLines", "Heartbeat", "KnockRequest", "NewGuest", "OpenTable", "Refusal", "UseTicket"}
_WIDTH = 120
_HEADER = """\
// Made by tools/web_catalogue.py; change src/notahat/wire/ or src/notahat/table/ instead.

"""


def typescript() -> str:
    """Return the whole file: an interface for each message and each part of one, and unions of commands and events."""
    typed = {name: kind for name, kind in vars(messages).items() if name not in _WITHOUT_TYPE and name[0] != "_"}
    public = [kind for kind in typed.values() if isinstance(kind, type)]
    own = [kind for kind in public if kind.__module__ == messages.__name__ and issubclass(kind, Struct)]
    structs = collect_structs(*own, Options, Chair, TableView, Story, ANY_GUEST_COMMAND, Shown)
    return _HEADER + "\n".join(_parts(structs))


def _parts(structs: dict[str, type[Struct]]) -> Iterator[str]:
    inlined = {cls for members in _UNIONS.values() for cls in members}
    for name in sorted(structs):
        if structs[name] not in inlined:
            fields = "".join(f"  {field};\n" for field in _fields(structs[name]))
            yield f"{_comment(structs[name])}\nexport interface {name} {{\n{fields}}}\n"
    yield from (_union(name, members) for name, members in _UNIONS.items())
    yield "export type FromServer = State | Changes | No | HeartbeatReply;\n"
    yield _list("EMOTES", EMOTES)
    yield _list("LEVELS", LEVELS)
    yield _list("REASONS", reasons())
    yield _list("FACES", FACES) + "export type Face = (typeof FACES)[number];\n"
    yield _list("CHARACTERS", tuple(CHARACTERS)) + "export type Character = (typeof CHARACTERS)[number];\n"


def _list(constant: str, words: tuple[str, ...]) -> str:
    items = fill(", ".join(map(_quoted, words)), _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"export const {constant} = [\n{items},\n] as const;\n"


def _union(name: str, members: tuple[type[Struct], ...]) -> str:
    """Return a union of structs that are told apart by their tag. A union that it contains goes by its name."""
    inner = {other: set(some) for other, some in _UNIONS.items() if set(some) < set(members)}
    own = [cls for cls in members if not any(cls in some for some in inner.values())]
    lines = [*(f"  | {other}" for other in inner)]
    lines += (f"  {_comment(cls)}\n  | {{ {'; '.join(_fields(cls))} }}" for cls in own)
    return "\n".join([f"export type {name} =", *lines]) + ";\n"


def _comment(cls: type[Struct]) -> str:
    return f"/** {' '.join((cls.__doc__ or '').split())} */"


def _fields(cls: type[Struct]) -> Iterator[str]:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    if info.tag_field is not None:
        yield f"{info.tag_field}: {_quoted(info.tag)}"
    for field in info.fields:
        yield _field(cls, field)


def _field(cls: type[Struct], field: inspect.Field) -> str:
    sent_by_client = cls.__struct_config__.tag_field == "do"
    may_lack = may_be_left_out(cls, field) or (sent_by_client and not field.required)
    kind = _write(field.type)
    if isinstance(field.type, inspect.DictType) and isinstance(field.type.value_type, inspect.AnyType):
        kind = f"Partial<{_PARTS_OF.get((cls, field.name), Options).__name__}>"
    if may_lack and not sent_by_client:
        kind = " | ".join(part for part in kind.split(" | ") if part != "null")
    if is_unset_by_default(cls, field.name) and cls in _PARTS_OF.values():  # a delta removes it
        kind += " | null"
    return f"{field.encode_name}{'?' if may_lack else ''}: {kind}"


def _write(kind: inspect.Type) -> str:  # noqa: C901 - one line for each kind
    match kind:
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.UnionType(types=types):
            known = {inner.cls for inner in types if isinstance(inner, inspect.StructType)}
            for name, members in _UNIONS.items():
                if known == set(members):
                    return name
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
