"""The files of operators of a package, made of those that launch kernels."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from porter.ascend.tree import snake
from porter.languages.edits import splice
from porter.model import Edit, Span
from porter.targets.torch_npu.routes import kernels, mend, package
from porter.targets.torch_npu.routes.launches import Launch
from porter.targets.torch_npu.routes.model import CALL
from porter.targets.torch_npu.routes.package import Definition
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

_OF_LAUNCHES = ("torch_npu/csrc/core/npu/NPUStream.h", "torch_npu/csrc/framework/OpCommand.h")


@dataclass(frozen=True, slots=True)
class LaunchedOperator:
    """A launch, as an operator."""

    launch: Launch
    definition: Definition
    before: tuple[str, ...]  # declarations before the call
    given: tuple[str, ...]


def package_files(
    operator: LaunchedOperator, opp: str, header: str, files: Files
) -> Iterator[tuple[str, bytes | None]]:
    made, kernel = operator.definition, operator.launch.kernel
    pointer = {t.type: t.name for t in reversed(kernel.tensors)}
    given = [f"DTYPE_{pointer[name].upper()}" for name in kernel.templates if name in pointer]
    if len(given) != len(kernel.templates):
        raise Refused(f"`{kernel.name}` has types that no tensor has")
    called = f"{kernel.name}_body" if kernel.name == made.kernel else kernel.name
    call = f"{called}<{', '.join(given)}>" if given else called
    arguments = [p.name if p.pointer else f"data.{p.name}" for p in kernel.parameters]
    for path, text in (
        (f"{opp}/op_host/{made.kernel}.cpp", package.definition(made)),
        (f"{opp}/op_host/{made.kernel}_tiling.h", package.tiling_data(made)),
        (f"{opp}/op_kernel/{made.kernel}.cpp", package.entry(made, header, call, arguments)),
        (f"{opp}/{made.kernel}.json", package.description(made)),
    ):
        if path in files.tree:
            raise Refused(f"{path} already exists")
        yield path, text.encode()


def device_file(
    files: Files, path: str, homes: dict[str, str], opp: str
) -> tuple[str, dict[str, bytes | None]]:
    """The header that an entry includes, and the files that change for it: what of the file is for
    the device, or the header that has it."""
    names = {*homes}
    if path not in homes.values():
        (home,) = {*homes.values()} if len({*homes.values()}) == 1 else ("",)
        if not home:
            raise Refused("its kernels are in several headers")
        for other in sorted(p for p in files.tree if p != path and b"<<<" in files.tree[p]):
            if other.endswith((".asc", ".cpp", ".cc")) and home in files.include_closure(other):
                raise Refused(f"{other} also launches kernels of {home}")
        reader = files.reader(home)
        data = splice(reader.unit.data, set(_turn_into_functions(reader, names)))
        return posixpath.relpath(home, f"{opp}/op_kernel"), {home: data}
    reader = files.reader(path)
    _, host = kernels.split(reader)
    edits = [Edit(mend.extend_to_lines(reader, *place), b"") for place in host]
    edits += [
        edit
        for edit in _turn_into_functions(reader, names)
        if not any(edit.span.overlaps(other.span) for other in edits)
    ]
    new = f"{opp}/op_kernel/{posixpath.basename(path).partition('.')[0]}.h"
    has_operator = False
    for header, token in reader.unit.includes:
        own = files.resolve(path, header)
        is_device = header.startswith("kernel_operator") or (
            own is not None and _is_for_device(files, own)
        )
        if not is_device:
            edits.append(Edit(Span(*mend.include_line(reader, token.start)), b""))
            continue
        has_operator = True
        if own is not None:
            place = Span(token.start + 1, token.end - 1)
            edits.append(Edit(place, posixpath.relpath(own, posixpath.dirname(new)).encode()))
    data = mend.tidy(splice(reader.unit.data, set(edits)))
    if not has_operator:
        data = b'#include "kernel_operator.h"\n' + data
    if b"#pragma once" not in data:
        said = f"// The kernels of {posixpath.basename(path)}, as functions of the device.\n"
        data = said.encode() + b"#pragma once\n" + data.lstrip(b"\n")
    if new in files.tree:
        raise Refused(f"{new} already exists")
    return posixpath.basename(new), {new: data}


def _is_for_device(files: Files, path: str) -> bool:
    return any(
        b"__aicore__" in files.tree[one] or b"kernel_operator" in files.tree[one]
        for one in files.include_closure(path)
    )


def _turn_into_functions(reader: Reader, names: set[str]) -> Iterator[Edit]:
    """Kernels as functions that an entry calls."""
    for function in reader.code.functions:
        if function.name not in names:
            continue
        for at in range(function.head, function.opening):
            token = reader.code.tokens[at]
            if token.text == "__global__":
                after = reader.code.tokens[at + 1]
                words = reader.words(function.head, function.opening)
                if {"__cube__", "__mix__"} & {*words}:
                    raise Refused(f"`{function.name}` is for cube cores", reader.line(at))
                plain = after.text in ("__aicore__", "__vector__")
                inline = "" if "inline" in words else " inline"
                yield Edit(
                    Span(token.start, after.end if plain else token.end),
                    f"__aicore__{inline}".encode(),
                )
            if token.text == "extern" and reader.word(at + 1) == '"C"':
                yield Edit(Span(token.start, reader.code.tokens[at + 2].start), b"")
            if token.text == function.name and snake(package.camel(token.text)) == token.text:
                yield Edit(token.span, f"{token.text}_body".encode())


def host_file(
    files: Files, path: str, calls: list[tuple[LaunchedOperator, LaunchedOperator]]
) -> bytes:
    """The file without kernels, with calls of their operators."""
    reader = files.reader(path)
    edits: list[Edit] = []
    device, _ = kernels.split(reader)
    edits += [Edit(mend.extend_to_lines(reader, *place), b"") for place in device]
    reached: dict[str, set[str]] = {}
    for operator, _ in calls:
        launch = operator.launch
        tokens = reader.code.tokens
        first, last = launch.statement
        start = tokens[first].start
        indent = b"\n" + b" " * (start - reader.unit.line_start(start).start)
        name = f"aclnn{operator.definition.name}"
        text = f"{CALL}({', '.join((name, *operator.given))});"
        lines = [line.encode() for line in (*operator.before, text)]
        edits.append(Edit(Span(start, tokens[last].end), indent.join(lines)))
        edits += [
            Edit(mend.extend_to_lines(reader, tokens[a].start, tokens[b].end), b"")
            for a, b in launch.also
        ]
        reached.setdefault(launch.function.name, set()).update(launch.reached)
    for header, token in reader.unit.includes:
        own = files.resolve(path, header)
        of_kernels = header.startswith("kernel_operator") or (own and _is_for_device(files, own))
        if of_kernels or header in _OF_LAUNCHES:
            edits.append(Edit(Span(*mend.include_line(reader, token.start)), b""))
    data = splice(reader.unit.data, set(edits))
    data = mend.drop_unused(data, path, reached)
    data = mend.drop_templates(data, path, {o.launch.function.name for o, _ in calls})
    data = mend.merge_cases(data, path)
    return mend.tidy(mend.add_header(data, path))
