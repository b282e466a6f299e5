"""An operator of a package as its files of `op_host` and `op_kernel` have it."""

from __future__ import annotations

from dataclasses import dataclass

from porter.ascend.recognise import nearest
from porter.ascend.tree import snake
from porter.languages.cpp import Function, Kind
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

_BEGIN, _FIELD = "BEGIN_TILING_DATA_DEF", "TILING_DATA_FIELD_DEF"
_REGISTER = "REGISTER_TILING_DATA_CLASS"
_ATTRIBUTES = {"Float": "double", "Int": "int64_t", "Bool": "bool"}


@dataclass(frozen=True, slots=True)
class Operand:
    """An input or output, with its type (`DT_FLOAT`) in each combination."""

    name: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """Of tiling data."""

    type: str
    name: str
    comment: str


@dataclass(frozen=True, slots=True)
class Operator:
    """What OpDef, tiling data and kernel say."""

    name: str
    host: str  # the path of its OpDef
    kernel: str  # the path of its kernel
    entry: Function
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    attributes: tuple[tuple[str, str], ...]  # name and type in C++
    tiling: str  # the name of its tiling function
    data: str  # the class of its tiling data
    fields: tuple[Field, ...]


def find(files: Files, near: str, name: str) -> Operator:
    """The operator `AddCustom` of a package of the tree. Raises Refused."""
    homes = [
        path
        for path in files.tree
        if f"OP_ADD({name})".encode() in files.tree[path] and path.endswith((".cpp", ".cc"))
    ]
    if not homes:
        raise Refused(f"aclnn{name} is not in any package of the tree: its kernel is missing")
    host = nearest(near, homes)[0]
    kernels = [p for p in files.tree if p.endswith(f"op_kernel/{snake(name)}.cpp")]
    if not kernels:
        raise Refused(f"the kernel {snake(name)}.cpp of {name} is not in the tree")
    kernel = nearest(host, kernels)[0]
    entries = files.reader(kernel).functions_named(snake(name))
    if len(entries) != 1:
        raise Refused(f"{kernel} has no kernel {snake(name)}")
    reader = files.reader(host)
    begin, end = _class(reader, name)
    groups: dict[str, list[Operand]] = {"Input": [], "Output": []}
    attributes: list[tuple[str, str]] = []
    for at in reader.code.places("Input", "Output", "Attr"):
        if not begin < at < end or reader.word(at - 1) != "->":
            continue
        kind, chain = reader.word(at), _chain(reader, at + 1)
        names = _names(reader, at)
        option = chain.get("ParamType", [[""]])[0]
        if kind == "Attr":
            types = [_ATTRIBUTES[each] for each in chain if each in _ATTRIBUTES]
            if not types:
                raise Refused(f"the attribute {names[0]} of {name}", reader.line(at))
            attributes.append((names[0], types[0]))
            continue
        if option[-1] != "REQUIRED":
            raise Refused(f"`{names[0]}` of {name} is optional, or is a list", reader.line(at))
        found = [w for w in chain.get("DataType", [[]])[0] if w.startswith("DT_")]
        groups[kind] += [Operand(each, tuple(found)) for each in names]
    data, fields = _data(files, host, name)
    tiling = next(
        (
            reader.word(reader.code.pairs[at + 1] - 1)
            for at in reader.code.places("SetTiling")
            if begin < at < end
        ),
        "",
    )
    if not tiling:
        raise Refused(f"{name} has no tiling function in {host}")
    return Operator(
        name, host, kernel, entries[0], tuple(groups["Input"]), tuple(groups["Output"]),
        tuple(attributes), tiling, data, fields,
    )  # fmt: skip


def _class(reader: Reader, name: str) -> tuple[int, int]:
    for at in reader.code.places(name):
        if reader.word(at - 1) == "class":
            brace = next(k for k in range(at, len(reader.code.tokens)) if reader.word(k) == "{")
            return brace, reader.code.pairs.get(brace, brace)
    raise Refused(f"{name} is defined in a macro")


def _chain(reader: Reader, opening: int) -> dict[str, list[list[str]]]:
    """The methods that are called on what a call gives, with their arguments' words."""
    found: dict[str, list[list[str]]] = {}
    at = reader.code.pairs[opening] + 1
    while reader.word(at) == ".":
        bracket = at + 2
        found[reader.word(at + 1)] = [
            reader.words(*each) for each in reader.code.arguments(bracket)
        ] or [[""]]
        at = reader.code.pairs.get(bracket, bracket) + 1
    return found


def _names(reader: Reader, at: int) -> list[str]:
    """The name that `Input("x")` gives, or each one of the loop around: `Input(each)`."""
    token = reader.code.tokens[at + 2]
    if token.kind is Kind.STRING:
        return [token.text.strip('"')]
    for place in reader.uses(token.text, 0, at - 1):
        if reader.word(place + 1) == ":" and reader.word(place + 2) == "{":
            inner = reader.words(place + 3, reader.code.pairs[place + 2] - 1)
            return [word.strip('"') for word in inner if word != ","]
    raise Refused(f"the name of an input, `{token.text}`", reader.line(at))


def _data(files: Files, host: str, name: str) -> tuple[str, tuple[Field, ...]]:
    for path in files.include_closure(host):
        reader = files.reader(path)
        for at in reader.code.places(_REGISTER):
            given = [reader.code.text(*each) for each in reader.code.arguments(at + 1)]
            if given[:1] == [name]:
                return given[1], _fields(files, host, given[1])
    raise Refused(f"{name} registers no tiling data by {_REGISTER}")


def _fields(files: Files, host: str, data: str) -> tuple[Field, ...]:
    for path in files.include_closure(host):
        reader = files.reader(path)
        for at in reader.code.places(_BEGIN):
            if reader.code.text(at + 2, at + 2) != data:
                continue
            found, at = [], at + 4
            while reader.word(at) == _FIELD:
                kind, name = (reader.code.text(*each) for each in reader.code.arguments(at + 1))
                close = reader.code.pairs[at + 1] + 1
                end = reader.code.tokens[close].end
                rest = reader.unit.data[end:].split(b"\n", 1)[0].strip().decode()
                found.append(Field(kind, name, rest if rest.startswith("//") else ""))
                at = close + 1
            if reader.word(at) == "END_TILING_DATA_DEF":
                return tuple(found)
    raise Refused(f"the tiling data {data} has fields that are not plain")
