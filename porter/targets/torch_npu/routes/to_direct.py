"""A binding that calls operators of a package -> a source that launches their kernels."""

from __future__ import annotations

import posixpath
import re

from porter.ascend.tree import snake
from porter.languages.edits import splice
from porter.model import Edit, Span
from porter.targets.conversion import Left
from porter.targets.torch_npu.routes import host_tiling
from porter.targets.torch_npu.routes.definition import Operator, find
from porter.targets.torch_npu.routes.host_function import TYPES, Written, name_of
from porter.targets.torch_npu.routes.kernels import GE_TYPES, items
from porter.targets.torch_npu.routes.model import Result
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

_CALLS = ("EXEC_NPU_CMD_EXT", "EXEC_NPU_CMD")
_C_TYPES = {ge: kernel for kernel, ge in reversed(GE_TYPES.items())}
_READS = ("GET_TILING_DATA", "GET_TILING_DATA_WITH_STRUCT")
_REFUSED = ("TILING_KEY_IS", "GetUserWorkspace", "ORIG_DTYPE_", "TILING_KEY_VAR")
_OF_PACKAGE = ("npu_cpp_extension.h", "op_plugin/utils/op_api_common.h")
_STRUCT = """\
// What the host tells the kernels of {names}.
#pragma once
#include <cstdint>

struct {data} {{
{fields}
}};
"""
_LAUNCH = """\
{template}void launch_{kernel}({parameters}, uint32_t blocks, const {data} &tiling) {{
    const auto stream = c10_npu::getCurrentNPUStream().stream(false);
    at_npu::native::OpCommand::RunOpApiV2("{name}", [=]() -> int {{
        {kernel}{types}<<<blocks, nullptr, stream>>>({arguments}, tiling);
        return 0;
    }});
}}

// What the operator {name} did.
void {kernel}_npu({given}) {{
{contiguous}
    {data} tiling{{}};
    uint32_t blocks = 1;
    TORCH_CHECK({fill}({inputs}, {outputs}, tiling, blocks{attributes}),
                "{name}: not for these shapes and types");
{dispatch}
}}
"""


def convert(files: Files, path: str) -> Result:
    """The files that take the place of a binding's. Raises Refused: nothing is changed then."""
    reader = files.reader(path)
    calls = [at for at in reader.code.places(*_CALLS) if reader.word(at + 1) == "("]
    operators: dict[str, Operator] = {}
    edits: list[Edit] = []
    for at in calls:
        given = reader.code.arguments(at + 1)
        name = reader.code.text(*given[0]).removeprefix("aclnn") if given else ""
        operator = operators.setdefault(name, find(files, path, name))
        count = len(operator.inputs) + len(operator.attributes) + len(operator.outputs)
        if len(given) - 1 != count or reader.code.function_at(at) is None:
            raise Refused(
                f"aclnn{name} is called with other arguments than defined", reader.line(at)
            )
        tokens = reader.code.tokens
        edits.append(Edit(Span(tokens[at].start, tokens[at].end), f"{snake(name)}_npu".encode()))
        end = tokens[given[1][0]].start
        edits.append(Edit(Span(tokens[at + 2].start, end), b""))
    if not operators:
        raise Refused("its operators are called directly through the two aclnn functions")
    made, left = _kernels(files, operators, path)
    out = Written()
    for operator in operators.values():
        host_tiling.write(files, operator, out)
    left += [Left(*each[:2], "tiling", each[2]) for each in out.left]
    new = posixpath.splitext(path)[0] + ".asc"
    if new in files.tree:
        raise Refused(f"{new} already exists")
    edits += _headers(reader, new, made, out)
    edits.append(_helpers(files, reader, operators, out))
    made[path] = None
    made[new] = splice(reader.unit.data, set(edits))
    left += _elsewhere(files, operators)
    return Result(made, tuple(left), tuple(operators), ((path, new),))


# ------------------------------------------------------------------ the kernels


def _kernels(
    files: Files, operators: dict[str, Operator], path: str
) -> tuple[dict[str, bytes | None], list[Left]]:
    """The files of the package as headers of a source: kernels and tiling data; host files go."""
    made: dict[str, bytes | None] = {}
    left: list[Left] = []
    kept = {o.name for o in operators.values() if _has_other_callers(files, o.name, path)}
    names: dict[str, str] = {}
    for operator in operators.values():
        folder = posixpath.dirname(operator.kernel)
        data = f"{folder}/{snake(operator.data)}.h"
        using = [o.name for o in operators.values() if o.data == operator.data]
        fields = "\n".join(
            f"    {f.type} {f.name};{f'  {f.comment}' if f.comment else ''}"
            for f in operator.fields
        )
        text = _STRUCT.format(names=", ".join(using), data=operator.data, fields=fields)
        made[data] = text.encode()
        header = operator.kernel.removesuffix(".cpp") + ".h"
        reader = files.reader(operator.kernel)
        for first, last in items(reader):
            for name in _find_definitions(reader, first, last):
                if names.setdefault(name, operator.kernel) != operator.kernel:
                    raise Refused(f"`{name}` is defined in the files of two kernels")
        made[header] = _entry(reader, operator, posixpath.basename(data))
        for new in (header, data):
            if files.tree.get(new, made[new]) != made[new]:
                raise Refused(f"{new} already exists")
        if operator.name not in kept:
            made[operator.kernel] = None
    if kept:
        return made, left  # the package stays, whole, for them
    gone = {o.host for o in operators.values()}
    for host in sorted(gone):
        others = [
            name.decode()
            for name in re.findall(rb"OP_ADD\((\w+)\)", files.tree[host])
            if name.decode() not in operators
        ]
        if others:
            raise Refused(f"{host} defines {', '.join(others)} which nothing here calls")
        made[host] = None
        for header in files.include_closure(host)[1:]:
            users = [p for p in files.tree if "/op_host/" in p and p not in gone]
            if "/op_host/" in header and not any(
                header in files.include_closure(user) for user in users if user != header
            ):
                made[header] = None
    for other in [p for p in files.tree if p.endswith(".json")]:
        defined = set(re.findall(rb'"op"\s*:\s*"(\w+)"', files.tree[other]))
        if defined and defined <= {name.encode() for name in operators}:
            made[other] = None
    return made, left


def _has_other_callers(files: Files, name: str, path: str) -> bool:
    """Whether another file calls an operator of the package."""
    names = (f"aclnn{name}", f"aclnn{name}GetWorkspaceSize")
    for other in files.tree:
        if other == path or names[0].encode() not in files.tree[other]:
            continue
        if other.endswith((".yaml", ".yml")):
            return True
        if other.endswith((".cpp", ".cc", ".asc", ".h")) and files.reader(other).code.places(
            *names
        ):
            return True
    return False


def _find_definitions(reader: Reader, first: int, last: int) -> list[str]:
    """Classes and functions, not their declarations."""
    words = reader.words(first, last)
    for at, word in enumerate(words):
        if word in ("class", "struct") and "{" in words and words[at - 1] not in ("<", ","):
            return [words[at + 1]]
        if word == "(":
            return [words[at - 1]] if "{" in words else []
    return []


def _entry(reader: Reader, operator: Operator, data: str) -> bytes:
    """The kernel's file as a header, whose entry takes its tiling data by value."""
    function, edits = operator.entry, []
    tokens = reader.code.tokens
    for at, token in enumerate(tokens):
        if token.text.startswith(_REFUSED):
            raise Refused(f"`{token.text}` in {reader.unit.path}", reader.line(at))
        inside = function.head <= at <= function.closing
        if token.text.startswith("DTYPE_") and not inside:
            raise Refused(f"`{token.text}` outside of the kernel's entry", reader.line(at))
    types = _types(reader, operator)
    parameters = reader.code.arguments(reader.opening_of(function))
    count = len(operator.inputs) + len(operator.outputs)
    if len(parameters) != count + 2:
        raise Refused(
            f"the parameters of the kernel {function.name} do not match", reader.line(function.head)
        )
    workspace, tiling = (reader.word(last) for _, last in parameters[-2:])
    reads = [k for k in reader.code.places(*_READS) if function.opening < k < function.closing]
    name = ""
    for at in reads:
        given = [reader.code.text(*each) for each in reader.code.arguments(at + 1)]
        name = given[-2]
        first, last = reader.statement(at)
        edits.append(Edit(_line(reader, tokens[first].start, tokens[last].end), b""))
    uses = [*reader.uses(tiling, function.opening, function.closing)]
    if len(reads) != 1 or len(uses) != 1:
        raise Refused(
            "its tiling data is read in an unsupported form", reader.line(function.opening)
        )
    if [*reader.uses(workspace, function.opening, function.closing)]:
        raise Refused(f"`{function.name}` uses its workspace", reader.line(function.opening))
    start, end = tokens[parameters[-2][0]].start, tokens[parameters[-1][1]].end
    edits.append(Edit(Span(start, end), f"{operator.data} {name}".encode()))
    head = next(k for k in range(function.head, function.opening) if reader.word(k) == "__global__")
    template = f"template <{', '.join(f'typename {each}' for each in types)}> " if types else ""
    begin = Span(tokens[function.head].start, tokens[head].start)
    edits.append(Edit(begin, template.encode()))
    text = f'#include "{data}"\n'
    if not reader.unit.includes:
        text = f'#include "kernel_operator.h"\n{text}'
    first_include = min((t.start for t in reader.unit.tokens if t.text == "#include"), default=0)
    if b"#pragma once" not in reader.unit.data:
        text = f"#pragma once\n{text}"
    edits.append(Edit(Span(first_include, first_include), reader.unit.encode(text)))
    return splice(reader.unit.data, set(edits))


def _types(reader: Reader, operator: Operator) -> list[str]:
    """The DTYPE_X that an entry uses, in their order."""
    function = operator.entry
    words = reader.words(function.opening, function.closing)
    return list(dict.fromkeys(word for word in words if word.startswith("DTYPE_")))


def _line(reader: Reader, start: int, end: int) -> Span:
    data = reader.unit.data
    first, last = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", end) + 1
    alone = not data[first:start].strip() and last and not data[end:last].strip()
    return Span(first, last) if alone else Span(start, end)


# ------------------------------------------------------------------ the binding


def _headers(reader: Reader, new: str, made: dict[str, bytes | None], out: Written) -> list[Edit]:
    """What the source includes instead of the macro that calls aclnn functions."""
    folder = posixpath.dirname(new)
    kernels = [p for p, data in made.items() if data is not None and b"__global__" in data]
    added = ["ATen/DeviceGuard.h"] if _lacks_guard(reader) else []
    wanted = [f"#include <{name}>\n" for name in added]
    wanted += [f'#include "{posixpath.relpath(path, folder or ".")}"\n' for path in kernels]
    wanted += ['#include "tiling/platform/platform_ascendc.h"\n'] if out.platform else []
    for header in ("core/npu/NPUStream.h", "framework/OpCommand.h"):
        wanted.append(f'#include "torch_npu/csrc/{header}"\n')
    text, edits = "".join(wanted), []
    places = [token for header, token in reader.unit.includes if header in _OF_PACKAGE]
    if not places:
        raise Refused("it includes no header that defines EXEC_NPU_CMD_EXT")
    data = reader.unit.data
    for token in places:
        first, last = data.rfind(b"\n", 0, token.start) + 1, data.find(b"\n", token.end) + 1
        edits.append(Edit(Span(first, last), reader.unit.encode(text)))
        text = ""
    return edits


def _lacks_guard(reader: Reader) -> bool:
    brought = ("ATen/ATen.h", "torch/extension.h", "torch/torch.h", "ATen/DeviceGuard.h")
    return "device_of" in reader.code.index and not any(
        header in brought for header, _ in reader.unit.includes
    )


def _helpers(files: Files, reader: Reader, operators: dict[str, Operator], out: Written) -> Edit:
    """Tiling and launch of each operator, before the file's own code."""
    parts = [
        "namespace {\n",
        *(f"{text.strip()}\n" for text in out.items.values()),
        *(_launch(files, operator) for operator in operators.values()),
        "}  // namespace\n",
    ]
    last = max(token.end for _, token in reader.unit.includes)
    at = reader.unit.data.find(b"\n", last) + 1
    return Edit(Span(at, at), reader.unit.encode("\n" + "\n".join(parts)))


def _launch(files: Files, operator: Operator) -> str:
    kernel = snake(operator.name)
    tensors = (*operator.inputs, *operator.outputs)
    template = _types(files.reader(operator.kernel), operator)
    addresses = (f"static_cast<uint8_t *>({each.name}.data_ptr())" for each in tensors)
    rows = list(dict.fromkeys(zip(*(each.types for each in tensors), strict=True)))
    cases = []
    for row in rows:
        known = dict(zip((each.name.upper() for each in tensors), row, strict=True))
        if any(kind not in TYPES for kind in row):
            raise Refused(f"{operator.name} is for a type that torch lacks, {row}")
        asked = " && ".join(
            f"{each.name}.scalar_type() == {TYPES[kind]}"
            for each, kind in zip(tensors, row, strict=True)
        )
        types = ", ".join(_C_TYPES[known[name.removeprefix("DTYPE_")]] for name in template)
        called = f"launch_{kernel}{f'<{types}>' if types else ''}"
        names = ", ".join(each.name for each in tensors)
        cases.append(
            f"    if ({asked}) {{\n        return {called}({names}, blocks, tiling);\n    }}"
        )
    cases.append(f'    TORCH_CHECK(false, "{operator.name}: not for these types of tensors");')
    given = [
        *(f"const at::Tensor &{each.name}_given" for each in operator.inputs),
        *(f"{kind} {name}" for name, kind in operator.attributes),
        *(f"const at::Tensor &{each.name}" for each in operator.outputs),
    ]
    return _LAUNCH.format(
        template=f"template <{', '.join(f'typename {name}' for name in template)}>\n"
        if template
        else "",
        kernel=kernel,
        name=operator.name,
        data=operator.data,
        types=f"<{', '.join(template)}>" if template else "",
        parameters=", ".join(f"const at::Tensor &{each.name}" for each in tensors),
        arguments=", ".join(addresses),
        given=", ".join(given),
        contiguous="\n".join(
            f"    const at::Tensor {each.name} = {each.name}_given.contiguous();"
            for each in operator.inputs
        ),
        fill=name_of(operator),
        inputs="{" + ", ".join(each.name for each in operator.inputs) + "}",
        outputs="{" + ", ".join(each.name for each in operator.outputs) + "}",
        attributes="".join(f", {name}" for name, _ in operator.attributes),
        dispatch="\n".join(cases),
    )


def _elsewhere(files: Files, operators: dict[str, Operator]) -> list[Left]:
    """Converters of graphs, which have no node for what is launched."""
    found = []
    for path in sorted(p for p in files.tree if p.endswith(".py")):
        for number, line in enumerate(files.tree[path].splitlines(), 1):
            for name in operators:
                if f'"{name}"'.encode() in line and b"custom_op" in line:
                    reason = "its node belongs to the deleted package: no graph can contain it"
                    found.append(Left(path, number, name, reason))
    return found
