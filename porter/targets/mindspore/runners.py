"""What functions of a plugin have a runner run, and what of its inputs the launch reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from porter.ascend.hosts import parameters
from porter.ascend.kernels import body
from porter.languages.cpp import Code, Function, Kind
from porter.languages.cpp_tokens import Range

POINTERS = ("GetDataPtr", "data_ptr")
LAYOUT = ("stride", "strides", "is_contiguous", "storage_offset")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """`runner->Run({a, b}, {c})` in a function."""

    at: int  # the token Run
    runner: str  # the class; empty where the function does not say it
    function: Function
    inputs: tuple[Range, ...]
    outputs: tuple[Range, ...]


def runs(code: Code) -> Iterator[Run]:
    """The runs that a file states, with each list where it stands."""
    for at in code.places("Run"):
        around = code.function_at(at)
        arrow = at > 1 and code.tokens[at - 1].text in ("->", ".")
        if around is None or not arrow or code.tokens[at + 1].text != "(":
            continue
        given = code.arguments(at + 1)
        if len(given) == 2:
            inputs, outputs = (_find_elements(code, around, one) for one in given)
            runner = _find_class(code, around, code.tokens[at - 2].text)
            yield Run(at=at, runner=runner, function=around, inputs=inputs, outputs=outputs)


def _find_elements(code: Code, function: Function, given: Range) -> tuple[Range, ...]:
    """The elements of `{a, b}`, or of a vector that the function gives them: `inputs = {a, b}`."""
    first, last = given
    if first == last:
        for at in code.places(code.tokens[first].text):
            opening = at + 1 + (code.tokens[at + 1].text == "=")
            if function.opening < at < first and code.tokens[opening].text == "{":
                return tuple(code.arguments(opening))
    return tuple(code.arguments(first)) if code.tokens[first].text == "{" else ()


def _find_class(code: Code, function: Function, variable: str) -> str:
    """The class of `variable = std::make_shared<Class>(...)`."""
    for at in code.places("make_shared"):
        if function.opening < at < function.closing and code.tokens[at + 1].text == "<":
            before = [token.text for token in code.tokens[max(at - 4, 0) : at]]
            if before[-3:-2] == ["="] and before[0] == variable:
                return code.tokens[code.skip_angles(at + 1) - 2].text
    return ""


def read_by_address(code: Code, runner: str) -> frozenset[int]:
    """The inputs that a runner's methods read from their addresses on, and ask for no layout of;
    none where the file has not its launch."""
    methods = _find_methods(code, runner)
    uses = [use for method in methods for use in _uses(code, method)]
    asked = {number for name, number in uses if name in LAYOUT}
    return frozenset(number for name, number in uses if name in POINTERS) - asked


def computes_on_host(code: Code, runner: str) -> bool:
    """Whether a runner's launch is in the file and is on no stream."""
    methods = _find_methods(code, runner)
    return bool(methods) and not any("stream" in body(code, method) for method in methods)


def _find_methods(code: Code, runner: str) -> list[Function]:
    """The methods of a runner; none where the file has not its launch."""
    methods = [f for f in code.functions if runner and f.scope.rpartition("::")[2] == runner]
    return methods if any(method.name == "LaunchKernel" for method in methods) else []


def _uses(code: Code, method: Function) -> Iterator[tuple[str, int]]:
    """(member, number) of `inputs()[number].member`, also through a name for the input."""
    for at in code.places("inputs"):
        if not method.opening < at < method.closing:
            continue
        words = [token.text for token in code.tokens[at : at + 8]]
        words += [""] * (8 - len(words))  # a file may end here
        if words[1:4] != ["(", ")", "["] or words[5] != "]" or not words[4].isdigit():
            continue
        number = int(words[4])
        if words[6] == ".":
            yield words[7], number
        elif code.tokens[at - 1].text in ("(", ","):  # handed to a function of the file
            yield POINTERS[0] if is_inspected(code, at, POINTERS) else "", number
        named = code.tokens[at - 2] if code.tokens[at - 1].text == "=" else None
        for use in code.places(named.text) if named is not None else ():
            if at < use < method.closing and code.tokens[use + 1].text == ".":
                yield code.tokens[use + 2].text, number


def is_inspected(code: Code, at: int, methods: Collection[str]) -> bool:
    """Whether the function that is given the argument of this token calls one of these methods."""
    depth = 0
    while at > 0 and code.tokens[at].text not in (";", "{", "}"):
        at -= 1
        depth += (code.tokens[at].text == ")") - (code.tokens[at].text == "(")
        if depth < 0:
            names = {code.tokens[at - 1].text}
            bodies = (body(code, f) for f in code.functions if f.name in names)
            return any(not {*methods}.isdisjoint(texts) for texts in bodies)
    return False


def takes(code: Code, function: Function, name: str) -> bool:
    """Whether a function has a parameter of this name that is one tensor."""
    for first, last in parameters(code, function):
        words = [token.text for token in code.tokens[first : last + 1]]
        if words[-1] == name and "Tensor" in words[:-1]:
            return not {"<", "*"} & set(words)
    return False


def values_of(code: Code, function: Function, name: str) -> Iterator[Range]:
    """What a function assigns to a name."""
    for at in code.places(name):
        if function.opening < at < function.closing and code.tokens[at + 1].text == "=":
            end = at + 2
            while end < function.closing and code.tokens[end].text != ";":
                end = code.pairs.get(end, end) + 1
            yield at + 2, end - 1


def name_of(code: Code, given: Range) -> str:
    """The name that an expression is; empty where it is more than one."""
    first, last = given
    return code.tokens[first].text if first == last and code.tokens[first].kind is Kind.NAME else ""
