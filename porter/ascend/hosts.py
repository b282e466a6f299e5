"""Where statements go in a C++ function, and which tensors it takes: for the edits of rules."""

from __future__ import annotations

from collections.abc import Collection

from porter.languages.cpp import Code, Function, Kind, Unit
from porter.model import Edit, Span

# Any of these brings all functions of at::, c10::OptionalDeviceGuard and device_of.
_ATEN = ("torch/extension.h", "torch/torch.h", "torch/all.h", "torch/script.h", "ATen/ATen.h")


def brings_aten(unit: Unit) -> bool:
    """Whether a file includes all of ATen, by a header for that."""
    return any(header in _ATEN for header, _ in unit.includes)


def tensors(code: Code, function: Function) -> list[str]:
    """The parameters that are one tensor: no list of them, no optional one, no pointer."""
    found = []
    for first, last in parameters(code, function):
        words = [token.text for token in code.tokens[first : last + 1]]
        named = code.tokens[last].kind is Kind.NAME and "Tensor" in words[:-1]
        if named and not {"<", "*", "&&", "="} & set(words):
            found.append(words[-1])
    return found


def parameters(code: Code, function: Function) -> list[tuple[int, int]]:
    """[first, last] token of each parameter."""
    for at in range(function.head, function.opening):
        if code.tokens[at].text == "(" and code.tokens[at - 1].text == function.name:
            return code.arguments(at)
    return []


def gives_tensor(code: Code, function: Function) -> bool:
    """Whether what it returns is one tensor."""
    head = [token.text for token in code.tokens[function.head : function.opening]]
    returned = head[: head.index(function.name)] if function.name in head else []
    return "Tensor" in returned and not {"<", "*", "&"} & set(returned)


def first_statement(code: Code, function: Function) -> int:
    """The token that a body's first statement after its device guard begins with."""
    at = function.opening + 1
    end = at
    while end < function.closing and code.tokens[end].text not in (";", "{", "}"):
        end = code.pairs.get(end, end) + 1
    guards = any("Guard" in token.text for token in code.tokens[at:end])
    return end + 1 if guards and code.tokens[end].text == ";" else at


def insert_before(code: Code, at: int, statement: str) -> Edit:
    """Statements put before the one that this token begins: on lines of their own where it has
    one, with its indentation."""
    unit, start = code.unit, code.tokens[at].start
    line = unit.line_start(start)
    indent = unit.data[line.start : start]
    if indent.strip():
        return Edit(Span(start, start), unit.encode(statement.replace("\n", " ") + " "))
    lines = (f"{indent.decode()}{one}\n" for one in statement.split("\n"))
    return Edit(line, unit.encode("".join(lines)))


def last_in(code: Code, function: Function, like: int, statement: str) -> Edit:
    """A statement put at the end of a body, indented as the statement of the token `like`."""
    unit, end = code.unit, code.tokens[function.closing].start
    line = unit.line_start(end)
    if unit.data[line.start : end].strip():  # the body is on one line
        start = code.tokens[function.closing - 1].end
        return Edit(Span(start, start), unit.encode(f" {statement}"))
    own = unit.line_start(code.tokens[like].start)
    text = unit.data[own.start : code.tokens[like].start]
    indent = text[: len(text) - len(text.lstrip())].decode()
    return Edit(line, unit.encode(f"{indent}{statement}\n"))


def whole_lines(code: Code, first: int, last: int) -> Edit | None:
    """The removal of these tokens with their lines, where nothing else stands on them."""
    data = code.unit.data
    start = code.unit.line_start(code.tokens[first].start).start
    newline = data.find(b"\n", code.tokens[last].end)
    end = len(data) if newline == -1 else newline + 1
    around = data[start : code.tokens[first].start] + data[code.tokens[last].end : end]
    return Edit(Span(start, end), b"") if not around.strip() else None


def last_registration(code: Code, keys: Collection[str]) -> int | None:
    """The token that the last TORCH_LIBRARY_IMPL block for one of these keys ends with."""
    ends = []
    for at in code.places("TORCH_LIBRARY_IMPL"):
        given = code.arguments(at + 1)
        brace = code.pairs.get(at + 1, -2) + 1
        if len(given) == 3 and code.text(*given[1]) in keys and brace in code.pairs:
            ends.append(code.pairs[brace])
    return max(ends, default=None)
