"""Kernels that read and write several elements at a time (`float4`, `half2`), an element each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porter.targets.torch_npu.translate.numbers import (
    FLAT,
    THREAD,
    Polynomial,
    constant,
    plus,
    polynomial,
    symbol,
    times,
)
from porter.targets.torch_npu.translate.syntax import (
    WIDE,
    Assign,
    Binary,
    Call,
    Declare,
    Expression,
    For,
    If,
    Name,
    Number,
    Return,
    Statement,
    Untranslatable,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.trees import map_expressions, names_assigned
from porter.targets.torch_npu.translate.wide_lane import NOT_ALIKE, NUMBER, WideLane

_STRIDE = FLAT[THREAD]
_TYPE = re.compile(r"'(?:const )?(" + "|".join(WIDE) + r")(?: \*|\*)?'")
_AT = re.compile(r"\bat=\d+, ")


@dataclass(frozen=True, slots=True)
class Narrow:
    """A kernel of single elements; where there is one, what it does with the last ones by
    themselves, which has to be the same; how many a thread has, if each has a number of them."""

    statements: tuple[Statement, ...]
    rest: tuple[Statement, ...]
    width: int


def narrow_kernel(
    statements: Sequence[Statement], pointers: Mapping[str, str], numbers: Mapping[str, Polynomial]
) -> Narrow | None:
    """The kernel element by element, or None where nothing in it is wide; `pointers` are the
    parameters that point to vectors. Raises Untranslatable."""
    found = {*pointers.values(), *_TYPE.findall(repr(statements))}
    widths = {WIDE[type][1] for type in found}
    if not widths:
        return None
    if len(widths) > 1:
        raise Untranslatable("vectors of several widths", statements[0].at)
    reader = _Reader(widths.pop(), {name: name for name in pointers}, dict(numbers))
    return reader.kernel(statements)


@dataclass(slots=True)
class _Reader:
    width: int
    bases: dict[str, str]  # of pointers to vectors: the parameters
    known: dict[str, Polynomial]

    def kernel(self, statements: Sequence[Statement]) -> Narrow:
        kept = self.split_declarations(statements)
        at = statements[0].at
        if len(kept[1]) == 0:
            raise Untranslatable("its elements have no bound", at)
        (statement, *rest), other = kept[1], tuple[Statement, ...]()
        body: Sequence[Statement]
        match statement:
            case If(at, condition, (Return(_, None),), ()):
                first = self.scale(THREAD)
                bound = self.limit(condition, {">=": "<", ">": "<="}, first)
                body, rest, strided = rest, [], False
            case If(at, condition, body, other):
                first = self.scale(THREAD)
                bound, strided = self.limit(condition, {"<": "<", "<=": "<="}, first), False
            case For(at, (Declare(_, _, name, start),), condition, Assign() as step, body) if (
                start is not None and step.operator == "+="
            ):
                begin = polynomial(start, self.known)
                forth = polynomial(step.value, self.known)
                self.known[name] = symbol(name)
                if (begin, forth) == (THREAD, _STRIDE):
                    first = self.scale(symbol(name))
                elif (begin, forth) == (self.scale(THREAD), self.scale(_STRIDE)):
                    first = symbol(name)
                else:
                    raise Untranslatable("a loop in an unsupported form", at)
                bound, strided = self.limit(condition, {"<": "<", "<=": "<="}, first), True
            case _:
                raise Untranslatable("a statement before the bound check", statement.at)
        if moved := names_assigned(body) & set(self.known):
            raise Untranslatable(f"`{min(moved)}`, which is modified", at)
        lanes = [self.lane(k, first).statements(body) for k in range(self.width)]
        if any(_bare(lane) != _bare(lanes[0]) for lane in lanes):
            raise Untranslatable(NOT_ALIKE, at)
        whole = _elements(kept[0], bound, lanes[0], at, strided)
        tail: tuple[Statement, ...] = ()
        if other or rest:
            tail = self.tail(kept[0], other, rest, bound, at, strided)
        return Narrow(whole, tail, 1 if strided else self.width)

    def split_declarations(
        self, statements: Sequence[Statement]
    ) -> tuple[list[Statement], Sequence[Statement]]:
        """What is declared first, but for pointers and threads' numbers; and the rest."""
        kept: list[Statement] = []
        for place, statement in enumerate(statements):
            match statement:
                case Declare(_, type, name, value) if value is not None:
                    cast = _cast(value)
                    if type.endswith("*") and cast is not None and isinstance(cast, Name):
                        self.bases[name] = cast.text
                        continue
                    whole = is_integer(type) or plain(type) == "auto"
                    own = polynomial(value, self.known) if whole else None
                    if own is not None and any("." in n for names, _ in own for n in names):
                        self.known[name] = own
                        continue
                    if is_integer(type):
                        self.known[name] = symbol(name) if own is None else own
                    kept.append(statement)
                case Declare():
                    kept.append(statement)
                case _:
                    return kept, statements[place:]
        return kept, ()

    def scale(self, value: Polynomial) -> Polynomial:
        return times(constant(self.width), value)

    def lane(self, number: int, first: Polynomial) -> WideLane:
        return WideLane(number, self.width, first, self.bases, self.known)

    def limit(
        self, condition: Expression, operators: Mapping[str, str], first: Polynomial
    ) -> Expression:
        """How many elements are done by vectors."""
        match condition:
            case Binary(at, operator, left, right) if operator in operators:
                number, size = polynomial(left, self.known), Number(at, str(self.width))
                whole = Binary(at, "*", Binary(at, "/", right, size), size)
                if number is None:
                    pass
                elif operators[operator] == "<=":
                    if number == plus(first, constant(self.width)):
                        return whole
                elif self.scale(number) == first:
                    return Binary(at, "*", right, size)
                elif number == first:
                    return right
                elif number == plus(first, constant(self.width - 1)):
                    return whole
        raise Untranslatable("its elements have no bound", condition.at)

    def tail(
        self,
        kept: Sequence[Statement],
        other: Sequence[Statement],
        rest: Sequence[Statement],
        bound: Expression,
        at: int,
        strided: bool,
    ) -> tuple[Statement, ...]:
        """What is done with the elements after those, as a kernel for all."""
        why = "a separate computation of the last elements", (*other, *rest)[0].at
        if other and rest:
            raise Untranslatable(*why)
        own = [*other] if other else [*self.split_declarations(rest)[1]]
        if len(own) != 1:
            raise Untranslatable(*why)
        statement = own[0]
        match statement:
            case If(_, Binary(_, "<", left, _), (For() as inner,), ()) if other and (
                polynomial(left, self.known) == self.scale(THREAD)
            ):
                statement = inner
        match statement:
            case For(
                _, (Declare(_, _, name, start),), Binary(_, "<", own_name, end), step, body
            ) if start is not None and own_name == Name(own_name.at, name):
                begin = polynomial(start, self.known)
                by = None
                if isinstance(step, Assign) and step.operator == "+=":
                    by = polynomial(step.value, self.known)
                if other:
                    right = begin == self.scale(THREAD) and by == constant(1)
                else:
                    after = polynomial(bound, self.known)
                    right = after is not None and begin == plus(after, THREAD) and by == _STRIDE
                if right and (other or strided):
                    renamed = _rename(body, name)
                    return _elements(kept, end, renamed, at, strided)
        raise Untranslatable(*why)


def _rename(body: Sequence[Statement], name: str) -> tuple[Statement, ...]:
    return map_expressions(body, lambda e: Name(e.at, NUMBER) if e == Name(e.at, name) else None)


def _elements(
    kept: Sequence[Statement],
    bound: Expression,
    body: Sequence[Statement],
    at: int,
    strided: bool,
) -> tuple[Statement, ...]:
    """A kernel with the body for each element."""
    own: Expression = Binary(at, "*", Name(at, "blockIdx.x"), Name(at, "blockDim.x"))
    own = Binary(at, "+", own, Name(at, "threadIdx.x"))
    number = Declare(at, "int64_t", NUMBER, own)
    condition = Binary(at, "<", Name(at, NUMBER), bound)
    if not strided:
        return (*kept, number, If(at, condition, tuple(body), ()))
    stride = Binary(at, "*", Name(at, "blockDim.x"), Name(at, "gridDim.x"))
    step = Assign(at, Name(at, NUMBER), "+=", stride)
    return (*kept, For(at, (number,), condition, step, tuple(body)))


def _bare(statements: Sequence[Statement]) -> str:
    return _AT.sub("", repr(statements))


def _cast(expression: Expression) -> Expression | None:
    """What a cast to a pointer to vectors is of."""
    match expression:
        case Call(_, "reinterpret_cast", (value,)):
            return value
    return None
