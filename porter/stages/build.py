"""build: the tree under torch and, as it is, under the target; the patched tree under both. Cells
of different frameworks are built side by side."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Sequence
from concurrent.futures import as_completed
from pathlib import Path

from porter import targets
from porter.build import compiler, driver, environment
from porter.errors import EnvironmentFailed, PorterError, UsageError
from porter.host import devices, threads
from porter.host.home import page
from porter.model import (
    BuildResult,
    Cell,
    Device,
    Evidence,
    Status,
    Tree,
)
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import cell_options, fixed, isolation, session, submodules
from porter.stages.options import Options, Progress
from porter.stages.side_by_side import group_cells, share_jobs
from porter.targets import Environment

Place = tuple[Device, Evidence]  # what is run on, and as what it counts


def build(run: Run, options: Options, progress: Progress) -> RunRecord:
    """Build every cell of the run that has not been built; saved after each one.

    Raises UsageError before migrate, and for a target that porter does not build for; NetworkError
    and EnvironmentFailed.
    """
    kept = run.load()
    session.require(kept, "build")
    if kept.stage("migrate") is None:
        raise UsageError("this run has not been migrated yet", hint="first `porter migrate`")
    if session.is_untouched(kept):
        return session.nothing_to_do(run, "build")
    began = session.begin_stage()
    progress.enter("build")
    kept = build_cells(run, plan_cells(kept, options), options, progress)
    status = Status.OK if works(kept) else Status.FAILED
    return run.save(session.end_stage(kept, "build", status, began))


def build_cells(
    run: Run, wanted: Sequence[Cell], options: Options, progress: Progress
) -> RunRecord:
    """Build those of the cells that have not been built; saved after each one."""
    kept = isolation.record_isolation(run, _apply_choices(run.load(), options), options, progress)
    if any(result_of(kept, cell) is None for cell in wanted):
        if kept.facts is not None:
            compiler.require(kept.facts)
        kept = run.save(submodules.bring_submodules(run, kept, progress))
    for group in group_cells([c for c in wanted if result_of(kept, c) is None], options):
        kept = _build_group(run, kept, group, options, progress)
    order = {cell: number for number, cell in enumerate(wanted)}
    builds = sorted(kept.builds, key=lambda result: order.get(result.cell, -1))
    return run.save(dataclasses.replace(kept, builds=tuple(builds)))


def _build_group(
    run: Run, kept: RunRecord, group: Sequence[Cell], options: Options, progress: Progress
) -> RunRecord:
    """The record with the results of cells that are built at once, saved after each one."""

    def add(result: BuildResult) -> None:
        nonlocal kept
        kept = run.save(dataclasses.replace(kept, builds=(*kept.builds, result)))
        if result.status not in (Status.OK, Status.SKIPPED):
            bad = sum(not unit.ok for unit in result.units)
            counted = f"{bad} of {len(result.units)} units do not compile" if bad else ""
            said = "; ".join(filter(None, (counted, result.reason)))
            progress.note(f"  {result.status}: {said}" if said else f"  {result.status}")

    bases: dict[Cell, Environment] = {}
    for cell in group:
        ready = _same(run, kept, cell) or _prepare(run, kept, cell, options, progress)
        if isinstance(ready, BuildResult):
            add(ready)
        else:
            bases[cell] = ready
    if not bases:
        return kept
    before, shared = kept, share_jobs(options, len(bases))

    def build_one(cell: Cell) -> BuildResult:
        return _build(run, before, cell, bases[cell], shared, progress)

    label = ", and ".join(f"the {cell.tree} tree, {_describe(bases[cell], cell)}" for cell in bases)
    compiled = any(cell.evidence is Evidence.COMPILED for cell in bases)
    verb = "compile the units of" if compiled else "build"
    with progress.stage(f"{verb} {label}"), threads.pool(len(bases)) as pool:
        for future in as_completed([pool.submit(build_one, cell) for cell in bases]):
            add(future.result())
    return kept


def _describe(base: Environment, cell: Cell) -> str:
    return f"{base.framework} {base.version}, {device_label(cell.device, cell.evidence)}"


def _same(run: Run, kept: RunRecord, cell: Cell) -> BuildResult | None:
    """What was built of the unpatched tree, of which the patched one is the same: its patch is
    empty."""
    folder = folder_of(run, cell)
    if folder.is_symlink():  # of an earlier patch
        folder.unlink()
    twin = dataclasses.replace(cell, tree=Tree.UNPATCHED)
    built = result_of(kept, twin)
    if cell == twin or built is None or built.status is not Status.OK:
        return None
    if kept.migration.patch is None or kept.migration.patch.files:
        return None
    shutil.rmtree(folder, ignore_errors=True)
    folder.symlink_to(folder_of(run, twin), target_is_directory=True)
    return dataclasses.replace(built, of=(), cell=cell)


def forget_failures(run: Run) -> None:
    """Builds that failed are built again; what was concluded from them no longer holds."""
    kept = run.load()
    good = tuple(b for b in kept.builds if b.status is not Status.FAILED)
    run.save(dataclasses.replace(kept, builds=good))


def _apply_choices(kept: RunRecord, options: Options) -> RunRecord:
    """The record with the user's interpreters and preparation; other builds are not of these."""
    sources = (targets.source(device).name for device in Device)
    pythons: dict[str, Path | None] = dict.fromkeys(sources, options.source_python)
    pythons[kept.target or ""] = options.target_python
    own = {name: str(python) for name, python in pythons.items() if python is not None}
    return dataclasses.replace(
        kept,
        pythons={**kept.pythons, **own},
        prepare=kept.prepare if options.prepare is None else options.prepare,
    )


def places(kept: RunRecord, options: Options) -> tuple[Place, ...]:
    """The devices to build for and run on, as far as this machine has or emulates them: those asked
    for, else the CPU, and those with kernels here that the user's own interpreters are for."""
    own = devices.devices_with_kernels(kept.kernels) if options.target_python else (Device.CPU,)
    stood_in = choose_emulated(kept) if options.emulated else ()
    wanted = requested_devices(kept, options) or own
    here = {*stood_in, *devices.present()} & {*targets.TARGETS[kept.target or ""].devices}
    return tuple(
        (device, Evidence.EMULATED if device in stood_in else Evidence.NATIVE)
        for device in wanted
        if device in here
    )


def requested_devices(kept: RunRecord, options: Options) -> tuple[Device, ...]:
    """The devices that the user asks for; none where porter is to choose."""
    stood_in = choose_emulated(kept) if options.emulated else ()
    return tuple(dict.fromkeys((*options.devices, *stood_in)))


def choose_emulated(kept: RunRecord) -> tuple[Device, ...]:
    """The accelerators that a CPU stands in for: those that this repository has kernels for, or
    the only one that the target is for."""
    offered = targets.TARGETS[kept.target or ""].devices
    if len(offered) == 1:
        return offered
    if kept.ascend is None:
        return tuple(device for device in (Device.CUDA,) if device in offered)
    cuda = Device.CUDA in devices.devices_with_kernels(kept.kernels)
    return (Device.CUDA, Device.NPU) if cuda else (Device.NPU,)


def plan_cells(kept: RunRecord, options: Options) -> tuple[Cell, ...]:
    """Every cell to build; CUDA units as objects where there is no GPU to run them on."""
    run_on = dict(places(kept, options))
    found = [cell for place in run_on.items() for cell in cells(kept, *place)]
    cuda = "cuda" in kept.kernels and Device.CUDA in targets.TARGETS[kept.target or ""].devices
    if cuda and Device.CUDA not in run_on and not options.offline:
        found.append(Cell(Tree.PATCHED, kept.target or "", Device.CUDA, Evidence.COMPILED))
    return tuple(found)


def cells(
    kept: RunRecord, device: Device, evidence: Evidence = Evidence.NATIVE
) -> tuple[Cell, ...]:
    """The cells that are built and run on a device: source, and target where it can be without
    the patch; then both with it."""
    first = baseline_cell(kept, device, evidence)
    target = Cell(Tree.PATCHED, kept.target or "", device, evidence)
    sides = [first, dataclasses.replace(first, tree=Tree.PATCHED), target]
    # A fork serves the target only, and so does what was ported to other devices.
    if kept.form.is_fork or first.device is not device:
        del sides[1]
    own = first.environment == kept.target  # nothing to port: the same tree on both sides
    if not kept.form.is_vendored and evidence is Evidence.NATIVE and not own:
        sides.insert(1, dataclasses.replace(target, tree=Tree.UNMODIFIED))
    return tuple(dict.fromkeys(sides))


def baseline_cell(kept: RunRecord, device: Device, evidence: Evidence) -> Cell:
    """Where operators run before they are ported to a device: under torch, on the same one; on an
    NPU under its own extension of torch, or, if there is nothing for NPUs yet, on CUDA. Code that
    uses no torch runs under the target only."""
    if kept.facts is not None and not kept.facts.uses_torch:
        return Cell(Tree.UNPATCHED, kept.target or "", device, evidence)
    if device is Device.NPU and kept.facts is not None and kept.facts.ascend is None:
        here = Device.CUDA in devices.present()
        device, evidence = Device.CUDA, Evidence.NATIVE if here else Evidence.EMULATED
    return Cell(Tree.UNPATCHED, targets.source(device).name, device, evidence)


def result_of(kept: RunRecord, cell: Cell) -> BuildResult | None:
    return next((build for build in kept.builds if build.cell == cell), None)


def works(kept: RunRecord) -> bool:
    """Whether every build did what it could; what was skipped for a stated reason is no failure,
    nor is an unmodified tree that does not build."""
    builds = (b for b in kept.builds if b.cell.tree is not Tree.UNMODIFIED)
    return all(b.status in (Status.OK, Status.SKIPPED) for b in builds)


def folder_of(run: Run, cell: Cell) -> Path:
    """Where a cell is built: its tree, overlay and logs."""
    return run.folder / "cells" / driver.cell_name(cell)


def _prepare(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> Environment | BuildResult:
    """What a cell is built in; or, where there is nothing to build it in, its result."""
    if options.offline and _own(kept, cell, options) is None:
        reason = f"no interpreter with {cell.environment} was given, and --offline creates none"
        return BuildResult(cell=cell, status=Status.SKIPPED, reason=reason)
    try:
        return environment_for(run, kept, cell, options, progress)
    except PorterError as error:
        if cell.device is Device.CPU or cell.device in requested_devices(kept, options):
            raise
        # An accelerator that nobody asked for must not stop what the CPU can show.
        return _skip_result(cell, error)


def _build(
    run: Run, kept: RunRecord, cell: Cell, base: Environment, options: Options, progress: Progress
) -> BuildResult:
    framework = targets.framework(cell.environment)
    of_port = run.tree if cell.tree is Tree.PATCHED else None
    wanted, folder = cell_options.options_of(kept, options, cell, of_port), folder_of(run, cell)

    def attempt(tree: Path) -> BuildResult:
        return driver.build(tree, cell, base, framework, folder, wanted, progress.line)

    try:
        return fixed.build(run, kept, attempt(of_port or run.base), attempt)
    except EnvironmentFailed as error:
        if cell.tree is not Tree.UNMODIFIED:
            raise
        return _skip_result(cell, error)  # nobody asked for it: the port does not need it


def _skip_result(cell: Cell, error: PorterError) -> BuildResult:
    return BuildResult(cell=cell, status=Status.SKIPPED, reason=f"{error} ({error.hint})")


def environment_for(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> Environment:
    """The base environment of a cell. Raises NetworkError, EnvironmentFailed."""
    framework = targets.framework(cell.environment)
    named = _own(kept, cell, options)
    if named is not None:
        return _fit(environment.use(named, framework, run.logs), cell)
    of_target = framework.name == kept.target
    version = (kept.target_version if of_target else None) or framework.default_version
    # Objects need no device, and the emulated one is given to a CPU build, which has the headers.
    device = cell.device if cell.evidence is Evidence.NATIVE else Device.CPU
    spec = framework.environment(version, device)
    ready = environment.find_cached(spec)
    if ready is not None:
        return ready
    with progress.stage(f"environment {framework.name} {version}, {device}"):
        return environment.prepare(spec, framework, progress.line)


def _own(kept: RunRecord, cell: Cell, options: Options) -> Path | None:
    """The interpreter that the user named for a cell."""
    of_target = cell.environment == kept.target
    return options.target_python if of_target else options.source_python


def _fit(own: Environment, cell: Cell) -> Environment:
    if cell.evidence is Evidence.NATIVE and cell.device is Device.CUDA and own.build == "cpu":
        raise EnvironmentFailed(
            f"{own.python} has a CPU build of {own.framework}, which cannot run on {cell.device}",
            hint=f"name an interpreter with a GPU build: see {page('how-to/gpu.md')}",
        )
    if cell.evidence is Evidence.EMULATED and own.build not in ("cpu", "npu"):
        raise EnvironmentFailed(
            f"{own.python} has a {own.build} build of {own.framework}: emulation needs a CPU build",
            hint="omit the interpreter: porter creates an environment",
        )
    return own


def device_label(device: Device, evidence: Evidence) -> str:
    """A device as messages name it."""
    return f"emulated {device}" if evidence is Evidence.EMULATED else device
