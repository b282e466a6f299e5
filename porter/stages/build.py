"""build: the tree under torch, the patched tree under both frameworks, one cell after another."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from porter import targets
from porter.build import driver
from porter.build.driver import Options as BuildOptions
from porter.errors import UsageError
from porter.model import BuildResult, Cell, Device, Evidence, Stage, Status, Style, Tree
from porter.record import Run, RunRecord
from porter.stages import environments, submodules
from porter.stages.options import Options, Progress
from porter.targets import Environment


def build(run: Run, options: Options, progress: Progress) -> RunRecord:
    """Build every cell of the run that has not been built; saved after each one.

    Raises UsageError before migrate, NetworkError and EnvironmentFailed.
    """
    kept = run.load()
    if kept.stage("migrate") is None:
        raise UsageError("nothing is migrated yet in this run", hint="first `porter migrate`")
    began = time.monotonic()
    if any(result_of(kept, cell) is None for cell in planned(kept)):
        kept = run.save(submodules.bring(run, kept, progress))
    for cell in planned(kept):
        if result_of(kept, cell) is None:
            result = _build(run, kept, cell, options, progress)
            kept = run.save(dataclasses.replace(kept, builds=(*kept.builds, result)))
    status = Status.OK if works(kept) else Status.FAILED
    seconds = time.monotonic() - began
    return run.save(kept.with_stage(Stage(name="build", status=status, seconds=seconds)))


def planned(kept: RunRecord) -> tuple[Cell, ...]:
    """Every cell to build: those that run on the CPU, and CUDA units as objects."""
    native = cells(kept)
    if kept.facts is None or "cuda" not in kept.facts.kernels:
        return native
    return (*native, Cell(Tree.PATCHED, kept.target or "", Device.CUDA, Evidence.COMPILED))


def cells(kept: RunRecord, device: Device = Device.CPU) -> tuple[Cell, ...]:
    """The cells that are built and run on a device: source before and after, then target."""
    sides = [
        (Tree.UNPATCHED, targets.SOURCE.name),
        (Tree.PATCHED, targets.SOURCE.name),
        (Tree.PATCHED, kept.target or ""),
    ]
    if kept.style is Style.FORK:  # a fork serves the target only
        del sides[1]
    return tuple(Cell(tree, name, device, Evidence.NATIVE) for tree, name in sides)


def result_of(kept: RunRecord, cell: Cell) -> BuildResult | None:
    return next((build for build in kept.builds if build.cell == cell), None)


def works(kept: RunRecord) -> bool:
    """Whether every build did what it could; what was skipped for a stated reason is no failure."""
    return all(b.status in (Status.OK, Status.SKIPPED) for b in kept.builds)


def folder_of(run: Run, cell: Cell) -> Path:
    """Where a cell is built: its tree, overlay and logs."""
    return run.folder / "cells" / driver.cell_name(cell)


def base_of(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> Environment:
    if cell.environment == targets.SOURCE.name:
        return environments.source(run, options, progress)
    return environments.target(run, kept, options, progress)


def _build(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> BuildResult:
    base = base_of(run, kept, cell, options, progress)
    framework = targets.framework(cell.environment)
    verb = "compile the units of" if cell.evidence is Evidence.COMPILED else "build"
    label = f"{verb} the {cell.tree} tree, {base.framework} {base.version}, {cell.device}"
    with progress.stage(label):
        return driver.build(
            run.tree if cell.tree is Tree.PATCHED else run.base,
            cell,
            base,
            framework,
            folder_of(run, cell),
            _options(kept, options),
            progress.line,
        )


def _options(kept: RunRecord, options: Options) -> BuildOptions:
    scripts = kept.facts.build_scripts if kept.facts else ()
    prefix = f"{kept.source.subdir}/" if kept.source.subdir else ""
    return BuildOptions(
        subdir=kept.source.subdir or "",
        build_scripts=tuple(prefix + script for script in scripts),
        jobs=options.jobs,
        timeout=options.timeout,
    )
