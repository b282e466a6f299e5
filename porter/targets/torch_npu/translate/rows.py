"""Kernels whose blocks go over rows: the threads of one block, all followed at once.

Threads run statement by statement, with their own numbers, so that a reduction over shared memory
or by shuffles is known by what comes of it: each thread's part exactly once. A loop over the
columns, from a thread's number in steps of the number of threads, is one over tiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from porter.targets.torch_npu.translate import calls, row_text
from porter.targets.torch_npu.translate.arithmetic import Arithmetic, Source, Value
from porter.targets.torch_npu.translate.instructions import Scalar, as_float
from porter.targets.torch_npu.translate.lanes import NOT_ALL, Address, Lanes, Order, Shared
from porter.targets.torch_npu.translate.loops import run_loop
from porter.targets.torch_npu.translate.shared import SharedMemory
from porter.targets.torch_npu.translate.syntax import (
    Alias,
    Array,
    Assign,
    Binary,
    Block,
    Call,
    Declare,
    Do,
    Expression,
    For,
    If,
    Index,
    Name,
    Return,
    Statement,
    Ternary,
    Untranslatable,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.values import Values

_NAMES = re.compile(r"\b(?!static_cast\b|float\b|int\b)[A-Za-z_]\w")
_BARRIERS = frozenset(("__syncthreads", "__syncwarp", "__threadfence_block", "__threadfence"))


@dataclass(slots=True)
class Threads(Values):
    """The threads of a block, statement by statement."""

    def run_kernel(self, statements: Sequence[Statement], at: int) -> None:
        source = self.math.source
        self.math.floats = source.floats
        self.names |= {name: Address(name, "0") for name in (*source.pointers, *source.integers)}
        self.names |= source.scalars
        self.math.known |= source.numbers
        self.math.known |= dict.fromkeys(source.templates, self.math.size)
        self.run(statements, self.math.all)
        if not self.written:
            raise Untranslatable("it writes nothing", at)

    def run(self, statements: Sequence[Statement], active: int) -> None:
        own: list[str] = []
        for number, statement in enumerate(statements):
            match statement:
                case Declare(at, type, name, value):
                    self._declare(at, type, name, value, active)
                    own.append(name)
                case Array(at, type, name, sizes, shared):
                    self._array(at, type, name, sizes, shared)
                    own.append(name)
                case Alias(at, name, type):
                    floating = plain(type) in self.math.floats or plain(type) == "float"
                    if not floating and not any(w in type for w in ("opmath_type", "acc_type")):
                        raise Untranslatable(f"the type `{name}`", at)
                    self.math.floats |= {name}
                case Assign():
                    self._assign(statement, active)
                case Block(_, body):
                    self.run(body, active)
                case Do(at, call):
                    self._do(at, call, active)
                case If(at, condition, (Return(_, None),), ()):
                    self._leave(at, condition, active)
                case If():
                    self._if(statement, active)
                case For():
                    run_loop(self, statement, active)
                case Return(_, None) if number + 1 == len(statements) and active == self.math.all:
                    return
                case _:
                    raise Untranslatable("a `return` in the middle", statement.at)
        for name in own:
            self.names.pop(name, None)

    def _declare(
        self, at: int, type: str, name: str, value: Expression | None, active: int
    ) -> None:
        if name in self.names:
            raise Untranslatable(f"a second `{name}` that hides the first", at)
        self.types[name] = plain(type)
        if value is None:
            self.names[name] = Lanes((None,) * self.math.size)
            return
        made = self.value(value, active)
        if type.endswith("*"):
            if not isinstance(made, Address | Shared):
                raise Untranslatable(f"the pointer `{name}`", at)
            self.names[name] = made
            return
        made = self.math.convert(plain(type), made, at)
        if isinstance(made, Scalar) and made.text not in self.math.known:
            made = self._name_value(name, type, made)
        self.names[name] = Lanes((None,) * self.math.size)
        self.set(name, made, active)

    def _name_value(self, name: str, type: str, value: Scalar) -> Scalar:
        if re.fullmatch(r"[\w.]+", value.text) or not _NAMES.search(value.text):
            return value
        bare = plain(type)
        written = bare if is_integer(bare) or bare == "bool" else "float"
        if bare == "auto":
            written = "auto"
        return Scalar(self.math.text.constant(name, written, value.text), value.type)

    def _array(
        self, at: int, type: str, name: str, sizes: tuple[Expression | None, ...], shared: bool
    ) -> None:
        if not shared:
            raise Untranslatable(f"the array `{name}`", at)
        if len(sizes) > 1:
            raise Untranslatable(f"`{name}` with two indices", at)
        if plain(type) == "double":
            raise Untranslatable("sums of double", at)
        size = 1 if not sizes else self._size(sizes[0])
        self.names[name] = Shared(name, size, not sizes)
        self.types[name] = plain(type)
        self.shared.cells.setdefault(name, {})

    def _size(self, expression: Expression | None) -> int | None:
        if expression is None:
            return None
        return self.math.number(self.value(expression, self.math.all), expression.at)

    def _assign(self, statement: Assign, active: int) -> None:
        at, target, operator = statement.at, statement.target, statement.operator
        value = self.value(statement.value, active)
        if operator != "=":
            old = self.value(target, active)
            value = self.math.binary(at, operator[:-1], old, value, active)
        if isinstance(target, Index):
            self._store(target, value, active)
            return
        if not isinstance(target, Name):
            raise Untranslatable("an assignment to something other than a name", at)
        kept = self.names.get(target.text)
        if isinstance(kept, Shared):
            self.shared.write(kept, (0,) * self.math.size, self.math.lanes(value), active, at)
        elif kept is None or not (target.text in self.types or isinstance(kept, Address)):
            raise Untranslatable(f"an assignment to `{target.text}`", at)
        elif isinstance(kept, Address) or isinstance(value, Address):
            if self.branches or not isinstance(value, Address):
                raise Untranslatable(f"the pointer `{target.text}`", at)
            self.set(target.text, value, active)
        else:
            self.set(target.text, self.math.convert(self.types[target.text], value, at), active)

    def _do(self, at: int, call: Call, active: int) -> None:
        if call.name in _BARRIERS:
            if call.name == "__syncthreads":
                if active != self.math.all:
                    raise Untranslatable("a barrier that only some threads reach", at)
                self.shared.epoch += 1
            return
        if self.call(call, active, used=False) is not None:
            raise Untranslatable(f"`{call.name}`", at)

    def _leave(self, at: int, condition: Expression, active: int) -> None:
        value = self.math.truth(self.value(condition, active), at)
        if self.depth or active != self.math.all or not isinstance(value, Scalar):
            raise Untranslatable("a `return` in the middle", at)
        known = self.math.number_of(value)
        if known == 0:
            return
        if known is not None or self.loops or self.branches:
            raise Untranslatable("a `return` in the middle", at)
        self.math.text.line(f"if ({value.text}) continue;")

    def _if(self, statement: If, active: int) -> None:
        at, condition = statement.at, statement.condition
        if isinstance(condition, Binary) and condition.operator == "&&" and not statement.otherwise:
            inner = If(at, condition.right, statement.then, ())
            self._if(If(at, condition.left, (inner,), ()), active)
            return
        value = self.math.truth(self.value(condition, active), at)
        if isinstance(value, Scalar):
            known = self.math.number_of(value)
            if known is not None:
                self.run(statement.then if known else statement.otherwise, active)
                return
            self._branch(
                at,
                value.text,
                lambda: self.run(statement.then, active),
                (lambda: self.run(statement.otherwise, active)) if statement.otherwise else None,
            )
            return
        lanes = self.math.lanes(value)
        if any(isinstance(lanes[t], Order) for t in range(self.math.size) if active >> t & 1):
            match statement:
                case If(_, _, (Assign(_, Name() as target, "=", new),), ()):
                    chosen = Ternary(at, condition, new, target)
                    self._assign(Assign(at, target, "=", chosen), active)
                    return
        yes, no = self.math.sides(lanes, active, at)
        if yes:
            self.run(statement.then, yes)
        if no:
            self.run(statement.otherwise, no)

    def _store(self, target: Index, value: Value, active: int) -> None:
        at, name = target.at, target.name
        index = self.value(target.index, active)
        kept = self.names.get(name)
        if isinstance(kept, Shared):
            self.shared.write(kept, self.math.lanes(index), self.math.lanes(value), active, at)
            return
        if not isinstance(kept, Address):
            raise Untranslatable(f"`{name}[...]`", at)
        value = self.math.same(value, active) if isinstance(value, Lanes) else value
        pointer = self.math.source.pointers.get(kept.base)
        if isinstance(index, Scalar) and isinstance(value, Lanes):
            raise Untranslatable(NOT_ALL, at)
        if not isinstance(index, Scalar) or not isinstance(value, Scalar) or pointer is None:
            raise Untranslatable(
                f"`{name}` is accessed at a place other than a column of a loop", at
            )
        if pointer.constant:
            raise Untranslatable(f"`{name}` is const", at)
        self.math.text.store_one(pointer, self.address(name, index, at).offset, as_float(value))
        self.written.add(f"{kept.base} {len(self.written)}")

    def keep(self, statement: Statement, active: int) -> None:
        match statement:
            case Declare(at, type, name, value):
                self._declare(at, type, name, value, active)
            case Array(at, type, name, sizes, shared):
                self._array(at, type, name, sizes, shared)
            case _:
                self.run([statement], active)

    def call(self, call: Call, active: int, used: bool = True) -> Value | None:
        return calls.call(self, call, active, used)


_SIZES = (256, 32, 64, 128, 512, 1024)  # of blocks; the first says why, where none will do


def _threads(source: Source, size: int) -> Threads:
    math = Arithmetic(source, size, row_text.Writer(source.floats))
    math.text.names |= {*source.scalars}
    return Threads(math, SharedMemory(math))


def translate_rows(
    source: Source, statements: Sequence[Statement], at: int, only: Sequence[int] = ()
) -> tuple[row_text.Writer, tuple[str, ...]]:
    """What blocks of all sizes, or of some, do alike, and checks of the sizes that it is true
    for."""
    others = sorted({v for v in source.numbers.values() if 32 <= v <= 1024 and v % 32 == 0})
    sizes = dict.fromkeys(only or (*_SIZES, *others))
    first: tuple[str, int] | None = None  # no exception, which would hold this frame
    made: dict[int, tuple[list[str], Threads]] = {}
    for size in sizes:
        threads = _threads(source, size)
        try:
            threads.run_kernel(statements, at)
        except Untranslatable as why:
            first = first or (why.reason, why.at)
            continue
        made[size] = threads.math.text.lines, threads
    if not made:
        assert first is not None
        raise Untranslatable(*first)
    texts = {"\n".join(lines) for lines, _ in made.values()}
    if len(texts) > 1:
        raise Untranslatable("its result depends on the number of threads", at)
    checks = []
    if len(made) < len(sizes):
        right = " || ".join(f"block_.x == {size}" for size in sorted(made))
        checks.append(f'TORCH_CHECK({right}, "{{name}}: a block of ", block_.x, " threads");')
    threads = next(iter(made.values()))[1]
    for name in sorted(set().union(*(t.math.assumed for _, t in made.values()))):
        checks.append(
            f'TORCH_CHECK(block_.x == {name}, "{{name}}: a block of ", block_.x, " threads");'
        )
    return threads.math.text, (*checks, *checks_apart(threads.apart))


def checks_apart(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Checks of a launch that pointers are not to the same memory."""
    out = []
    for one, other in sorted(pairs):
        a, b = (f"static_cast<const void *>({name})" for name in (one, other))
        said = f'"{{name}}: `{one}` and `{other}` are the same memory"'
        out.append(f"TORCH_CHECK({a} != {b} || {one} == nullptr, {said});")
    return out
