"""The launches of a file: of which kernel, and where the tensors and numbers come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from porter.languages.cpp import Function, Kind
from porter.targets.torch_npu.routes.kernels import Kernel, Tensor, kernel
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

QUEUES = ("RunOpApi", "RunOpApiV2")
_DATA = ("data_ptr", "mutable_data_ptr", "const_data_ptr")
_COMPUTED = frozenset(("+", "-", "?", "[", "&", "*="))


@dataclass(frozen=True, slots=True)
class Launch:
    """`kernel<T><<<blocks, nullptr, stream>>>(...)` in a function of the host."""

    at: int  # its `<<<`
    function: Function
    kernel: Kernel
    types: tuple[dict[str, str], ...]  # what the kernel's template's names stand for, each time
    blocks: tuple[int, int]
    arguments: tuple[tuple[int, int], ...]  # as the kernel's parameters
    tensors: tuple[str, ...]  # of those that are pointers: the tensor, as the function calls it
    statement: tuple[int, int]  # what puts it into the queue, else itself
    also: tuple[tuple[int, int], ...]  # other statements that serve it alone
    reached: frozenset[str]  # variables of the function that lead to it


def end_of(reader: Reader, at: int) -> int | None:
    """The `>>>` of the `<<<` here."""
    tokens = range(at, len(reader.code.tokens))
    return next((k for k in tokens if reader.word(k) == ">>>"), None)


def launches(reader: Reader) -> list[int]:
    """The `<<<` of a file."""
    return list(reader.code.places("<<<"))


def read(
    files: Files,
    path: str,
    at: int,
    look: Callable[[Files, str, str], Kernel] = kernel,
    *,
    of_tensors: bool = True,
) -> Launch:
    """One launch of a kernel as `look` reads it; `of_tensors` asks for the tensors whose addresses
    it is given. Raises Refused."""
    reader = files.reader(path)
    code, line = reader.code, reader.line(at)
    function = code.function_at(at)
    name, given = reader.template_arguments(at - 1)
    end = end_of(reader, at)
    if function is None or end is None or reader.word(end + 1) != "(":
        raise Refused("a launch outside of a function, or in a macro", line)
    try:
        found = look(files, path, reader.word(name))
    except Refused as error:
        raise Refused(error.reason, line) from error
    settings = settings_of(reader, at)
    arguments = tuple(code.arguments(end + 1))
    if len(arguments) != len(found.parameters) or not settings:
        raise Refused(f"the number of arguments does not match `{found.name}`", line)
    statement, also = find_queued(reader, function, at)
    reached: set[str] = set()
    _reach(reader, function, range(at + 1, code.pairs[end + 1]), reached)
    tensors = tuple(
        _tensor(reader, function, *given_)
        for parameter, given_ in zip(found.parameters, arguments, strict=True)
        if parameter.pointer and of_tensors
    )
    types = tuple(_instances(reader, function, found, given, line))
    return Launch(
        at, function, found, types, settings[0], arguments, tensors, statement, also,
        frozenset(reached),
    )  # fmt: skip


def settings_of(reader: Reader, at: int) -> list[tuple[int, int]]:
    """What is between the `<<<` here and its `>>>`, by its commas; none where there is no end."""
    end = end_of(reader, at)
    if end is None:
        return []
    out, begin = [], at + 1
    at = begin
    while at < end:
        if reader.word(at) == ",":
            out.append((begin, at - 1))
            begin = at + 1
        at = reader.code.pairs.get(at, at) + 1
    return [*out, (begin, end - 1)]


def find_queued(
    reader: Reader, function: Function, at: int
) -> tuple[tuple[int, int], tuple[tuple[int, int], ...]]:
    """The statement that hands a launch, or a call that launches, to torch_npu's queue, and those
    that serve only it. Raises Refused."""
    own, line = reader.statement(at), reader.line(at)
    brace = reader.around[own[0]]
    opening = _lambda(reader, brace)
    if opening is None:
        return own, ()
    rest = reader.words(own[1] + 1, reader.code.pairs[brace] - 1)
    if own[0] != brace + 1 or (rest and (rest[0] != "return" or rest.count(";") != 1)):
        raise Refused("the queued function does more than launch", line)
    around = reader.statement(opening)
    words = reader.words(*around)
    if any(queue in words for queue in QUEUES):
        return around, ()
    made = reader.declaration(around)
    if len(made) == 1:
        uses = [
            k
            for k in reader.uses(made[0].name, function.opening, function.closing)
            if not around[0] <= k <= around[1]
        ]
        if len(uses) == 1:
            following = reader.statement(uses[0])
            words = reader.words(*following)
            if any(queue in words for queue in QUEUES):
                return following, (around,)
            if "SetCustomHandler" in words:
                return _command(reader, function, following, (around,))
    if "SetCustomHandler" in words:
        return _command(reader, function, around, ())
    raise Refused("a launch in a lambda that is not queued", line)


def _command(
    reader: Reader,
    function: Function,
    statement: tuple[int, int],
    also: tuple[tuple[int, int], ...],
) -> tuple[tuple[int, int], tuple[tuple[int, int], ...]]:
    """`OpCommand cmd; cmd.Name(...); cmd.SetCustomHandler(...); cmd.Run();`"""
    name = reader.word(statement[0])
    others = {
        reader.statement(k) for k in reader.uses(name, function.opening, function.closing)
    } - {statement}
    return statement, (*also, *sorted(others))


def _lambda(reader: Reader, brace: int) -> int | None:
    """The `[` of the function without a name whose body opens here."""
    at = brace - 1
    while at > 0 and reader.word(at) not in (")", "]", ";", "{", "}"):
        at -= 1
    if reader.word(at) == ")":
        at = reader.opened.get(at, 1) - 1
    return reader.opened.get(at) if reader.word(at) == "]" else None


def _reach(reader: Reader, function: Function, places: range, found: set[str]) -> None:
    for at in places:
        word = reader.word(at)
        if reader.code.tokens[at].kind is Kind.NAME and word not in found:
            local = reader.local(function, word)
            if reader.product(function, word) is not None:
                found.add(word)
            if local is not None:
                found.add(word)
                _reach(reader, function, range(local.first, local.last + 1), found)


def _tensor(reader: Reader, function: Function, first: int, last: int) -> str:
    """The tensor whose address an argument is."""
    words, line = reader.words(first, last), reader.line(first)
    for at in range(first, last + 1):
        if reader.word(at) in _DATA and reader.word(at - 1) == ".":
            plain = [w for k, w in enumerate(words, first) if w in _COMPUTED]
            if plain:
                raise Refused(f"a computed address, `{reader.text(first, last)}`", line)
            if reader.word(at - 3) in (".", "->", "::") or not reader.word(at - 2).isidentifier():
                break
            return reader.word(at - 2)
    names = [w for w in words if w.isidentifier() and reader.local(function, w) is not None]
    if len(names) == 1 and not _COMPUTED & set(words):
        local = reader.local(function, names[0])
        assert local is not None
        return _tensor(reader, function, local.first, local.last)
    raise Refused(
        f"`{reader.text(first, last)}` is not the address of a tensor of `{function.name}`", line
    )


def _instances(
    reader: Reader, function: Function, found: Kernel, given: list[str], line: int
) -> Iterator[dict[str, str]]:
    """The types that a kernel is launched with, by the calls of the function around."""
    if len(given) != len(found.templates):
        raise Refused(f"the types of the launch of `{found.name}` are not explicit", line)
    outer = reader.templates(function)
    if not outer or not set(outer) & set(given):
        yield dict(zip(found.templates, given, strict=True))
        return
    seen = []
    for at in reader.code.places(function.name):
        if reader.word(at + 1) != "<" or reader.code.function_at(at) in (None, function):
            continue
        end = next(k for k in range(at, len(reader.code.tokens)) if reader.word(k) == ">")
        values = reader.template_arguments(end)[1]
        inner = dict(zip(outer, values, strict=False))
        types = {
            name: inner.get(value, value)
            for name, value in zip(found.templates, given, strict=True)
        }
        if types not in seen:
            seen.append(types)
            yield types
    if not seen:
        raise Refused(f"`{function.name}` is called with types that are not explicit", line)


def order(kernel: Kernel) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """The inputs and the outputs of a kernel."""
    return tuple(t for t in kernel.tensors if t.reads), tuple(t for t in kernel.tensors if t.writes)
