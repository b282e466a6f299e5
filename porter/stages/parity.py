"""The parity cases of a run: which, by whom, compared and timed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from porter.emulators import triton_cpu
from porter.errors import UsageError
from porter.host.home import page
from porter.model import (
    BuildResult,
    Cell,
    Cost,
    Device,
    Evidence,
    ParityCase,
    ParityResult,
    Status,
    Tree,
)
from porter.parity import bench as benchmark
from porter.parity import cases as parity_cases
from porter.parity import choice, goldens
from porter.parity.run import run_parity
from porter.parity.side import CASE_TIMEOUT, Side
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build
from porter.stages.options import Options, Progress

GOLDENS = "goldens"  # in the folder of a run that came in a bundle


def parity_only(
    run: Run, options: Options, progress: Progress, only: str = "", *, shrink: bool = True
) -> tuple[ParityResult, ...]:
    """The parity cases whose names fit the expression `only`; the record stays as it is.

    With `shrink` those that fail come with the smallest call that does. Builds what is not
    built. Raises UsageError before migrate, where there are no cases, and for an expression
    that is none.
    """
    cases, places = _choose_cases(run, options, only)
    kept = _build_for(run, cases, places, options, progress)
    return tuple(
        result
        for place in places.items()
        for result in compare_cases(run, kept, cases, *place, progress, shrink=shrink)
    )


def bench(run: Run, options: Options, progress: Progress, only: str = "") -> tuple[Cost, ...]:
    """What the calls of the parity cases cost on both sides; builds and raises as `parity_only`.

    Nothing is told of a device for which either side was not built.
    """
    cases, places = _choose_cases(run, options, only)
    kept = _build_for(run, cases, places, options, progress)
    costs: list[Cost] = []
    for device, evidence in places.items():
        if evidence is not Evidence.NATIVE:
            progress.note(f"  nothing to time on {device}: it is {evidence}")
            continue
        mine = cases_for_device(kept, cases, device, evidence)
        folder = run.folder / "bench" / device
        shutil.rmtree(folder, ignore_errors=True)
        source, target = sides(folder, kept, device, progress, options.timeout)
        if not mine or source is None or target is None:
            progress.note(f"  nothing to time on {device}: no case, or not built on both sides")
            continue
        with progress.stage(f"timing calls on {device}, alternating between sides"):
            costs += benchmark.bench(mine, device, source, target)
    return tuple(costs)


def _build_for(
    run: Run,
    cases: tuple[ParityCase, ...],
    places: dict[Device, Evidence],
    options: Options,
    progress: Progress,
) -> RunRecord:
    """The record with what these cases are run with built; the patched source is not."""
    kept = run.load()
    needed = [place for place in places.items() if cases_for_device(kept, cases, *place)]
    cells = [cell for place in needed for cell in _pair(kept, *place)]
    return build.build_cells(run, cells, options, progress)


def cases_for_device(
    kept: RunRecord, cases: tuple[ParityCase, ...], device: Device, evidence: Evidence
) -> list[ParityCase]:
    """The cases for a device, or for the one that the operators run on before they are ported."""
    wanted = {device, build.baseline_cell(kept, device, evidence).device}
    return [case for case in cases if wanted & {*case.devices}]


def sides(
    folder: Path,
    kept: RunRecord,
    device: Device,
    progress: Progress,
    timeout: float = CASE_TIMEOUT,
    evidence: Evidence = Evidence.NATIVE,
    tree: Tree = Tree.PATCHED,
) -> tuple[Side | None, Side | None]:
    """Both processes, as far as they were built, to be run in a folder; the target's is that of
    a tree, without a prelude where that is unmodified."""
    first = build.baseline_cell(kept, device, evidence)
    elsewhere = first.device if first.device is not device else None
    plugins = triton_cpu.plugins(kept.facts, device)

    def side(name: str, framework: str, python: Path | None) -> Side | None:
        if python is None:
            return None
        return Side.create(framework, name, python, folder, progress.line, plugins, timeout)

    before, after = interpreters(kept, device, evidence, tree)
    source, target = (
        side("source", first.environment, before),
        side("target", kept.target or "", after),
    )
    if target is not None and tree is Tree.UNMODIFIED:
        target = replace(target, prelude="")
    return source and replace(source, device=elsewhere), target


def _choose_cases(
    run: Run, options: Options, only: str
) -> tuple[tuple[ParityCase, ...], dict[Device, Evidence]]:
    """The cases and the devices to run them on. Raises UsageError where there are none."""
    cases = choice.choose(load(run, load_migrated(run), options), only)
    if not cases:
        raise UsageError(
            f"no parity case matches -k {only!r}" if only else f"no {parity_cases.FILE_NAME}",
            hint=f"see {page('reference/parity-cases.md')}",
        )
    places = dict(build.places(run.load(), options))
    if not any(cases_for_device(run.load(), cases, *place) for place in places.items()):
        raise UsageError(
            "no parity case applies to a device that is available and requested",
            hint="see --device, and their `devices`",
        )
    return cases, places


def load_migrated(run: Run) -> RunRecord:
    """The record of a run. Raises UsageError before migrate."""
    kept = run.load()
    if kept.stage("migrate") is None:
        raise UsageError(
            "this run has not been migrated yet: nothing to compare",
            hint="run `porter migrate` first; `porter port` does both",
        )
    return kept


def load(run: Run, kept: RunRecord, options: Options) -> tuple[ParityCase, ...]:
    """The parity cases of the user or of the repository; none where there is no file of them."""
    path = options.parity or run.tree / (kept.source.subdir or "") / parity_cases.FILE_NAME
    if options.parity is None and not path.is_file():
        return ()
    return parity_cases.load(path)


def compare_cases(
    run: Run,
    kept: RunRecord,
    cases: tuple[ParityCase, ...],
    device: Device,
    evidence: Evidence,
    progress: Progress,
    *,
    shrink: bool = False,
    tree: Tree = Tree.PATCHED,
) -> tuple[ParityResult, ...]:
    folder = run.folder / "parity" / device / tree
    source, target = sides(folder, kept, device, progress, evidence=evidence, tree=tree)
    recorded = run.folder / GOLDENS
    if source is None and target is not None and recorded.is_dir():
        return _replay(cases, recorded, target, device, progress)
    where = f"{build.device_label(device, evidence)}, {tree} tree"
    number = len(cases_for_device(kept, cases, device, evidence))
    with progress.stage(f"parity on {where}, {number} cases"):
        return run_parity(cases, (source, target), device, evidence, shrink=shrink)


def _replay(
    cases: tuple[ParityCase, ...], recorded: Path, target: Side, device: Device, progress: Progress
) -> tuple[ParityResult, ...]:
    """Where the source framework is not: the cases as far as they were recorded elsewhere."""
    shutil.rmtree(target.work, ignore_errors=True)
    target.work.mkdir(parents=True)
    said = goldens.read(recorded)
    with progress.stage(f"parity on {device} with what {said.environment} gave"):
        results = goldens.replay(recorded, target, device)
    names = {case.name for case in cases}
    return tuple(result for result in results if result.case in names)


def interpreters(
    kept: RunRecord,
    device: Device,
    evidence: Evidence = Evidence.NATIVE,
    tree: Tree = Tree.PATCHED,
) -> tuple[Path | None, Path | None]:
    """With the unpatched tree under the source framework, and `tree` under the target."""
    before, after = _pair(kept, device, evidence, tree)
    return _interpreter(build.result_of(kept, before)), _interpreter(build.result_of(kept, after))


def _pair(
    kept: RunRecord, device: Device, evidence: Evidence, tree: Tree = Tree.PATCHED
) -> tuple[Cell, Cell]:
    return (
        build.baseline_cell(kept, device, evidence),
        Cell(tree, kept.target or "", device, evidence),
    )


def _interpreter(built: BuildResult | None) -> Path | None:
    return Path(built.python) if built and built.python and not unusable(built) else None


def unusable(built: BuildResult | None) -> str:
    """Why nothing can be run with what was built; empty where it can."""
    if built is None:
        return "not built"
    if built.status is not Status.FAILED:
        return "" if built.python else f"not built: {built.reason}"
    said = built.reason
    return said if said.startswith("the build failed") else f"the build failed: {said}"
