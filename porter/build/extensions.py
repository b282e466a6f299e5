"""What a setup script says: its extension plan, captured without building (which units, which
flags), and the environment variables that name the device to build for."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from porter.build.diagnostics import parse
from porter.host import process
from porter.host.home import WORKERS
from porter.languages.data import read_bytes, read_syntax, read_table
from porter.model import Device, Diagnostic, Step
from porter.targets.protocol import Environment, Framework

_CAPTURE = WORKERS / "capture_setup.py"
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu")
# Conventional names; only those that the build script reads are ever set.
_CPU_ONLY = re.compile(r"(?:^|_)(?:FORCE_(?:ONLY_)?CPU|(?:FORCE_)?CPU_ONLY|ONLY_CPU)$")
_NO_CUDA = re.compile(r"(?:^|_)(?:FORCE_)?(?:NO|DISABLE|SKIP|WITHOUT)_CUDA(?:_EXT|_BUILD)?$")
_CUDA = re.compile(r"(?:^|_)(?:USE|WITH|ENABLE|BUILD|FORCE)_CUDA(?:_EXT|_BUILD)?$")
_CMAKE_OPTIONS = re.compile(r"(?:^|_)CMAKE_(?:ARGS|FLAGS|OPTIONS)$")
_WORDS_OF_CMAKE = re.compile(r"\w+")
_READERS = {"getenv", "get", "environ", "pop", "setdefault"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileUnit:
    """One source of one extension, with the flags that the setup script gives it."""

    path: str  # from the root of the project
    extension: str
    flags: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()  # from the root of the project, or absolute
    defines: tuple[str, ...] = ()
    for_cuda: bool = False  # of an extension that is built for CUDA, with kernels or without

    @property
    def cuda(self) -> bool:
        return self.path.endswith(".cu")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPlan:
    """The units of a project; no units go with a reason."""

    units: tuple[CompileUnit, ...] = ()
    reason: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def has_cuda(self) -> bool:
        return any(unit.cuda or unit.for_cuda for unit in self.units)


def capture(
    project: Path,
    environment: Environment,
    framework: Framework,
    device: Device,
    logs: Path,
    variables: Mapping[str, str] | None = None,
) -> UnitPlan:
    """The units that a project's setup script describes for a device.

    Runs the script (in `project`, which should be a copy) with setup() replaced; builds nothing.
    """
    if not (project / "setup.py").is_file():
        return UnitPlan(reason="no setup.py: the units of other build systems are not known")
    out = logs / "extensions.json"
    out.unlink(missing_ok=True)
    argv = (str(environment.python), str(_CAPTURE), framework.prelude, device.value, str(out))
    added = {
        **environment.variables(),
        **framework.activation,
        **switches(project, ("setup.py",), device),
        **(variables or {}),
    }
    step = Step(
        name="capture",
        argv=argv,
        cwd=str(project),
        environment=added,
        timeout=300,
        writable=(str(project), str(logs)),
    )
    result = process.run(step, logs / "capture.log")
    try:
        return _plan(read_table(out.read_text(errors="replace")), project)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # the script may write it
        said = "did not end" if result.timed_out else f"ended with {result.returncode}"
        return UnitPlan(reason=f"the setup script {said} before it described its extensions")


def _plan(data: Mapping[str, Any], project: Path) -> UnitPlan:
    """What the worker wrote. Raises KeyError, TypeError or AttributeError for anything else."""
    if data["error"]:
        found = parse(data["error"], project)
        told = found[-1].cause if found else data["error"].strip().splitlines()[-1]
        return UnitPlan(reason=f"the setup script fails: {told}", diagnostics=found)
    host = tuple(data.get("host_defines", ()))
    units = tuple(u for extension in data["extensions"] for u in _units(extension, project, host))
    return UnitPlan(units=units, reason="" if units else "the setup script describes no extension")


def _units(
    extension: Mapping[str, Any], project: Path, host: tuple[str, ...]
) -> Iterator[CompileUnit]:
    arguments = extension["arguments"]
    leaf = extension["name"].rpartition(".")[2]
    defines = tuple(f"-D{'='.join(macro)}" for macro in extension["macros"])
    for source in (relative_to_project(path, project) for path in extension["sources"]):
        if not source.endswith(SOURCES):
            continue
        cuda = source.endswith(".cu")
        flags = arguments.get("nvcc" if cuda else "cxx", ())
        yield CompileUnit(
            path=source,
            extension=extension["name"],
            flags=tuple(_usable(flags)),
            includes=tuple(
                relative_to_project(folder, project) for folder in extension["include_dirs"]
            ),
            defines=(*(() if cuda else host), *defines, f"-DTORCH_EXTENSION_NAME={leaf}"),
            for_cuda=extension["class"] == "CUDAExtension",
        )


def relative_to_project(path: str, project: Path) -> str:
    """A path from the root of the project where it is in it, else absolute."""
    full = Path(os.path.normpath(project / path))
    if full.is_relative_to(project):
        return PurePosixPath(full.relative_to(project)).as_posix()
    real = project.resolve()
    return full.relative_to(real).as_posix() if full.is_relative_to(real) else str(full)


def _usable(flags: Iterable[str]) -> Iterator[str]:
    """A script's flags without those that set the number of nvcc's threads: porter shares cores."""
    skip = False
    for flag in flags:
        if skip:
            skip = False
        elif flag in ("-t", "--threads"):
            skip = True
        elif not flag.startswith(("--threads=", "-t=")):
            yield flag


def switches(root: Path, scripts: Iterable[str], device: Device) -> dict[str, str]:
    """The switches among the variables that the build scripts read, set for a device.

    A variable with options of CMake turns off those of a CMakeLists.txt that are named like a
    switch for CUDA; it names a build type, which scripts give only where the variable is empty.
    """
    names = {name: root / script for script in scripts for name in read_variables(root / script)}
    found = {name: _setting(name, device) for name in sorted(names)}
    for name, script in names.items():
        if device is Device.CPU and _CMAKE_OPTIONS.search(name):
            off = _cuda_options(script.with_name("CMakeLists.txt"))
            found[name] = " ".join(("-DCMAKE_BUILD_TYPE=Release", *off)) if off else None
    return {name: setting for name, setting in found.items() if setting is not None}


def _cuda_options(path: Path) -> list[str]:
    """What turns off CUDA for CMake, where a file has an option for it."""
    text = read_bytes(path).decode(errors="replace") if path.is_file() else ""
    return [
        f"-D{word}=OFF"
        for word in sorted(set(_WORDS_OF_CMAKE.findall(text)))
        if _CUDA.search(word) and not word.startswith("_")
    ]


def _setting(name: str, device: Device) -> str | None:
    cpu = device is Device.CPU
    if _CPU_ONLY.search(name) or _NO_CUDA.search(name):
        return "1" if cpu else None
    if _CUDA.search(name):
        return "0" if cpu else "1"
    return None


def read_variables(script: Path) -> frozenset[str]:
    """Names of environment variables that a Python file reads, as far as they are literal."""
    try:
        tree = read_syntax(script.read_bytes())
    except (OSError, SyntaxError, ValueError):  # nothing can be said: nothing is set
        return frozenset()
    return frozenset(_names(tree))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            reader = node.func
            last = reader.attr if isinstance(reader, ast.Attribute) else getattr(reader, "id", "")
            # Build scripts often wrap os.getenv in a function of their own: `env_flag("NAME")`.
            if last in _READERS or "env" in last.lower():
                yield from _literal(node.args[0])
        elif isinstance(node, ast.Subscript) and _is_environ(node.value):
            yield from _literal(node.slice)
        elif isinstance(node, ast.Compare) and any(map(_is_environ, node.comparators)):
            yield from _literal(node.left)


def _is_environ(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "environ"


def _literal(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
