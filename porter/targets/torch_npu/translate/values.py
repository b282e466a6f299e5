"""What expressions are for each thread of a block: numbers, parts of sums, and memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate.arithmetic import Arithmetic, Value, make_scalar
from porter.targets.torch_npu.translate.instructions import Scalar
from porter.targets.torch_npu.translate.lanes import (
    WARP,
    Address,
    Lane,
    Lanes,
    Order,
    Shared,
    add_texts,
    join_parts,
)
from porter.targets.torch_npu.translate.shared import SharedMemory
from porter.targets.torch_npu.translate.syntax import (
    Binary,
    Call,
    Cast,
    Expression,
    Index,
    Name,
    Number,
    Statement,
    Ternary,
    Unary,
    Untranslatable,
)
from porter.targets.torch_npu.translate.trees import deep

_INDICES = {
    "blockIdx.x": "block_x_",
    "blockIdx.y": "block_y_",
    "blockIdx.z": "block_z_",
    "gridDim.x": "grid_x_",
    "gridDim.y": "grid_y_",
    "gridDim.z": "grid_z_",
}
# Of a block of one dimension.
_SIZES = {"threadIdx.y": 0, "threadIdx.z": 0, "blockDim.y": 1, "blockDim.z": 1, "warpSize": WARP}


@dataclass(slots=True)
class Values(ABC):
    """The threads of a block of a size: names, memory, and what has been written."""

    math: Arithmetic
    shared: SharedMemory
    names: dict[str, Value] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)  # pointers to other memory
    written: set[str] = field(default_factory=set)
    loops: int = 0
    depth: int = 0
    branches: int = 0

    @abstractmethod
    def run(self, statements: Sequence[Statement], active: int) -> None:
        """Run statements for some threads; what they declare ends with them."""

    @abstractmethod
    def keep(self, statement: Statement, active: int) -> None:
        """Run a statement of a function that an expression calls; what it declares stays."""

    @abstractmethod
    def call(self, call: Call, active: int, used: bool = True) -> Value | None:
        """What a function gives, if anything."""

    def set(self, name: str, value: Value, active: int) -> None:
        if active == self.math.all or isinstance(value, Address | Shared):
            if isinstance(value, Address | Shared) and active != self.math.all:
                raise Untranslatable(f"`{name}` of some threads", 0)
            self.names[name] = value
            return
        before = self.math.lanes(self.names[name])
        after = self.math.lanes(value)
        mixed = tuple(after[t] if active >> t & 1 else before[t] for t in range(self.math.size))
        self.names[name] = self.math.same(Lanes(mixed), self.math.all)

    def _branch(
        self,
        at: int,
        condition: str,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None,
    ) -> None:
        """A condition that all threads have the same of: one of the translation, too."""
        before, cells, memory = dict(self.names), self.shared.contents(), dict(self.math.memory)
        start, depth = len(self.math.text.lines), self.math.text.depth
        self.branches += 1
        self.math.text.open(f"if ({condition}) {{")
        ends, places = [], []
        for number, side in enumerate((then, otherwise)):
            if number and side is not None:
                self.math.text.middle("} else {")
            if side is not None:
                side()
            ends.append(self.names)
            places.append(len(self.math.text.lines))
            if self.shared.contents() != cells:
                raise Untranslatable("shared memory that is written conditionally", at)
            self.names, self.math.memory = dict(before), dict(memory)
        self.branches -= 1
        self.math.text.close()
        lines: list[tuple[int, int, str]] = []
        for name in before:
            if any(end.get(name) != before[name] for end in ends):
                new = self._merge_ends(name, ends, at)
                if new is not None:
                    lines += self._both(new, start, depth, places, otherwise is not None)
                    self.names[name] = new[0]
        self.math.text.insert(lines)

    def _merge_ends(
        self, name: str, ends: Sequence[Mapping[str, Value]], at: int
    ) -> tuple[Scalar, Scalar | None, Scalar | None] | None:
        """A variable for what a name is after either of two cases."""
        a, b = (self.math.same(end[name], self.math.all) for end in ends)
        unset = Lanes((None,) * self.math.size)
        if any(not isinstance(v, Scalar) and v != unset for v in (a, b)):
            raise Untranslatable(f"`{name}`, which is set only in some cases", at)
        self.names[name] = unset  # nothing may depend on what one case only has
        if not isinstance(a, Scalar) or not isinstance(b, Scalar):
            return None
        kinds = {a.type, b.type}
        kind = "float" if "float" in kinds else "int" if "int" in kinds else "bool"
        return Scalar(self.math.text.name(name), kind), a, b

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

    def load(self, address: Address) -> Scalar:
        """A number that all threads read."""
        type = self.math.source.integers.get(address.base)
        key = (address.base, address.offset, len(self.written))
        if key not in self.math.memory:
            if type is not None:
                place = f"{address.base}_all_.GetValue({address.offset})"
                self.math.text.used.add(address.base)
                made = Scalar(self.math.text.constant(address.base, type, place), "int")
            else:
                pointer = self.math.source.pointers[address.base]
                made = Scalar(self.math.text.load_one(pointer, address.offset), "float")
            self.math.memory[key] = made
        return self.math.memory[key]

    def address(self, name: str, index: Scalar, at: int) -> Address:
        base = self.names.get(name)
        if not isinstance(base, Address):
            raise Untranslatable(f"`{name}[...]`", at)
        return Address(base.base, add_texts(base.offset, index.text))

    def _index(self, expression: Index, active: int) -> Value:
        at, name = expression.at, expression.name
        index = self.value(expression.index, active)
        kept = self.names.get(name)
        if isinstance(kept, Shared):
            return self.math.same(
                self.shared.read(kept, self.math.lanes(index), active, at), active
            )
        if isinstance(kept, Address):
            if not isinstance(index, Scalar) or index.type != "int":
                raise Untranslatable(
                    f"`{name}` is accessed at a place other than a column of a loop", at
                )
            return self.load(self.address(name, index, at))
        raise Untranslatable(f"`{name}[...]`", at)

    def value(self, expression: Expression, active: int) -> Value:
        value = self._value(expression, active)
        return self.math.same(value, active) if isinstance(value, Lanes) else value

    def _value(self, expression: Expression, active: int) -> Value:
        match expression:
            case Number(_, text):
                made = self.math.compute(expression, {})
                if made.type == "int":
                    self.math.known[made.text] = int(text.rstrip("uUlL"), 0)
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
                return self.math.unary(at, operator, self.value(inner, active))
            case Binary(_, ("==" | "!=") as operator, Name(at, name), Name(_, none)) if none in (
                "nullptr",
                "NULL",
            ):
                return self.math.null(at, operator, self.names.get(name))
            case Binary(at, operator, left, right):
                first, second = self.value(left, active), self.value(right, active)
                return self.math.binary(at, operator, first, second, active)
            case Ternary():
                return self._ternary(expression, active)
            case Cast(at, type, inner):
                return self.math.convert(type, self.value(inner, active), at)
            case Call(at, name):
                result = self.call(expression, active)
                if result is None:
                    raise Untranslatable(f"`{name}` returns nothing", at)
                return result
        raise Untranslatable("an expression", expression.at)

    def _name(self, at: int, name: str, active: int) -> Value:
        if name in self.names:
            value = self.names[name]
            if isinstance(value, Shared) and value.single:
                return self.shared.read(value, (0,) * self.math.size, active, at)
            return value
        size = self.math.size
        if name == "threadIdx.x":
            return Lanes(tuple(range(size)))
        if name in _SIZES or name == "blockDim.x":
            return Lanes((_SIZES.get(name, size),) * size)
        if name in _INDICES:
            return Scalar(_INDICES[name], "int")
        if name in self.math.source.templates:
            return Scalar(name, "int")
        return self.math.compute(Name(at, name), {})

    def _ternary(self, expression: Ternary, active: int) -> Value:
        at = expression.at
        condition = self.math.truth(self.value(expression.condition, active), at)
        if isinstance(condition, Scalar):
            known = self.math.number_of(condition)
            if known is not None:
                return self.value(expression.then if known else expression.otherwise, active)
            if not (self._deep(expression.then) or self._deep(expression.otherwise)):
                a = self.value(expression.then, active)
                b = self.value(expression.otherwise, active)
                if a == b:
                    return a
                if isinstance(a, Scalar) and isinstance(b, Scalar):
                    tree = Ternary(at, Name(at, "c"), Name(at, "a"), Name(at, "b"))
                    return self.math.compute(tree, {"c": condition, "a": a, "b": b})
            name = self.math.text.name("chosen")
            self.names[name], self.types[name] = Lanes((None,) * self.math.size), "auto"

            def choose(side: Expression) -> Callable[[], None]:
                return lambda: self.set(name, self.value(side, active), self.math.all)

            self._branch(at, condition.text, choose(expression.then), choose(expression.otherwise))
            return self.names.pop(name)
        lanes = self.math.lanes(condition)
        if any(isinstance(lane, Order) for lane in lanes):
            return self._extreme_of(expression, lanes, active)
        yes, no = self.math.sides(lanes, active, at)
        out: list[Lane] = [None] * self.math.size
        for side, threads in ((expression.then, yes), (expression.otherwise, no)):
            chosen_lanes = self.math.lanes(self.value(side, threads)) if threads else ()
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
        then = self.math.lanes(self.value(expression.then, active))
        otherwise = self.math.lanes(self.value(expression.otherwise, active))
        out: list[Lane] = []
        for order, a, b in zip(lanes, then, otherwise, strict=True):
            a, b = make_scalar(a), make_scalar(b)
            if not isinstance(order, Order):
                out.append(None)
            elif (order.greater, order.less) == (a, b):
                out.append(join_parts("max", a, b))
            elif (order.greater, order.less) == (b, a):
                out.append(join_parts("min", a, b))
            else:
                out.append(None)
        return Lanes(tuple(out))
