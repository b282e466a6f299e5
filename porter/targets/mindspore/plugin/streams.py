"""What a file does on a stream: launches of kernels, and calls of functions that launch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from porter.languages.cpp import Function
from porter.languages.cpp_tokens import Range
from porter.targets.torch_npu.routes import launches
from porter.targets.torch_npu.routes.kernels import declared
from porter.targets.torch_npu.routes.launches import Launch, end_of, find_queued, settings_of
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

STREAM = "getCurrentNPUStream"
# Types that kernels are launched with by templates: C++ of the host has no such as these two.
OF_DEVICE = ("half", "bfloat16_t")
_TYPES = (
    *OF_DEVICE, "float", "double", "bool", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t",
    "uint16_t", "uint32_t", "uint64_t",
)  # fmt: skip
_NONE = ("nullptr", "NULL", "0")


@dataclass(frozen=True, slots=True)
class Given:
    """The places of a function's parameters for the stream, and for what is always null."""

    stream: int
    nulls: frozenset[int]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function that is given the stream."""

    whole: Range
    argument: Range
    nulls: tuple[Range, ...]
    queued: Range | None  # the statement that puts it into the queue, and others for it alone
    also: tuple[Range, ...]


@dataclass(slots=True)
class Launched:
    """The launches of one function, its calls of others that are given the stream, and its
    statements that say nothing but the stream."""

    launches: list[Launch] = field(default_factory=list)
    types: list[list[str]] = field(default_factory=list)  # that each launches its kernel with
    written: list[str] = field(default_factory=list)  # the same as names of the function's template
    calls: list[Call] = field(default_factory=list)
    dropped: set[Range] = field(default_factory=set)
    stream: str = "stream"  # what the plugin's function has it as

    @property
    def queued(self) -> list[int]:
        """Where the statements begin that launch, or put a call into the queue."""
        calls = [call.queued[0] for call in self.calls if call.queued is not None]
        return [*calls, *(launch.statement[0] for launch in self.launches)]

    @property
    def places(self) -> list[Range]:
        """What launches and calls are given, wherever the statements that queue them are."""
        given = [argument for launch in self.launches for argument in launch.arguments]
        return [*given, *(call.whole for call in self.calls)]

    def name(self, number: int, types: str) -> str:
        """What the plugin calls a launch with these types by."""
        words = re.findall(r"\w+", types)
        return "_".join(["launch", self.launches[number].kernel.name, *words])

    def called(self, number: int) -> str:
        """What the function calls a launch by."""
        if self.written[number]:
            return f"{self.name(number, '')}{self.written[number]}"
        return self.name(number, self.types[number][0])


@dataclass(frozen=True, slots=True)
class OnStream:
    """Of one file: `launched` by function; the functions that have a parameter for the stream, some
    of them of other files; and those that the plugin gives one."""

    launched: Mapping[str, Launched] = field(default_factory=dict)
    given: Mapping[str, Given] = field(default_factory=dict)
    streamed: frozenset[str] = frozenset()

    @property
    def launches(self) -> bool:
        """Whether the file launches kernels itself."""
        return any(one.launches for one in self.launched.values())

    def called(self, reader: Reader) -> set[str]:
        """The functions that it gives the stream."""
        return {reader.word(call.whole[0]) for one in self.launched.values() for call in one.calls}

    @property
    def runs(self) -> frozenset[str]:
        """The functions that launch in a run of one that calls them."""
        return self.streamed | {*self.given}


def find(
    files: Files,
    path: str,
    bound: Collection[str] = (),
    elsewhere: Mapping[str, Given] | None = None,
) -> OnStream:
    """What a file does on a stream, its bound functions and those of other files that are given one
    being known. Raises Refused."""
    reader = files.reader(path)
    found: dict[str, Launched] = {}
    for at in launches.launches(reader):
        launch = launches.read(files, path, at, declared, of_tensors=False)
        found.setdefault(launch.function.name, Launched()).launches.append(launch)
    own = {function.name for function in reader.code.functions}
    given = {name: one for name, one in (elsewhere or {}).items() if name not in own}
    _find_given(reader, found, given)
    for function in reader.code.functions:
        for at, name in _calls(reader, function, given):
            call = _read_call(reader, function, at, given[name])
            found.setdefault(function.name, Launched()).calls.append(call)
    for name, one in found.items():
        functions = reader.functions_named(name)
        if len(functions) != 1:
            line = reader.line(functions[0].head)
            raise Refused(f"`{name}`, which launches, is defined twice", line)
        _read_function(reader, functions[0], one, given.get(name))
    return OnStream(found, given, find_streamed(reader, {*found}, {*bound, *given}))


def _read_function(reader: Reader, function: Function, one: Launched, place: Given | None) -> None:
    """Find the types of its launches, and what says the stream. Raises Refused."""
    names, nulls = set[str](), set[str]()
    if place is not None:
        parameters = reader.parameters(function)
        one.stream = parameters[place.stream].name
        names, nulls = {one.stream}, {parameters[k].name for k in place.nulls}
        if "Tensor" in reader.words(function.head, reader.opening_of(function)):
            reason = f"`{function.name}` makes a tensor and is given a stream"
            raise Refused(reason, reader.line(function.head))
    for launch in one.launches:
        types, written = _find_types(reader, launch)
        one.types.append(types)
        one.written.append(written)
        one.dropped |= {*launch.also}
    own = {launch.statement for launch in one.launches}
    for call in one.calls:
        own.add(call.queued or reader.statement(call.whole[0]))
        one.dropped |= {*call.also}
    names |= {*_find_streams(reader, function, own, one.dropped)}
    _require_launches_only(reader, function, names, one)
    _require_current(reader, names, nulls, one)


def _find_given(reader: Reader, found: Mapping[str, Launched], given: dict[str, Given]) -> None:
    """Add the functions of the file that launch, or call such ones, on a stream that is a parameter
    of theirs."""
    known = -1
    while known != (known := len(given)):
        for function in reader.code.functions:
            uses = [_use_of(settings_of(reader, one.at)) for one in _launches(found, function)]
            for at, name in _calls(reader, function, given):
                arguments = reader.code.arguments(_opening_of_call(reader, at))
                uses.append(_use_of(arguments, given[name]))
            names = [parameter.name for parameter in reader.parameters(function)]
            streams = {reader.text(*stream) for stream, _ in uses} & {*names}
            if len(streams) == 1:
                nulls = {reader.text(*null) for _, each in uses for null in each} & {*names}
                places = frozenset(map(names.index, nulls))
                given[function.name] = Given(names.index(streams.pop()), places)


def _use_of(
    arguments: list[Range], place: Given = Given(2, frozenset((1,)))
) -> tuple[Range, list[Range]]:
    """(the stream, what is null) of a call, or of a launch's settings. Raises Refused."""
    if len(arguments) <= place.stream:
        raise Refused("a launch without a stream")
    return arguments[place.stream], [arguments[k] for k in sorted(place.nulls)]


def _launches(found: Mapping[str, Launched], function: Function) -> list[Launch]:
    return found[function.name].launches if function.name in found else []


def _calls(
    reader: Reader, function: Function, given: Mapping[str, Given]
) -> Iterator[tuple[int, str]]:
    """Where a function calls one of those, and its name."""
    for name in given:
        for at in reader.code.places(name):
            if function.opening < at < function.closing and reader.word(at - 1) not in (".", "->"):
                yield at, name


def _read_call(reader: Reader, function: Function, at: int, place: Given) -> Call:
    opening = _opening_of_call(reader, at)
    argument, nulls = _use_of(reader.code.arguments(opening), place)
    statement, also = find_queued(reader, function, at)
    queued = statement if statement != reader.statement(at) else None
    whole = at, reader.code.pairs[opening]
    return Call(whole, argument, tuple(nulls), queued, also)


def _opening_of_call(reader: Reader, at: int) -> int:
    """The `(` of a call of the function that is named here. Raises Refused."""
    opening = at + 1
    if reader.word(opening) == "<":
        opening = reader.code.skip_angles(opening)
    if reader.word(opening) != "(":
        raise Refused(f"`{reader.word(at)}` is not called", reader.line(at))
    return opening


def closing_of_call(reader: Reader, at: int) -> int:
    """The `)` of such a call: `f<float>(x)`. Raises Refused."""
    return reader.code.pairs[_opening_of_call(reader, at)]


def find_streamed(reader: Reader, found: Collection[str], bound: Collection[str]) -> frozenset[str]:
    """The functions that launch kernels in a run of one that calls them."""
    names: set[str] = set()
    more = True
    while more:
        known = len(names)
        for function in reader.code.functions:
            head = reader.words(function.head, reader.opening_of(function))
            calls = names & {*reader.words(function.opening, function.closing)}
            if "Tensor" not in head and function.name not in bound:
                names |= {function.name} if calls or function.name in found else set()
        more = len(names) != known
    return frozenset(names)


def _find_types(reader: Reader, launch: Launch) -> tuple[list[str], str]:
    """`<float>` of a kernel that is a template, for each type that the function around is called
    with; and `<T>`, as it is written there. Raises Refused."""
    types = [f"<{', '.join(each.values())}>" if each else "" for each in launch.types]
    outer = {*reader.templates(launch.function)}
    name, given = reader.template_arguments(launch.at - 1)
    if not outer & {*given}:
        if outer:
            reason = f"`{launch.function.name}` is a template, but not of its launch"
            raise Refused(reason, reader.line(launch.at))
        return types, ""
    values = {value for each in launch.types for value in each.values()}
    if unknown := sorted(values - {*_TYPES}):
        reason = f"`{launch.kernel.name}` is launched with {unknown[0]}, a template's"
        raise Refused(reason, reader.line(launch.at))
    for one in outer & {*given}:
        for at in reader.uses(one, launch.function.opening, launch.function.closing):
            if not name <= at < launch.at and values & {*OF_DEVICE}:
                raise Refused(f"`{one}` is a type of kernels only", reader.line(at))
    for parameter in launch.kernel.parameters:
        if not parameter.pointer and {*launch.kernel.templates} & {*parameter.type.split()}:
            raise Refused(f"`{parameter.name}` is of a template's type", reader.line(launch.at))
    return types, f"<{', '.join(given)}>"


def _find_streams(
    reader: Reader, function: Function, launched: set[Range], dropped: set[Range]
) -> Iterator[str]:
    """The variables that hold the stream; the statements that declare them are dropped."""
    work = [at for at in reader.code.places(STREAM) if _is_in(at, function)]
    while work:
        statement = reader.statement(work.pop())
        if statement in launched or statement in dropped:
            continue
        declared = reader.declaration(statement)
        if len(declared) != 1:
            raise Refused(f"`{reader.text(*statement)}`", reader.line(statement[0]))
        dropped.add(statement)
        yield declared[0].name
        for at in reader.uses(declared[0].name, statement[1], function.closing):
            if reader.declaration(reader.statement(at)):
                work.append(at)


def _require_launches_only(
    reader: Reader, function: Function, names: set[str], one: Launched
) -> None:
    """Raise Refused where the stream is used for more than launches on it."""
    places = [*one.dropped, *(call.argument for call in one.calls)]
    places += [(launch.at, end_of(reader, launch.at) or launch.at) for launch in one.launches]
    for name in sorted(names):
        for at in reader.uses(name, function.opening, function.closing):
            if not any(first <= at <= last for first, last in places):
                raise Refused(f"`{name}` is used other than to launch a kernel", reader.line(at))


def _require_current(reader: Reader, names: set[str], nulls: set[str], one: Launched) -> None:
    """Raise Refused where a launch or a call is on another stream, or with more settings."""
    uses = [(launch.at, *_use_of(settings_of(reader, launch.at))) for launch in one.launches]
    uses += [(call.whole[0], call.argument, [*call.nulls]) for call in one.calls]
    for at, stream, others in uses:
        if not {*names, STREAM} & {*reader.words(*stream)}:
            raise Refused("a launch on a stream from elsewhere", reader.line(at))
        if not {reader.text(*other) for other in others} <= {*nulls, *_NONE}:
            raise Refused("a launch with more than blocks and a stream", reader.line(at))


def _is_in(at: int, function: Function) -> bool:
    return function.opening < at < function.closing
