"""The custom operator packages of a tree, built for the emulated NPU.

On a machine with CANN its own tools build them, from scripts that nothing else understands; what
such a package is made of (`op_host`, `op_kernel`) is in the sources all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from porter.build import diagnostics
from porter.emulators.npu.package import build_package
from porter.errors import EnvironmentFailed
from porter.model import Ascend, AscendPart, Diagnostic

_SOURCES = (".cpp", ".cc", ".cxx")


class Made(NamedTuple):
    """Folders for ASCEND_CUSTOM_OPP_PATH, and what could not be built."""

    folders: tuple[Path, ...]
    problems: tuple[Diagnostic, ...]


def build_packages(ascend: Ascend, project: Path, folder: Path, toolkit: Path) -> Made:
    """A package below `folder` for each file of definitions that has kernels."""
    made: list[Path] = []
    problems: list[Diagnostic] = []
    for name, host, kernels in _packages(ascend):
        vendor = folder / f"{len(made) + len(problems)}-{name}"
        try:
            build_package([project / path for path in host], project / kernels, vendor, toolkit)
        except EnvironmentFailed as error:
            said = f"no package of operators from {host[0]}: {error}"
            problems.append(diagnostics.plain("package", said, "warning"))
        else:
            made.append(vendor)
    return Made(tuple(made), tuple(problems))


def _packages(ascend: Ascend) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Name, sources of the host and folder of the kernels, by the file that defines them."""
    host: dict[str, set[str]] = defaultdict(set)
    kernels: dict[str, set[str]] = defaultdict(set)
    for operator in ascend.operators:
        pieces = operator.pieces
        of_cpp = [piece for piece in pieces if piece.path.endswith(_SOURCES)]
        for path in {p.path for p in of_cpp if p.form == "OpDef"}:
            host[path] |= {p.path for p in of_cpp if p.part is AscendPart.TILING}
            kernels[path] |= {p.path for p in of_cpp if p.part is AscendPart.KERNEL}
    for path in sorted(host):
        folders = sorted({str(Path(kernel).parent) for kernel in kernels[path]})
        if folders:
            yield Path(path).stem, (path, *sorted(host[path] - {path})), folders[0]
