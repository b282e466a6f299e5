"""A loop over the columns of a row: its body on tiles, its sums, and what is read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate import row_text
from porter.targets.torch_npu.translate.flow import Flow
from porter.targets.torch_npu.translate.instructions import Pointer, Scalar, Vector, as_float
from porter.targets.torch_npu.translate.lanes import (
    NOT_ALL,
    Address,
    Lanes,
    Part,
    Shared,
    add_texts,
    is_zero,
)
from porter.targets.torch_npu.translate.syntax import (
    Binary,
    Cast,
    Expression,
    For,
    If,
    Index,
    Name,
    Untranslatable,
    is_integer,
)
from porter.targets.torch_npu.translate.trees import deep, names_in, words, writes
from porter.targets.torch_npu.translate.trees import names_assigned as changed_names
from porter.targets.torch_npu.translate.values import Values
from porter.targets.torch_npu.translate.vector import Body


@dataclass(slots=True)
class Columns:
    """A loop over the columns of a row."""

    threads: Values
    loop: For
    name: str
    limit: Scalar
    active: int
    places: dict[str, tuple[bool, str]] = field(default_factory=dict)
    single: set[str] = field(default_factory=set)  # pointers that are read at one place

    def run(self) -> None:
        threads, at = self.threads, self.loop.at
        body = threads.math.body()
        body.index, body.place, body.number = self.name, self._place, self._number
        used = names_in(self.loop.body)
        for name, value in threads.names.items():
            if isinstance(value, Lanes) and name in used:
                value = threads.math.same(value, self.active)
            if isinstance(value, Shared) and value.single:
                value = threads.value(Name(at, name), self.active)
            if isinstance(value, Scalar):
                body.state.names[name] = value
        changed = changed_names(self.loop.body) & set(threads.names)
        begins: dict[str, tuple[Vector, Scalar]] = {}
        for name in sorted(changed):
            value = threads.math.same(threads.names[name], self.active)
            type = threads.types.get(name, "")
            if not isinstance(value, Scalar) or is_integer(type) or type in ("bool", "double"):
                what = "sums of double" if type == "double" else f"`{name}` over the columns"
                raise Untranslatable(what, at)
            begins[name] = body.make.number(), value
            body.state.names[name] = begins[name][0]
            body.types[name] = "float"
        body.run(self.loop.body)
        body.keep(at)
        threads.apart |= body.apart
        self._require_apart(body, at)
        self._emit(body, begins)

    def _require_apart(self, body: Body, at: int) -> None:
        for name in body.stored:
            base = body.pointers[name].base
            if base in self.single:
                raise Untranslatable(f"`{base}` at a place that is not a column", at)
            if any(p.base == base and p.name != name for p in body.pointers.values()):
                raise Untranslatable(f"`{base}` at several places of a row, one written", at)

    def _emit(self, body: Body, begins: Mapping[str, tuple[Vector, Scalar]]) -> None:
        threads, at = self.threads, self.loop.at
        made = {i.to.number: i for i in body.make.made}
        flow = Flow(made, {vector.number for vector, _ in begins.values()})
        stores = {name: body.make.as_elements(value) for name, value in body.state.stores.items()}
        sums: list[row_text.Sum] = []
        for name, (vector, start) in begins.items():
            final = body.state.names.get(name)
            if final == vector:
                continue
            own = isinstance(final, Vector) and vector.number in flow.needs(final)
            if not own or not isinstance(final, Vector):
                threads.set(name, Lanes((None,) * threads.math.size), self.active)
                continue
            operator = flow.operator(final, vector)
            if operator is None:
                why = "carries more than a sum, maximum or minimum from one column to the next"
                raise Untranslatable(f"`{name}` {why}", at)
            if operator == "+" and not is_zero(start.text):
                raise Untranslatable(f"`{name}` does not start at 0", at)
            first = as_float(start) if operator != "+" else "0.0f"
            total = threads.math.text.name(name)
            sums.append(row_text.Sum(total, operator, first, vector, final))
            threads.math.firsts[total] = first
            self._parts(name, operator, total)
        if any(flow.needs(v) & flow.begins for v in stores.values()):
            raise Untranslatable("the written value depends on the preceding columns", at)
        guards = {name: text for name, text in body.guarded.items() if text}
        threads.math.text.columns(
            row_text.Loop(
                self.limit.text,
                body.make.made,
                {
                    body.pointers[name].name: (body.pointers[name], v)
                    for name, v in body.loads.items()
                },
                {name: (body.pointers[name], v) for name, v in stores.items()},
                sums,
                guards | body.state.guards,
            )
        )
        for name in stores:
            threads.written.add(f"{name} {len(threads.written)}")

    def _parts(self, name: str, operator: str, total: str) -> None:
        threads = self.threads
        threads.math.full[total] = self.active
        threads.math.totals[total] = Scalar(total, "float")
        parts = [Part(total, operator, 1 << thread) for thread in range(threads.math.size)]
        threads.set(name, Lanes(tuple(parts)), self.active)

    def _number(self, name: str, expression: Expression) -> bool:
        """A variable of the loop that has a column's number."""
        if deep(expression) or not (words(expression) & {self.name, *self.places}):
            return False
        column = self._column(expression)
        if name in self.threads.names or name in self.places:
            raise Untranslatable(f"a second `{name}` that hides the first", expression.at)
        self.places[name] = column
        return True

    def _column(self, expression: Expression) -> tuple[bool, str]:
        """Whether an index has the number of the column in it, and what else is added."""
        match expression:
            case Name(_, name) if name == self.name:
                return True, "0"
            case Name(_, name) if name in self.places:
                return self.places[name]
            case Cast(_, type, inner) if is_integer(type) and (
                words(inner) & {self.name, *self.places}
            ):
                return self._column(inner)
            case Binary(at, ("+" | "-") as operator, left, right):
                (a, first), (b, second) = self._column(left), self._column(right)
                if (a and b) or (b and operator == "-"):
                    raise Untranslatable("a column index in an unsupported form", at)
                return a or b, add_texts(first, second if operator == "+" else f"-{second}")
        if words(expression) & {self.name, *self.places}:
            raise Untranslatable("a place that is not a column index plus an offset", expression.at)
        value = self.threads.value(expression, self.active)
        if not isinstance(value, Scalar) or value.type != "int":
            raise Untranslatable("a place that differs between threads", expression.at)
        return False, value.text

    def _place(self, expression: Index, written: bool) -> Pointer | Scalar:
        threads, at = self.threads, expression.at
        base = threads.names.get(expression.name)
        if isinstance(base, Shared):
            own = words(expression.index) & {self.name, *self.places}
            value = None if own or written else threads.value(expression, self.active)
            if own or written:
                raise Untranslatable("a row kept in shared memory", at)
            if not isinstance(value, Scalar):
                raise Untranslatable(NOT_ALL, at)
            return value
        if not isinstance(base, Address):
            raise Untranslatable(f"`{expression.name}[...]`", at)
        column, offset = self._column(expression.index)
        address = threads.address(expression.name, Scalar(offset, "int"), at)
        if not column:
            if written or writes(self.loop.body, expression.name) or self._conditional():
                raise Untranslatable(f"`{expression.name}` at a place that is not a column", at)
            self.single.add(address.base)
            return threads.load(address)
        pointer = threads.math.source.pointers.get(address.base)
        if pointer is None:
            raise Untranslatable(f"`{expression.name}`: elements of this type", at)
        name = f"{address.base}[{address.offset}]"
        return Pointer(
            name, pointer.type, pointer.restrict, pointer.constant, address.base, address.offset
        )

    def _conditional(self) -> bool:
        return any(isinstance(statement, If) for statement in self.loop.body)
