"""The units of a CMake build: configured as the project's own build does it, then stopped."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from porter.build import compat, pip
from porter.build.diagnostics import parse
from porter.build.extensions import CompileUnit, UnitPlan, relative_to_project
from porter.host import process
from porter.languages.data import read_bytes, read_json
from porter.model import COMPAT, UNIT, Language, Step
from porter.survey.markers import uses_torch
from porter.targets.protocol import Environment

# Stands before cmake: configures, keeps the list of commands, and refuses to compile.
_WRAPPER = """#!/bin/sh
for word in "$@"; do
  case "$word" in --build|--install) exit 1 ;; -E|-P|--version) exec {real} "$@" ;; esac
done
folder=. next=
for word in "$@"; do
  if [ -n "$next" ]; then folder=$word next=
  else case "$word" in -B) next=1 ;; -B*) folder=${{word#-B}} ;; esac; fi
done
{real} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON {options} "$@" || exit $?
cp "$folder/compile_commands.json" {out}/$$.json 2>/dev/null
exit 0
"""
_SKIPPED = frozenset({"-c", "-o", "-MF", "-MT", "-MQ"})
_ALONE = frozenset({"-MD", "-MMD", "-MP"})
# As a unit writes them for CMake, or the package keeps them: porter has its own.
_MERGED = re.compile(rf"/porter_torch/include$|/{COMPAT}/[^/]+/include-\w+$")


def variables(project: Path, environment: Environment, logs: Path) -> dict[str, str]:
    """What tells CMake, and the interpreters that it starts, of the package for Torch where no
    build script does: of that in a tree's vendored unit, or as `python -m porter_compat` does."""
    found = [f for f in sorted(project.rglob(f"{UNIT}/cmake")) if not _is_run(f.parent)]
    if found:
        return {"Torch_DIR": f"{found[0]}/Torch", "PYTHONPATH": str(found[0])}
    if compat.is_installed(environment) and any(map(_finds_torch, project.rglob("CMakeLists.txt"))):
        return compat.variables(environment, project, logs)
    return {}


def _finds_torch(path: Path) -> bool:
    return path.is_file() and uses_torch(read_bytes(path), Language.CMAKE)


def _is_run(unit: Path) -> bool:
    return (unit / "enable.py").is_file()


def capture(
    project: Path, environment: Environment, logs: Path, added: Mapping[str, str]
) -> UnitPlan:
    """The units that CMake would compile for a project, configured by its own Python build, or
    by a plain `cmake` where it has none. Nothing is compiled."""
    real = shutil.which("cmake", path=added.get("PATH"))
    if real is None:
        return UnitPlan(reason="no cmake on PATH: the units of this build are not known")
    out = logs / "cmake"
    shutil.rmtree(out, ignore_errors=True)
    (out / "bin").mkdir(parents=True)
    wrapper = out / "bin" / "cmake"
    pythons = ("Python_EXECUTABLE", "Python3_EXECUTABLE", "PYTHON_EXECUTABLE")
    options = " ".join(shlex.quote(f"-D{name}={environment.python}") for name in pythons)
    text = _WRAPPER.format(real=shlex.quote(real), options=options, out=shlex.quote(str(out)))
    wrapper.write_text(text)
    wrapper.chmod(0o755)
    path = os.pathsep.join([str(wrapper.parent), added.get("PATH", os.environ.get("PATH", ""))])
    result = process.run(_step(project, environment, out, {**added, "PATH": path}), out / "log")
    units = [u for file in sorted(out.glob("*.json")) for u in _units(file, project)]
    if units:
        return UnitPlan(units=tuple(dict.fromkeys(units)))
    found = parse(Path(result.log).read_text(errors="replace"), project)
    told = found[0].cause if found else "CMake described no unit"
    return UnitPlan(reason=told, diagnostics=found)


def _step(project: Path, environment: Environment, out: Path, added: Mapping[str, str]) -> Step:
    if (project / "setup.py").is_file() or (project / "pyproject.toml").is_file():
        wheel = ("wheel", "--no-build-isolation", "--no-deps", "-w", str(out / "wheel"), ".")
        return pip.step(
            environment.python,
            "configure",
            wheel,
            cwd=project,
            environment=added,
            timeout=900,
            writable=(project, out),
        )
    argv = ("cmake", "-S", str(project), "-B", str(out / "build"))
    return Step(
        name="configure",
        argv=argv,
        cwd=str(project),
        environment=added,
        timeout=900,
        writable=(str(project), str(out)),
    )


def _units(file: Path, project: Path) -> Iterator[CompileUnit]:
    try:
        listed = read_json(file.read_text(errors="replace"))
    except (OSError, ValueError):
        return
    for entry in listed if isinstance(listed, list) else ():
        try:
            words = [*map(str, entry.get("arguments") or shlex.split(entry["command"]))]
            folder = Path(entry["directory"])
            source = relative_to_project(str(folder / entry["file"]), project)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue  # nothing that CMake writes
        # what is generated or downloaded is not the repository's
        if not Path(source).is_absolute():
            yield _unit(source, folder, words[1:], project)


def _unit(source: str, folder: Path, words: list[str], project: Path) -> CompileUnit:
    includes, defines, flags = [], [], []
    todo = iter(words)
    for word in todo:
        if word in _SKIPPED:
            next(todo, None)
        elif word in ("-isystem", "-I"):
            includes.append(relative_to_project(str(folder / next(todo, "")), project))
        elif word.startswith("-I"):
            includes.append(relative_to_project(str(folder / word[2:]), project))
        elif word.startswith("-D"):
            defines.append(word)
        elif word not in _ALONE and not word.endswith(source):
            flags.append(word)
    return CompileUnit(
        path=source,
        extension=folder.name,
        flags=tuple(flags),
        includes=tuple(path for path in includes if not _MERGED.search(path)),
        defines=tuple(defines),
    )
