"""Kernels with a thread for each column, and rows in the other dimension of the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from porter.targets.torch_npu.translate.numbers import DOWN, THREAD, Polynomial, polynomial, product
from porter.targets.torch_npu.translate.prelude import NAMESPACE
from porter.targets.torch_npu.translate.reading import (
    ALONE,
    Reading,
    mentions,
    replace_thread_numbers,
    shares,
)
from porter.targets.torch_npu.translate.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Expression,
    For,
    If,
    Name,
    Number,
    Return,
    Statement,
    Unary,
)
from porter.targets.torch_npu.translate.trees import (
    bare,
    deep,
    map_expressions,
    names_assigned,
    names_in,
    words,
)

_PART = 16384


def plane(statements: tuple[Statement, ...], known: dict[str, Polynomial]) -> Reading | None:
    """A thread each column, in one dimension of the grid; rows are in the other, if any."""
    for column, row, axes in ((THREAD, DOWN, "xy"), (DOWN, THREAD, "yx")):
        if (found := _columns(statements, dict(known), column, row, axes)) is not None:
            return found
    return None


def _columns(
    statements: tuple[Statement, ...],
    known: dict[str, Polynomial],
    column: Polynomial,
    row: Polynomial,
    axes: str,
) -> Reading | None:
    x, y = axes[0], axes[1]
    index = Name(0, ".column")
    rows = product(f"gridDim.{y}", f"blockDim.{y}")
    new: dict[Polynomial, Expression] = {column: index, row: Name(0, f"blockIdx.{y}")}
    new[rows] = Name(0, f"gridDim.{y}")
    new[product(f"gridDim.{x}", f"blockDim.{x}")] = Name(0, ".stride")
    own = replace_thread_numbers(statements, known, new)
    name = next((s.name for s in own if isinstance(s, Declare) and s.value == index), ".column")
    own = tuple(s for s in own if not (isinstance(s, Declare) and s.value == index))
    made = _loop_over_columns(own, {name, ".column"}, name)
    if made is None:
        return None
    body, columns, checked = made
    if mentions(body, "threadIdx", "blockDim", ".stride", ".column") or shares(body):
        return None
    used = names_in(body)
    if {f"blockIdx.{x}", f"gridDim.{x}", "blockIdx.z"} & used:
        return None
    by_block = f"blockIdx.{y}" in used
    parts: Expression | None = None
    if not by_block:
        body, parts = _split_columns(body, known)
    down = f"grid_.{y} * block_.{y}" if by_block else "1"
    alone = "grid_.z * block_.z" if by_block else f"grid_.{y} * block_.{y} * grid_.z * block_.z"
    grid = f"1, {down}" if y == "y" else f"{down}, 1"
    return Reading(
        body,
        (1,),
        f"{NAMESPACE}::Dim({grid})",
        f"{NAMESPACE}::Dim(1)",
        (ALONE.format(alone),),
        columns,
        x if checked else "",
        parts,
    )


def _split_columns(
    statements: tuple[Statement, ...], known: dict[str, Polynomial]
) -> tuple[tuple[Statement, ...], Expression | None]:
    """With a part of the columns a block, so that there is work for all cores: as many as what
    their numbers are divided by, if they are."""
    out: list[Statement] = []
    size: Expression | None = None
    for statement in statements:
        match statement:
            case For(at, (Declare(_, type, name, _),), Binary(_, _, _, bound), _, body):
                block, size = Name(0, "blockIdx.x"), _divisor(body, name, known)
                first = Binary(at, "*", block, size or Number(0, str(_PART)))
                start: Expression = first
                if size is None:
                    size = Number(0, str(_PART))
                    most, other = bound, Binary(at, "+", first, size)
                else:
                    start, most, other = Number(at, "0"), size, Binary(at, "-", bound, first)
                    statement = replace(statement, body=_divide_columns(body, name, size, known))
                before, body = _split_before(statement.body, name)
                out += before
                statement = replace(statement, body=body)
                end = Call(at, "min", (Cast(at, "int64_t", most), other))
                condition = Binary(at, "<", Name(at, name), end)
                begin = Declare(at, type, name, start)
                out.append(replace(statement, start=(begin,), condition=condition))
            case If(_, _, then, ()):
                inner, size = _split_columns(then, known)
                out.append(replace(statement, then=inner))
            case _:
                out.append(statement)
    return tuple(out), size


def _split_before(
    body: tuple[Statement, ...], index: str
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Variables that all elements have the same of, and the rest."""
    first: list[Statement] = []
    rest: list[Statement] = []
    own = {index}
    for statement in body:
        match statement:
            case Declare(_, _, name, value) if value is not None:
                if not words(value) & own and not deep(value):
                    first.append(statement)
                    continue
                own.add(name)
        rest.append(statement)
    taken = names_assigned(rest)
    if any(isinstance(s, Declare) and s.name in taken for s in first):
        return (), body
    return tuple(first), tuple(rest)


def _divisor(
    body: tuple[Statement, ...], index: str, known: Mapping[str, Polynomial]
) -> Expression | None:
    """What the number of an element is divided by; of several that are multiples, the least."""
    found: list[tuple[int, Expression]] = []

    def look(expression: Expression) -> Expression | None:
        match expression:
            case Binary(_, ("/" | "%"), left, right) if bare(left) == index:
                term = _term(polynomial(right, known))
                found.append((-1 if term is None else len(term), right))
        return None

    map_expressions(body, look)
    if not found or any(count < 0 for count, _ in found):
        return None
    return min(found, key=lambda one: one[0])[1]


def _term(value: Polynomial | None) -> tuple[str, ...] | None:
    """The names of a product of names, or of a number that is told in digits."""
    if value is None or len(value) != 1:
        return None
    ((names, count),) = value
    return names if count == 1 else (*names, str(count))


def _divide_columns(
    body: tuple[Statement, ...], index: str, size: Expression, known: Mapping[str, Polynomial]
) -> tuple[Statement, ...]:
    """The body for the columns of one part: `i` is the part's number times its size, and more."""
    least = list(_term(polynomial(size, known)) or ())
    block = Name(0, "blockIdx.x")

    def change(expression: Expression) -> Expression | None:
        match expression:
            case Binary(at, ("/" | "%") as operator, left, right) if bare(left) == index:
                rest = list(_term(polynomial(right, known)) or ())
                for name in least:
                    if name not in rest:
                        return None  # left as it is, which is refused later
                    rest.remove(name)
                more: Expression = Number(at, "1")
                for name in rest:
                    factor = Number(at, name) if name.isdigit() else Name(at, name)
                    more = factor if more == Number(at, "1") else Binary(at, "*", more, factor)
                if operator == "/":
                    return Binary(at, "/", block, more) if rest else block
                if not rest:
                    return Name(at, index)
                whole = Binary(at, "*", Binary(at, "%", block, more), size)
                return Binary(at, "+", whole, Name(at, index))
            case Name(at, name) if name == index:
                return Binary(at, "+", Binary(at, "*", block, size), Name(at, index))
        return None

    return map_expressions(body, change)


def _loop_over_columns(
    statements: tuple[Statement, ...], index: set[str], name: str
) -> tuple[tuple[Statement, ...], Expression, bool] | None:
    """The statements with a loop over the columns, their number, and whether there has to be a
    thread for each."""
    name = "column" if name == ".column" else name
    for number, statement in enumerate(statements):
        rest = statements[number + 1 :]
        match statement:
            case If(at, condition, (Return(_, None),), ()):
                parts = _parts(condition, "||")
                bounds = [
                    b for p in parts if (b := _read_bound(p, index, (">=", "<="))) is not None
                ]
                others = [p for p in parts if _read_bound(p, index, (">=", "<=")) is None]
                if len(bounds) == 1:
                    leave = tuple(If(at, p, (Return(at, None),), ()) for p in others)
                    loop = _loop(at, name, index, bounds[0], rest)
                    return (*statements[:number], *leave, loop), bounds[0], True
            case If(at, condition, then, ()) if not rest:
                parts = _parts(condition, "&&")
                bounds = [b for p in parts if (b := _read_bound(p, index, ("<", ">"))) is not None]
                others = [p for p in parts if _read_bound(p, index, ("<", ">")) is None]
                if len(bounds) == 1:
                    inner: Statement = _loop(at, name, index, bounds[0], then)
                    for part in others:
                        inner = If(at, part, (inner,), ())
                    return (*statements[:number], inner), bounds[0], True
                if not bounds:
                    made = _loop_over_columns(then, index, name)
                    if made is None:
                        return None
                    within = If(at, condition, made[0], ())
                    return (*statements[:number], within), *made[1:]
            case For(at, (Declare(_, _, own, start),), condition, step, body) if not rest:
                bound = _read_bound(condition, {own}, ("<", ">"))
                begins = isinstance(start, Name) and start.text in index
                strides = _strides(step)
                if begins and strides and bound is not None:
                    return (*statements[:number], _loop(at, own, {own}, bound, body)), bound, False
            case For(at, (), condition, step, body) if not rest:
                bound = _read_bound(condition, index, ("<", ">"))
                strides = _strides(step)
                if strides and bound is not None:
                    loop = _loop(at, name, index, bound, body)
                    return (*statements[:number], loop), bound, False
        if not isinstance(statement, Declare):
            return None
    return None


def _strides(step: Statement) -> bool:
    return isinstance(step, Assign) and step.operator == "+=" and step.value == Name(0, ".stride")


def _loop(
    at: int, name: str, index: set[str], bound: Expression, body: tuple[Statement, ...]
) -> For:
    own = map_expressions(
        body, lambda e: Name(e.at, name) if isinstance(e, Name) and e.text in index else None
    )
    start = Declare(at, "int64_t", name, Number(at, "0"))
    condition = Binary(at, "<", Name(at, name), bound)
    return For(at, (start,), condition, Assign(at, Name(at, name), "+=", Number(at, "1")), own)


def _parts(condition: Expression, operator: str) -> list[Expression]:
    match condition:
        case Binary(_, own, left, right) if own == operator:
            return [*_parts(left, operator), *_parts(right, operator)]
        case Unary(_, "!", Binary(at, own, left, right)) if own in ("<", ">"):
            return [Binary(at, {"<": ">=", ">": "<="}[own], left, right)]
    return [condition]


def _read_bound(
    condition: Expression, index: set[str], operators: tuple[str, str]
) -> Expression | None:
    match condition:
        case Binary(_, operator, Name(_, name), bound) if operator == operators[0] and (
            name in index
        ):
            return bound
        case Binary(_, operator, bound, Name(_, name)) if operator == operators[1] and (
            name in index
        ):
            return bound
    return None
