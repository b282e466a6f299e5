"""CUDA kernels on a CPU: a repository's .cu files, kernels unchanged, compiled as C++ and run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.emulators.cuda.launches import Refusal
from porter.emulators.cuda.rewrite import Rewritten, rewrite
from porter.languages import cpp

HERE = Path(__file__).parent
# What sources include, and without what a file is C++ as it is.
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".cu", ".inl", ".inc", ".ipp", ".tpp", ".def")
_WORDS = (b"<<<", b"__shared__", b"asm", b"__CUDA_ARCH__", b"__noinline__")
INCLUDE = HERE / "include"
ARCH = 80  # the compute capability that kernels see and limits are those of
# Views of one array as several types are usual in kernels, and nvcc fuses no products into sums
# behind the back of __fmul_rn; nothing else of the host compiler's habits changes.
_FLAGS = ("-fno-strict-aliasing", "-ffp-contract=off", "-fPIC", "-g1")
# What nvcc says of itself, in step with the version that the headers state; and that Thrust's
# device is the host.
_NVCC = (
    *("__CUDACC__", "__NVCC__", "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__"),
    *("__CUDACC_VER_MAJOR__=13", "__CUDACC_VER_MINOR__=0", "__CUDACC_VER_BUILD__=88"),
    *("THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP", f"EMULATED_CUDA_ARCH={ARCH}0"),
)
# GCC calls functions of the runtime: for every load and store, for addresses that do not suit
# their type, and for indices that do not suit their array; stacks and globals stay plain.
_CHECKED = (
    "-fsanitize=kernel-address",
    *("--param", "asan-instrumentation-with-call-threshold=0"),
    *("--param", "asan-stack=0", "--param", "asan-globals=0"),
    *("-fsanitize=alignment", "-fsanitize=bounds"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emulation:
    """How to compile sources so that their kernels run on the CPU: `sources` in place of those
    given, each with `flags` before and its own after; `refused` says what cannot be emulated."""

    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    refused: tuple[Refusal, ...]


def emulate(
    sources: Sequence[Path],
    include_dirs: Sequence[Path],
    out: Path,
    *,
    checked: bool = False,
    cccl: Path | None = None,
) -> Emulation:
    """Write the sources and the headers they include from `include_dirs` for g++ below `out`.

    What is linked takes the runtime of a toolkit. With `checked` every load and store is looked
    at. `cccl` is the folder that has Thrust (`include/cccl` of a toolkit): its own backend for the
    host runs its algorithms. Folders of a framework or the system are not to be among
    `include_dirs`: what is in them is not rewritten. Raises OSError for what cannot be read or
    written.
    """
    made = write_tree(sources, include_dirs, out, rewrite, _WORDS)
    return Emulation(
        sources=made.sources,
        flags=(
            *_FLAGS,
            *(_CHECKED if checked else ()),
            *(f"-D{name}" for name in _NVCC),
            f"-I{INCLUDE}",
            *(f"-I{folder}" for folder in made.folders),
            *(("-isystem", str(cccl)) if cccl else ()),
            *("-include", str(INCLUDE / "cuda_runtime.h")),
        ),
        refused=made.refused,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Sources as rewritten, with the headers that they include, by names that g++ takes for C++."""

    sources: tuple[Path, ...]
    folders: tuple[Path, ...]  # in place of the folders to include from
    refused: tuple[Refusal, ...]


def write_tree(
    sources: Sequence[Path],
    include_dirs: Sequence[Path],
    out: Path,
    change: Callable[[cpp.Unit], Rewritten],
    words: Sequence[bytes],
) -> Tree:
    """Write the sources and what they may include below `out`, changed; a header without any of
    `words` that they do not include by themselves stays as it is."""
    folders = [folder.resolve() for folder in include_dirs]
    compiled = [source.resolve() for source in sources]
    units = _follow_includes(compiled, folders)
    refused: list[Refusal] = []
    tree = out / "tree"
    for path, unit in units.items():
        written = change(unit)
        refused += written.refused
        destination = _mirror_path(tree, path)
        _write(destination, written.data)
        if path in compiled:
            _write(_cpp_name(destination), written.data)
    # In place of the folders themselves: a header that says #include_next must not find itself once
    # more, as it was.
    for path in {path for own in folders for path in _headers(own, out.resolve())} - units.keys():
        data = path.read_bytes()
        if any(word in data for word in words):
            data = change(cpp.parse(data, str(path))).data
        _write(_mirror_path(tree, path), data)
    return Tree(
        sources=tuple(_cpp_name(_mirror_path(tree, source)) for source in compiled),
        folders=tuple(_mirror_path(tree, own) for own in folders),
        refused=tuple(sorted(refused)),
    )


def _headers(folder: Path, out: Path) -> Iterator[Path]:
    """What files elsewhere may include from a folder."""
    for root, folders, files in os.walk(folder):
        folders[:] = [n for n in folders if n[0] != "." and not n.endswith(".emulated")]
        if Path(root) == out:
            folders.clear()
            continue
        yield from (Path(root, name) for name in files if name.endswith(_HEADERS))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _mirror_path(tree: Path, path: Path) -> Path:
    return tree / path.relative_to(path.anchor)


def _cpp_name(path: Path) -> Path:
    """A name by which g++ takes a file for C++."""
    return path.with_name(f"{path.name}.cpp")


def _follow_includes(sources: Iterable[Path], folders: Sequence[Path]) -> dict[Path, cpp.Unit]:
    """The sources and the files they include from beside them or from `folders`."""
    units: dict[Path, cpp.Unit] = {}
    waiting = list(sources)
    while waiting:
        path = waiting.pop()
        if path in units:
            continue
        units[path] = unit = cpp.parse(path.read_bytes(), str(path))
        for header, token in unit.includes:
            beside = [path.parent] if token.text.startswith('"') else []
            candidates = ((folder / header).resolve() for folder in (*beside, *folders))
            waiting += [file for file in candidates if file.is_file()]  # #include_next: all
    return units
