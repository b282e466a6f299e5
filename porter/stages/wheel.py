"""wheel: the patched tree as a wheel for users of the target, tried out where there is no torch."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

from porter import targets
from porter.build import environment, wheels
from porter.errors import EnvironmentFailed, UsageError
from porter.host.home import page
from porter.model import Cell, Evidence, PortedWheel, Status, Tree
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build, cell_options, session
from porter.stages.options import Options, Progress
from porter.targets.protocol import Target
from porter.unit import package


def wheel(run: Run, output: Path, options: Options, progress: Progress) -> PortedWheel:
    """Build a migrated run for the target, and put its wheel into the folder `output`.

    One that does not do stays in the run's folder. Raises UsageError where no such wheel is made,
    EnvironmentFailed where the tree does not build, and NetworkError.
    """
    kept = run.load()
    session.require(kept, "build")
    target = targets.TARGETS[kept.target or ""]
    if session.is_untouched(kept):
        raise UsageError("no file uses torch: the wheel is unchanged", hint="pip wheel .")
    if target.wheel_requires(kept.target_version or "", "", native=True) is None:
        raise UsageError(
            f"{target.title} is used with torch: a wheel for torch works", hint="pip wheel ."
        )
    cell = _cell(kept, options)
    kept = build.build_cells(run, (cell,), options, progress)
    built = build.result_of(kept, cell)
    if built is None or built.status is not Status.OK:
        raise EnvironmentFailed(
            f"the patched tree does not build for {target.title}: {built and built.reason}",
            hint="`porter build` shows the errors, `porter migrate` the remaining changes",
        )
    made = _make_wheel(run, kept, cell, target, options, progress)
    if made.problem:
        return made
    place = output / Path(made.path).name
    try:
        output.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made.path, place)
    except OSError as error:
        said = f"cannot write {place}: {error.strerror}"
        raise UsageError(said, hint="name a folder with --output") from error
    return dataclasses.replace(made, path=str(place))


def _cell(kept: RunRecord, options: Options) -> Cell:
    """Of the devices that this machine has and the user's interpreter is for, the last one."""
    own = [device for device, sort in build.places(kept, options) if sort is Evidence.NATIVE]
    if not own:
        raise UsageError(
            f"this machine has no device that {kept.target} is for",
            hint=f"make the wheel where there is one: see {page('how-to/gpu.md')}",
        )
    return Cell(Tree.PATCHED, kept.target or "", own[-1], Evidence.NATIVE)


def _make_wheel(
    run: Run, kept: RunRecord, cell: Cell, target: Target, options: Options, progress: Progress
) -> PortedWheel:
    """The wheel in the run's folder, with what was changed in it and how it fared."""
    base = build.environment_for(run, kept, cell, options, progress)
    folder = build.folder_of(run, cell)
    overlay, work = environment.open_overlay(base, folder / "venv"), folder / "wheel"
    chosen = cell_options.options_of(kept, options, cell, run.tree)
    with progress.stage(f"the wheel, {base.framework} {base.version}"):
        first = wheels.build(run.tree, cell, overlay, target, work, chosen, progress.line)
    with progress.stage("its requirements"):
        bare = environment.overlay(base, work / "venv")
        before = wheels.asks_for(first)
        asked = wheels.replace_torch(before, target, bare, work / "logs")
        own = target.wheel_requires(base.version, base.build, native=wheels.is_native(first)) or ()
        beside = [each for each in _package(target) if wheels.imports(first, each)]
        required = (*asked.kept, *own, *map(wheels.version_requirement, beside))
        final = wheels.rewrite(first, required, overlay, work)
    with progress.stage("installed over the bare target, and imported"):
        here = [Path(shutil.copy(each, work / "wheels")) for each in beside]
        trial = wheels.try_out(final, here, bare, target, work / "logs", progress.line)
    return PortedWheel(
        path=str(final),
        target=target.name,
        version=base.version,
        added=tuple(text for text in required if text not in before),
        removed=asked.removed,
        requires=required,
        installed=trial.installed,
        imported=trial.imported,
        after=trial.after,
        problem=trial.problem,
    )


def _package(target: Target) -> list[Path]:
    """The wheel of all that a target lacks, where it has such a package."""
    home = target.rules / target.pack
    return [package.wheel(home)] if (home / package.FOLDER).is_dir() else []
