"""The extension plan of a setup script, captured without building: which units, which flags."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from porter.build.diagnostics import parse
from porter.build.switches import switches
from porter.host import process
from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.model import Device, Diagnostic, Step
from porter.targets.protocol import Environment, Framework

_CAPTURE = WORKERS / "capture_setup.py"
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileUnit:
    """One source of one extension, with the flags that the setup script gives it."""

    path: str  # from the root of the project
    extension: str
    flags: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()  # from the root of the project, or absolute
    defines: tuple[str, ...] = ()

    @property
    def cuda(self) -> bool:
        return self.path.endswith(".cu")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPlan:
    """The units of a project; no units go with a reason."""

    units: tuple[CompileUnit, ...] = ()
    reason: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


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
    for source in (inside(path, project) for path in extension["sources"]):
        if not source.endswith(SOURCES):
            continue
        cuda = source.endswith(".cu")
        flags = arguments.get("nvcc" if cuda else "cxx", ())
        yield CompileUnit(
            path=source,
            extension=extension["name"],
            flags=tuple(_usable(flags)),
            includes=tuple(inside(folder, project) for folder in extension["include_dirs"]),
            defines=(*(() if cuda else host), *defines, f"-DTORCH_EXTENSION_NAME={leaf}"),
        )


def inside(path: str, project: Path) -> str:
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
