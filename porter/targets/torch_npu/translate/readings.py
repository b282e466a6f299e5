"""Kernels over rows in other shapes than a row a block, read as such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from porter.targets.torch_npu.translate.numbers import (
    THREAD,
    Polynomial,
    constant,
    plus,
    polynomial,
    product,
    symbol,
)
from porter.targets.torch_npu.translate.planes import plane
from porter.targets.torch_npu.translate.prelude import NAMESPACE
from porter.targets.torch_npu.translate.reading import (
    ALONE,
    Reading,
    loops,
    mentions,
    replace_thread_numbers,
    shares,
)
from porter.targets.torch_npu.translate.syntax import (
    Binary,
    Declare,
    Expression,
    Name,
    Statement,
    is_integer,
)
from porter.targets.torch_npu.translate.trees import map_expressions, names_assigned, names_in

_WARP = 32


def readings(
    statements: tuple[Statement, ...], given: Iterable[str], numbers: Mapping[str, int]
) -> Iterator[Reading]:
    """In the order to try them in; `given` are whole numbers that the kernel is given, `numbers`
    those that are known."""
    yield Reading(statements)
    known = {name: symbol(name) for name in given}
    known |= {name: constant(number) for name, number in numbers.items()}
    known["warpSize"] = constant(_WARP)
    for way in (_row_a_thread, _row_a_warp, _row_of_threads, plane):
        if (found := way(statements, dict(known))) is not None:
            yield found


def _row_a_thread(
    statements: tuple[Statement, ...], known: dict[str, Polynomial]
) -> Reading | None:
    own = replace_thread_numbers(statements, known, {THREAD: Name(0, "blockIdx.x")})
    if mentions(own, "threadIdx", "blockDim", "gridDim", "__syncthreads") or shares(own):
        return None
    if own == statements or not loops(own):
        return None
    alone = ALONE.format("grid_.y * grid_.z * block_.y * block_.z")
    return Reading(
        own, (1,), f"{NAMESPACE}::Dim(grid_.x * block_.x)", f"{NAMESPACE}::Dim(1)", (alone,)
    )


def _row_a_warp(statements: tuple[Statement, ...], known: dict[str, Polynomial]) -> Reading | None:
    def change(expression: Expression) -> Expression | None:
        match expression:
            case Binary(at, operator, left, right):
                size, own = polynomial(right, known), polynomial(left, known)
                for name, new in (("threadIdx.x", ".warp"), ("blockDim.x", ".warps")):
                    whole = {"/": _WARP, ">>": 5}.get(operator)
                    if own == symbol(name) and whole and size == constant(whole):
                        return Name(at, new)
                inner = {"%": _WARP, "&": _WARP - 1}.get(operator)
                if own == symbol("threadIdx.x") and inner and size == constant(inner):
                    return Name(at, ".lane")
        return None

    begun = dict(known) | {name: symbol(name) for name in (".warp", ".warps", ".lane")}
    for statement in statements:  # `const int tid = threadIdx.x;`
        match statement:
            case Declare(_, type, name, value) if value is not None and is_integer(type):
                made = polynomial(value, known)
                if made is not None and name not in names_assigned(statements):
                    known[name] = made
    own = map_expressions(statements, change)
    names = {".warp", ".warps", ".lane"}
    if not names <= names_in(own):
        return None
    row = plus(product("blockIdx.x", ".warps"), symbol(".warp"))
    lane = {row: Name(0, "blockIdx.x"), symbol(".lane"): Name(0, ".lane")}
    own = replace_thread_numbers(own, begun, lane)
    if mentions(own, "threadIdx", "blockDim", "gridDim", ".warp", ".warps") or shares(own):
        return None
    own = map_expressions(
        own, lambda e: Name(e.at, "threadIdx.x") if e == Name(e.at, ".lane") else None
    )
    return Reading(
        own,
        (_WARP,),
        f"{NAMESPACE}::Dim(grid_.x * (block_.x / {_WARP}))",
        f"{NAMESPACE}::Dim({_WARP})",
        (
            ALONE.format("grid_.y * grid_.z * block_.y * block_.z"),
            f'TORCH_CHECK(block_.x % {_WARP} == 0, "a block of whole warps was expected");',
        ),
    )


def _row_of_threads(
    statements: tuple[Statement, ...], known: dict[str, Polynomial]
) -> Reading | None:
    """Blocks of two dimensions, with a row in the second."""
    row = plus(product("blockIdx.x", "blockDim.y"), symbol("threadIdx.y"))
    own = replace_thread_numbers(statements, known, {row: Name(0, "blockIdx.x")})
    used = names_in(own)
    if {"threadIdx.y", "blockDim.y", "blockIdx.y", "gridDim.x"} & used or shares(own):
        return None
    if own == statements:
        return None
    return Reading(
        own,
        (),
        f"{NAMESPACE}::Dim(grid_.x * block_.y)",
        f"{NAMESPACE}::Dim(block_.x)",
        (ALONE.format("grid_.y * grid_.z * block_.z"),),
    )
