"""One part of each vector of a kernel that computes several elements at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from porter.targets.torch_npu.translate.numbers import Polynomial, constant, plus, polynomial, times
from porter.targets.torch_npu.translate.syntax import (
    WIDE,
    Assign,
    Binary,
    Block,
    Call,
    Declare,
    Element,
    Expression,
    If,
    Index,
    Member,
    Name,
    Number,
    Statement,
    Unary,
    Untranslatable,
    plain,
)
from porter.targets.torch_npu.translate.trees import rebuild

NUMBER = "element"


_PARTS = "xyzw"


_MAKE = frozenset(
    (
        *("make_float4", "make_float2", "make_half2", "__halves2half2", "__floats2half2_rn"),
        *("__halves2bfloat162", "__floats2bfloat162_rn"),
    )
)


_SAME = frozenset(
    (
        *("__float2half2_rn", "__half2half2", "__half22float2", "__float22half2_rn"),
        *("__bfloat1622float2", "__float22bfloat162_rn", "__float2bfloat162_rn"),
    )
)


_EACH = {f"__h{name}2": f"__h{name}" for name in ("add", "sub", "mul", "neg", "max", "min", "abs")}


_EACH |= {"__hfma2": "__hfma", "__h2div": "__hdiv"}


_EACH |= {f"h2{name}": f"h{name}" for name in ("exp", "log", "sqrt", "rsqrt", "rcp")}


NOT_ALIKE = "the components of a vector are not computed alike"


@dataclass(slots=True)
class WideLane:
    """One part of each vector."""

    number: int
    width: int
    first: Polynomial  # the number of the first element
    bases: Mapping[str, str]
    known: Mapping[str, Polynomial]

    def statements(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple(made for one in statements for made in self.statement(one))

    def statement(self, statement: Statement) -> Iterator[Statement]:
        match statement:
            case Declare(_, type, _, value):
                own = WIDE[plain(type)][0] if plain(type) in WIDE else type
                if value is not None:
                    value = self.expression(value)
                yield replace(statement, type=own, value=value)
            case Assign(_, Member(_, vector, part), _, value):
                if self.part(part, statement.at):
                    target = self.expression(vector)
                    yield replace(statement, target=target, value=self.expression(value))
            case Assign(_, Index() as target, _, value) if self.element(target) not in (
                None,
                self.number,
            ):
                return
            case Assign(_, target, _, value):
                yield replace(
                    statement, target=self.expression(target), value=self.expression(value)
                )
            case If(_, condition, then, otherwise):
                yield replace(
                    statement,
                    condition=self.expression(condition),
                    then=self.statements(then),
                    otherwise=self.statements(otherwise),
                )
            case Block(_, body):
                yield from self.statements(body)
            case _:
                raise Untranslatable("a statement in an unsupported form", statement.at)

    def part(self, name: str, at: int) -> bool:
        place = _PARTS.find(name)
        if not 0 <= place < self.width:
            raise Untranslatable(f"the component `{name}` of a vector", at)
        return place == self.number

    def element(self, index: Index) -> int | None:
        """Which of a thread's elements is read or written by itself."""
        if index.name in self.bases:
            return None
        number = polynomial(index.index, self.known)
        for part in range(self.width):
            if number == plus(self.first, constant(part)):
                return part
        return None

    def expression(self, expression: Expression) -> Expression:
        return rebuild(expression, self.change)

    def change(self, expression: Expression) -> Expression | None:
        at = expression.at
        found = self.memory(expression)
        if found is not None:
            return Index(at, found, Name(at, NUMBER))
        match expression:
            case Member(_, value, part):
                if not self.part(part, at):
                    raise Untranslatable(NOT_ALIKE, at)
                return self.expression(value)
            case Call(_, name, arguments) if name in _MAKE and len(arguments) == self.width:
                return self.expression(arguments[self.number])
            case Call(_, name, (value,)) if name in _SAME:
                return self.expression(value)
            case Call(_, name, arguments) if name in _EACH:
                return Call(at, _EACH[name], tuple(self.expression(a) for a in arguments))
            case Index() if (own := self.element(expression)) is not None:
                if own != self.number:
                    raise Untranslatable(NOT_ALIKE, at)
                return Index(at, expression.name, Name(at, NUMBER))
        return None

    def memory(self, expression: Expression) -> str | None:
        """The pointer that a vector is read or written by, at the thread's own elements."""
        first: Polynomial | None
        match expression:
            case Index(_, name, index) if name in self.bases:
                base, first = self.bases[name], self.times(index)
            case Element(_, Call(_, "reinterpret_cast", (Name(_, base),)), index):
                first = self.times(index)
            case Unary(_, "*", Call(_, "reinterpret_cast", (value,))) | Element(
                _, Call(_, "reinterpret_cast", (value,)), Number(_, "0")
            ):
                match value:
                    case Unary(_, "&", Index(_, base, index)) | Binary(
                        _, "+", Name(_, base), index
                    ):
                        first = polynomial(index, self.known)
                    case _:
                        return None
            case _:
                return None
        if first != self.first:
            raise Untranslatable(f"`{base}` at elements other than the thread's own", expression.at)
        return base

    def times(self, index: Expression) -> Polynomial | None:
        number = polynomial(index, self.known)
        return None if number is None else times(constant(self.width), number)
