"""Entries for OpPlugin -> bindings that call their ACLNN operators, with nothing generated."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.ascend.cpp_pieces import pieces
from porter.ascend.definitions import yaml_entries
from porter.languages.cpp import parse
from porter.targets.conversion import Left
from porter.targets.torch_npu.routes import schema
from porter.targets.torch_npu.routes.model import Result
from porter.targets.torch_npu.routes.opplugin_files import UNIT
from porter.targets.torch_npu.routes.schema import Schema
from porter.targets.torch_npu.routes.syntax import Files, Refused

_SIZE = re.compile(r"\s*(?:(?P<name>\w+)|'?\"?\{(?P<sizes>[^}]*)\}\"?'?)\s*$")
_FLOW = re.compile(r"""(size|dtype)\s*:\s*("[^"]*"|'[^']*'|[^,{}]+)""")
_INCLUDES = """\
#include <ATen/ATen.h>
#include <torch/library.h>

#include "npu_cpp_extension.h"
"""
_FUNCTION = """\
{result} {name}({parameters}) {{
    const c10::OptionalDeviceGuard guard(device_of({first}));
{outputs}
    EXEC_NPU_CMD_EXT({call});
    return {returned};
}}
"""
_LIBRARY = """\
TORCH_LIBRARY_FRAGMENT(npu, m) {{ m.def("{schema}"); }}
TORCH_LIBRARY_IMPL(npu, PrivateUse1, m) {{ m.impl("{name}", &{function}); }}
"""


@dataclass(slots=True)
class _Entry:
    """An entry: its lines, its schema, the operator, and each output's size and type."""

    first: int
    last: int
    schema: Schema
    runs: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)


def convert(files: Files, path: str) -> Result:
    """The files that take the place of a yaml's entries; Refused where nothing is changed."""
    text = files.tree[path].decode("utf-8", "replace")
    folder = posixpath.dirname(path)
    root = posixpath.dirname(folder)
    made: dict[str, bytes | None] = {}
    left: list[Left] = []
    names, gone = [], []
    for entry in _entries(text):
        adapter = None if entry.runs else _adapter(files, entry.schema.name)
        if not entry.runs and adapter is None:
            line = entry.first + 1
            left.append(Left(path, line, entry.schema.name, "its adapter is not in the tree"))
            continue
        if adapter is not None:
            old = made.get(adapter, files.tree[adapter])
            assert old is not None
            made[adapter] = _write_registration(old, entry.schema)
        else:
            source = posixpath.join(root, "csrc", f"{entry.schema.name}.cpp")
            if source in files.tree:
                raise Refused(f"{source} already exists", entry.first + 1)
            made[source] = _binding(entry).encode()
        names.append(f"npu::{entry.schema.name}")
        gone.append(entry)
    if not gone:
        raise Refused(left[0].reason if left else "no supported entry")
    sources = {p for p, data in made.items() if data is not None}
    if len(gone) == len([*_entries(text)]):
        made.update(_drop_generator(files, path, folder))
        others = {p for p in files.tree if p.endswith((".cpp", ".cc")) and _is_binding(files, p)}
        sources |= {p for p in others if not _is_built(files, p)}
    else:
        left.append(Left(path, 1, folder, "the remaining entries are generated as before"))
        made[path] = _drop_lines(text, gone).encode()
    unit = posixpath.join(root, UNIT)
    replaced = _find_generated_units(files, root) or [unit]
    pairs = tuple((old, new) for old in replaced for new in sorted(sources))
    return Result(made, tuple(left), tuple(names), pairs)


def _entries(text: str) -> Iterator[_Entry]:
    """The entries, by the few lines that matter."""
    lines = text.splitlines()
    starts = [entry.line - 1 for entry in yaml_entries(text.encode())]
    for start, following in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = start + 1
        while end < following and (not lines[end].strip() or lines[end][:1] in (" ", "-")):
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        entry = _Entry(start, end, schema.read(lines[start].partition(":")[2].strip(" '\"")))
        output, depth = "", 0
        for line in lines[start + 1 : end]:
            key, _, value = line.strip().partition(":")
            value = value.split(" #")[0].strip()
            indent = len(line) - len(line.lstrip())
            if key == "exec":
                entry.runs = value
            elif key in ("size", "dtype") and output and indent > depth:
                entry.outputs.setdefault(output, {})[key] = value
            elif value.startswith("{") and value.endswith("}") and "size" in value:
                inner = dict(_FLOW.findall(value))
                entry.outputs[key] = {name: each.strip() for name, each in inner.items()}
            elif not value and key not in ("gen_opapi", "-", ""):
                output, depth = key, indent
        yield entry


def _binding(entry: _Entry) -> str:
    """What the generator's adapter does, by hand; schema and registration."""
    made, names = [], {a.name: a for a in entry.schema.arguments}
    tensors = [a.name for a in entry.schema.arguments if a.type == "Tensor"]
    count = len(entry.schema.outputs)
    wanted = ["out"] if count == 1 else [f"out{k}" for k in range(count)]
    if [*entry.outputs] != wanted or not tensors:
        raise Refused(f"the outputs of {entry.schema.name}", entry.first + 1)
    for name, given in entry.outputs.items():
        size = _SIZE.match(given.get("size", ""))
        if size is None or (size["name"] and size["name"] not in names):
            raise Refused(f"the size of `{name}`, {given.get('size', 'missing')}", entry.first + 1)
        like = size["name"] or tensors[0]
        sizes = f"{like}.sizes()" if size["name"] else f"{{{size['sizes']}}}"
        kind = given.get("dtype", like)
        options = f"{kind if kind in names else tensors[0]}.options()"
        if kind not in names:
            options += f".dtype({kind})"
        made.append(f"    at::Tensor {name} = at::empty({sizes}, {options});")
    operator, *arguments = (part.strip() for part in entry.runs.split(","))
    arguments = arguments or [*names, *wanted]
    tuple_of = ", ".join(["at::Tensor"] * count)
    function = _FUNCTION.format(
        result="at::Tensor" if count == 1 else f"std::tuple<{tuple_of}>",
        name=entry.schema.name,
        parameters=", ".join(a.declaration for a in entry.schema.arguments),
        first=tensors[0],
        outputs="\n".join(made),
        call=", ".join([operator, *arguments]),
        returned=wanted[0] if count == 1 else f"{{{', '.join(wanted)}}}",
    )
    return "\n".join(
        [
            f"// {entry.schema.name}: by way of the operator {operator.removeprefix('aclnn')}.",
            f"{_INCLUDES}\nnamespace {{\n\n{function}\n}}  // namespace\n",
            _library(entry.schema, entry.schema.name),
        ]
    )


def _library(read: Schema, function: str) -> str:
    return _LIBRARY.format(
        schema=read.text.partition("::")[2] or read.text, name=read.name, function=function
    )


def _adapter(files: Files, name: str) -> str | None:
    """The file that has `op_api::name`."""
    for path in files.tree:
        if path.endswith((".cpp", ".cc")) and b"op_api" in files.tree[path]:
            functions = files.reader(path).functions_named(name)
            if any(function.scope.endswith("op_api") for function in functions):
                return path
    return None


def _write_registration(data: bytes, read: Schema) -> bytes:
    text = _library(read, f"op_api::{read.name}")
    if b"torch/library.h" not in data:
        unit = parse(data, "x.cpp")
        last = max((token.end for _, token in unit.includes), default=0)
        at = data.find(b"\n", last) + 1
        data = data[:at] + b"#include <torch/library.h>\n" + data[at:]
    return data.rstrip(b"\n") + b"\n\n" + text.encode()


def _drop_lines(text: str, gone: list[_Entry]) -> str:
    lines = text.splitlines(keepends=True)
    dropped = {k for entry in gone for k in range(entry.first, entry.last)}
    return "".join(line for k, line in enumerate(lines) if k not in dropped)


def _drop_generator(files: Files, path: str, folder: str) -> dict[str, bytes | None]:
    """The yaml, what calls the generator for it, and what that reads."""
    scripts = [
        p
        for p in files.tree
        if posixpath.dirname(p) == folder
        and p.endswith((".py", ".sh"))
        and b"torchnpugen" in files.tree[p]
    ]
    said = b"".join(files.tree[p] for p in scripts)
    data = [
        p
        for p in files.tree
        if posixpath.dirname(p) == folder
        and p.endswith((".yaml", ".yml"))
        and posixpath.basename(p).encode() in said
    ]
    return dict.fromkeys((path, *scripts, *data), None)


def _is_binding(files: Files, path: str) -> bool:
    marks = (b"TORCH_LIBRARY", b"PYBIND11_MODULE")
    return any(mark in files.tree[path] for mark in marks) and bool(
        (own := pieces(files.reader(path).unit)).schemas or own.impls
    )


def _is_built(files: Files, path: str) -> bool:
    """Whether a build script names a source itself."""
    name = posixpath.basename(path).encode()
    return any(name in files.tree[p] for p in files.tree if posixpath.basename(p) == "setup.py")


def _find_generated_units(files: Files, root: str) -> list[str]:
    """The sources that a build script names and the tree has not."""
    script = posixpath.join(root, "setup.py")
    if script not in files.tree:
        return []
    found = re.findall(r"[\"']([\w./-]+\.(?:cpp|cc))[\"']", files.tree[script].decode())
    paths = [posixpath.join(root, each) for each in found]
    return [p for p in paths if p not in files.tree]
