"""Kernels whose blocks go over rows: the threads of one block, all followed at once.

Threads run statement by statement, with their own numbers, so that a reduction over shared memory
or by shuffles is known by what comes of it: each thread's part exactly once. A loop over the
columns, from a thread's number in steps of the number of threads, is one over tiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from porter.ascend.translate import row_text
from porter.ascend.translate.columns import Columns
from porter.ascend.translate.instructions import Scalar, as_float
from porter.ascend.translate.lanes import NOT_ALL, Address, Lane, Lanes, Order, Shared
from porter.ascend.translate.syntax import (
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
from porter.ascend.translate.trees import changed, less_than, mapped, step
from porter.ascend.translate.values import Cell, Source, Value, Values

_NAMES = re.compile(r"\b(?!static_cast\b|float\b|int\b)[A-Za-z_]\w")

_MANY = 4096  # turns of a loop that is followed

_BARRIERS = frozenset(("__syncthreads", "__syncwarp", "__threadfence_block", "__threadfence"))


@dataclass(slots=True)
class Threads(Values):
    """The threads of a block, statement by statement."""

    def run_kernel(self, statements: Sequence[Statement], at: int) -> None:
        source = self.source
        self.floats = source.floats
        self.names |= {name: Address(name, "0") for name in (*source.pointers, *source.integers)}
        self.names |= source.scalars
        self.known |= source.numbers
        self.known |= dict.fromkeys(source.templates, self.size)
        self.run(statements, self.all)
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
                    floating = plain(type) in self.floats or plain(type) == "float"
                    if not floating and not any(w in type for w in ("opmath_type", "acc_type")):
                        raise Untranslatable(f"the type `{name}`", at)
                    self.floats |= {name}
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
                    self._for(statement, active)
                case Return(_, None) if number + 1 == len(statements) and active == self.all:
                    return
                case _:
                    raise Untranslatable("a `return` in the middle", statement.at)
        for name in own:
            self.names.pop(name, None)

    def _declare(
        self, at: int, type: str, name: str, value: Expression | None, active: int
    ) -> None:
        if name in self.names:
            raise Untranslatable(f"a second `{name}`, which hides the first", at)
        self.types[name] = plain(type)
        if value is None:
            self.names[name] = Lanes((None,) * self.size)
            return
        made = self.value(value, active)
        if type.endswith("*"):
            if not isinstance(made, Address | Shared):
                raise Untranslatable(f"the pointer `{name}`", at)
            self.names[name] = made
            return
        made = self._as(plain(type), made, at)
        if isinstance(made, Scalar) and made.text not in self.known:
            made = self._named(name, type, made)
        self.names[name] = Lanes((None,) * self.size)
        self.set(name, made, active)

    def _named(self, name: str, type: str, value: Scalar) -> Scalar:
        if re.fullmatch(r"[\w.]+", value.text) or not _NAMES.search(value.text):
            return value
        bare = plain(type)
        written = bare if is_integer(bare) or bare == "bool" else "float"
        if bare == "auto":
            written = "auto"
        return Scalar(self.text.constant(name, written, value.text), value.type)

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
        self.shared.setdefault(name, {})

    def _size(self, expression: Expression | None) -> int | None:
        if expression is None:
            return None
        return self._number(self.value(expression, self.all), expression.at)

    def _assign(self, statement: Assign, active: int) -> None:
        at, target, operator = statement.at, statement.target, statement.operator
        value = self.value(statement.value, active)
        if operator != "=":
            old = self.value(target, active)
            value = self._binary(at, operator[:-1], old, value, active)
        if isinstance(target, Index):
            self._store(target, value, active)
            return
        if not isinstance(target, Name):
            raise Untranslatable("an assignment to something else than a name", at)
        kept = self.names.get(target.text)
        if isinstance(kept, Shared):
            self._share(kept, self._lanes(Lanes((0,) * self.size)), value, active, at)
        elif kept is None or not (target.text in self.types or isinstance(kept, Address)):
            raise Untranslatable(f"an assignment to `{target.text}`", at)
        elif isinstance(kept, Address) or isinstance(value, Address):
            if self.branches or not isinstance(value, Address):
                raise Untranslatable(f"the pointer `{target.text}`", at)
            self.set(target.text, value, active)
        else:
            self.set(target.text, self._as(self.types[target.text], value, at), active)

    def _do(self, at: int, call: Call, active: int) -> None:
        if call.name in _BARRIERS:
            if call.name == "__syncthreads":
                if active != self.all:
                    raise Untranslatable("a barrier of some threads", at)
                self.epoch += 1
            return
        if self._call(call, active, used=False) is not None:
            raise Untranslatable(f"`{call.name}`", at)

    def _leave(self, at: int, condition: Expression, active: int) -> None:
        value = self._truth(self.value(condition, active), at)
        if self.depth or active != self.all or not isinstance(value, Scalar):
            raise Untranslatable("a `return` in the middle", at)
        known = self._known(value)
        if known == 0:
            return
        if known is not None or self.loops or self.branches:
            raise Untranslatable("a `return` in the middle", at)
        self.text.line(f"if ({value.text}) continue;")

    def _if(self, statement: If, active: int) -> None:
        at, condition = statement.at, statement.condition
        if isinstance(condition, Binary) and condition.operator == "&&" and not statement.otherwise:
            inner = If(at, condition.right, statement.then, ())
            self._if(If(at, condition.left, (inner,), ()), active)
            return
        value = self._truth(self.value(condition, active), at)
        if isinstance(value, Scalar):
            known = self._known(value)
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
        lanes = self._lanes(value)
        if any(isinstance(lanes[t], Order) for t in range(self.size) if active >> t & 1):
            match statement:
                case If(_, _, (Assign(_, Name() as target, "=", new),), ()):
                    chosen = Ternary(at, condition, new, target)
                    self._assign(Assign(at, target, "=", chosen), active)
                    return
        yes, no = self._sides(lanes, active, at)
        if yes:
            self.run(statement.then, yes)
        if no:
            self.run(statement.otherwise, no)

    def _for(self, loop: For, active: int) -> None:
        at = loop.at
        match loop.start:
            case (Declare(_, type, name, start),) if start is not None and is_integer(type):
                pass
            case _:
                raise Untranslatable("a loop of another form", at)
        if name in self.names:
            raise Untranslatable(f"a second `{name}`, which hides the first", at)
        begin = self.value(start, active)
        bound = less_than(loop.condition, name)
        limit = None if bound is None else self.value(bound, active)
        unknown = isinstance(begin, Scalar) and self._known(begin) is None
        if isinstance(limit, Scalar) and limit.type != "int":
            raise Untranslatable("a loop of another form", at)
        if isinstance(limit, Scalar) and (unknown or self._known(limit) is None):
            forth = step(loop.step, name)
            if forth is None:
                raise Untranslatable("a loop of another form", at)
            if name in changed(loop.body):
                raise Untranslatable("a loop whose number its body changes", at)
            by = self.value(forth, active)
            alone = self.size == 1 and not any(isinstance(s, For) for s in loop.body)
            if alone and isinstance(begin, Scalar) and by in (Scalar("1", "int"), Lanes((1,))):
                self._alone(loop, name, begin, limit, active)
            elif isinstance(begin, Scalar) and isinstance(by, Scalar):
                self._uniform(loop, type, name, (begin, limit, by), active)
            else:
                self._columns(loop, name, (begin, limit, by), active)
            return
        self._followed(loop, name, begin, active)

    def _alone(self, loop: For, name: str, begin: Scalar, limit: Scalar, active: int) -> None:
        """A loop of the one thread that a row has: over its columns, from some number on."""
        if self._known(begin) != 0:
            first = self.text.name("from")
            self.text.line(f"const int64_t {first} = {begin.text};")
            own, at = Scalar(first, "int"), loop.at
            self.names[first], self.types[first] = own, "int64_t"
            moved = Binary(at, "+", Name(at, name), Name(at, first))
            body = mapped(loop.body, lambda e: moved if e == Name(e.at, name) else None)
            loop = replace(loop, body=body)
            limit = Scalar(f"({limit.text} - {first})", "int")
        Columns(self, loop, name, limit, active).run()

    def _followed(self, loop: For, name: str, begin: Value, active: int) -> None:
        """A loop of threads' numbers."""
        self.types[name] = "int"
        self.names[name] = Lanes(tuple(self._counted(v) for v in self._lanes(begin)))
        for _ in range(_MANY):
            value = self._truth(self.value(loop.condition, active), loop.at)
            active, _ = self._sides(self._lanes(value), active, loop.at)
            if not active:
                break
            self.run(loop.body, active)
            self.run([loop.step], active)
        else:
            raise Untranslatable("a loop of too many turns", loop.at)
        del self.names[name]

    def _uniform(
        self, loop: For, type: str, name: str, steps: tuple[Scalar, Scalar, Scalar], active: int
    ) -> None:
        """A loop that all threads take the same turns of."""
        begin, limit, by = steps
        if active != self.all:
            raise Untranslatable("a loop of some threads", loop.at)
        own = self.text.name(name)
        self.text.open(
            f"for ({plain(type)} {own} = {begin.text}; {own} < {limit.text}; {own} += {by.text}) {{"
        )
        before, memory = dict(self.names), self.memory
        self.memory = {}  # what is read is read again in each turn
        self._forget()
        self.names[name], self.types[name] = Scalar(own, "int"), "int"
        self.loops += 1
        self.run(loop.body, active)
        self.loops -= 1
        del self.names[name]
        for known, value in before.items():
            if self.names.get(known) != value:
                raise Untranslatable(f"`{known}`, which goes from row to row", loop.at)
        self.memory = memory
        self._forget()
        self.text.close()

    def _forget(self) -> None:
        for cells in self.shared.values():
            cells.clear()

    def _columns(
        self, loop: For, name: str, steps: tuple[Value, Scalar, Value], active: int
    ) -> None:
        begin, limit, by = steps
        threads = [t for t in range(self.size) if active >> t & 1]
        lanes, width = self._lanes(begin), self._lanes(by)
        starts = sorted(v for t in threads if isinstance(v := self._counted(lanes[t]), int))
        step = {self._counted(width[t]) for t in threads}
        if starts != list(range(len(threads))) or step != {len(threads)}:
            raise Untranslatable(
                "a loop that does not go over the columns from a thread's number in steps of the"
                " number of threads",
                loop.at,
            )
        Columns(self, loop, name, limit, active).run()

    def _store(self, target: Index, value: Value, active: int) -> None:
        at, name = target.at, target.name
        index = self.value(target.index, active)
        kept = self.names.get(name)
        if isinstance(kept, Shared):
            self._share(kept, self._lanes(index), value, active, at)
            return
        if not isinstance(kept, Address):
            raise Untranslatable(f"`{name}[...]`", at)
        value = self.same(value, active) if isinstance(value, Lanes) else value
        pointer = self.source.pointers.get(kept.base)
        if isinstance(index, Scalar) and isinstance(value, Lanes):
            raise Untranslatable(NOT_ALL, at)
        if not isinstance(index, Scalar) or not isinstance(value, Scalar) or pointer is None:
            raise Untranslatable(
                f"`{name}` is read or written elsewhere than at a column of a loop", at
            )
        if pointer.constant:
            raise Untranslatable(f"`{name}` is const", at)
        self.text.store_one(pointer, self.address(name, index, at).offset, as_float(value))
        self.written.add(f"{kept.base} {len(self.written)}")

    def _share(
        self, kept: Shared, index: Sequence[Lane], value: Value, active: int, at: int
    ) -> None:
        lanes, cells = self._lanes(value), self.shared[kept.name]
        new: dict[int, Cell] = {}
        for thread in range(self.size):
            if not active >> thread & 1:
                continue
            place = self._place(kept, index[thread], at)
            if place in new and new[place].value != lanes[thread]:
                raise Untranslatable("a place in shared memory that several threads write", at)
            writers = new[place].writers if place in new else 0
            new[place] = Cell(lanes[thread], writers | 1 << thread, self.epoch)
        cells |= new

    def _keeping(self, statement: Statement, active: int) -> None:
        match statement:
            case Declare(at, type, name, value):
                self._declare(at, type, name, value, active)
            case Array(at, type, name, sizes, shared):
                self._array(at, type, name, sizes, shared)
            case _:
                self.run([statement], active)


_SIZES = (256, 32, 64, 128, 512, 1024)  # of blocks; the first says why, where none will do


def translated(
    source: Source, statements: Sequence[Statement], at: int, only: Sequence[int] = ()
) -> tuple[row_text.Writer, tuple[str, ...]]:
    """What blocks of all sizes, or of some, do alike, and checks of the sizes that it is true
    for."""
    others = sorted({v for v in source.numbers.values() if 32 <= v <= 1024 and v % 32 == 0})
    sizes = dict.fromkeys(only or (*_SIZES, *others))
    first: Untranslatable | None = None
    made: dict[int, tuple[list[str], Threads]] = {}
    for size in sizes:
        threads = Threads(source, size, row_text.Writer(source.floats))
        threads.text.names |= {*source.scalars}
        try:
            threads.run_kernel(statements, at)
        except Untranslatable as why:
            first = first or why
            continue
        made[size] = threads.text.lines, threads
    if not made:
        assert first is not None
        raise first
    texts = {"\n".join(lines) for lines, _ in made.values()}
    if len(texts) > 1:
        raise Untranslatable("what it computes depends on the number of threads", at)
    checks = []
    if len(made) < len(sizes):
        right = " || ".join(f"block_.x == {size}" for size in sorted(made))
        checks.append(f'TORCH_CHECK({right}, "{{name}}: a block of ", block_.x, " threads");')
    threads = next(iter(made.values()))[1]
    for name in sorted(set().union(*(t.assumed for _, t in made.values()))):
        checks.append(
            f'TORCH_CHECK(block_.x == {name}, "{{name}}: a block of ", block_.x, " threads");'
        )
    return threads.text, (*checks, *apart(threads.apart))


def apart(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Checks of a launch that pointers are not to the same memory."""
    out = []
    for one, other in sorted(pairs):
        a, b = (f"static_cast<const void *>({name})" for name in (one, other))
        said = f'"{{name}}: `{one}` and `{other}` are the same memory"'
        out.append(f"TORCH_CHECK({a} != {b} || {one} == nullptr, {said});")
    return out
