"""A custom operator package: the host's definitions and tiling functions, kernels, and the aclnn
functions that callers look up.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.ascend.tree import snake
from porter.emulators.npu import INCLUDE
from porter.emulators.npu.kernels import FLAGS, emulate
from porter.emulators.npu.tiling import structures_of
from porter.errors import EnvironmentFailed
from porter.host import locks, process
from porter.model import Step

_OPTIMISED = ("-O1",)
# By the numbers of the public table of data types: in C++, and as DTYPE_X says it to a kernel.
_TYPES = {
    0: "float",
    1: "half",
    2: "int8_t",
    3: "int32_t",
    4: "uint8_t",
    6: "int16_t",
    7: "uint16_t",
    8: "uint32_t",
    9: "int64_t",
    10: "uint64_t",
    12: "bool",
    27: "bfloat16_t",
}


@dataclass(slots=True)
class _Parameter:
    name: str
    required: bool
    types: tuple[int, ...]


@dataclass(slots=True)
class Operator:
    """An operator as its definition describes it."""

    name: str
    inputs: list[_Parameter] = field(default_factory=list)
    outputs: list[_Parameter] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)  # name, type in C++
    fields: list[tuple[str, str, int]] = field(default_factory=list)  # of tiling data
    tiling: str = ""  # the class of its tiling data, which a kernel may name

    @property
    def kernel(self) -> str:
        """The name of its kernel, by the convention: StoreKVBlock -> store_kv_block."""
        return snake(self.name)


def build_package(
    host: Sequence[Path], kernels: Path, vendor: Path, toolkit: Path, flags: Sequence[str] = ()
) -> tuple[Operator, ...]:
    """Make `vendor`/op_api/lib/libcust_opapi.so and `vendor`/op_proto/inc/op_proto.h of the
    definitions in `host`, compiled with `flags` of their own, and the kernels in the folder
    `kernels`, where each is in `<kernel>.cpp`; the operators that it has.

    Raises EnvironmentFailed where g++ does not take a source, or an operator has no kernel.
    """
    work = vendor / "build"
    work.mkdir(parents=True, exist_ok=True)
    root = os.path.commonpath([*host, kernels])
    sources = [*_host_objects(host, work, flags, root)]
    operators = _run_definitions(sources, work)
    precompiled = _precompile(toolkit)
    for operator in operators:
        path = kernels / f"{operator.kernel}.cpp"
        if not path.is_file():
            raise EnvironmentFailed(
                f"operator {operator.name} has no kernel {path.name} in {kernels}",
                hint="name the kernel's file like the operator, in snake case",
            )
        made = emulate([path], [kernels], work)
        own = structures_of(p for p in sorted(kernels.rglob("*")) if p.suffix in (".h", ".cpp"))
        for index in range(_forms(operator)):
            unit = work / f"{operator.kernel}_{index}.cpp"
            unit.write_text(_kernel_unit(operator, index, made.sources[0], own))
            output = work / f"{operator.kernel}_{index}.o"
            flags = ("-include", str(precompiled), *made.flags, *_OPTIMISED)
            _compile([*flags, "-c", str(unit), "-o", str(output)], work, readable=root)
            sources.append(str(output))
        unit = work / f"aclnn_{operator.kernel}.cpp"
        unit.write_text(_functions(operator))
        sources.append(str(unit))
        header = vendor / "op_api" / "include" / f"aclnn_{operator.kernel}.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(_header(operator))
    inference = work / "infer.cpp"
    inference.write_text('#include "emulated_npu/infer.h"\n')
    sources.append(str(inference))
    library = vendor / "op_api" / "lib" / "libcust_opapi.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    libraries = toolkit / "lib64"
    linked = ["-shared", "-o", str(library), f"-L{libraries}", "-lascendcl", "-lopapi"]
    _compile(
        [*FLAGS, *_OPTIMISED, f"-I{INCLUDE}", *sources, *linked],
        work,
        library.parent,
        readable=root,
    )
    return operators


def _host_objects(
    host: Sequence[Path], work: Path, flags: Sequence[str], readable: str
) -> Iterator[str]:
    """The definitions and tiling functions, compiled: they describe themselves, then they are a
    part of the package."""
    for number, path in enumerate(host):
        output = work / f"host_{number}.o"
        _compile(
            [*FLAGS, f"-I{INCLUDE}", *flags, "-c", str(path), "-o", str(output)],
            work,
            readable=readable,
        )
        yield str(output)


def _precompile(toolkit: Path) -> Path:
    """What every kernel includes, read once: g++ takes the file beside it, where that fits."""
    folder = toolkit / "precompiled"
    header, made = folder / "kernel.h", folder / "kernel.h.gch"
    with locks.lock(folder):
        if not made.exists():
            folder.mkdir(exist_ok=True)
            header.write_text('#include "kernel_operator.h"\n')
            flags = (*FLAGS, *_OPTIMISED, f"-I{INCLUDE}", "-x", "c++-header", str(header))
            _compile([*flags, "-o", str(folder / "kernel.tmp")], folder)
            (folder / "kernel.tmp").rename(made)
    return header


def _forms(operator: Operator) -> int:
    """Combinations of types, each of which the kernel is compiled for."""
    return max((len(p.types) for p in (*operator.inputs, *operator.outputs)), default=1) or 1


def _type(parameter: _Parameter, form: int) -> int:
    """Its type in one of the combinations; -1 where it may have any."""
    return parameter.types[min(form, len(parameter.types) - 1)] if parameter.types else -1


def _run_definitions(host: Sequence[str], work: Path) -> tuple[Operator, ...]:
    """What definitions say when they are run: they are programs."""
    program = work / "describe"
    main = work / "describe.cpp"
    main.write_text(
        '#include "emulated_npu/prototypes.h"\n'
        "int main(int, char **a) {\n"
        '    FILE *out = std::fopen(a[1], "w"), *prototypes = std::fopen(a[2], "w");\n'
        "    emulated::describe_operators(out);\n"
        "    emulated::write_prototypes(prototypes);\n"
        "    return std::fclose(out) | std::fclose(prototypes);\n"
        "}\n"
    )
    flags = [*FLAGS, f"-I{INCLUDE}"]
    _compile([*flags, str(main), *host, "-o", str(program)], work)
    said = work / "operators"
    # As a package of CANN's tools has it: graphs are built by what it declares.
    prototypes = work.parent / "op_proto" / "inc" / "op_proto.h"
    prototypes.parent.mkdir(parents=True, exist_ok=True)
    argv = (str(program), str(said), str(prototypes))
    writable = (str(work), str(prototypes.parent))
    step = Step(name="describe", argv=argv, cwd=str(work), timeout=60, writable=writable)
    if not process.run(step, work / "describe.log").ok:
        raise EnvironmentFailed("the operators' definitions fail", hint=f"see {work}")
    operators: list[Operator] = []
    for line in said.read_text().splitlines():
        kind, name, *rest = line.split()
        if kind == "operator":
            operators.append(Operator(name))
        elif kind in ("input", "output"):
            option, *types = map(int, rest)
            owner = operators[-1].inputs if kind == "input" else operators[-1].outputs
            owner.append(_Parameter(name, option == 2, tuple(types)))
        elif kind == "attribute":
            operators[-1].attributes.append((name, rest[0]))
        elif kind == "tiling":
            operators[-1].tiling = name
        else:  # "field": its type comes first
            operators[-1].fields.append((name, rest[0], int(rest[1])))
    return tuple(operators)


def _kernel_unit(operator: Operator, index: int, source: Path, own: Collection[str]) -> str:
    """The kernel for one combination of types, and how to launch it."""
    parameters = (*operator.inputs, *operator.outputs)
    lines = [
        f"#define DTYPE_{p.name.upper()} {_TYPES.get(_type(p, index), 'float')}"
        for p in parameters
        if p.types
    ]
    lines.append('#include "kernel_operator.h"')
    if operator.fields:
        fields = "".join(
            f" {kind} {name}{f'[{count}]' if count > 1 else ''};"
            for kind, name, count in operator.fields
        )
        # By the operator's own name: all kernels of a package are linked together.
        lines.append(f"#define EmulatedTilingData EmulatedTilingData_{operator.kernel}")
        lines.append(f"struct EmulatedTilingData {{{fields} }};")
        if operator.tiling not in own:
            lines.append(f"using {operator.tiling} = EmulatedTilingData;")
    name = f"{operator.kernel}_{index}"
    count = len(parameters)
    arguments = "".join(f"p[{k}], " for k in range(count))
    lines += [
        f"#define {operator.kernel} {name}",
        f'#include "{source}"',
        f"#undef {operator.kernel}",
        f"void launch_{name}(uint32_t blocks, void *stream, uint64_t key, uint8_t **p, "
        "uint8_t *workspace, uint8_t *tiling) {",
        f"    struct All {{ uint8_t *p[{count}]; }} all;",
        f"    for (int k = 0; k < {count}; ++k) all.p[k] = p[k];",
        f'    ::emulated::prepare(::emulated::Place{{"{operator.kernel}", "{source.name}", 1}},',
        "        [=](auto &a, auto &w, auto &t) {",
        "            emulated_tiling_key = key;",
        f"            uint8_t **p = a.p; {name}({arguments}w, t);",
        "        }, blocks, nullptr, stream)(all, workspace, tiling);",
        "}",
        "",
    ]
    return "\n".join(lines)


def _signature(operator: Operator) -> str:
    inputs = [f"const aclTensor *{p.name}" for p in operator.inputs]
    attributes = [f"{kind} {name}" for name, kind in operator.attributes]
    outputs = [f"const aclTensor *{p.name}" for p in operator.outputs]
    given = ", ".join(
        (*inputs, *attributes, *outputs, "uint64_t *size", "aclOpExecutor **executor")
    )
    return f"int aclnn{operator.name}GetWorkspaceSize({given})"


def _header(operator: Operator) -> str:
    run = "void *workspace, uint64_t size, aclOpExecutor *executor, void *stream"
    return "\n".join(
        (
            "#pragma once",
            "#include <cstdint>",
            "struct aclTensor;",
            "struct aclOpExecutor;",
            f'extern "C" {_signature(operator)};',
            f'extern "C" int aclnn{operator.name}({run});',
            "",
        )
    )


def _functions(operator: Operator) -> str:
    """The two functions of an operator: the first plans, the second launches."""
    forms = range(_forms(operator))
    parameters = (*operator.inputs, *operator.outputs)
    launch = "(uint32_t, void *, uint64_t, uint8_t **, uint8_t *, uint8_t *)"
    declared = "".join(f"void launch_{operator.kernel}_{k}{launch};\n" for k in forms)
    table = ", ".join(f"launch_{operator.kernel}_{k}" for k in forms)
    rows = ", ".join("{" + ", ".join(str(_type(p, k)) for p in parameters) + "}" for k in forms)

    def names(all_of: Sequence[_Parameter]) -> str:
        return ", ".join(p.name for p in all_of)

    attributes = "".join(f"    call.attribute({name});\n" for name, _ in operator.attributes)
    return (
        '#include "emulated_npu/calls.h"\n'
        f"{declared}"
        f'extern "C" __attribute__((visibility("default"))) {_signature(operator)} {{\n'
        f"    static const std::vector<std::vector<int>> types{{{rows}}};\n"
        f"    static const std::vector<emulated::Launcher> launchers{{{table}}};\n"
        f'    emulated::Call call("{operator.name}", {{{names(operator.inputs)}}}, '
        f"{{{names(operator.outputs)}}});\n"
        f"{attributes}"
        "    return call.plan(types, launchers, size, executor);\n"
        "}\n"
        f'extern "C" __attribute__((visibility("default"))) int aclnn{operator.name}('
        "void *workspace, uint64_t size, aclOpExecutor *executor, void *stream) {\n"
        "    return emulated::run(executor, workspace, size, stream);\n"
        "}\n"
    )


def _compile(flags: Sequence[str], work: Path, *writable: Path, readable: str = "") -> None:
    step = Step(
        name="package",
        argv=("g++", *flags),
        cwd=str(work),
        writable=tuple(map(str, (work, *writable))),
        readable=(readable,) if readable else (),
    )
    result = process.run(step, work / "package.log")
    if not result.ok:
        raise EnvironmentFailed(
            f"a custom operator package does not compile: {result.tail.strip()[-300:]}",
            hint=f"see {result.log}",
        )
