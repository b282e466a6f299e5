"""A cell with an emulated NPU: a framework for NPUs, stand-ins for the libraries of CANN, and the
custom operator packages and entries for OpPlugin of a tree.

On a machine with CANN its own tools build packages, from scripts that nothing else understands;
what a package is made of (`op_host`, `op_kernel`) is in the sources all the same.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porter import targets
from porter.build import environment
from porter.build.causes import plain
from porter.build.emulation import half_of, start_with
from porter.emulators.npu import toolkit
from porter.emulators.npu.package import build_package
from porter.errors import EnvironmentFailed
from porter.host.home import porter_home
from porter.host.output import OnLine
from porter.model import Ascend, AscendPart, Device, Diagnostic
from porter.targets.protocol import Environment, Framework

_SOURCES = (".cpp", ".cc", ".cxx")


def base(on_line: OnLine = lambda line: None, home: Path | None = None) -> Environment:
    """The environment of the framework that code for NPUs comes from: the cached one, or made."""
    framework = targets.source(Device.NPU)
    spec = framework.environment(framework.default_version, Device.CPU)
    return environment.prepare(spec, framework, on_line, home)


def install(cell: Environment, home: Path | None = None, packages: Sequence[Path] = ()) -> Path:
    """Give an overlay of such an environment the NPU: its processes have it from then on, and the
    operators of custom packages.

    The folder that stands in for CANN's. Raises EnvironmentFailed where it cannot be made.
    """
    made = folder(cell, home)
    start_with(cell, half_of(cell, Device.NPU), made, packages)
    return made


def folder(cell: Environment, home: Path | None = None) -> Path:
    """What stands in for CANN's folder, for the framework of an environment."""
    return toolkit(home or porter_home(), half_of(cell, Device.NPU), Path(cell.root))


def variables(folder: Path, path: str) -> dict[str, str]:
    """By which build systems find the toolkit; `path` is PATH without it."""
    return {
        "PATH": os.pathsep.join([str(folder / "bin"), path]),
        "LIBRARY_PATH": str(folder / "lib64"),
    }


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
            problems.append(plain("package", said, "warning"))
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


def entry_problems(
    framework: Framework, ascend: Ascend, project: Path, python: Path, work: Path
) -> Iterator[Diagnostic]:
    """What is wrong with the project's entries, each at its line; `work` is for what is generated.

    Their aclnn operators are looked up where processes of `python` find packages.
    """
    for number, path in enumerate(ascend.entries):
        try:
            entries = framework.examine_entries(python, project / path, work / str(number))
        except EnvironmentFailed as error:
            yield plain(framework.entry_generator, str(error), "warning")
            continue
        for entry in entries:
            for problem in entry.problems:
                message = f"entry {entry.name} for OpPlugin: {problem}"
                yield Diagnostic(
                    tool=framework.entry_generator,
                    severity="warning",
                    path=path,
                    line=entry.line,
                    column=None,
                    message=message,
                    cause=message,
                )
