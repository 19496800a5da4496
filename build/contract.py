"""Write the page's types from the contract.

`python build/contract.py` writes `ui/src/contract/generated.ts`; with `--check` it only compares,
and fails when the file is not what the contract says. What the page is sent has every field; what
it sends may leave out the fields that have a default.
"""

import argparse
import ast
import inspect
import itertools
import re
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NewType, get_args, get_origin

import msgspec

from sidekicks.contract import commands, errors, events, ids, parts, results, state, wire

TARGET: Final = Path(__file__).parent.parent / "ui" / "src" / "contract" / "generated.ts"
HEADER: Final = "// Written by build/contract.py from app/sidekicks/contract; edit that instead.\n"
PLAIN: Final = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    types.NoneType: "null",
}
LINE: Final = 100
NOTHING: Final = "Readonly<Record<string, never>>"
FIELD_NAME: Final = re.compile(r"`[a-z]+(?:_[a-z]+)+`")
BASES: Final = {msgspec.Struct, wire.Wire, wire.Command, wire.Event, wire.Result, parts.PartBase}
"""Their fields and tags are written out in each struct that has them."""


class Contract:
    """The structs, identifiers and aliases of the contract, by what TypeScript calls them."""

    def __init__(self) -> None:
        self.structs: dict[type[msgspec.Struct], str] = {}
        self.ids: dict[NewType, str] = {}
        self.aliases: dict[Any, str] = {}
        self.docs: dict[tuple[str, str], str] = {}
        self.fields: dict[str, str] = {}
        for module in (ids, errors, parts, state, results, commands, events):
            self._read(module)

    def _read(self, module: types.ModuleType) -> None:
        self.docs.update(_field_docs(module))
        for name, value in vars(module).items():
            match value:
                case type() if issubclass(value, msgspec.Struct) and value not in BASES:
                    self.structs.setdefault(value, name)
                    for field in msgspec.structs.fields(value):
                        self.fields[f"`{field.name}`"] = f"`{field.encode_name}`"
                case NewType():
                    self.ids.setdefault(value, name)
                case _ if get_origin(value) is Literal or isinstance(value, types.UnionType):
                    self.aliases.setdefault(value, name)
                case _:
                    pass

    def reachable(self) -> set[Any]:
        """Return everything named that a command, a result, an event or an error needs."""
        found: set[Any] = set()
        ahead: list[Any] = [*commands.RESULTS, *commands.RESULTS.values(), errors.ErrorBody]
        ahead.append(events.AnyEvent)
        while ahead:
            kind = ahead.pop()
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                if kind in found:
                    continue
                ahead.extend(field.type for field in msgspec.structs.fields(kind))
                ahead.extend(base for base in kind.__bases__ if base in self.structs)
            else:
                ahead.extend(get_args(kind))
            if kind in self.structs or kind in self.ids or kind in self.aliases:
                found.add(kind)
        return found

    def spell(self, kind: Any) -> str:
        """Return the TypeScript for a type as it stands in a field."""
        if name := self.ids.get(kind) or self.aliases.get(kind) or self.structs.get(kind):
            return name
        return self.spell_out(kind)

    def spell_out(self, kind: Any) -> str:
        """Return the TypeScript for a type, without its own name."""
        if kind is Any:
            return "unknown"
        if isinstance(kind, type) and kind in PLAIN:
            return PLAIN[kind]
        arguments = get_args(kind)
        match get_origin(kind):
            case typing.Literal:
                return " | ".join(f'"{value}"' for value in arguments)
            case types.UnionType | typing.Union:
                return " | ".join(self._members(arguments))
            case builtin if builtin is tuple and arguments in {(), ((),)}:
                return "readonly never[]"
            case builtin if builtin is tuple and len(arguments) == 2 and arguments[1] is ...:
                item = self.spell(arguments[0])
                return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
            case builtin if builtin is dict:
                return f"Readonly<Record<{self.spell(arguments[0])}, {self.spell(arguments[1])}>>"
            case _:
                raise TypeError(f"no TypeScript for {kind!r}")

    def _members(self, arguments: tuple[Any, ...]) -> Iterator[str]:
        """Yield a union's members, named unions first: Python has flattened `Part | None`."""
        for alias, name in self.aliases.items():
            inner = get_args(alias)
            within = isinstance(alias, types.UnionType) and len(inner) < len(arguments)
            if within and arguments[: len(inner)] == inner:
                yield name
                arguments = arguments[len(inner) :]
        yield from (self.spell(argument) for argument in arguments)

    def comment(self, text: str | None, indent: str = "") -> str:
        """Return a docstring as a TSDoc comment, its fields spelled as on the wire."""
        if not text:
            return ""
        text = FIELD_NAME.sub(lambda match: self.fields.get(match[0], match[0]), text)
        lines = inspect.cleandoc(text).replace("*/", "* /").splitlines()
        if len(lines) == 1:
            return f"{indent}/** {lines[0]} */\n"
        body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
        return f"{indent}/**\n{body}{indent} */\n"


def _field_docs(module: types.ModuleType) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield (class or "", name) -> the string that stands below a field or an alias."""

    def below(body: list[ast.stmt], owner: str) -> Iterator[tuple[tuple[str, str], str]]:
        for statement, after in itertools.pairwise(body):
            match statement, after:
                case (
                    ast.AnnAssign(target=ast.Name(id=name))
                    | ast.Assign(targets=[ast.Name(id=name)]),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    yield (owner, name), text
                case _:
                    pass

    tree = ast.parse(inspect.getsource(module))
    yield from below(tree.body, "")
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            yield from below(statement.body, statement.name)


def _struct(contract: Contract, kind: type[msgspec.Struct]) -> str:
    name = contract.structs[kind]
    fields = msgspec.structs.fields(kind)
    config = kind.__struct_config__
    for base in kind.__mro__[1:]:
        if base in contract.structs and msgspec.structs.fields(base) == fields and not config.tag:
            return (
                f"{contract.comment(kind.__doc__)}export type {name} = {contract.structs[base]};\n"
            )
    lines: list[str] = []
    if config.tag is not None:
        lines.append(f'  readonly {config.tag_field}: "{config.tag}";\n')
    for field in fields:
        sent_by_page = issubclass(kind, wire.Command)
        optional = "?" if sent_by_page and not field.required else ""
        for owner in kind.__mro__:
            if doc := contract.docs.get((owner.__name__, field.name)):
                lines.append(contract.comment(doc, "  "))
                break
        lines.append(f"  readonly {field.encode_name}{optional}: {contract.spell(field.type)};\n")
    comment = contract.comment(kind.__doc__)
    if not lines:
        return f"{comment}export type {name} = {NOTHING};\n"
    return f"{comment}export interface {name} {{\n{''.join(lines)}}}\n"


def _alias(contract: Contract, name: str, kind: Any) -> str:
    """Return a named union, broken into lines as prettier does."""
    union = contract.spell_out(kind)
    line = f"export type {name} = {union};"
    if len(line) > LINE:
        line = f"export type {name} =\n  {union};"
    if len(union) + len("  ;") > LINE:
        line = f"export type {name} =\n  | " + union.replace(" | ", "\n  | ") + ";"
    return f"{contract.comment(contract.docs.get(('', name)))}{line}\n"


def _params(contract: Contract, command: type[msgspec.Struct]) -> str:
    if not msgspec.structs.fields(command):
        return NOTHING
    return f'Omit<{contract.structs[command]}, "type">'


def _commands(contract: Contract) -> str:
    rows = "".join(
        f"  {command.__struct_config__.tag}: {{\n"
        f"    params: {_params(contract, command)};\n"
        f"    result: {contract.spell(result)};\n"
        "  };\n"
        for command, result in commands.RESULTS.items()
    )
    return (
        "/** Every command by name: what it takes and what it answers. */\n"
        f"export interface Commands {{\n{rows}}}\n"
    )


def generate() -> str:
    """Return the whole file: identifiers, aliases, structs in the contract's order, commands."""
    contract = Contract()
    contract.structs.setdefault(wire.Done, "Done")
    wanted = contract.reachable()
    blocks = [HEADER]
    blocks.extend(
        f"{contract.comment(contract.docs.get(('', name)))}"
        f'export type {name} = string & {{ readonly __of?: "{name}" }};\n'
        for kind, name in contract.ids.items()
        if kind in wanted
    )
    blocks.extend(
        _alias(contract, name, kind) for kind, name in contract.aliases.items() if kind in wanted
    )
    blocks.extend(_struct(contract, kind) for kind in contract.structs if kind in wanted)
    blocks.append(_commands(contract))
    return "\n".join(blocks)


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--target", type=Path, default=TARGET)
    arguments = parser.parse_args()
    target: Path = arguments.target
    text = generate()
    if arguments.check:
        if target.is_file() and target.read_text(encoding="utf-8") == text:
            return 0
        print(
            f"{target} is not what the contract says: run `python build/contract.py`",
            file=sys.stderr,
        )
        return 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
