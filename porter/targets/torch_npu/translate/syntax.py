"""A kernel's body as a tree: the part of C++ that such kernels are written in."""

from __future__ import annotations

from dataclasses import dataclass


class Untranslatable(Exception):
    """Why something is not translated, and at which token."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Expression:
    at: int  # the index of its first token


@dataclass(frozen=True, slots=True)
class Number(Expression):
    text: str


@dataclass(frozen=True, slots=True)
class Name(Expression):
    text: str  # `a::b`, or `blockIdx.x`


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Ternary(Expression):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Call(Expression):
    name: str
    arguments: tuple[Expression, ...]
    templates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Index(Expression):
    name: str
    index: Expression


@dataclass(frozen=True, slots=True)
class Member(Expression):
    """`v.x` of a vector."""

    value: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Element(Expression):
    """An element of something else than a name: `reinterpret_cast<float4 *>(x)[i]`."""

    pointer: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Cast(Expression):
    type: str
    value: Expression


# ------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Statement:
    at: int


@dataclass(frozen=True, slots=True)
class Declare(Statement):
    type: str
    name: str
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Alias(Statement):
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    target: Expression  # a Name or an Index
    operator: str  # "=", "+=", ...
    value: Expression


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class For(Statement):
    start: tuple[Statement, ...]
    condition: Expression
    step: Statement
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Macro(Statement):
    """`NAME(a, b) { ... }`: a loop behind a macro."""

    name: str
    arguments: tuple[Expression, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Return(Statement):
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Array(Statement):
    """`T name[4];`; one that is shared may be a single variable, which has no sizes."""

    type: str
    name: str
    sizes: tuple[Expression | None, ...]
    shared: bool


@dataclass(frozen=True, slots=True)
class Block(Statement):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """A call whose value, if any, is not used."""

    call: Call


FLOATING = frozenset(("float", "double"))
HALVES = {
    **dict.fromkeys(("half", "__half", "at::Half", "c10::Half", "torch::Half"), "half"),
    **dict.fromkeys(("__nv_bfloat16", "nv_bfloat16", "bfloat16_t"), "bfloat16_t"),
    **dict.fromkeys(("at::BFloat16", "c10::BFloat16", "torch::BFloat16"), "bfloat16_t"),
}
# What each part of a vector is, and how many it has.
WIDE = {"float4": ("float", 4), "float2": ("float", 2)}
WIDE |= dict.fromkeys(("half2", "__half2"), ("half", 2))
WIDE |= dict.fromkeys(("__nv_bfloat162", "nv_bfloat162"), ("__nv_bfloat16", 2))
INTEGERS = frozenset(
    (
        *("int", "unsigned", "long", "short", "char", "size_t", "int8_t", "uint8_t", "int16_t"),
        *("uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "ptrdiff_t", "signed"),
    )
)
_PREFIXES = ("std::", "::")
QUALIFIERS = frozenset(("const", "constexpr", "static", "volatile", "register", "typename"))


def plain(type: str) -> str:
    """A type without `const`, `&`, `std::` and spaces that do not matter."""
    words = [word for word in type.replace("&", " ").split() if word not in QUALIFIERS]
    text = " ".join(words)
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return text


def is_integer(type: str) -> bool:
    words = plain(type).split()
    return bool(words) and all(word in INTEGERS for word in words)
