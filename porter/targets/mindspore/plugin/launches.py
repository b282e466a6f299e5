"""Kernels that torch's code launches on a stream -> functions that a plugin's runner calls."""

from __future__ import annotations

import contextlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from porter.languages.cpp import HEADERS
from porter.targets.mindspore.plugin import streams
from porter.targets.mindspore.plugin.streams import OF_DEVICE, Given, Launched, OnStream
from porter.targets.torch_npu.routes.kernels import split
from porter.targets.torch_npu.routes.launches import Launch
from porter.targets.torch_npu.routes.syntax import Files, Parameter, Reader, Refused

TOOLKIT = ("kernel_operator", "lib/", "tikcfw/")  # how headers for kernels begin
_OF_TORCH = re.compile(
    rb'^[ \t]*#[ \t]*include[ \t]*[<"](?:torch|ATen|c10|torch_npu|op_plugin|acl|pybind11|npu_cpp)'
    rb"[^\n]*\n",
    re.MULTILINE,
)
_ARCHITECTURE = re.compile(rb"--npu-arch=([\w-]+)|[\"'](dav-[\w-]+)[\"']")
DEFAULT_ARCHITECTURE = "dav-2201"  # Ascend 910B
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


def find_launchers(files: Files, paths: Iterable[str]) -> dict[str, tuple[str, Given]]:
    """The functions in files without tensors that launch kernels on a stream which is a parameter:
    the file of each, and the place of the stream."""
    found: dict[str, tuple[str, Given]] = {}
    for path in paths:
        if b"<<<" in files.tree[path]:
            with contextlib.suppress(Refused):  # what calls one of it is refused then
                given = streams.find(files, path).given
                found |= {name: (path, place) for name, place in given.items()}
    return found


def whole_sources(files: Files, path: str) -> dict[str, bytes]:
    """A file whose functions are called with a stream, and the headers that it brings, by name."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    headers = files.include_closure(path)[1:]
    made = {posixpath.basename(header): _flatten(files, header) for header in headers}
    return {f"{stem}.asc": _flatten(files, path), **made}


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


def sources(files: Files, path: str, on_stream: OnStream) -> dict[str, bytes]:
    """The kernels of a file as one of the plugin with a function for each launch, their
    declarations, and the headers that they bring, by name; nothing where it launches none. Raises
    Refused."""
    if not on_stream.launches:
        return {}
    stem = posixpath.splitext(posixpath.basename(path))[0]
    entries: dict[str, str] = {}
    by_type: dict[str, str] = {}
    for one in on_stream.launched.values():
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
    named = [f"struct {name};" for name in OF_DEVICE if any(f"{name}>" in t for t in by_type)]
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
            f"{one.called(number)}({blocks[number]}, {one.stream}, {write[number]});",
            launch.statement[1] + 1,
        )
        for number, launch in enumerate(one.launches)
    }
