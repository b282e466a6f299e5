"""What the threads of a block compute, of what each of them has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from porter.targets.torch_npu.translate import row_text
from porter.targets.torch_npu.translate.device import DeviceFunction
from porter.targets.torch_npu.translate.instructions import Pointer, Scalar
from porter.targets.torch_npu.translate.lanes import (
    Address,
    Lane,
    Lanes,
    Order,
    Part,
    Shared,
    add_texts,
    floats,
    integers,
    is_zero,
    join_parts,
    literal,
    number_of,
)
from porter.targets.torch_npu.translate.syntax import (
    HALVES,
    Binary,
    Call,
    Cast,
    Expression,
    Name,
    Unary,
    Untranslatable,
    is_integer,
)
from porter.targets.torch_npu.translate.trees import shape
from porter.targets.torch_npu.translate.vector import Body

Value = Scalar | Lanes | Address | Shared


@dataclass(frozen=True, slots=True)
class Source:
    """What a kernel is read with."""

    pointers: Mapping[str, Pointer]
    integers: Mapping[str, str]  # pointers to numbers that are no floats, and their types
    scalars: Mapping[str, Scalar]  # parameters
    templates: tuple[str, ...]  # numbers among the parameters of its template
    floats: frozenset[str]
    constants: Mapping[str, str]
    numbers: Mapping[str, int]
    function: Callable[[str, int], DeviceFunction | None]


def make_scalar(lane: Lane) -> Lane:
    return Scalar(str(lane), "int") if isinstance(lane, int) else lane


@dataclass(slots=True)
class Arithmetic:
    """Computes with the values of all threads of a block."""

    source: Source
    size: int
    text: row_text.Writer
    floats: frozenset[str] = frozenset()
    known: dict[str, int] = field(default_factory=dict)  # scalars that are numbers, by text
    full: dict[str, int] = field(default_factory=dict)  # the threads that have part in each sum
    totals: dict[str, Scalar] = field(default_factory=dict)
    firsts: dict[str, str] = field(default_factory=dict)  # what they begin with
    origin: dict[str, Part] = field(default_factory=dict)  # of totals, by text
    memory: dict[object, Scalar] = field(default_factory=dict)
    assumed: set[str] = field(default_factory=set)

    @property
    def all(self) -> int:
        return (1 << self.size) - 1

    def number(self, value: Value, at: int) -> int:
        """That all threads have the same of."""
        if isinstance(value, Scalar) and (known := self.number_of(value)) is not None:
            return known
        if isinstance(value, Lanes) and len(set(value.values)) == 1:
            (number,) = set(value.values)
            if isinstance(number, int):
                return number
        raise Untranslatable("a number that is unknown before it runs", at)

    def number_of(self, value: Scalar) -> int | None:
        known = self.known.get(value.text)
        if known is not None:
            self.assumed |= {t for t in self.source.templates if re.search(rf"\b{t}\b", value.text)}
        return known

    def as_number(self, lane: Lane) -> Lane:
        if isinstance(lane, Scalar):
            known = self.number_of(lane)
            return lane if known is None else known
        return lane

    def unary(self, at: int, operator: str, value: Value) -> Value:
        if isinstance(value, Lanes):
            out: list[Lane] = []
            for lane in value.values:
                lane = self.as_number(lane)
                if lane is None:
                    out.append(None)
                elif not isinstance(lane, int) or operator not in ("-", "+", "!", "~"):
                    raise Untranslatable(f"`{operator}` of per-thread values", at)
                else:
                    signs = {"-": -lane, "+": lane, "!": int(not lane), "~": ~lane}
                    out.append(signs[operator])
            return Lanes(tuple(out))
        if not isinstance(value, Scalar):
            raise Untranslatable("a pointer", at)
        made = self.compute(Unary(at, operator, Name(at, "a")), {"a": value})
        known = self.number_of(value)
        if known is not None and operator in ("-", "!", "+"):
            self.known[made.text] = {"-": -known, "!": int(not known), "+": known}[operator]
        return made

    def binary(self, at: int, operator: str, left: Value, right: Value, active: int) -> Value:
        if isinstance(right, Address) and operator == "+":
            left, right = right, left
        if isinstance(left, Address):
            if operator not in ("+", "-") or not isinstance(right, Scalar) or right.type != "int":
                raise Untranslatable("a pointer that differs between threads", at)
            offset = right.text if operator == "+" else f"-{right.text}"
            return Address(left.base, add_texts(left.offset, offset))
        if isinstance(left, Shared) and isinstance(right, Scalar | Lanes) and operator == "+":
            return replace(left, first=left.first + self.number(right, at), single=False)
        if isinstance(left, Shared) or isinstance(right, Shared | Address):
            raise Untranslatable("a pointer", at)
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return self._combine_scalars(at, operator, left, right)
        a, b = self.lanes(left), self.lanes(right)
        done: dict[object, Lane] = {}
        out: list[Lane] = []
        for thread in range(self.size):
            pair = a[thread], b[thread]
            if not active >> thread & 1:
                out.append(None)
                continue
            key = (pair, *map(type, pair))  # 8 and 8.0 are equal
            if key not in done:
                done[key] = self._combine_lanes(at, operator, *pair)
            out.append(done[key])
        return Lanes(tuple(out))

    def _combine_scalars(self, at: int, operator: str, left: Scalar, right: Scalar) -> Scalar:
        if operator == "+" and left.type == right.type == "float":
            for zero, other in ((left, right), (right, left)):
                if is_zero(zero.text):
                    return other
        tree = Binary(at, operator, Name(at, "a"), Name(at, "b"))
        made = self.compute(tree, {"a": left, "b": right})
        a, b = self.known.get(left.text), self.known.get(right.text)
        if a is not None and b is not None:
            self.known[made.text] = integers(operator, a, b, at)
        return made

    def _combine_lanes(self, at: int, operator: str, a: Lane, b: Lane) -> Lane:
        if a is None or b is None:
            return None
        a, b = self.as_number(a), self.as_number(b)
        if isinstance(a, int) and isinstance(b, int):
            return integers(operator, a, b, at)
        if isinstance(a, int | float) or isinstance(b, int | float):
            one, other = literal(a), literal(b)
            if isinstance(one, int | float) and isinstance(other, int | float):
                return floats(operator, one, other, at)
        if isinstance(a, Order) or isinstance(b, Order):
            raise Untranslatable(f"`{operator}` of conditions", at)
        if isinstance(a, Part) or isinstance(b, Part):
            a, b = make_scalar(a), make_scalar(b)
            if operator == "+" and (made := join_parts("+", a, b)) is not None:
                return made
            a, b = self._total(a, at), self._total(b, at)
            if isinstance(a, Part) or isinstance(b, Part):
                if isinstance(a, Part | Scalar) and isinstance(b, Part | Scalar):
                    if operator in (">", ">="):
                        return Order(a, b)
                    if operator in ("<", "<="):
                        return Order(b, a)
                return None  # nothing that can be told, as where a thread counts twice
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return self._combine_scalars(at, operator, a, b)
        raise Untranslatable(f"`{operator}` of a thread index and a common value", at)

    def _total(self, lane: Lane, at: int) -> Lane:
        """What all threads have together, where this is it."""
        if not isinstance(lane, Part) or lane.threads != self.full[lane.accumulator]:
            return lane
        value = self.totals[lane.accumulator]
        least = number_of(self.firsts[lane.accumulator])
        for other in sorted(lane.others):
            number = number_of(other)
            if number is not None and least is not None:
                beyond = number > least if lane.operator == "max" else number < least
                if not beyond:  # that is in it already
                    continue
            tree = Call(at, f"f{lane.operator}f", (Name(at, "a"), Name(at, "b")))
            value = self.compute(tree, {"a": value, "b": Scalar(other, "float")})
        self.origin[value.text] = lane
        return value

    def extreme(self, operator: str, a: Lane, b: Lane, at: int) -> Lane:
        a, b = self.as_number(a), self.as_number(b)
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b) if operator == "max" else min(a, b)
        a, b = make_scalar(a), make_scalar(b)
        a, b = (self.origin.get(v.text, v) if isinstance(v, Scalar) else v for v in (a, b))
        if a == b and isinstance(a, Scalar):
            return a
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            tree = Call(at, f"f{operator}f", (Name(at, "a"), Name(at, "b")))
            return self.compute(tree, {"a": a, "b": b})
        return join_parts(operator, a, b)

    def compute(self, tree: Expression, operands: Mapping[str, Scalar]) -> Scalar:
        """An expression of scalars: as C++, or by the vector unit where it is a function."""
        body = self.body()
        body.state.names |= operands
        value = body.value(tree)
        if isinstance(value, Scalar):
            return value
        key = (shape(tree), *operands.items())
        if key not in self.memory:
            result = body.make.as_elements(value)
            text = self.text.once(body.make.made, result)
            kind = "bool" if value.mask else "float"
            self.memory[key] = Scalar(f"({text} != 0.0f)" if value.mask else text, kind)
        return self.memory[key]

    def body(self) -> Body:
        source = self.source
        return Body({}, "", self.floats, source.constants, source.function)

    def truth(self, value: Value, at: int) -> Scalar | Lanes:
        if isinstance(value, Address):
            return self.null(at, "!=", value)
        if isinstance(value, Shared):
            raise Untranslatable("a pointer", at)
        if isinstance(value, Lanes) or value.type == "bool" or value.text in self.known:
            return value
        return Scalar(f"({value.text} != 0)", "bool")

    def convert(self, type: str, value: Value, at: int) -> Value:
        if isinstance(value, Address | Shared):
            if type == "auto":
                return value
            raise Untranslatable("a pointer as a number", at)
        if isinstance(value, Lanes):
            return value if type == "auto" else self._convert_to_lanes(type, value, at)
        made = self.compute(Cast(at, type, Name(at, "a")), {"a": value})
        known = self.number_of(value)
        if known is not None and is_integer(type):
            self.known[made.text] = known
        return made

    def _convert_to_lanes(self, type: str, value: Lanes, at: int) -> Lanes:
        whole = is_integer(type) and not {"char", "short"} & set(type.split()) and "8" not in type
        floating = type in self.floats or type == "float" or type in HALVES
        done: dict[object, Lane] = {}
        out: list[Lane] = []
        for lane in map(self.as_number, value.values):
            key = (lane, lane.__class__)  # 8 and 8.0 are equal
            if key not in done:
                done[key] = self._lane_as(type, lane, whole, floating, at)
            out.append(done[key])
        return Lanes(tuple(out))

    def _lane_as(self, type: str, lane: Lane, whole: bool, floating: bool, at: int) -> Lane:
        match lane:
            case None:
                return None
            case int() | float() if type == "bool":
                return int(bool(lane))
            case int() | float() if whole:
                return int(lane)
            case int() if floating:
                return Scalar(f"static_cast<float>({lane})", "float")
            case float() | Part() if floating:
                return lane
            case Scalar():
                return self.compute(Cast(at, type, Name(at, "a")), {"a": lane})
        what = "sums of double" if type == "double" else f"a per-thread value of type `{type}`"
        raise Untranslatable(what, at)

    def lanes(self, value: Value) -> tuple[Lane, ...]:
        if isinstance(value, Lanes):
            return value.values
        if isinstance(value, Scalar):
            return (value,) * self.size
        raise Untranslatable("a pointer", 0)

    def same(self, value: Value, active: int) -> Value:
        """What all these threads have the same of."""
        if not isinstance(value, Lanes):
            return value
        lanes = {value.values[t] for t in range(self.size) if active >> t & 1}
        if len(lanes) == 1:
            (lane,) = lanes
            if isinstance(lane, Part):
                lane = self._total(lane, 0)
            if isinstance(lane, Scalar):
                return lane
        return value

    def sides(self, lanes: Sequence[Lane], active: int, at: int) -> tuple[int, int]:
        yes = no = 0
        for thread in range(self.size):
            if active >> thread & 1:
                lane = lanes[thread]
                if isinstance(lane, Scalar):
                    lane = self.number_of(lane)
                if not isinstance(lane, int):
                    raise Untranslatable("a condition that differs between threads", at)
                if lane:
                    yes |= 1 << thread
                else:
                    no |= 1 << thread
        return yes, no

    def null(self, at: int, operator: str, value: Value | None) -> Scalar:
        if not isinstance(value, Address) or value.offset != "0":
            raise Untranslatable("a comparison of pointers", at)
        return Scalar(f"({value.base} {operator} nullptr)", "bool")
