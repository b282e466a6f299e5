"""A kernel over rows in another shape than a row a block, read as one of that shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.targets.torch_npu.translate.numbers import Polynomial, polynomial
from porter.targets.torch_npu.translate.syntax import (
    Array,
    Declare,
    Expression,
    For,
    Statement,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.trees import map_expressions, names_assigned, names_in, walk

ALONE = 'TORCH_CHECK({} == 1, "a launch in fewer dimensions was expected");'


@dataclass(frozen=True, slots=True)
class Reading:
    """A kernel as one with a row a block, and what is launched in its stead."""

    statements: tuple[Statement, ...]
    sizes: tuple[int, ...] = ()  # of its blocks; none: any
    grid: str = ""
    block: str = ""
    checks: tuple[str, ...] = ()
    columns: Expression | None = None
    axis: str = ""  # of the grid that has a thread each, if its size is to be checked
    parts: Expression | None = None  # how many of them a block is given, where there is one row


def replace_thread_numbers(
    statements: tuple[Statement, ...],
    known: dict[str, Polynomial],
    new: Mapping[Polynomial, Expression],
) -> tuple[Statement, ...]:
    """With `new` for the numbers of threads; what nothing names any more is left out."""
    moving = names_assigned([*_but_steps(statements)])
    for statement in statements:
        match statement:
            case Declare(_, type, name, value) if value is not None and (
                is_integer(type) or plain(type) == "auto"
            ):
                own = polynomial(value, known)
                if own is not None and name not in known and name not in moving:
                    known[name] = own

    def change(expression: Expression) -> Expression | None:
        own = polynomial(expression, known)
        return None if own is None else new.get(own)

    out = map_expressions(statements, change)
    while True:
        used = names_in(out)
        less = tuple(s for s in out if not (isinstance(s, Declare) and s.name not in used))
        if less == out:
            return out
        out = less


def _but_steps(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements, of a loop at the end that has no variable of its own only the body."""
    for number, statement in enumerate(statements):
        if isinstance(statement, For) and not statement.start and number + 1 == len(statements):
            yield from statement.body
        else:
            yield statement


def mentions(statements: Sequence[Statement], *names: str) -> bool:
    used = names_in(statements)
    return any(f"{name}.{axis}" in used for name in names for axis in "xyz") or any(
        name in used for name in names
    )


def loops(statements: Sequence[Statement]) -> bool:
    return any(isinstance(statement, For) for statement in walk(statements))


def shares(statements: Sequence[Statement]) -> bool:
    return any(isinstance(statement, Array) for statement in walk(statements))
