"""The structs that messages consist of, and which of their fields are always sent: for generated descriptions."""

from typing import Any

from msgspec import UNSET, Struct, inspect, structs

from notahat.wire.messages import State


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
        case _:
            pass
