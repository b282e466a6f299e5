"""The elements that a kernel is about: one a thread of the grid, or a loop with its stride."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porter.languages.cpp import Function
from porter.targets.torch_npu.translate.instructions import Scalar
from porter.targets.torch_npu.translate.numbers import FLAT, Polynomial, polynomial, symbol
from porter.targets.torch_npu.translate.syntax import (
    Alias,
    Array,
    Assign,
    Binary,
    Block,
    Declare,
    Do,
    Expression,
    For,
    If,
    Macro,
    Name,
    Return,
    Statement,
    Unary,
    Untranslatable,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.trees import (
    map_expressions,
    names_assigned,
    unknown_statement_error,
)
from porter.targets.torch_npu.translate.vector import Body

# What these names stand for in CUDA code everywhere: a grid-stride loop.
_LOOPS = frozenset(("CUDA_KERNEL_LOOP", "CUDA_1D_KERNEL_LOOP", "CUDA_KERNEL_LOOP_TYPE"))


class OtherElements(Untranslatable):
    """Its elements are not those of one thread each: if it goes over rows, that says why not."""


def _other(why: Untranslatable, index: str) -> Untranslatable:
    return why if index else OtherElements(why.reason, why.at)


@dataclass(frozen=True, slots=True)
class Elements:
    index: str
    bound: Expression
    body: tuple[Statement, ...]
    strided: bool  # every thread goes on until the end
    number: Polynomial = frozenset()  # what the elements' numbers are


def elements(statements: tuple[Statement, ...], body: Body, function: Function) -> Elements:
    """The elements that the kernel is about, and what it does with each."""
    known: dict[str, Polynomial] = {
        name: symbol(name)
        for name, value in body.state.names.items()
        if isinstance(value, Scalar) and value.type == "int"
    }
    index = ""
    for number, statement in enumerate(statements):
        rest = statements[number + 1 :]
        own = _thread_number(statement, rest, known)
        if own:
            index = own if known[own] in FLAT else index
            continue
        match statement:
            case Declare(_, _, name) | Alias(_, name, _):
                try:
                    body.run([statement])
                except Untranslatable as why:
                    raise _other(why, index) from None
                made = body.state.names.get(name)
                if isinstance(made, Scalar) and made.type == "int":
                    known[name] = symbol(name)
                continue
            case Array() | Do() | Block():
                raise _other(unknown_statement_error(statement), index)
            case If(_, condition, then, ()) if index and _is_leave(then):
                name, bound = _read_bound(condition, known, (">=",))
                if bound is not None:
                    return Elements(
                        name, bound, _use_one_name(rest, name, known), False, known[name]
                    )
            case If(_, condition, then, ()) if index and not rest:
                name, bound = _read_bound(condition, known, ("<",))
                if bound is not None:
                    return Elements(
                        name, bound, _use_one_name(then, name, known), False, known[name]
                    )
            case For(_, start, condition, step, inner) if not rest:
                found = _read_strided(start, condition, step, inner, known)
                if found is not None:
                    return found
            case Macro(_, macro, (Name(_, name), bound, *_), inner) if macro in _LOOPS and not rest:
                return Elements(name, bound, inner, strided=True)
        said = (
            "its elements are not indexed by one thread each: blockIdx.x * blockDim.x + threadIdx.x"
            " with a bound, or a grid-stride loop"
        )
        raise _other(Untranslatable(said, statement.at), index)
    raise _other(Untranslatable("its elements have no bound", function.opening), index)


def _thread_number(
    statement: Statement, rest: Sequence[Statement], known: dict[str, Polynomial]
) -> str:
    """The variable of a statement that says something of the threads' numbers, now known; or ""."""
    match statement:
        case Declare(at, type, name, value) if value is not None and _is_whole(type):
            own = polynomial(value, known)
            if own is not None and name not in known and _is_of_grid(own):
                if name in names_assigned(rest) and not _steps(rest, name):
                    raise Untranslatable(f"`{name}`, which is modified", at)
                known[name] = own
                return name
    return ""


def _steps(rest: Sequence[Statement], name: str) -> bool:
    """Whether a variable is only changed as that of a loop, which is all that follows."""
    match rest:
        case [*_, For(_, (), _, _, body)]:
            return name not in names_assigned([*rest[:-1], *body])
    return False


def _is_whole(type: str) -> bool:
    return is_integer(type) or plain(type) == "auto"


def _is_of_grid(value: Polynomial) -> bool:
    """Whether it says something of the threads, or of how many there are."""
    return any("." in name for names, _ in value for name in names)


def _use_one_name(
    body: tuple[Statement, ...], index: str, known: Mapping[str, Polynomial]
) -> tuple[Statement, ...]:
    """The same with the one name for the element's number."""

    def change(expression: Expression) -> Expression | None:
        own = polynomial(expression, known) == known[index]
        return Name(expression.at, index) if own else None

    return map_expressions(body, change)


def _read_strided(
    start: tuple[Statement, ...],
    condition: Expression,
    step: Statement,
    body: tuple[Statement, ...],
    known: Mapping[str, Polynomial],
) -> Elements | None:
    """A loop of each thread over every so many-th element."""
    match start, step:
        case (Declare(_, _, name, value),), _ if value is not None:
            first = polynomial(value, known)
        case (Assign(_, Name(_, name), "=", value),), _:
            first = polynomial(value, known)
        case (), Assign(_, Name(_, name)):
            first = known.get(name)
        case _:
            return None
    match step:
        case Assign(_, Name(_, own), "+=", by) if own == name:
            pass
        case Assign(_, Name(_, own), "=", Binary(_, "+", Name(_, left), by)) if own == name == left:
            pass
        case _:
            return None
    here = {**known, name: symbol(name)}
    _, bound = _read_bound(condition, here, ("<",), symbol(name))
    if bound is None or first not in FLAT or FLAT[first] != polynomial(by, known):
        return None
    return Elements(name, bound, body, True, first)


def _is_leave(then: tuple[Statement, ...]) -> bool:
    return len(then) == 1 and isinstance(then[0], Return) and then[0].value is None


def _read_bound(
    condition: Expression,
    known: Mapping[str, Polynomial],
    operators: tuple[str, ...],
    element: Polynomial | None = None,
) -> tuple[str, Expression | None]:
    """The element's number and `n` of `i < n`, or of `n > i`."""
    if isinstance(condition, Unary) and condition.operator == "!":
        other = {"<": ">=", ">=": "<"}
        return _read_bound(condition.value, known, tuple(other[o] for o in operators), element)
    if not isinstance(condition, Binary):
        return "", None
    flipped = {"<": ">", ">=": "<="}
    sides = []
    if condition.operator in operators:
        sides.append((condition.left, condition.right))
    if condition.operator in {flipped[o] for o in operators}:
        sides.append((condition.right, condition.left))
    for own, bound in sides:
        number = polynomial(own, known)
        if number is None or not (number == element if element else number in FLAT):
            continue
        for name, value in known.items():
            if value == number:
                return name, bound
    return "", None
