"""The C++ names of a surface: what torch's headers declare, and what a target's headers have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from porter.languages.cpp import parse
from porter.model import State, Symbol
from porter.surface.cpp_declarations import Declarations, Entry
from porter.surface.cpp_headers import scan

HEADER_ENDS = (".h", ".cuh", ".hpp")
API = "torch/csrc/api/include/"  # a folder compilers search itself, so torch/all.h is its name
ROOTS = ("at", "c10", "torch", "caffe2")
SCANNED = (  # folders of torch whose headers are read; the others are listed only
    "ATen",
    "ATen/core",
    "ATen/cuda",
    "ATen/native",
    "ATen/ops",
    "ATen/cuda/detail",
    "c10/core",
    "c10/core/impl",
    "c10/cuda",
    "c10/macros",
    "c10/util",
    "torch",
    "torch/csrc",
    "torch/csrc/api/include/torch",
    "torch/csrc/api/include/torch/nn",
    "torch/csrc/api/include/torch/nn/functional",
    "torch/csrc/autograd",
    "torch/csrc/autograd/generated",
    "torch/csrc/stable",
    "torch/csrc/utils",
    "torch/headeronly/core",
    "torch/headeronly/macros",
    "torch/headeronly/util",
)
GENERATED = ("_native.h", "_ops.h", "_dispatch.h", "_meta.h", "_compositeimplicitautograd")
MEMBERS_OF = (  # classes whose members operator code names
    "at::Tensor",
    "at::TensorBase",
    "c10::ArrayRef",
    "c10::Device",
    "c10::DeviceType",
    "c10::DispatchKey",
    "c10::Event",
    "c10::IValue",
    "c10::Layout",
    "c10::MemoryFormat",
    "c10::Scalar",
    "c10::ScalarType",
    "c10::Storage",
    "c10::Stream",
    "c10::TensorOptions",
    "c10::cuda::CUDAGuard",
    "c10::cuda::CUDAStream",
    "c10::cuda::CUDAStreamGuard",
    "at::cuda::CUDAEvent",
    "at::Generator",
    "torch::Library",
    "torch::indexing",
)
GENERATED_KEYS = tuple(  # enumerators that torch makes by pasting two lists of macros
    f"{functionality}{backend}"
    for functionality in ("", "Autograd", "Quantized", "Sparse", "SparseCsr", "NestedTensor")
    for backend in [
        "CPU",
        "CUDA",
        "HIP",
        "XLA",
        "MPS",
        "IPU",
        "XPU",
        "HPU",
        "VE",
        "Lazy",
        "MTIA",
        "MAIA",
        "Meta",
        "PrivateUse1",
        "PrivateUse2",
        "PrivateUse3",
    ]
)
# The functions of these are at::'s own over again, or symbols of the JIT.
HIDDEN = (
    "functorch",
    "symint",
    "generated",
    "aten",
    "attr",
    "prim",
    "llvm",
    "onnx",
    "guts",
    "namespaces",
    "detail",
    "impl",
    "internal",
    "_ops",
    "native",
    "meta",
    "redispatch",
    "jit",
    "dynamo",
)
ELSEWHERE = {"torch::DispatchKey": "c10::DispatchKey"}  # where a target keeps an enum elsewhere


def headers(root: Path) -> Iterator[tuple[str, Path]]:
    """(name it is included with, file) for each header of an include folder."""
    for path in sorted(root.rglob("*")):
        if path.suffix in HEADER_ENDS and path.is_file():
            yield path.relative_to(root).as_posix().removeprefix(API), path


def torch_names(include: Path) -> dict[str, Symbol]:
    """Every C++ name, macro and header that torch's include folder offers."""
    out: dict[str, Symbol] = {}
    read: dict[str, bytes] = {}
    for top in ("ATen", "c10", "torch"):
        for path in sorted((include / top).rglob("*")):
            relative = path.relative_to(include).as_posix()
            if path.suffix not in HEADER_ENDS or any(mark in relative for mark in GENERATED):
                continue
            name = relative.removeprefix(API)
            out[f"<{name}>"] = Symbol(kind="header")
            if path.parent.relative_to(include).as_posix() in SCANNED:
                read[name] = path.read_bytes()
    declared = scan(read)
    out.update(_declared(declared))
    out.update({f"c10::DispatchKey::{key}": Symbol(kind="enumerator") for key in GENERATED_KEYS})
    return out


def _declared(declared: Declarations) -> Iterator[tuple[str, Symbol]]:
    for name in declared.macros:
        if name.startswith(("AT_", "TORCH_", "C10_", "CUDA_KERNEL", "PYBIND11_", "GENERIC_")):
            yield name, Symbol(kind="macro")
    for scope, content in declared.scopes.items():
        parts = scope.split("::")
        if parts[0] not in ROOTS or any(part in HIDDEN for part in parts):
            continue
        outer = "::".join(parts[:-1])
        holder = declared.scopes.get(outer)
        of_class = holder is not None and parts[-1] in holder.members
        if of_class and holder is not None and holder.members[parts[-1]].kind == "namespace":
            of_class = False
        if of_class and scope not in MEMBERS_OF:
            continue
        inherited = [declared.scopes[b] for b in _bases(scope, declared)] if of_class else []
        for source in (content, *inherited):
            for name, entry in source.members.items():
                if not name.startswith("_"):
                    yield f"{scope}::{name}", Symbol(kind=entry.kind)


def _bases(scope: str, declared: Declarations) -> Iterator[str]:
    """Base classes in the same namespace, whose members count as the class's own."""
    outer = scope.rpartition("::")[0]
    for base in declared.scopes[scope].used:
        if f"{outer}::{base}" in declared.scopes:
            yield f"{outer}::{base}"


def target_names(
    root: Path, beside: Sequence[Path], torch: Mapping[str, Symbol]
) -> dict[str, Symbol]:
    """The state of every C++ name of torch in a target's headers, and the target's own names."""
    found = dict(headers(root))
    read = {name: path.read_bytes() for name, path in found.items()}
    read.update(_underneath(read, beside))
    declared = scan(read)
    own = {f"<{n}>": Symbol(kind="header", provenance=n) for n in found}
    own.update({n: s for n, s in _declared(declared) if n not in torch})
    own.update({n: _header_or_name(n, s, declared, set(found)) for n, s in torch.items()})
    return own


def _underneath(read: Mapping[str, bytes], beside: Sequence[Path]) -> dict[str, bytes]:
    """The target's own headers that its compat headers include: aliases point into them."""
    out: dict[str, bytes] = {}
    for name, data in read.items():
        for header, _ in parse(data, name).includes:
            for folder in beside:
                path = folder / header
                if header not in read and header not in out and path.is_file():
                    out[header] = path.read_bytes()
    return out


def _header_or_name(
    name: str, symbol: Symbol, declared: Declarations, included: set[str]
) -> Symbol:
    if symbol.kind == "header":
        present = name[1:-1] in included
        where = name[1:-1] if present else ""
    elif symbol.kind == "macro":
        entry = declared.macros.get(name)
        present, where = entry is not None, entry.header if entry else ""
    else:
        found = declared.find(name) or _moved(name, declared)
        present, where = found is not None, found.header if found else ""
    state = State.PRESENT if present else State.MISSING
    return Symbol(kind=symbol.kind, state=state, provenance=where)


def _moved(name: str, declared: Declarations) -> Entry | None:
    """A name of an enum that the target keeps in another namespace."""
    for there, here in ELSEWHERE.items():
        if name == here or name.startswith(f"{here}::"):
            return declared.find(there + name[len(here) :])
    return None
