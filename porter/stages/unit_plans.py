"""The units of a tree: those that its build scripts describe, or that its sources show."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter import targets
from porter.build import cmake_units
from porter.build.cell import Options as CellOptions
from porter.build.cell import projects, variables
from porter.build.extensions import (
    SOURCES,
    CompileUnit,
    UnitPlan,
    capture,
    relative_to_project,
)
from porter.build.units import Compilers
from porter.model import UNIT, Cell, Device, Evidence, Language, ProjectFacts, Role, Tree
from porter.survey.discover import discover
from porter.targets.protocol import Environment

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_TORCH = re.compile(rb"\b(?:torch|ATen|c10)\b|\bat::")
_CUDA = re.compile(r"(?:ATen|c10)/cuda/|THC/|cu(?:da|blas|dnn|fft|rand|solver|sparse)[\w./]*\.h$")
_GUARD = re.compile(rb"#[ \t]*ifndef[ \t]+(\w+)\s+#[ \t]*define[ \t]+\1\b")
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:(if)|(endif)|include[ \t]*[<\"]([^>\"\n]+)[>\"])", re.MULTILINE
)


def capture_units(
    facts: ProjectFacts,
    device: Device,
    environment: Environment,
    project: Path,
    logs: Path,
    tools: Compilers,
) -> UnitPlan:
    """The units of every project of the tree, with paths from its root."""
    if tools.reason:
        return UnitPlan(reason=tools.reason)
    options = CellOptions(
        build_scripts=facts.build_scripts,
        packages=tuple(package.path for package in facts.packages),
    )
    cell = Cell(Tree.PATCHED, environment.framework, device, Evidence.NATIVE)
    folders = projects(project, options)
    plans = []
    for number, folder in enumerate(folders if len(folders) > 1 or any(folders) else ()):
        within = logs / f"project-{number}"
        plan = _capture_project(cell, environment, project / folder, within, tools, options)
        plans.append(
            replace(plan, units=tuple(_move(unit, folder, project) for unit in plan.units))
        )
    if not any(plan.units for plan in plans):
        plans.append(_capture_project(cell, environment, project, logs, tools, options))
    units = tuple(unit for plan in plans for unit in plan.units)
    reasons = [plan.reason for plan in plans if plan.reason]
    return UnitPlan(
        units=units,
        reason=reasons[-1] if reasons and not units else "",
        diagnostics=tuple(item for plan in plans for item in plan.diagnostics),
    )


def _capture_project(
    cell: Cell,
    environment: Environment,
    project: Path,
    logs: Path,
    tools: Compilers,
    options: CellOptions,
) -> UnitPlan:
    """The units of one build script, or of CMake's files beside it."""
    framework = targets.framework(environment.framework)
    added = variables(project, cell, environment, framework, options)
    if tools.home:
        version = ".".join(map(str, tools.version))
        added |= {"CUDA_HOME": tools.home, "PORTER_CUDA_VERSION": version}
    logs.mkdir(parents=True, exist_ok=True)
    plan = capture(project, environment, framework, cell.device, logs, added)
    if plan.units or not any(project.glob("**/CMakeLists.txt")):
        return plan
    by_cmake = cmake_units.capture(project, environment, logs, added)
    return plan if plan.diagnostics and not by_cmake.units else by_cmake


def _move(unit: CompileUnit, folder: str, root: Path) -> CompileUnit:
    """A unit of a project in a folder, with its paths from the root of the tree."""

    def moved(path: str) -> str:
        return relative_to_project(posixpath.join(folder, path), root)

    flags = (f"-I{moved(f[2:])}" if re.match(r"-I[^/]", f) else f for f in unit.flags)
    includes = tuple(moved(path) for path in unit.includes)
    return replace(unit, path=moved(unit.path), includes=includes, flags=tuple(flags))


def guess_units(
    project: Path, but: Iterable[str] = (), exclude: Sequence[str] = ()
) -> tuple[CompileUnit, ...]:
    """A unit for each C++ and CUDA source of the library that names torch, with the include
    folders in which the tree has what its files include; none for those below folders in `but`.
    It is for CUDA if it includes, under no condition, a header that only a CUDA toolkit brings.
    """
    apart = tuple(f"{folder}/" for folder in but)
    native = [
        file
        for file in discover(project, exclude=exclude).files
        if file.language is Language.CPP
        and not file.path.startswith(apart)
        and UNIT not in file.path.split("/")  # a build's copy of it, say
    ]
    content = {file.path: (project / file.path).read_bytes() for file in native}
    folders = _include_folders(content)
    below = _by_name(content)
    return tuple(
        CompileUnit(
            path=file.path,
            extension="",
            includes=folders,
            for_cuda=file.path.endswith(".cu") or _needs_cuda(file.path, content, below),
        )
        for file in native
        if file.role is Role.LIBRARY
        and file.path.endswith(SOURCES)
        and _TORCH.search(content[file.path])
    )


def _include_folders(content: Mapping[str, bytes]) -> tuple[str, ...]:
    """Folders from which files are included by a path that is not beside those that do so."""
    below = _by_name(content)
    found: dict[str, None] = {}
    for path, data in content.items():
        for match in _INCLUDE.finditer(data):
            name = match[1].decode("utf-8", "replace")
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            homes = [
                p for p in below.get(posixpath.basename(name), ()) if f"/{p}".endswith(f"/{name}")
            ]
            if beside not in content and homes:
                found[min(homes, key=len).removesuffix(name).rstrip("/") or "."] = None
    return tuple(found)


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    below: dict[str, list[str]] = {}
    for path in paths:
        below.setdefault(posixpath.basename(path), []).append(path)
    return below


def _needs_cuda(path: str, content: Mapping[str, bytes], below: Mapping[str, list[str]]) -> bool:
    """Whether a file, or one of the tree that it includes, always includes a header of CUDA."""
    seen, waiting = set(), [path]
    while waiting:
        at = waiting.pop()
        seen.add(at)
        for name in _unconditional_includes(content[at]):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(at), name))
            named = below.get(posixpath.basename(name), ())
            homes = [p for p in named if p == beside or f"/{p}".endswith(f"/{name}")]
            if not homes and _CUDA.match(name):
                return True
            waiting += [home for home in homes[:1] if home not in seen]
    return False


def _unconditional_includes(data: bytes) -> Iterator[str]:
    """The headers that a file includes under no condition but its own include guard."""
    depth = -1 if _GUARD.search(data) else 0
    for opens, closes, header in _DIRECTIVE.findall(data):
        depth += bool(opens) - bool(closes)
        if header and depth <= 0:
            yield header.decode("utf-8", "replace")
