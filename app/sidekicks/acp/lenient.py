"""Reads what agents send, who are not exact: first as the types say, then field by field.

What can be read is; a field that cannot falls back to its default and is kept, as it came, in the
struct's `unread`, where it has one; an item of a list that cannot be read is left out; a kind that
we do not know becomes the union's `Unknown` struct, which holds everything.
"""

import math
import secrets
import types
import typing
from typing import Any, ClassVar, Final, TypeVar, Union, cast

import msgspec

Json = Any
Number = int | float
DEPTH_LIMIT: Final = 64
"""Nested deeper than this nobody reads it, and a program that walks it could overflow its stack."""

T = TypeVar("T")


class AcpStruct(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, gc=False
):
    """A value of the protocol, named as on the wire but for the case; null means absent."""

    bare: ClassVar[str] = ""
    """The field that a plain text in this struct's place stands for."""


UNSENT_TAG: Final = secrets.token_hex(16)
"""The tag of the `Unknown` structs, which a union must have and no agent can send."""


class Unknown(AcpStruct, frozen=True, kw_only=True):
    """Something of a kind that we do not know: `raw` is all of it, but for its `_meta`."""

    kind: str
    raw: Json


class Offered(AcpStruct, frozen=True, kw_only=True):
    """That something can be done: `{}` on the wire."""


def read(value: Json, wanted: type[T]) -> T:
    """Return the value as what is wanted.

    Raises:
        msgspec.ValidationError: where too little of it can be read.
    """
    return cast("T", _read(value, wanted))


def shallow(value: Json) -> Json:
    """Return the value, with what is nested deeper than the limit replaced by `…`."""
    return _cut(value, DEPTH_LIMIT) if _is_deep(value, DEPTH_LIMIT) else value


def _read(value: Any, wanted: Any) -> Any:
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        origin = typing.get_origin(wanted)
        if origin is Union or origin is types.UnionType:
            return _read_union(value, typing.get_args(wanted))
        if origin is tuple:
            return _read_items(value, typing.get_args(wanted)[0])
        if isinstance(wanted, type) and issubclass(wanted, AcpStruct):
            return _read_struct(value, wanted)
        if wanted is int and isinstance(value, float) and math.isfinite(value):
            return int(value)
        return msgspec.convert(value, cast("Any", wanted), strict=False)


def _read_items(value: Any, wanted: Any) -> tuple[Any, ...]:
    """Read a list; one thing where a list should be is a list of one."""
    if value is None:
        raise msgspec.ValidationError
    items: list[Any] = []
    for item in cast("list[Any]", value if isinstance(value, list) else [value]):
        try:
            items.append(_read(item, wanted))
        except msgspec.ValidationError:
            continue
    return tuple(items)


def _read_union(value: Any, members: tuple[Any, ...]) -> Any:
    structs = [m for m in members if isinstance(m, type) and issubclass(m, AcpStruct)]
    tagged = [m for m in structs if m.__struct_config__.tag is not None]
    if tagged:
        return _read_tagged(value, tagged)
    if value is False and Offered in structs:
        return None
    for member in members:
        try:
            return _read(value, member)
        except msgspec.ValidationError:
            continue
    raise msgspec.ValidationError


def _read_tagged(value: Any, structs: list[type[AcpStruct]]) -> AcpStruct:
    tag: Any = None
    wanted: type[AcpStruct] | None = None
    if isinstance(value, str):
        wanted = next((struct for struct in structs if struct.bare), None)
    elif isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        tag = fields.get(structs[0].__struct_config__.tag_field or "")
        wanted = next((s for s in structs if s.__struct_config__.tag == tag), None)
    if wanted is not None:
        try:
            return _read_struct(value, wanted)
        except msgspec.ValidationError:
            pass
    unknown = next((struct for struct in structs if issubclass(struct, Unknown)), None)
    if unknown is None:
        raise msgspec.ValidationError
    return unknown(kind=tag if isinstance(tag, str) else "", raw=shallow(_without_meta(value)))


def _read_struct(value: Any, wanted: type[AcpStruct]) -> AcpStruct:
    if isinstance(value, str) and wanted.bare:
        value = {wanted.bare: value}
    elif value is True and wanted is Offered:
        value = {}
    if not isinstance(value, dict) or issubclass(wanted, Unknown):
        raise msgspec.ValidationError
    told = cast("dict[str, Any]", value)
    values: dict[str, Any] = {}
    unread: dict[str, Any] = {}
    names: set[str] = set()
    for field in msgspec.structs.fields(wanted):
        names.add(field.name)
        if field.encode_name not in told:
            if field.required:
                raise msgspec.ValidationError
            continue
        part = told[field.encode_name]
        try:
            values[field.name] = _read(part, field.type)
        except msgspec.ValidationError:
            if field.required:
                raise
            if part is not None:
                unread[field.encode_name] = shallow(part)
    if unread and "unread" in names:
        values["unread"] = unread
    return wanted(**values)


def _without_meta(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    return {key: item for key, item in fields.items() if key != "_meta"}


def _is_deep(value: Any, limit: int) -> bool:
    if isinstance(value, dict):
        value = list(cast("dict[str, Any]", value).values())
    if not isinstance(value, list):
        return False
    return limit == 0 or any(_is_deep(item, limit - 1) for item in cast("list[Any]", value))


def _cut(value: Any, limit: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if limit == 0:
        return "…"
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: _cut(item, limit - 1) for key, item in fields.items()}
    return [_cut(item, limit - 1) for item in cast("list[Any]", value)]
