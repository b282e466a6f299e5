"""The environments of a run: the user's own where they named them, else porter's."""

from __future__ import annotations

from pathlib import Path

from porter import targets
from porter.build import environment
from porter.errors import EnvironmentFailed
from porter.model import Cell, Device, Evidence
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages.options import Options, Progress
from porter.targets import Environment


def base(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> Environment:
    """The base environment of a cell. Raises NetworkError, EnvironmentFailed."""
    framework = targets.framework(cell.environment)
    named = own(kept, cell, options)
    if named is not None:
        return _fit(environment.use(named, framework, run.logs), cell)
    of_target = framework.name == kept.target
    version = (kept.target_version if of_target else None) or framework.default_version
    # Objects need no device, and the emulated one is given to a CPU build, which has the headers.
    device = cell.device if cell.evidence is Evidence.NATIVE else Device.CPU
    spec = framework.environment(version, device)
    ready = environment.cached(spec)
    if ready is not None:
        return ready
    with progress.stage(f"environment {framework.name} {version}, {device}"):
        return environment.prepare(spec, framework, progress.line)


def own(kept: RunRecord, cell: Cell, options: Options) -> Path | None:
    """The interpreter that the user named for a cell."""
    of_target = cell.environment == kept.target
    return options.target_python if of_target else options.source_python


def _fit(own: Environment, cell: Cell) -> Environment:
    if cell.evidence is Evidence.NATIVE and cell.device is Device.CUDA and own.build == "cpu":
        raise EnvironmentFailed(
            f"{own.python} has a CPU build of {own.framework}, which cannot run on {cell.device}",
            hint="name an interpreter with a GPU build: see docs/how-to/gpu.md",
        )
    if cell.evidence is Evidence.EMULATED and own.build not in ("cpu", "npu"):
        raise EnvironmentFailed(
            f"{own.python} has a {own.build} build of {own.framework}: only CPU ones can emulate",
            hint="leave the interpreter out: porter makes one",
        )
    return own
