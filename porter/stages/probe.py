"""The compiler as finder: which C++ parts a tree uses, and what is still missing with them."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from porter import targets
from porter.build import cmake_units, compiler, requirements
from porter.build.cell import Options as CellOptions
from porter.build.cell import copy_tree, variables
from porter.build.diagnostics import plain
from porter.build.environment import overlay
from porter.build.extensions import CompileUnit, UnitPlan, capture
from porter.build.units import Compilers, compilers
from porter.build.vendored import merged
from porter.errors import PorterError
from porter.model import (
    Cell,
    Device,
    Diagnostic,
    Evidence,
    FilePatch,
    Language,
    Missing,
    ProjectFacts,
    Residue,
    State,
    Tree,
    UnitResult,
)
from porter.run.record import Run, RunRecord
from porter.stages import environments, guessed
from porter.stages.options import Options, Progress
from porter.surface.facts import note
from porter.targets.protocol import CompileArguments, Environment, Framework
from porter.unit.installed import in_headers
from porter.unit.native import Seen
from porter.unit.parts import Part, absent, leaf, vendored
from porter.unit.render import render

if TYPE_CHECKING:
    from porter.build.syntax import Checked

    Looked = Mapping[Device, tuple[Checked, ...]]


_QUALIFIED = re.compile(r"\b[A-Za-z_]\w*(?:::\w+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A copy of the patched tree, and what compiles its units against the target's headers."""

    folder: Path
    project: Path
    environment: Environment
    framework: Framework
    units: Mapping[Device, tuple[CompileUnit, ...]]
    reasons: tuple[str, ...]  # why there are none of a device
    tools: Mapping[Device, Compilers]
    created: tuple[str, ...]  # files that the patches it was prepared with add
    jobs: int
    timeout: float
    progress: Progress

    def find(self, parts: Sequence[Part]) -> Looked | str:
        """Every unit compiled with all the parts; or why that is not known."""
        own, out = self.folder / "all" / "own", self.folder / "all" / "include"
        shutil.rmtree(own.parent, ignore_errors=True)
        compat = self._arguments().compat
        lacking = absent(parts, compat)
        for path, text in render(
            lacking, marked=True, installed=in_headers(lacking, compat)
        ).items():
            (own / path).parent.mkdir(parents=True, exist_ok=True)
            (own / path).write_text(text)
        try:
            vendored()["write"](str(out), str(own), compat)
        except SystemExit as refused:  # headers of a version that the pieces were not written for
            return f"the pieces do not fit this target's headers: {refused}"
        with self.progress.stage(f"find what {self.count} units use"):
            found = self._check([out], self.folder / "finding")
        if found and all(one.reason for units in found.values() for one in units):
            return "; ".join(unchecked(found))
        return found

    def seen(self, found: Looked, more: Iterable[str] = ()) -> Seen:
        """The parts that the units use, directly or by others, and `more` with what they use."""
        return Seen(closure(found, more), self._arguments().compat)

    def check(self, patches: Iterable[FilePatch]) -> Looked:
        """Every unit compiled in the tree with these patches, vendored unit and all.

        Raises EnvironmentFailed for a vendored unit that does not fit the target's headers.
        """
        patches = tuple(patches)
        for path in {*self.created} - {patch.path for patch in patches}:
            (self.project / path).unlink(missing_ok=True)
        write(patches, self.project)
        first = merged(self.project, self.environment, self._arguments(), self.folder)
        with self.progress.stage(f"check {self.count} units"):
            return self._check(first, self.folder / "checking")

    @property
    def count(self) -> int:
        return sum(len(units) for units in self.units.values())

    def _arguments(self) -> CompileArguments:
        return self.framework.compile_arguments(
            self.environment, cuda_source=False, device=Device.CPU
        )

    def _check(self, first: Sequence[Path], folder: Path) -> Looked:
        from porter.build.syntax import check_units

        return {
            device: check_units(
                self.project,
                units,
                self.environment,
                self.framework,
                first,
                folder / device,
                device=device,
                tools=self.tools[device],
                jobs=self.jobs or None,
                timeout=self.timeout,
                on_line=self.progress.line,
            )
            for device, units in self.units.items()
        }


def prepare(
    run: Run,
    kept: RunRecord,
    facts: ProjectFacts,
    patches: Sequence[FilePatch],
    options: Options,
    progress: Progress,
) -> Probe | str:
    """What a probe needs, made ready in a copy of the tree; or why there can be none."""
    try:
        compiler.require(facts)
        cell = Cell(Tree.PATCHED, kept.target or "", Device.CPU, Evidence.NATIVE)
        base = environments.base(run, kept, cell, options, progress)
    except PorterError as error:
        return str(error)
    folder = run.folder / "probe"
    tree = copy_tree(run.tree, folder / "tree")
    project = tree / (kept.source.subdir or "")
    write(patches, project)
    framework = targets.framework(cell.environment)
    headers = framework.compile_arguments(base, cuda_source=False, device=Device.CPU).compat
    if headers and not Path(headers).is_dir():
        return f"{base.framework} {base.version} of {base.python} has no C++ headers: no {headers}"
    environment = overlay(base, folder / "venv")
    logs = folder / "logs"
    if options.isolation:
        asked = requirements.build_requirements(project, environment)
        requirements.install(environment, asked, logs, "build-requirements", progress.line)
    units: dict[Device, tuple[CompileUnit, ...]] = {}
    tools: dict[Device, Compilers] = {}
    reasons = []
    for device in [Device.CPU, *([Device.CUDA] if "cuda" in facts.kernels else [])]:
        tools[device] = compilers(device, environment.python, logs, progress.line)
        plan = _captured(kept, facts, device, environment, project, logs, tools[device])
        own = [u for u in plan.units if device is Device.CUDA or not u.cuda]
        reason = plan.reason
        if own and device is Device.CUDA and not any(u.cuda for u in own):
            own, reason = [], "the build script, run for a GPU, compiles no CUDA source"
        reasons += [f"no units for {device}: {reason}"] if reason else []
        if own:
            units[device] = tuple(own)
    if not units:
        reasons += [_by_sight(units, tools, facts, project)]
    return Probe(
        folder=folder,
        project=project,
        environment=environment,
        framework=framework,
        units=units,
        reasons=tuple(reasons),
        tools=tools,
        created=tuple(patch.path for patch in patches if patch.before is None),
        jobs=options.jobs,
        timeout=options.timeout,
        progress=progress,
    )


def _by_sight(
    units: dict[Device, tuple[CompileUnit, ...]],
    tools: Mapping[Device, Compilers],
    facts: ProjectFacts,
    project: Path,
) -> str:
    """Fill in the units that the tree shows where no build script tells them; what was done."""
    nested = {posixpath.dirname(extension.path) for extension in facts.extensions} - {""}
    found = guessed.units(project, nested)
    for device in tools:
        own = tuple(u for u in found if device is Device.CUDA or not u.cuda)
        if not tools[device].reason and any(u.cuda or device is Device.CPU for u in own):
            units[device] = own
    if not units:
        return "no C++ source is of this project itself"
    return "the C++ sources in the tree are checked, with no flags of a build script"


def _captured(
    kept: RunRecord,
    facts: ProjectFacts,
    device: Device,
    environment: Environment,
    project: Path,
    logs: Path,
    tools: Compilers,
) -> UnitPlan:
    if tools.reason:
        return UnitPlan(reason=tools.reason)
    framework = targets.framework(environment.framework)
    cell = Cell(Tree.PATCHED, environment.framework, device, Evidence.NATIVE)
    own = CellOptions(build_scripts=facts.build_scripts)
    added = variables(project, cell, environment, framework, own)
    if tools.home:
        version = ".".join(map(str, tools.version))
        added |= {"CUDA_HOME": tools.home, "PORTER_CUDA_VERSION": version}
    plan = capture(project, environment, framework, device, logs, added)
    if plan.units or not any(project.glob("**/CMakeLists.txt")):
        return plan
    by_cmake = cmake_units.capture(project, environment, logs, added)
    return plan if plan.diagnostics and not by_cmake.units else by_cmake


def write(patches: Iterable[FilePatch], project: Path) -> None:
    """Patches written into a tree of porter's own."""
    for patch in patches:
        path = project / patch.path
        if patch.after is None:
            path.unlink(missing_ok=True)
        else:
            path.unlink(missing_ok=True)  # a link there could lead anywhere
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(patch.after)


def closure(found: Looked, more: Iterable[str] = ()) -> frozenset[str]:
    """The parts that units use, `more`, and those that these use in turn."""
    checked = [one for units in found.values() for one in units]
    follow: dict[str, set[str]] = {}
    for one in checked:
        for user, needed in one.edges:
            follow.setdefault(user, set()).add(needed)
    reached: set[str] = set()
    todo = [*more, *(part for one in checked for part in one.used)]
    while todo:
        part = todo.pop()
        if part not in reached:
            reached.add(part)
            todo += follow.get(part, ())
    return frozenset(reached)


def pruned(found: Looked, checked: Looked, parts: Iterable[Part]) -> frozenset[str]:
    """The parts that errors name which units have when `checked` with the parts in use, and had
    not when `found` with all: compilers do not tell of every use (nvcc of none of a constructor
    by `{0}`)."""
    before = {
        (device, one.path, error)
        for device, units in found.items()
        for one in units
        for error in one.diagnostics
    }
    lost = [
        error
        for device, units in checked.items()
        for one in units
        for error in one.diagnostics
        if error.severity == "error" and (device, one.path, error) not in before
    ]
    names = {error.name for error in lost if error.name}
    spelled = {name for error in lost for name in _QUALIFIED.findall(error.message)}
    return frozenset(
        part.id
        for part in parts
        if not part.loose
        and (leaf(part) in names or spelled & {*part.names} or _converts(part, spelled))
    )


def _converts(part: Part, classes: Collection[str]) -> bool:
    """Whether a part makes an object of one of these classes, or something else of one."""
    name = leaf(part)
    return "::".join(part.scope) in classes and (
        name == part.scope[-1] or name.startswith("operator ")
    )


def lacking(found: Looked) -> tuple[Missing, ...]:
    """What the compiler did not find, by cause, the most frequent first."""
    causes: dict[str, list[Diagnostic]] = {}
    for item in _errors(found):
        causes.setdefault(_named(item), []).append(item)
    return tuple(
        Missing(
            name=name,
            language=Language.CPP,
            uses=len(items),
            state=State.MISSING,
            facts=(note(items[0].cause),),
        )
        for name, items in sorted(causes.items(), key=lambda row: -len(row[1]))
    )


def residue(found: Looked) -> tuple[Residue, ...]:
    """Every place in the repository that the compiler refuses."""
    places: dict[tuple[str, int, int, str], Diagnostic] = {}
    nameless: set[tuple[str, str]] = set()  # a parser stumbles on over what it does not know
    for item in _errors(found):
        again = item.name is None and (item.path, item.cause) in nameless
        if item.path and not Path(item.path).is_absolute() and not again:
            places[(item.path, item.line, item.column or 1, _named(item))] = item
            nameless.add((item.path, item.cause))
    return tuple(
        Residue(
            path=path,
            line=line,
            column=column,
            name=name,
            reason=f"the compiler: {item.message}",
            state=State.MISSING,
        )
        for (path, line, column, name), item in sorted(places.items())
    )


def units(found: Looked, device: Device = Device.CPU) -> tuple[UnitResult, ...]:
    """The units of the build for a device as they fared."""
    return tuple(
        UnitResult(
            path=one.path,
            extension=one.extension,
            ok=one.ok,
            seconds=one.seconds,
            diagnostics=((plain("compiler", one.reason),) if one.reason else ()) + one.diagnostics,
        )
        for one in found.get(device, ())
    )


def unchecked(found: Looked) -> tuple[str, ...]:
    """Why units were not checked, or not to their end, each reason once, with an example."""
    whys: dict[str, dict[str, None]] = {}
    for one in (one for units in found.values() for one in units):
        if one.reason:
            whys.setdefault(one.reason, {})[one.path] = None
    return tuple(
        f"{why}: {', '.join([*paths][:3])}"
        + (f" and {len(paths) - 3} more units" if len(paths) > 3 else "")
        for why, paths in whys.items()
    )


def _errors(found: Looked) -> Iterable[Diagnostic]:
    checked = [one for units in found.values() for one in units]
    return dict.fromkeys(d for one in checked for d in one.diagnostics if d.severity == "error")


def _named(item: Diagnostic) -> str:
    """The name that is missing, in its scope; the cause where there is none."""
    if item.name is None:
        return item.cause
    if item.cause.startswith("missing header"):
        return f"<{item.name}>"
    return f"{item.scope.strip(':')}::{item.name}" if item.scope else item.name
