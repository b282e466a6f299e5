"""verify: the repository's tests and parity cases in every cell, compared; then the verdicts."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from porter import devices, suite, targets, triton_cpu, unit, verdict
from porter.build import driver
from porter.errors import UsageError
from porter.model import (
    BuildResult,
    Cell,
    Device,
    Evidence,
    Outcome,
    ParityCase,
    ParityResult,
    Stage,
    Status,
    SuiteComparison,
    SuiteResult,
    Tree,
)
from porter.parity import cases as parity_cases
from porter.parity import run as parity
from porter.parity import smoke
from porter.record import Run, RunRecord
from porter.stages import analyze, build, untouched
from porter.stages.options import Options, Progress

PARITY_FILE = "porter.parity.toml"


def verify(run: Run, options: Options, progress: Progress, *, resume: bool = False) -> RunRecord:
    """Fill the verify part of a run's record, building what is not built.

    With `resume` tests that a killed run finished are not run again. Raises UsageError
    before migrate, and for parity cases that cannot be read.
    """
    cases(run, migrated(run), options)  # what is wrong with them is said before the builds
    kept = build.build(run, options, progress)
    if untouched.is_so(kept):
        return untouched.nothing_to_do(run, "verify")
    began = time.monotonic()
    suites = kept.suites if resume else ()
    kept = run.save(dataclasses.replace(kept, suites=suites, comparison=None, parity=()))
    for device in build.native_devices(kept, options):
        for cell in build.cells(kept, device):
            if any(suite.cell == cell for suite in kept.suites):
                continue
            result = _suite(run, kept, cell, options, progress)
            kept = run.save(dataclasses.replace(kept, suites=(*kept.suites, result)))
        found = _parity(run, kept, device, options, progress)
        kept = run.save(dataclasses.replace(kept, parity=(*kept.parity, *found)))
    kept = _with_note(judge(kept, options))
    status = Status.OK if kept.suites or kept.parity else Status.SKIPPED
    seconds = time.monotonic() - began
    return run.save(kept.with_stage(Stage(name="verify", status=status, seconds=seconds)))


def parity_only(
    run: Run, options: Options, progress: Progress, only: str = ""
) -> tuple[ParityResult, ...]:
    """The parity cases whose names fit the expression `only`; the record stays as it is.

    Builds what is not built. Raises UsageError before migrate, where there are no cases, and for
    an expression that is none.
    """
    chosen = parity_cases.chosen(cases(run, migrated(run), options), only)
    if not chosen:
        raise UsageError(
            f"no parity case fits -k {only!r}" if only else f"no {PARITY_FILE}",
            hint="see docs/reference/parity-cases.md",
        )
    native = build.native_devices(run.load(), options)
    if not any(device in native for case in chosen for device in case.devices):
        raise UsageError(
            "no parity case is for a device that is here and asked for",
            hint="see --device, and their `devices`",
        )
    kept = build.build(run, options, progress)
    return tuple(
        result for device in native for result in _compared(run, kept, chosen, device, progress)
    )


def migrated(run: Run) -> RunRecord:
    kept = run.load()
    if kept.stage("migrate") is None:
        raise UsageError(
            "nothing is migrated yet in this run, so there is nothing to compare",
            hint="first `porter migrate`; `porter port` does both",
        )
    return kept


def asked_for(kept: RunRecord) -> tuple[str, ...]:
    """The pieces that what failed on the target only has asked for so far, by what it says: lost
    tests, parity cases, the import after a build."""
    said = [*(kept.comparison.messages.values() if kept.comparison else ())]
    failed = (p.message for p in kept.parity if p.status is Status.FAILED)
    said += [message for message in failed if not message.startswith("source: ")]
    builds = [b for b in kept.builds if b.cell.environment == kept.target and _unusable(b)]
    said += [d.message for build in builds for d in build.diagnostics]
    return tuple(sorted({*kept.shown, *unit.shown_by(analyze.pieces_of(kept), said)}))


def _with_note(kept: RunRecord) -> RunRecord:
    new = ", ".join(sorted({*asked_for(kept)} - {*kept.shown}))
    note = f"lost tests ask for {new}: `porter port` migrates once more with that"
    if not new:
        return kept
    return dataclasses.replace(kept, notes=(*kept.notes, note), noted=(*kept.noted, note))


def judge(kept: RunRecord, options: Options) -> RunRecord:
    """The record with its comparison and its verdicts, by device and overall."""
    found = tuple(
        verdict.verdicts(
            (device,),
            target=kept.target or "",
            patched=kept.patch is not None and kept.patch.files > 0,
            builds=kept.builds,
            suites=[s for s in kept.suites if s.cell.device is device],
            comparison=_comparison(kept, device),
            parity=[p for p in kept.parity if p.device is device],
            residue=kept.residue,
            open_findings=kept.open,
        )[0]
        for device in _judged(kept, options)
    )
    overall = verdict.overall(found, options.devices or devices.present())
    shown = overall.device if overall else Device.CPU
    return dataclasses.replace(
        kept, verdicts=found, overall=overall, comparison=_comparison(kept, shown)
    )


def _judged(kept: RunRecord, options: Options) -> tuple[Device, ...]:
    """Those asked for, or all the repository has code for."""
    kernels = kept.facts.kernels if kept.facts else ()
    wanted = {*(options.devices or (Device.CPU,)), *devices.with_kernels(kernels)}
    if options.devices and Device.CPU not in options.devices:
        wanted.discard(Device.CPU)
    return tuple(device for device in Device if device in wanted)


def _suite(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> SuiteResult:
    built = build.result_of(kept, cell)
    unusable = _unusable(built)
    if built is None or unusable:
        return SuiteResult(cell=cell, status=Status.SKIPPED, reason=unusable)
    folder = build.folder_of(run, cell)
    framework = targets.framework(cell.environment)
    with progress.stage(f"tests of the {cell.tree} tree under {cell.environment}"):
        return suite.run_suite(
            driver.work_tree(folder) / (kept.source.subdir or ""),
            cell,
            Path(built.python or ""),
            options.tests,
            kept.facts,
            dict(framework.activation),
            folder / "logs" / "tests.log",
            options.timeout,
            progress.line,
            prelude=framework.prelude,
        )


def _unusable(built: BuildResult | None) -> str:
    if built is None:
        return "not built"
    if built.status is not Status.FAILED:
        return "" if built.python else f"not built: {built.reason}"
    said = built.reason
    return said if said.startswith("the build failed") else f"the build failed: {said}"


def _interpreter(built: BuildResult | None) -> Path | None:
    return Path(built.python) if built and built.python and not _unusable(built) else None


def _comparison(kept: RunRecord, device: Device) -> SuiteComparison | None:
    found = {(s.cell.tree, s.cell.environment): s for s in kept.suites if s.cell.device is device}
    source = found.get((Tree.UNPATCHED, targets.SOURCE.name))
    patched = found.get((Tree.PATCHED, targets.SOURCE.name))
    if source is None or not source.outcomes:  # it may build with the patch only
        source, patched = patched, None
    if source is None or not source.outcomes:
        return None
    return suite.compare(source, patched, found.get((Tree.PATCHED, kept.target or "")))


def cases(run: Run, kept: RunRecord, options: Options) -> tuple[ParityCase, ...]:
    """The parity cases of the user or of the repository; none where there is no file of them."""
    path = options.parity or run.tree / (kept.source.subdir or "") / PARITY_FILE
    if options.parity is None and not path.is_file():
        return ()
    return parity_cases.load(path)


def _parity(
    run: Run, kept: RunRecord, device: Device, options: Options, progress: Progress
) -> tuple[ParityResult, ...]:
    written = cases(run, kept, options)
    if not written:
        return _smoke(run, kept, device, *interpreters(kept, device), progress)
    return _compared(run, kept, written, device, progress)


def interpreters(kept: RunRecord, device: Device) -> tuple[Path | None, Path | None]:
    """With the unpatched tree under the source framework, and the patched one under the target."""
    before = Cell(Tree.UNPATCHED, targets.SOURCE.name, device, Evidence.NATIVE)
    after = Cell(Tree.PATCHED, kept.target or "", device, Evidence.NATIVE)
    return _interpreter(build.result_of(kept, before)), _interpreter(build.result_of(kept, after))


def _compared(
    run: Run,
    kept: RunRecord,
    cases: tuple[ParityCase, ...],
    device: Device,
    progress: Progress,
) -> tuple[ParityResult, ...]:
    before, after = interpreters(kept, device)
    with progress.stage(f"parity on {device}, {len(cases)} cases"):
        return parity.run_parity(
            cases,
            device,
            Evidence.NATIVE,
            before,
            after,
            targets.framework(kept.target or "").prelude,
            run.folder / "parity" / device,
            on_line=progress.line,
            source_env=targets.SOURCE.activation,
            target_env=targets.framework(kept.target or "").activation,
            plugins=triton_cpu.plugins(kept.facts, device),
        )


def _smoke(
    run: Run,
    kept: RunRecord,
    device: Device,
    before: Path | None,
    after: Path | None,
    progress: Progress,
) -> tuple[ParityResult, ...]:
    """Where no test passed: the operators called with inputs of porter's own."""
    outcomes = [s.outcomes.values() for s in kept.suites if s.cell.device is device]
    if any(Outcome.PASSED in some for some in outcomes) or before is None or after is None:
        return ()
    source, target = targets.SOURCE, targets.framework(kept.target or "")
    modules = {m for b in kept.builds if b.cell.device is device for m in b.modules}
    with progress.stage(f"no test passed: calls of the operators on {device}"):
        return smoke.smoke(
            sorted(modules),
            smoke.Side(before, source.prelude, source.activation),
            smoke.Side(after, target.prelude, target.activation),
            device,
            run.folder / "smoke" / device,
            progress.line,
            plugins=triton_cpu.plugins(kept.facts, device),
        )
