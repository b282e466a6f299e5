"""What a value is in each thread of a block, followed one statement after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from porter.targets.torch_npu.translate.instructions import Scalar
from porter.targets.torch_npu.translate.syntax import Untranslatable

WARP = 32
NOT_ALL = "not a reduction that includes each thread's part once"


@dataclass(frozen=True, slots=True)
class Part:
    """What some threads have of a row's sum, or greatest or least value: of which threads."""

    accumulator: str
    operator: str  # "+", "max", "min"
    threads: int  # a bit each
    others: frozenset[str] = frozenset()  # scalars that are taken in, too


@dataclass(frozen=True, slots=True)
class Order:
    """Whether a part is greater than another one."""

    greater: Part | Scalar
    less: Part | Scalar


# What a thread has: a number that depends on which thread it is, a part, what all threads have,
# or nothing that can be told (None), which no result may depend on.
Lane = int | float | Part | Order | Scalar | None


@dataclass(frozen=True, slots=True)
class Lanes:
    values: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Address:
    """Somewhere in the memory that a parameter points to."""

    base: str
    offset: str


@dataclass(frozen=True, slots=True)
class Shared:
    name: str
    size: int | None  # None: as many as the launch says
    single: bool
    first: int = 0  # where a pointer into it begins


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}


def integers(operator: str, a: int, b: int, at: int) -> int:
    """As C++ computes it."""
    if operator in ("/", "%") and b == 0:
        raise Untranslatable("a division by zero", at)
    if operator not in _INTEGERS or (operator in ("<<", ">>") and not 0 <= b < 64):
        raise Untranslatable(f"`{operator}` of thread indices", at)
    result = _INTEGERS[operator](a, b)
    if result < 0:  # CUDA's numbers of threads have no sign, C++'s int has one
        raise Untranslatable("a negative thread index", at)
    return result


def floats(operator: str, a: float, b: float, at: int) -> Lane:
    """Of numbers of which one is no integer, as `blockDim.x / 32.f`."""
    if operator == "/" and b != 0:
        return a / b
    if operator in ("<", ">", "<=", ">=", "==", "!="):
        return int(
            {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b}.get(operator, a != b)
        )
    if operator in ("+", "-", "*"):
        return {"+": a + b, "-": a - b, "*": a * b}[operator]
    raise Untranslatable(f"`{operator}` of thread indices", at)


def literal(lane: Lane) -> Lane:
    """A scalar that is written as a number with a point: the number."""
    found = re.fullmatch(r"[0-9]+\.[0-9]*f?", lane.text) if isinstance(lane, Scalar) else None
    return float(found[0].rstrip("f")) if found else lane


def join_parts(operator: str, a: Lane, b: Lane) -> Lane:
    """Of two parts, or of one and a scalar, that of the threads of both. None where a thread would
    count twice, or it is another operation."""
    if isinstance(b, Part) and not isinstance(a, Part):
        a, b = b, a
    if not isinstance(a, Part) or a.operator != operator:
        return None
    if isinstance(b, Part):
        once = operator != "+" or not a.threads & b.threads
        if a.accumulator != b.accumulator or not once:
            return None
        return Part(a.accumulator, operator, a.threads | b.threads, a.others | b.others)
    if not isinstance(b, Scalar):
        return None
    if operator == "+":
        return a if is_zero(b.text) else None
    return Part(a.accumulator, operator, a.threads, a.others | {b.text})


def is_zero(text: str) -> bool:
    return number_of(text) == 0


def number_of(text: str) -> float | None:
    """What a scalar is written as, where that is a number."""
    bare = text.removeprefix("static_cast<float>").strip()
    if bare.startswith("(") and bare.endswith(")"):
        inner = number_of(bare[1:-1])
        if inner is not None:
            return inner
    if bare.startswith("-"):
        inner = number_of(bare[1:])
        return None if inner is None else -inner
    if bare == "1.0f / 0.0f":
        return float("inf")
    try:
        return float(bare.rstrip("fF"))
    except ValueError:
        return None


def shuffle(
    name: str, values: Sequence[Lane], distance: Sequence[int], active: int, width: int
) -> list[Lane]:
    """What __shfl_... gives each thread; None where it comes from one that takes no part."""
    out: list[Lane] = []
    for thread, own in enumerate(values):
        first = thread - thread % width
        match name:
            case "__shfl_xor":
                source = first + ((thread - first) ^ distance[thread])
            case "__shfl_down":
                source = thread + distance[thread]
            case "__shfl_up":
                source = thread - distance[thread]
            case _:
                source = first + distance[thread] % width
        if not first <= source < first + width:
            out.append(own)
        elif source < len(values) and active >> source & 1:
            out.append(values[source])
        else:
            out.append(None)
    return out


def add_texts(first: str, second: str) -> str:
    if first == "0":
        return second
    return first if second in ("0", "-0") else f"({first} + {second})"
