"""What stays of a host file whose operators become entries of OpPlugin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.languages.cpp import Function, parse
from porter.languages.edits import splice
from porter.model import Edit, Span
from porter.targets.torch_npu.routes import mend
from porter.targets.torch_npu.routes.schema import Schema
from porter.targets.torch_npu.routes.syntax import Reader, Refused


@dataclass(frozen=True, slots=True)
class EntryOperator:
    """One operator of the file: where it is defined and registered."""

    space: str
    schema: Schema
    function: Function
    registrations: tuple[tuple[int, int], ...]  # statements: of def, of impl for the device
    others: tuple[tuple[int, int], ...]  # the same for other keys
    entry: str  # of the yaml, without the schema
    by_hand: bool

    @property
    def name(self) -> str:
        plain = self.schema.name
        return plain if plain.startswith("npu_") else f"npu_{plain}"


def entry_host(reader: Reader, path: str, found: list[EntryOperator]) -> bytes | None:
    """The file without what the generator writes; None where nothing is left of it."""
    edits: list[Edit] = []
    tokens = reader.code.tokens
    for one in found:
        for first, last in one.registrations:
            edits.append(
                Edit(mend.extend_to_lines(reader, tokens[first].start, tokens[last].end), b"")
            )
        if not one.by_hand:
            function = one.function
            start, end = tokens[function.head].start, tokens[function.closing].end
            edits.append(Edit(mend.extend_to_lines(reader, start, end), b""))
    edits += _other_keys(reader, found)
    data = splice(reader.unit.data, set(edits))
    for one in found:
        if one.by_hand:
            data = _adapter(data, path, one)
    data = _drop_empty(data, path)
    code = parse(data, path).code
    return data if code.tokens else None


def _other_keys(reader: Reader, found: list[EntryOperator]) -> list[Edit]:
    """Registrations for other keys: of the operator by its new name."""
    edits: list[Edit] = []
    statements = {statement: one for one in found for statement in one.others}
    blocks: dict[int, list[tuple[int, int]]] = {}
    for statement in statements:
        blocks.setdefault(reader.around[statement[0]], []).append(statement)
    for brace, inner in blocks.items():
        at = brace + 1
        while at < reader.code.pairs[brace]:
            statement = reader.statement(at)
            if statement not in inner:
                raise Refused("a TORCH_LIBRARY_IMPL of these and other operators", reader.line(at))
            at = statement[1] + 1
        space = reader.code.tokens[reader.opened[brace - 1] + 1]
        edits.append(Edit(space.span, b"npu"))
        for statement in inner:
            one = statements[statement]
            name = next(
                t
                for t in reader.code.tokens[statement[0] : statement[1]]
                if t.text.strip('"').rpartition("::")[2] == one.schema.name and '"' in t.text
            )
            edits.append(Edit(name.span, f'"{one.name}"'.encode()))
    for token in reader.code.tokens:
        for one in found:
            if token.text == f'"{one.space}::{one.schema.name}"':
                edits.append(Edit(token.span, f'"npu::{one.name}"'.encode()))
    return edits


def _adapter(data: bytes, path: str, one: EntryOperator) -> bytes:
    """The function as what the generated interface calls: `op_api::npu_x`."""
    reader = Reader(parse(data, path))
    (function,) = reader.functions_named(one.function.name)
    tokens = reader.code.tokens
    name = tokens[reader.opening_of(function) - 1]
    edits = [Edit(name.span, one.name.encode())]
    edits += [
        Edit(tokens[k].span, f"op_api::{one.name}".encode())
        for k in reader.uses(function.name, 0, len(tokens) - 1)
        if tokens[k].start != name.start and reader.code.function_at(k) is not None
    ]
    first = function.head
    if reader.word(first) == "static":
        edits.append(Edit(Span(tokens[first].start, tokens[first + 1].start), b""))
        first += 1
    before, after = _namespace_breaks(reader, first)
    begin = reader.unit.line_start(tokens[function.head].start)
    begin = mend.extend_to_lines(reader, tokens[function.head].start, tokens[function.closing].end)
    edits.append(Edit(Span(begin.start, begin.start), f"{before}namespace op_api {{\n\n".encode()))
    edits.append(Edit(Span(begin.end, begin.end), f"\n}}  // namespace op_api\n{after}".encode()))
    return splice(data, set(edits))


def _namespace_breaks(reader: Reader, at: int) -> tuple[str, str]:
    """What ends the namespaces around a function, and begins them again."""
    ends, begins = "", ""
    brace = reader.around[at]
    while brace >= 0:
        first = brace
        while first > 0 and reader.word(first) != "namespace":
            first -= 1
        head = " ".join(reader.words(first, brace - 1))
        ends += f"}}  // {head}\n\n"
        begins = f"\n{head} {{\n" + begins
        brace = reader.around[brace]
    return ends, begins


def _drop_empty(data: bytes, path: str) -> bytes:
    """Without namespaces and libraries that have nothing in them any more."""
    while True:
        reader = Reader(parse(data, path))
        tokens, edits = reader.code.tokens, []
        for at, close in sorted(reader.code.pairs.items()):
            if reader.word(at) != "{" or close != at + 1 or reader.around[at] >= 0:
                continue
            first = at
            while first > 0 and reader.word(first - 1) not in (";", "}"):
                first = reader.opened.get(first - 1, first - 1)
            if reader.word(first) == "namespace" or reader.word(first).startswith("TORCH_LIBRARY"):
                place = mend.extend_to_lines(reader, tokens[first].start, tokens[close].end)
                edits.append(Edit(place, b""))
        if not edits:
            return re.sub(rb"\n{3,}", b"\n\n", data)
        data = splice(data, edits[:1])
