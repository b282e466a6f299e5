"""Loops of the threads of a block."""

from __future__ import annotations

from dataclasses import replace

from porter.targets.torch_npu.translate.arithmetic import Value
from porter.targets.torch_npu.translate.columns import Columns
from porter.targets.torch_npu.translate.instructions import Scalar
from porter.targets.torch_npu.translate.lanes import Lanes
from porter.targets.torch_npu.translate.syntax import (
    Binary,
    Declare,
    For,
    Name,
    Untranslatable,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.trees import (
    less_than,
    map_expressions,
    names_assigned,
    step,
)
from porter.targets.torch_npu.translate.values import Values

_MANY = 4096  # turns of a loop that is followed


def run_loop(values: Values, loop: For, active: int) -> None:
    at = loop.at
    match loop.start:
        case (Declare(_, type, name, start),) if start is not None and is_integer(type):
            pass
        case _:
            raise Untranslatable("a loop in an unsupported form", at)
    if name in values.names:
        raise Untranslatable(f"a second `{name}` that hides the first", at)
    begin = values.value(start, active)
    bound = less_than(loop.condition, name)
    limit = None if bound is None else values.value(bound, active)
    unknown = isinstance(begin, Scalar) and values.math.number_of(begin) is None
    if isinstance(limit, Scalar) and limit.type != "int":
        raise Untranslatable("a loop in an unsupported form", at)
    if isinstance(limit, Scalar) and (unknown or values.math.number_of(limit) is None):
        forth = step(loop.step, name)
        if forth is None:
            raise Untranslatable("a loop in an unsupported form", at)
        if name in names_assigned(loop.body):
            raise Untranslatable("a loop whose body changes its variable", at)
        by = values.value(forth, active)
        alone = values.math.size == 1 and not any(isinstance(s, For) for s in loop.body)
        if alone and isinstance(begin, Scalar) and by in (Scalar("1", "int"), Lanes((1,))):
            _alone(values, loop, name, begin, limit, active)
        elif isinstance(begin, Scalar) and isinstance(by, Scalar):
            _uniform(values, loop, type, name, (begin, limit, by), active)
        else:
            _columns(values, loop, name, (begin, limit, by), active)
        return
    _follow_loop(values, loop, name, begin, active)


def _alone(values: Values, loop: For, name: str, begin: Scalar, limit: Scalar, active: int) -> None:
    """A loop of the one thread that a row has: over its columns, from some number on."""
    if values.math.number_of(begin) != 0:
        first = values.math.text.name("from")
        values.math.text.line(f"const int64_t {first} = {begin.text};")
        own, at = Scalar(first, "int"), loop.at
        values.names[first], values.types[first] = own, "int64_t"
        moved = Binary(at, "+", Name(at, name), Name(at, first))
        body = map_expressions(loop.body, lambda e: moved if e == Name(e.at, name) else None)
        loop = replace(loop, body=body)
        limit = Scalar(f"({limit.text} - {first})", "int")
    Columns(values, loop, name, limit, active).run()


def _follow_loop(values: Values, loop: For, name: str, begin: Value, active: int) -> None:
    """A loop of threads' numbers."""
    values.types[name] = "int"
    values.names[name] = Lanes(tuple(values.math.as_number(v) for v in values.math.lanes(begin)))
    for _ in range(_MANY):
        value = values.math.truth(values.value(loop.condition, active), loop.at)
        active, _ = values.math.sides(values.math.lanes(value), active, loop.at)
        if not active:
            break
        values.run(loop.body, active)
        values.run([loop.step], active)
    else:
        raise Untranslatable("a loop with too many iterations", loop.at)
    del values.names[name]


def _uniform(
    values: Values,
    loop: For,
    type: str,
    name: str,
    steps: tuple[Scalar, Scalar, Scalar],
    active: int,
) -> None:
    """A loop that all threads take the same turns of."""
    begin, limit, by = steps
    if active != values.math.all:
        raise Untranslatable("a loop that only some threads run", loop.at)
    own = values.math.text.name(name)
    values.math.text.open(
        f"for ({plain(type)} {own} = {begin.text}; {own} < {limit.text}; {own} += {by.text}) {{"
    )
    before, memory = dict(values.names), values.math.memory
    values.math.memory = {}  # what is read is read again in each turn
    values.shared.forget()
    values.names[name], values.types[name] = Scalar(own, "int"), "int"
    values.loops += 1
    values.run(loop.body, active)
    values.loops -= 1
    del values.names[name]
    for known, value in before.items():
        if values.names.get(known) != value:
            raise Untranslatable(f"`{known}`, which is carried from row to row", loop.at)
    values.math.memory = memory
    values.shared.forget()
    values.math.text.close()


def _columns(
    values: Values, loop: For, name: str, steps: tuple[Value, Scalar, Value], active: int
) -> None:
    begin, limit, by = steps
    threads = [t for t in range(values.math.size) if active >> t & 1]
    lanes, width = values.math.lanes(begin), values.math.lanes(by)
    starts = sorted(v for t in threads if isinstance(v := values.math.as_number(lanes[t]), int))
    step = {values.math.as_number(width[t]) for t in threads}
    if starts != list(range(len(threads))) or step != {len(threads)}:
        raise Untranslatable(
            "a loop that does not go over the columns from a thread's number in steps of the"
            " number of threads",
            loop.at,
        )
    Columns(values, loop, name, limit, active).run()
