"""The compiler as finder: which C++ parts a tree uses, and what is still missing with them."""

from __future__ import annotations

import posixpath
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from porter import targets
from porter.build import compiler, packages, requirements
from porter.build.cell import copy_tree
from porter.build.environment import overlay
from porter.build.extensions import (
    CompileUnit,
)
from porter.build.units import Compilers, compilers
from porter.build.vendored import merge_headers
from porter.errors import PorterError
from porter.model import (
    Cell,
    Device,
    Evidence,
    FilePatch,
    ProjectFacts,
    Tree,
)
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build, cell_options, submodules
from porter.stages.checked import closure, every, explain_unchecked
from porter.stages.options import Options, Progress
from porter.stages.unit_plans import capture_units, guess_units
from porter.targets.protocol import CompileArguments, Environment, Framework
from porter.unit.installed import read_headers
from porter.unit.native import Seen
from porter.unit.parts import Part, absent, load_script
from porter.unit.render import render

if TYPE_CHECKING:
    from porter.stages.checked import Looked


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
    originals: dict[str, bytes | None]  # of the files patched so far; none of what patches add
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
            lacking, marked=True, installed=read_headers(lacking, compat)
        ).items():
            (own / path).parent.mkdir(parents=True, exist_ok=True)
            (own / path).write_text(text)
        try:
            load_script()["write"](str(out), str(own), compat)
        except SystemExit as refused:  # headers of a version that the pieces were not written for
            return f"the pieces do not fit this target's headers: {refused}"
        with self.progress.stage(f"check the names used in {self._count()} units"):
            found = self._check([out], self.folder / "finding")
        if found and all(one.reason for one in every(found)):
            return "; ".join(explain_unchecked(found))
        return found

    def compute_closure(self, found: Looked, more: Iterable[str] = ()) -> Seen:
        """The parts that the units use, directly or by others, and `more` with what they use."""
        return Seen(closure(found, more), self._arguments().compat)

    def check(self, patches: Iterable[FilePatch]) -> Looked:
        """Every unit compiled in the tree with these patches, vendored unit and all.

        Raises EnvironmentFailed for a vendored unit that does not fit the target's headers.
        """
        patches = tuple(patches)
        content = self.originals | {patch.path: patch.after for patch in patches}
        for patch in patches:
            self.originals.setdefault(patch.path, patch.before)
        write(content, self.project)
        first = merge_headers(self.project, self.environment, self._arguments(), self.folder)
        with self.progress.stage(f"check {self._count()} units"):
            return self._check(first, self.folder / "checking")

    def _count(self) -> int:
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
        base = build.environment_for(run, kept, cell, options, progress)
    except PorterError as error:
        return str(error)
    submodules.bring_submodules(run, kept, progress)  # what is not to be had the build notes
    folder = run.folder / "probe"
    tree = copy_tree(run.tree, folder / "tree")
    project = tree / (kept.source.subdir or "")
    write({patch.path: patch.after for patch in patches}, project)
    framework = targets.framework(cell.environment)
    headers = framework.compile_arguments(base, cuda_source=False, device=Device.CPU).compat
    if headers and not Path(headers).is_dir():
        return f"{base.framework} {base.version} of {base.python} has no C++ headers: no {headers}"
    environment = overlay(base, folder / "venv", cell_options.compat_wheel(kept, cell))
    logs = folder / "logs"
    if options.isolation:
        asked = requirements.build_requirements(project, environment)
        packages.install(environment, asked, logs, "build-requirements", progress.line)
    exclude = kept.analysis.scope.exclude
    devices = _devices(kept, facts, options)
    found = _find_units(facts, project, environment, devices, logs, progress, exclude)
    return Probe(
        folder=folder,
        project=project,
        environment=environment,
        framework=framework,
        units=found.units,
        reasons=tuple(found.reasons),
        tools=found.tools,
        originals={patch.path: patch.before for patch in patches},
        jobs=options.jobs,
        timeout=options.timeout,
        progress=progress,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """The units by device, the compilers that were looked for, and why there are no more."""

    units: dict[Device, tuple[CompileUnit, ...]] = field(default_factory=dict)
    tools: dict[Device, Compilers] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)


def _find_units(
    facts: ProjectFacts,
    project: Path,
    environment: Environment,
    devices: tuple[Sequence[Device], Sequence[Device]],
    logs: Path,
    progress: Progress,
    exclude: Sequence[str],
) -> _Found:
    """The units of the devices of the first sequence, and of those of the second where these have
    none."""
    units, tools, reasons = (found := _Found()).units, found.tools, found.reasons
    now, later = devices
    for device in (*now, *later):
        if device in later and units:
            break
        tools[device] = compilers(device, environment.python, logs, progress.line)
        plan = capture_units(facts, device, environment, project, logs, tools[device])
        own = [u for u in plan.units if device is Device.CUDA or not u.cuda]
        reason = plan.reason
        if own and device is Device.CUDA and not plan.has_cuda:
            own, reason = [], "the build script, run for a GPU, has no extension for it"
        reasons += [f"no units for {device}: {reason}"] if reason else []
        if own:
            units[device] = tuple(own)
    if not units:
        reasons += [_fill_in_guessed(units, tools, facts, project, exclude)]
    return found


def _devices(
    kept: RunRecord, facts: ProjectFacts, options: Options
) -> tuple[list[Device], list[Device]]:
    """Those whose units are read, and those where these are none: with a package no choice waits
    for units that a build compiles to objects."""
    if "cuda" not in facts.kernels:
        return [Device.CPU], []
    follow = options.objects_follow and not kept.form.is_vendored
    follow = follow and any(
        c.evidence is Evidence.COMPILED for c in build.plan_cells(kept, options)
    )
    return ([Device.CPU], [Device.CUDA]) if follow else ([Device.CPU, Device.CUDA], [])


def _fill_in_guessed(
    units: dict[Device, tuple[CompileUnit, ...]],
    tools: Mapping[Device, Compilers],
    facts: ProjectFacts,
    project: Path,
    exclude: Sequence[str],
) -> str:
    """Fill in the units that the tree shows where no build script tells them; what was done."""
    nested = {posixpath.dirname(extension.path) for extension in facts.extensions} - {""}
    found = guess_units(project, nested, exclude)
    for device in tools:
        own = tuple(u for u in found if device is Device.CUDA or not u.for_cuda)
        if not tools[device].reason and any(u.for_cuda or device is Device.CPU for u in own):
            units[device] = own
    if not units:
        return "no C++ source belongs to this project"
    return "the C++ sources in the tree are checked, with no flags of a build script"


def write(files: Mapping[str, bytes | None], project: Path) -> None:
    """Write files of a tree of porter's own, by path; remove those without content."""
    for name, content in files.items():
        path = project / name
        path.unlink(missing_ok=True)  # a link there could lead anywhere
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
