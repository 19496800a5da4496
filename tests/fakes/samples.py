"""One sample of any type of the contract, with each field set to something that is not its default.

What is made is plain JSON as it is on the wire; decoding it is the test's business. Every case of a
union in a list is there once; a single field takes its first case.
"""

from typing import Any

import msgspec
from msgspec import inspect

Json = Any
NUMBER = 2
DATE = "2026-11-30T12:00:00.000Z"


def sample(struct: type[msgspec.Struct]) -> dict[str, Json]:
    """Return a sample of a struct."""
    told = inspect.type_info(struct)
    assert isinstance(told, inspect.StructType)
    return _struct(told, 1)


def _struct(told: inspect.StructType, number: int) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if told.tag_field is not None:
        made[told.tag_field] = told.tag
    for field in told.fields:
        made[field.encode_name] = _value(field.type, field, number)
    return made


def _value(told: inspect.Type, field: inspect.Field, number: int) -> Json:
    match told:
        case inspect.UnionType(types=types):
            return _value(_cases(types)[0], field, number)
        case inspect.StructType():
            return _struct(told, number)
        case inspect.VarTupleType(item_type=item):
            cases = _cases(item.types) if isinstance(item, inspect.UnionType) else [item]
            return [_value(case, field, at) for at, case in enumerate(cases, start=1)]
        case inspect.TupleType():
            return []
        case inspect.DictType():
            return {"theme": "dark"}
        case inspect.LiteralType(values=values):
            return next(value for value in reversed(values) if value != field.default)
        case inspect.BoolType():
            return field.default is not True
        case inspect.StrType():
            return _text(field, number)
        case inspect.IntType() | inspect.FloatType():
            return NUMBER
        case inspect.AnyType():
            return {"path": "a.txt", "deep": [1, 2.5, None, True, {"é": "🎉"}]}
        case _:
            raise AssertionError(f"no sample of {told}")


def _cases(types: tuple[inspect.Type, ...]) -> list[inspect.Type]:
    return [case for case in types if not isinstance(case, inspect.NoneType)]


def _text(field: inspect.Field, number: int) -> str:
    if field.name == "part_id":
        return f"p{number}"
    if field.name == "at" or field.name.endswith("_at"):
        return DATE
    if field.name.endswith("_id"):
        return field.name.replace("_id", "-1")
    return f"{field.name} é🎉"
