"""Kernels that torch's code launches on a stream -> functions that a plugin's runner calls."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.languages.cpp import HEADERS, Function
from porter.targets.torch_npu.routes import launches
from porter.targets.torch_npu.routes.kernels import declared, split
from porter.targets.torch_npu.routes.launches import Launch
from porter.targets.torch_npu.routes.syntax import Files, Parameter, Reader, Refused

STREAM = "getCurrentNPUStream"
TOOLKIT = ("kernel_operator", "lib/", "tikcfw/")  # how headers for kernels begin
_OF_TORCH = re.compile(
    rb'^[ \t]*#[ \t]*include[ \t]*[<"](?:torch|ATen|c10|torch_npu|op_plugin|acl|pybind11|npu_cpp)'
    rb"[^\n]*\n",
    re.MULTILINE,
)
_ARCHITECTURE = re.compile(rb"--npu-arch=([\w-]+)|[\"'](dav-[\w-]+)[\"']")
DEFAULT_ARCHITECTURE = "dav-2201"  # Ascend 910B
# Types that kernels are launched with by templates: C++ of the host has no such as these two.
_OF_DEVICE = ("half", "bfloat16_t")
_TYPES = (
    *_OF_DEVICE, "float", "double", "bool", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t",
    "uint16_t", "uint32_t", "uint64_t",
)  # fmt: skip
_ENTRY = """\
extern "C" void {name}(uint32_t blocks, void *stream, {parameters}) {{
    {kernel}<<<blocks, nullptr, stream>>>({given});
}}
"""
_BY_TYPE = """\
template <> inline void {name}{types}({parameters}) {{
    {entry}({given});
}}
"""

Statement = tuple[int, int]


@dataclass(slots=True)
class Launched:
    """The launches of one function, and its statements that say nothing but the stream."""

    launches: list[Launch] = field(default_factory=list)
    types: list[list[str]] = field(default_factory=list)  # that each launches its kernel with
    written: list[str] = field(default_factory=list)  # the same as names of the function's template
    dropped: set[Statement] = field(default_factory=set)

    def name(self, number: int, types: str) -> str:
        """What the plugin calls a launch with these types by."""
        words = re.findall(r"\w+", types)
        return "_".join(["launch", self.launches[number].kernel.name, *words])

    def called(self, number: int) -> str:
        """What the function calls a launch by."""
        if self.written[number]:
            return f"{self.name(number, '')}{self.written[number]}"
        return self.name(number, self.types[number][0])


def find(files: Files, path: str) -> dict[str, Launched]:
    """The launches of a file by the function that has them. Raises Refused."""
    reader = files.reader(path)
    found: dict[str, Launched] = {}
    for at in launches.launches(reader):
        launch = launches.read(files, path, at, declared)
        found.setdefault(launch.function.name, Launched()).launches.append(launch)
    for name, one in found.items():
        function = one.launches[0].function
        if len(reader.functions_named(name)) != 1:
            raise Refused(f"`{name}`, which launches, is defined twice", reader.line(function.head))
        for launch in one.launches:
            types, written = _find_types(reader, launch)
            one.types.append(types)
            one.written.append(written)
        own = {launch.statement for launch in one.launches}
        for launch in one.launches:
            one.dropped |= {*launch.also}
        names = {*_find_streams(reader, function, own, one.dropped)}
        _require_launches_only(reader, function, names, one)
    return found


def find_streamed(
    reader: Reader, found: Mapping[str, Launched], bound: Collection[str]
) -> frozenset[str]:
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


def reachable_functions(reader: Reader, names: Iterable[str]) -> set[str]:
    """The functions of a file that these lead to, themselves among them."""
    found, work = set[str](), [*names]
    while work:
        name = work.pop()
        if name not in found:
            found.add(name)
            for function in reader.functions_named(name):
                work += {*reader.words(function.opening, function.closing)} & {
                    other.name for other in reader.code.functions
                }
    return found


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
            if not name <= at < launch.at and values & {*_OF_DEVICE}:
                raise Refused(f"`{one}` is a type of kernels only", reader.line(at))
    for parameter in launch.kernel.parameters:
        if not parameter.pointer and {*launch.kernel.templates} & {*parameter.type.split()}:
            raise Refused(f"`{parameter.name}` is of a template's type", reader.line(launch.at))
    return types, f"<{', '.join(given)}>"


def _find_streams(
    reader: Reader, function: Function, launched: set[Statement], dropped: set[Statement]
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
    """Raise Refused where the stream is used for more than launches of it."""
    places = [*one.dropped, *((launch.at, _end(reader, launch)) for launch in one.launches)]
    for name in sorted(names):
        for at in reader.uses(name, function.opening, function.closing):
            if not any(first <= at <= last for first, last in places):
                raise Refused(f"`{name}` is used other than to launch a kernel", reader.line(at))
    for launch in one.launches:
        settings = reader.words(launch.at + 1, _end(reader, launch) - 1)
        after = settings[launch.blocks[1] - launch.at :]
        if not names & {*after[2:]} and STREAM not in after:
            raise Refused("a launch on a stream from elsewhere", reader.line(launch.at))
        if after[:3] not in ([",", "nullptr", ","], [",", "NULL", ","], [",", "0", ","]):
            raise Refused("a launch with more than blocks and a stream", reader.line(launch.at))


def _is_in(at: int, function: Function) -> bool:
    return function.opening < at < function.closing


def _end(reader: Reader, launch: Launch) -> int:
    return next(at for at in range(launch.at, len(reader.code.tokens)) if reader.word(at) == ">>>")


def _parameters(launch: Launch, types: Mapping[str, str]) -> Iterator[Parameter]:
    """The kernel's parameters, of the types that it is launched with."""
    for parameter in launch.kernel.parameters:
        kind = parameter.type
        for name, value in types.items():
            kind = re.sub(rf"\b{name}\b", value, kind)
        yield Parameter(parameter.name, kind)


def _declared(parameters: Sequence[Parameter]) -> str:
    return ", ".join(
        f"uint8_t *{p.name}" if p.pointer else f"{p.type} {p.name}" for p in parameters
    )


def _entry(launch: Launch, name: str, types: str, values: Mapping[str, str]) -> str:
    """A function in Ascend C that launches a kernel, for C++ of the host."""
    parameters = [*_parameters(launch, values)]
    return _ENTRY.format(
        name=name,
        parameters=_declared(parameters),
        kernel=f"{launch.kernel.name}{types}",
        given=", ".join(
            f"({p.type})({p.name})" if p.pointer and "GM_ADDR" not in p.type else p.name
            for p in parameters
        ),
    )


def sources(files: Files, path: str, found: Mapping[str, Launched]) -> dict[str, bytes]:
    """The kernels of a file as one of the plugin with a function for each launch, their
    declarations, and the headers that they bring, by name. Raises Refused."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    entries: dict[str, str] = {}
    by_type: dict[str, str] = {}
    for one in found.values():
        for number, launch in enumerate(one.launches):
            for types, values in zip(one.types[number], launch.types, strict=True):
                name = one.name(number, types)
                entries[name] = _entry(launch, name, types, values)
            if one.written[number]:
                by_type |= _templates(one, number)
    made = {f"{stem}.asc": _keep_device(files, path) + "\n".join(["", *entries.values()]).encode()}
    for header in files.include_closure(path)[1:]:
        made[posixpath.basename(header)] = _flatten(files, header)
    heads = [text.partition(" {\n")[0] + ";" for text in entries.values()]
    named = [f"struct {name};" for name in _OF_DEVICE if any(f"{name}>" in t for t in by_type)]
    made[f"{stem}_launches.h"] = "\n".join(
        ["#pragma once", "#include <cstdint>", "", *heads, *named, *by_type.values(), ""]
    ).encode()
    return made


def _templates(one: Launched, number: int) -> dict[str, str]:
    """A function of the host for the types of a template, each as the entry for it."""
    launch, name = one.launches[number], one.name(number, "")
    parameters = [*launch.kernel.parameters]
    declared = f"uint32_t blocks, void *stream, {_declared(parameters)}"
    names = ", ".join(f"typename {each}" for each in launch.kernel.templates)
    found = {name: f"template <{names}> void {name}({declared});"}
    given = ", ".join(["blocks", "stream", *(p.name for p in parameters)])
    for types in one.types[number]:
        entry = one.name(number, types)
        found[f"{name}{types}"] = _BY_TYPE.format(
            name=name, types=types, parameters=declared, entry=entry, given=given
        )
    return found


def _keep_device(files: Files, path: str) -> bytes:
    """A file without what is for the host."""
    data, at, parts = _flatten(files, path), 0, []
    reader = Files({path: data}).reader(path)
    for first, last in sorted(split(reader)[1]):
        parts.append(data[at:first])
        at = last
    kept = _OF_TORCH.sub(b"", b"".join([*parts, data[at:]]))
    return re.sub(rb"\n{3,}", b"\n\n", kept).strip() + b"\n"


def _flatten(files: Files, path: str) -> bytes:
    """A file whose own headers are beside it."""
    data = files.tree[path]
    for header, _ in files.reader(path).unit.includes:
        if (own := files.resolve(path, header)) is not None and "/" in header:
            data = data.replace(f'"{header}"'.encode(), f'"{posixpath.basename(own)}"'.encode())
    return data


def is_for_kernels(files: Files, path: str, header: str) -> bool:
    """Whether a header is of the toolkit for kernels, or one of the tree without code of a host."""
    if header.startswith(TOOLKIT):
        return True
    own = files.resolve(path, header)
    if own is None or not own.endswith(HEADERS):
        return False
    device, host = split(files.reader(own))
    return bool(device) and not host


def architecture(tree: Mapping[str, bytes]) -> str:
    """The chip that the tree's build compiles kernels for, the first that is named; or nothing."""
    named = (
        _ARCHITECTURE.search(tree[path])
        for path in sorted(tree)
        if path.endswith((".py", ".txt", ".cmake"))
    )
    return next(((match[1] or match[2]).decode() for match in named if match), "")


def texts(one: Launched, write: Sequence[str], blocks: Sequence[str]) -> dict[int, tuple[str, int]]:
    """First token of each statement that launches -> the call that the runner makes, and what
    follows. `write` are the arguments, `blocks` the numbers of blocks, as the plugin has them."""
    return {
        launch.statement[0]: (
            f"{one.called(number)}({blocks[number]}, stream, {write[number]});",
            launch.statement[1] + 1,
        )
        for number, launch in enumerate(one.launches)
    }
