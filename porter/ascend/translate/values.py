"""What expressions are for each thread of a block: numbers, parts of sums, and memory."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from porter.ascend.translate import row_text
from porter.ascend.translate.device import DeviceFunction
from porter.ascend.translate.instructions import Pointer, Scalar
from porter.ascend.translate.lanes import (
    WARP,
    Address,
    Lane,
    Lanes,
    Order,
    Part,
    Shared,
    added,
    floats,
    integers,
    is_zero,
    joined,
    literal,
    number_of,
    shuffled,
)
from porter.ascend.translate.syntax import (
    HALVES,
    Binary,
    Call,
    Cast,
    Expression,
    Index,
    Name,
    Number,
    Return,
    Statement,
    Ternary,
    Unary,
    Untranslatable,
    is_integer,
    plain,
)
from porter.ascend.translate.trees import deep, shape
from porter.ascend.translate.vector import Body

_EXTREMES = {
    **dict.fromkeys(("max", "fmax", "fmaxf"), "max"),
    **dict.fromkeys(("min", "fmin", "fminf"), "min"),
}

_INDICES = {
    "blockIdx.x": "block_x_",
    "blockIdx.y": "block_y_",
    "blockIdx.z": "block_z_",
    "gridDim.x": "grid_x_",
    "gridDim.y": "grid_y_",
    "gridDim.z": "grid_z_",
}


@dataclass(slots=True)
class Cell:
    value: Lane
    writers: int
    epoch: int


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


def _as_scalar(lane: Lane) -> Lane:
    return Scalar(str(lane), "int") if isinstance(lane, int) else lane


@dataclass(slots=True)
class Values(ABC):
    """The threads of a block of a size: names, memory, and what has been written."""

    source: Source
    size: int
    text: row_text.Writer
    names: dict[str, Value] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    floats: frozenset[str] = frozenset()
    known: dict[str, int] = field(default_factory=dict)  # scalars that are numbers, by text
    shared: dict[str, dict[int, Cell]] = field(default_factory=dict)
    full: dict[str, int] = field(default_factory=dict)  # the threads that have part in each sum
    totals: dict[str, Scalar] = field(default_factory=dict)
    firsts: dict[str, str] = field(default_factory=dict)  # what they begin with
    origin: dict[str, Part] = field(default_factory=dict)  # of totals, by text
    memory: dict[object, Scalar] = field(default_factory=dict)
    assumed: set[str] = field(default_factory=set)
    apart: set[tuple[str, str]] = field(default_factory=set)  # pointers to other memory
    written: set[str] = field(default_factory=set)
    epoch: int = 0
    loops: int = 0
    depth: int = 0
    branches: int = 0

    @abstractmethod
    def _keeping(self, statement: Statement, active: int) -> None:
        """Run a statement of a function that an expression calls; what it declares stays."""

    @property
    def all(self) -> int:
        return (1 << self.size) - 1

    def _number(self, value: Value, at: int) -> int:
        """That all threads have the same of."""
        if isinstance(value, Scalar) and (known := self._known(value)) is not None:
            return known
        if isinstance(value, Lanes) and len(set(value.values)) == 1:
            (number,) = set(value.values)
            if isinstance(number, int):
                return number
        raise Untranslatable("a number that is not known before it runs", at)

    def _known(self, value: Scalar) -> int | None:
        known = self.known.get(value.text)
        if known is not None:
            self.assumed |= {t for t in self.source.templates if re.search(rf"\b{t}\b", value.text)}
        return known

    def set(self, name: str, value: Value, active: int) -> None:
        if active == self.all or isinstance(value, Address | Shared):
            if isinstance(value, Address | Shared) and active != self.all:
                raise Untranslatable(f"`{name}` of some threads", 0)
            self.names[name] = value
            return
        before = self._lanes(self.names[name])
        after = self._lanes(value)
        mixed = tuple(after[t] if active >> t & 1 else before[t] for t in range(self.size))
        self.names[name] = self.same(Lanes(mixed), self.all)

    def _sides(self, lanes: Sequence[Lane], active: int, at: int) -> tuple[int, int]:
        yes = no = 0
        for thread in range(self.size):
            if active >> thread & 1:
                lane = lanes[thread]
                if isinstance(lane, Scalar):
                    lane = self._known(lane)
                if not isinstance(lane, int):
                    raise Untranslatable("a condition that each thread has its own of", at)
                if lane:
                    yes |= 1 << thread
                else:
                    no |= 1 << thread
        return yes, no

    def _branch(
        self,
        at: int,
        condition: str,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None,
    ) -> None:
        """A condition that all threads have the same of: one of the translation, too."""
        before, cells, memory = dict(self.names), self._cells(), dict(self.memory)
        start, depth = len(self.text.lines), self.text.depth
        self.branches += 1
        self.text.open(f"if ({condition}) {{")
        ends, places = [], []
        for number, side in enumerate((then, otherwise)):
            if number and side is not None:
                self.text.middle("} else {")
            if side is not None:
                side()
            ends.append(self.names)
            places.append(len(self.text.lines))
            if self._cells() != cells:
                raise Untranslatable("shared memory that is written in some cases only", at)
            self.names, self.memory = dict(before), dict(memory)
        self.branches -= 1
        self.text.close()
        lines: list[tuple[int, int, str]] = []
        for name in before:
            if any(end.get(name) != before[name] for end in ends):
                new = self._merged(name, ends, at)
                if new is not None:
                    lines += self._both(new, start, depth, places, otherwise is not None)
                    self.names[name] = new[0]
        self.text.insert(lines)

    def _merged(
        self, name: str, ends: Sequence[Mapping[str, Value]], at: int
    ) -> tuple[Scalar, Scalar | None, Scalar | None] | None:
        """A variable for what a name is after either of two cases."""
        a, b = (self.same(end[name], self.all) for end in ends)
        unset = Lanes((None,) * self.size)
        if any(not isinstance(v, Scalar) and v != unset for v in (a, b)):
            raise Untranslatable(f"`{name}`, of which some cases have a part", at)
        self.names[name] = unset  # nothing may depend on what one case only has
        if not isinstance(a, Scalar) or not isinstance(b, Scalar):
            return None
        kinds = {a.type, b.type}
        kind = "float" if "float" in kinds else "int" if "int" in kinds else "bool"
        return Scalar(self.text.name(name), kind), a, b

    def _both(
        self,
        new: tuple[Scalar, Scalar | None, Scalar | None],
        start: int,
        depth: int,
        places: Sequence[int],
        otherwise: bool,
    ) -> Iterator[tuple[int, int, str]]:
        own, a, b = new
        assert a is not None and b is not None
        type = {"int": "int64_t"}.get(own.type, own.type)
        first = f"{type} {own.text};" if otherwise else f"{type} {own.text} = {b.text};"
        yield start, depth, first
        yield places[0], depth + 1, f"{own.text} = {a.text};"
        if otherwise:
            yield places[1], depth + 1, f"{own.text} = {b.text};"

    def _cells(self) -> dict[str, dict[int, Cell]]:
        return {
            name: {k: Cell(c.value, 0, 0) for k, c in cells.items()}
            for name, cells in self.shared.items()
        }

    def _counted(self, lane: Lane) -> Lane:
        if isinstance(lane, Scalar):
            known = self._known(lane)
            return lane if known is None else known
        return lane

    def load(self, address: Address, at: int) -> Scalar:
        """A number that all threads read."""
        type = self.source.integers.get(address.base)
        key = (address.base, address.offset, len(self.written))
        if key not in self.memory:
            if type is not None:
                place = f"{address.base}_all_.GetValue({address.offset})"
                self.text.used.add(address.base)
                made = Scalar(self.text.constant(address.base, type, place), "int")
            else:
                pointer = self.source.pointers[address.base]
                made = Scalar(self.text.load_one(pointer, address.offset), "float")
            self.memory[key] = made
        return self.memory[key]

    def address(self, name: str, index: Scalar, at: int) -> Address:
        base = self.names.get(name)
        if not isinstance(base, Address):
            raise Untranslatable(f"`{name}[...]`", at)
        return Address(base.base, added(base.offset, index.text))

    def _index(self, expression: Index, active: int) -> Value:
        at, name = expression.at, expression.name
        index = self.value(expression.index, active)
        kept = self.names.get(name)
        if isinstance(kept, Shared):
            return self.same(self._read_shared(kept, self._lanes(index), active, at), active)
        if isinstance(kept, Address):
            if not isinstance(index, Scalar) or index.type != "int":
                raise Untranslatable(
                    f"`{name}` is read or written elsewhere than at a column of a loop", at
                )
            return self.load(self.address(name, index, at), at)
        raise Untranslatable(f"`{name}[...]`", at)

    def _read_shared(self, kept: Shared, index: Sequence[Lane], active: int, at: int) -> Lanes:
        out: list[Lane] = [None] * self.size
        for thread in range(self.size):
            if not active >> thread & 1:
                continue
            cell = self.shared[kept.name].get(self._place(kept, index[thread], at))
            if cell is None:
                continue
            warp = ((1 << WARP) - 1) << (thread - thread % WARP)
            if cell.epoch == self.epoch and not cell.writers & warp:
                raise Untranslatable("shared memory that is read before a barrier", at)
            out[thread] = cell.value
        return Lanes(tuple(out))

    def _place(self, kept: Shared, index: Lane, at: int) -> int:
        place = self._counted(index)
        if not isinstance(place, int):
            raise Untranslatable("a place in shared memory that is not known", at)
        place += kept.first
        if place < 0 or (kept.size is not None and place >= kept.size):
            raise Untranslatable(f"`{kept.name}` is too small for {self.size} threads", at)
        return place

    def value(self, expression: Expression, active: int) -> Value:
        value = self._value(expression, active)
        return self.same(value, active) if isinstance(value, Lanes) else value

    def _value(self, expression: Expression, active: int) -> Value:
        match expression:
            case Number(_, text):
                made = self.compute(expression, {})
                if made.type == "int":
                    self.known[made.text] = int(text.rstrip("uUlL"), 0)
                return made
            case Name(at, text):
                return self._name(at, text, active)
            case Index():
                return self._index(expression, active)
            case Unary(_, "&", Index(at, name, index)):
                place = self.value(index, active)
                if not isinstance(place, Scalar):
                    raise Untranslatable("an address", at)
                return self.address(name, place, at)
            case Unary(at, operator, inner):
                return self._unary(at, operator, self.value(inner, active))
            case Binary(_, ("==" | "!=") as operator, Name(at, name), Name(_, none)) if none in (
                "nullptr",
                "NULL",
            ):
                return self._null(at, operator, self.names.get(name))
            case Binary(at, operator, left, right):
                first, second = self.value(left, active), self.value(right, active)
                return self._binary(at, operator, first, second, active)
            case Ternary():
                return self._ternary(expression, active)
            case Cast(at, type, inner):
                return self._as(type, self.value(inner, active), at)
            case Call(at, name):
                result = self._call(expression, active)
                if result is None:
                    raise Untranslatable(f"`{name}` returns nothing", at)
                return result
        raise Untranslatable("an expression", expression.at)

    def _null(self, at: int, operator: str, value: Value | None) -> Scalar:
        if not isinstance(value, Address) or value.offset != "0":
            raise Untranslatable("a pointer that is compared", at)
        return Scalar(f"({value.base} {operator} nullptr)", "bool")

    def _name(self, at: int, name: str, active: int) -> Value:
        if name in self.names:
            value = self.names[name]
            if isinstance(value, Shared) and value.single:
                return self._read_shared(value, (0,) * self.size, active, at)
            return value
        match name:
            case "threadIdx.x":
                return Lanes(tuple(range(self.size)))
            case "blockDim.x":
                return Lanes((self.size,) * self.size)
            case "threadIdx.y" | "threadIdx.z":
                return Lanes((0,) * self.size)
            case "blockDim.y" | "blockDim.z":
                return Lanes((1,) * self.size)
            case "warpSize":
                return Lanes((WARP,) * self.size)
        if name in _INDICES:
            return Scalar(_INDICES[name], "int")
        if name in self.source.templates:
            return Scalar(name, "int")
        return self.compute(Name(at, name), {})

    def _unary(self, at: int, operator: str, value: Value) -> Value:
        if isinstance(value, Lanes):
            out: list[Lane] = []
            for lane in value.values:
                lane = self._counted(lane)
                if lane is None:
                    out.append(None)
                elif not isinstance(lane, int) or operator not in ("-", "+", "!", "~"):
                    raise Untranslatable(f"`{operator}` of what a thread has", at)
                else:
                    signs = {"-": -lane, "+": lane, "!": int(not lane), "~": ~lane}
                    out.append(signs[operator])
            return Lanes(tuple(out))
        if not isinstance(value, Scalar):
            raise Untranslatable("a pointer", at)
        made = self.compute(Unary(at, operator, Name(at, "a")), {"a": value})
        known = self._known(value)
        if known is not None and operator in ("-", "!", "+"):
            self.known[made.text] = {"-": -known, "!": int(not known), "+": known}[operator]
        return made

    def _binary(self, at: int, operator: str, left: Value, right: Value, active: int) -> Value:
        if isinstance(right, Address) and operator == "+":
            left, right = right, left
        if isinstance(left, Address):
            if operator not in ("+", "-") or not isinstance(right, Scalar) or right.type != "int":
                raise Untranslatable("a pointer that each thread has its own of", at)
            offset = right.text if operator == "+" else f"-{right.text}"
            return Address(left.base, added(left.offset, offset))
        if isinstance(left, Shared) and isinstance(right, Scalar | Lanes) and operator == "+":
            return replace(left, first=left.first + self._number(right, at), single=False)
        if isinstance(left, Shared) or isinstance(right, Shared | Address):
            raise Untranslatable("a pointer", at)
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return self._of_scalars(at, operator, left, right)
        a, b = self._lanes(left), self._lanes(right)
        done: dict[object, Lane] = {}
        out: list[Lane] = []
        for thread in range(self.size):
            pair = a[thread], b[thread]
            if not active >> thread & 1:
                out.append(None)
                continue
            key = (pair, *map(type, pair))  # 8 and 8.0 are equal
            if key not in done:
                done[key] = self._of_lanes(at, operator, *pair)
            out.append(done[key])
        return Lanes(tuple(out))

    def _of_scalars(self, at: int, operator: str, left: Scalar, right: Scalar) -> Scalar:
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

    def _of_lanes(self, at: int, operator: str, a: Lane, b: Lane) -> Lane:
        if a is None or b is None:
            return None
        a, b = self._counted(a), self._counted(b)
        if isinstance(a, int) and isinstance(b, int):
            return integers(operator, a, b, at)
        if isinstance(a, int | float) or isinstance(b, int | float):
            one, other = literal(a), literal(b)
            if isinstance(one, int | float) and isinstance(other, int | float):
                return floats(operator, one, other, at)
        if isinstance(a, Order) or isinstance(b, Order):
            raise Untranslatable(f"`{operator}` of conditions", at)
        if isinstance(a, Part) or isinstance(b, Part):
            a, b = _as_scalar(a), _as_scalar(b)
            if operator == "+" and (made := joined("+", a, b)) is not None:
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
            return self._of_scalars(at, operator, a, b)
        raise Untranslatable(f"`{operator}` of a thread's number and what all threads have", at)

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

    def _ternary(self, expression: Ternary, active: int) -> Value:
        at = expression.at
        condition = self._truth(self.value(expression.condition, active), at)
        if isinstance(condition, Scalar):
            known = self._known(condition)
            if known is not None:
                return self.value(expression.then if known else expression.otherwise, active)
            if not (self._deep(expression.then) or self._deep(expression.otherwise)):
                a = self.value(expression.then, active)
                b = self.value(expression.otherwise, active)
                if a == b:
                    return a
                if isinstance(a, Scalar) and isinstance(b, Scalar):
                    tree = Ternary(at, Name(at, "c"), Name(at, "a"), Name(at, "b"))
                    return self.compute(tree, {"c": condition, "a": a, "b": b})
            name = self.text.name("chosen")
            self.names[name], self.types[name] = Lanes((None,) * self.size), "auto"

            def chosen(side: Expression) -> Callable[[], None]:
                return lambda: self.set(name, self.value(side, active), self.all)

            self._branch(at, condition.text, chosen(expression.then), chosen(expression.otherwise))
            return self.names.pop(name)
        lanes = self._lanes(condition)
        if any(isinstance(lane, Order) for lane in lanes):
            return self._extreme_of(expression, lanes, active)
        yes, no = self._sides(lanes, active, at)
        out: list[Lane] = [None] * self.size
        for side, threads in ((expression.then, yes), (expression.otherwise, no)):
            chosen_lanes = self._lanes(self.value(side, threads)) if threads else ()
            for thread, lane in enumerate(chosen_lanes):
                if threads >> thread & 1:
                    out[thread] = lane
        return Lanes(tuple(out))

    def _deep(self, expression: Expression) -> bool:
        """Whether something is read or called in it, shared memory apart."""
        shared = {name for name, value in self.names.items() if isinstance(value, Shared)}
        return deep(expression, shared)

    def _extreme_of(self, expression: Ternary, lanes: Sequence[Lane], active: int) -> Lanes:
        """`a > b ? a : b` of parts."""
        then = self._lanes(self.value(expression.then, active))
        otherwise = self._lanes(self.value(expression.otherwise, active))
        out: list[Lane] = []
        for order, a, b in zip(lanes, then, otherwise, strict=True):
            a, b = _as_scalar(a), _as_scalar(b)
            if not isinstance(order, Order):
                out.append(None)
            elif (order.greater, order.less) == (a, b):
                out.append(joined("max", a, b))
            elif (order.greater, order.less) == (b, a):
                out.append(joined("min", a, b))
            else:
                out.append(None)
        return Lanes(tuple(out))

    def _call(self, call: Call, active: int, used: bool = True) -> Value | None:
        at, name = call.at, call.name
        short = name.removeprefix("std::").removeprefix("::")
        if short.removesuffix("_sync") in ("__shfl_xor", "__shfl_down", "__shfl_up", "__shfl"):
            return self._shuffle(short, call, active)
        if short == "__activemask":
            return Lanes((-1,) * self.size)
        if short == "__ldg" and len(call.arguments) == 1:
            match call.arguments[0]:
                case Unary(_, "&", Index() as place):
                    return self.value(place, active)
                case Name(at, own):
                    return self.value(Index(at, own, Number(at, "0")), active)
        given = [self.value(argument, active) for argument in call.arguments]
        if short in _EXTREMES and len(given) == 2 and given[0] == given[1]:
            return given[0]
        known = any(isinstance(v, Scalar) and v.text in self.origin for v in given)
        if (
            used
            and all(isinstance(v, Scalar) for v in given)
            and not (known and short in _EXTREMES)
        ):
            scalars = {f"a{k}": v for k, v in enumerate(given) if isinstance(v, Scalar)}
            function = self.source.function(short, at)
            try:
                tree = Call(at, name, tuple(Name(at, key) for key in scalars))
                return self.compute(tree, scalars)
            except Untranslatable:
                if function is None:
                    raise
        function = self.source.function(short, at)
        if function is not None:
            return self._inlined(call, function, given, active)
        operator = _EXTREMES.get(short)
        if operator and len(given) == 2:
            a, b = self._lanes(given[0]), self._lanes(given[1])
            return Lanes(
                tuple(self._extreme(operator, x, y, at) for x, y in zip(a, b, strict=True))
            )
        raise Untranslatable(f"`{name}`", at)

    def _extreme(self, operator: str, a: Lane, b: Lane, at: int) -> Lane:
        a, b = self._counted(a), self._counted(b)
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b) if operator == "max" else min(a, b)
        a, b = _as_scalar(a), _as_scalar(b)
        a, b = (self.origin.get(v.text, v) if isinstance(v, Scalar) else v for v in (a, b))
        if a == b and isinstance(a, Scalar):
            return a
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            tree = Call(at, f"f{operator}f", (Name(at, "a"), Name(at, "b")))
            return self.compute(tree, {"a": a, "b": b})
        return joined(operator, a, b)

    def _shuffle(self, name: str, call: Call, active: int) -> Value:
        if self.size < WARP:
            raise Untranslatable(f"`{name}` of threads that have a row each", call.at)
        arguments = call.arguments[1:] if name.endswith("_sync") else call.arguments
        given = [self.value(argument, active) for argument in arguments]
        if len(given) not in (2, 3):
            raise Untranslatable(f"`{name}` with other arguments", call.at)
        width = self._number(given[2], call.at) if len(given) == 3 else WARP
        distance = [self._counted(lane) for lane in self._lanes(given[1])]
        numbers = [d if isinstance(d, int) else 0 for d in distance]
        if any(
            not isinstance(d, int) for t, d in enumerate(distance) if active >> t & 1
        ) or width not in (1, 2, 4, 8, 16, 32):
            raise Untranslatable(f"`{name}` over a distance that is not known", call.at)
        values = self._lanes(given[0])
        return Lanes(tuple(shuffled(name.removesuffix("_sync"), values, numbers, active, width)))

    def _inlined(
        self, call: Call, function: DeviceFunction, given: Sequence[Value], active: int
    ) -> Value | None:
        at = call.at
        if len(given) != len(function.parameters) or self.depth == 8:
            raise Untranslatable(f"`{call.name}` with other arguments", at)
        names, types, floats, known = self.names, self.types, self.floats, self.known
        self.names, self.types, self.known = {}, {}, dict(known)
        for template, text in zip(function.templates, call.templates, strict=False):
            if not template.type:
                continue
            number = known.get(text, int(text) if text.isdigit() else None)
            if number is None:
                raise Untranslatable(f"`{call.name}` with a number in its template", at)
            self.names[template.name] = Lanes((number,) * self.size)
        self.floats = floats | function.floats
        if any(t.type and t.name not in self.names for t in function.templates):
            raise Untranslatable(f"`{call.name}` with a number in its template", at)
        self.depth += 1
        for parameter, value in zip(function.parameters, given, strict=True):
            name, type = parameter.name, plain(parameter.type)
            self.types[name] = f"{type} *" if parameter.pointer else type
            pointer = isinstance(value, Address | Shared)
            if pointer != parameter.pointer:
                raise Untranslatable(f"`{call.name}` with other arguments", at)
            self.names[name] = value if pointer else self._as(type, value, at)
        body, result = list(function.body()), None
        end = body.pop() if body and isinstance(body[-1], Return) else None
        for statement in body:  # one by one, so that what they declare stays
            self._keeping(statement, active)
        if isinstance(end, Return) and end.value is not None:
            result = self._as(plain(function.returns), self.value(end.value, active), at)
        self.depth -= 1
        self.names, self.types, self.floats = names, types, floats
        self.known = known | self.known
        return result

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

    def _truth(self, value: Value, at: int) -> Scalar | Lanes:
        if isinstance(value, Address):
            return self._null(at, "!=", value)
        if isinstance(value, Shared):
            raise Untranslatable("a pointer", at)
        if isinstance(value, Lanes) or value.type == "bool" or value.text in self.known:
            return value
        return Scalar(f"({value.text} != 0)", "bool")

    def _as(self, type: str, value: Value, at: int) -> Value:
        if isinstance(value, Address | Shared):
            if type == "auto":
                return value
            raise Untranslatable("a pointer as a number", at)
        if isinstance(value, Lanes):
            return value if type == "auto" else self._as_lanes(type, value, at)
        made = self.compute(Cast(at, type, Name(at, "a")), {"a": value})
        known = self._known(value)
        if known is not None and is_integer(type):
            self.known[made.text] = known
        return made

    def _as_lanes(self, type: str, value: Lanes, at: int) -> Lanes:
        whole = is_integer(type) and not {"char", "short"} & set(type.split()) and "8" not in type
        floating = type in self.floats or type == "float" or type in HALVES
        done: dict[object, Lane] = {}
        out: list[Lane] = []
        for lane in map(self._counted, value.values):
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
        what = "sums of double" if type == "double" else f"what a thread has as `{type}`"
        raise Untranslatable(what, at)

    def _lanes(self, value: Value) -> tuple[Lane, ...]:
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
