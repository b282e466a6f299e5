"""Whole numbers of a kernel as polynomials of what it is given and of its threads' numbers."""

from __future__ import annotations

from collections.abc import Mapping

from porter.targets.torch_npu.translate.syntax import (
    Binary,
    Cast,
    Expression,
    Name,
    Number,
    Unary,
    is_integer,
)

# Coefficients by the sorted names of each product.
Polynomial = frozenset[tuple[tuple[str, ...], int]]

_THREADS = ("threadIdx.", "blockIdx.")
_SIZES = ("blockDim.", "gridDim.")


def constant(number: int) -> Polynomial:
    return frozenset({((), number)}) if number else frozenset()


def symbol(name: str) -> Polynomial:
    return frozenset({((name,), 1)})


def plus(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    terms = dict(a)
    for names, count in b:
        terms[names] = terms.get(names, 0) + sign * count
    return frozenset((names, count) for names, count in terms.items() if count)


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    terms: dict[tuple[str, ...], int] = {}
    for first, one in a:
        for second, other in b:
            names = tuple(sorted((*first, *second)))
            terms[names] = terms.get(names, 0) + one * other
    return frozenset((names, count) for names, count in terms.items() if count)


def polynomial(expression: Expression, known: Mapping[str, Polynomial]) -> Polynomial | None:
    """What an expression is, where it is made of sums and products of whole numbers."""
    match expression:
        case Number(_, text):
            digits = text.rstrip("uUlL")
            return constant(int(digits)) if digits.isdigit() else None
        case Name(_, text):
            if text in known:
                return known[text]
            return symbol(text) if text.startswith((*_THREADS, *_SIZES)) else None
        case Cast(_, type, value) if is_integer(type):
            return polynomial(value, known)
        case Unary(_, "+", value):
            return polynomial(value, known)
        case Binary(_, ("+" | "-" | "*") as operator, left, right):
            a, b = polynomial(left, known), polynomial(right, known)
            if a is None or b is None:
                return None
            return times(a, b) if operator == "*" else plus(a, b, 1 if operator == "+" else -1)
    return None


def product(*names: str) -> Polynomial:
    out = constant(1)
    for name in names:
        out = times(out, symbol(name))
    return out


def _flat() -> dict[Polynomial, Polynomial]:
    """The numbers of one thread each, in the order of the grid, and how many threads there are."""
    across, down = symbol("threadIdx.x"), symbol("threadIdx.y")
    block = plus(across, times(down, symbol("blockDim.x")))  # in a block of two dimensions
    blocks = plus(symbol("blockIdx.x"), product("blockIdx.y", "gridDim.x"))
    out = {}
    for number, many in (
        (symbol("blockIdx.x"), ("gridDim.x",)),
        (blocks, ("gridDim.x", "gridDim.y")),
    ):
        for thread, size in ((across, ("blockDim.x",)), (block, ("blockDim.x", "blockDim.y"))):
            out[plus(times(number, product(*size)), thread)] = product(*many, *size)
    return out


FLAT = _flat()


def thread_number(axis: str) -> Polynomial:
    return plus(product(f"blockIdx.{axis}", f"blockDim.{axis}"), symbol(f"threadIdx.{axis}"))


THREAD = thread_number("x")


DOWN = thread_number("y")
