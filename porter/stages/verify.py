"""verify: the repository's tests and parity cases in every cell, compared; then the verdicts."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from porter import suite, targets, unit
from porter.build import driver
from porter.build.reach import HEADERS
from porter.errors import EnvironmentFailed
from porter.host import devices
from porter.languages.data import read_table
from porter.model import (
    Cell,
    Device,
    Evidence,
    Language,
    Outcome,
    ParityResult,
    Residue,
    Stage,
    State,
    Status,
    SuiteComparison,
    SuiteResult,
    Tree,
)
from porter.parity import smoke
from porter.run import verdict
from porter.run.record import RunRecord, Verification
from porter.run.store import Run
from porter.stages import analyze, build, graphs, parity, session
from porter.stages.options import Options, Progress
from porter.surface import capture
from porter.surface.load import load_torch
from porter.surface.names import python_name, python_state


def verify(run: Run, options: Options, progress: Progress, *, resume: bool = False) -> RunRecord:
    """Fill the verify part of a run's record, building what is not built.

    With `resume` tests that a killed run finished are not run again. Raises UsageError
    before migrate, and for parity cases that cannot be read.
    """
    parity.load(run, parity.migrated(run), options)  # what is wrong with them is said first
    kept = build.build(run, options, progress)
    if session.is_untouched(kept):
        return session.nothing_to_do(run, "verify")
    began = time.monotonic()
    suites = kept.suites if resume else ()
    kept = run.save(dataclasses.replace(kept, suites=suites, verification=Verification()))
    for place in build.places(kept, options):
        for cell in build.cells(kept, *place):
            if any(suite.cell == cell for suite in kept.suites):
                continue
            result = _suite(run, kept, cell, options, progress)
            kept = run.save(dataclasses.replace(kept, suites=(*kept.suites, result)))
        _, python = parity.interpreters(kept, *place)
        if python is not None and targets.TARGETS[kept.target or ""].beside:
            kept = built_against_torch(kept)
        elif python is not None and place[1] is Evidence.NATIVE and place[0] is not Device.CPU:
            kept = settled(kept, python, progress)
        found = _parity(run, kept, place, options, progress)
        found += graphs.examined(run, kept, *place, options, progress)
        kept = run.save(kept.verified(parity=(*kept.verification.parity, *found)))
    kept = _with_note(judge(kept, options))
    status = Status.OK if kept.suites or kept.verification.parity else Status.SKIPPED
    seconds = time.monotonic() - began
    return run.save(kept.with_stage(Stage(name="verify", status=status, seconds=seconds)))


def asked_for(kept: RunRecord) -> tuple[str, ...]:
    """The pieces that what failed on the target only has asked for so far, by what it says: lost
    tests, parity cases, the import after a build."""
    comparison, known = kept.verification.comparison, kept.migration.reported_pieces
    said = [*(comparison.messages.values() if comparison else ())]
    failed = (p.message for p in kept.verification.parity if p.status is Status.FAILED)
    said += [message for message in failed if not message.startswith("source: ")]
    builds = [b for b in kept.builds if b.cell.environment == kept.target and parity.unusable(b)]
    said += [d.message for build in builds for d in build.diagnostics]
    return tuple(sorted({*known, *unit.shown_by(analyze.pieces_of(kept), said)}))


def _with_note(kept: RunRecord) -> RunRecord:
    new = ", ".join(sorted({*asked_for(kept)} - {*kept.migration.reported_pieces}))
    note = f"lost tests ask for {new}: `porter port` migrates once more with that"
    if not new:
        return kept
    return kept.verified(notes=(*kept.verification.notes, note))


def judge(kept: RunRecord, options: Options) -> RunRecord:
    """The record with its comparison and its verdicts, by device and overall."""
    found = tuple(verdict.verdict_of(_results(kept, device)) for device in _judged(kept, options))
    own = targets.TARGETS[kept.target or ""].devices
    here = [device for device in own if device in devices.present()]
    overall = verdict.overall(found, build.asked(kept, options) or here or own)
    shown = overall.device if overall else Device.CPU
    return kept.verified(verdicts=found, overall=overall, comparison=_comparison(kept, shown))


def _results(kept: RunRecord, device: Device) -> verdict.Results:
    return verdict.Results(
        device=device,
        target=kept.target or "",
        patched=kept.migration.patch is not None and kept.migration.patch.files > 0,
        builds=[dataclasses.replace(b, cell=_as(kept, b.cell, device)) for b in kept.builds],
        suites=_suites(kept, device),
        comparison=_comparison(kept, device),
        parity=kept.verification.parity,
        residue=kept.residue,
        open_findings=kept.migration.open,
    )


def _suites(kept: RunRecord, device: Device) -> list[SuiteResult]:
    suites = (dataclasses.replace(s, cell=_as(kept, s.cell, device)) for s in kept.suites)
    return [suite for suite in suites if suite.cell.device is device]


def _as(kept: RunRecord, cell: Cell, device: Device) -> Cell:
    """A cell as one of this device, where it is what operators ran on before a port to that."""
    first = build.before(kept, device, cell.evidence)
    here = (cell.environment, cell.device) == (first.environment, first.device)
    return dataclasses.replace(cell, device=device) if here else cell


def _judged(kept: RunRecord, options: Options) -> tuple[Device, ...]:
    """Those asked for, or all the repository has code for."""
    asked = build.asked(kept, options)
    wanted = {*(asked or (Device.CPU,)), *devices.with_kernels(kept.kernels)}
    if asked and Device.CPU not in asked:
        wanted.discard(Device.CPU)
    wanted &= {*targets.TARGETS[kept.target or ""].devices}
    return tuple(device for device in Device if device in wanted)


def _suite(
    run: Run, kept: RunRecord, cell: Cell, options: Options, progress: Progress
) -> SuiteResult:
    built = build.result_of(kept, cell)
    reason = parity.unusable(built)
    if built is None or reason:
        return SuiteResult(cell=cell, status=Status.SKIPPED, reason=reason)
    folder = build.folder_of(run, cell)
    framework = targets.framework(cell.environment)
    counted = folder / "logs" / "calls"  # of an emulated NPU, a line for each process
    counted.unlink(missing_ok=True)
    with progress.stage(f"tests of the {cell.tree} tree under {cell.environment}"):
        found = suite.run_suite(
            driver.work_tree(folder) / (kept.source.subdir or ""),
            cell,
            Path(built.python or ""),
            options.tests,
            kept.facts,
            {**framework.activation, "PORTER_EMULATED_COUNTS": str(counted)},
            folder / "logs" / "tests.log",
            options.timeout,
            progress.line,
            prelude=framework.prelude,
        )
    return dataclasses.replace(found, ran=_calls(counted))


def _calls(counted: Path) -> dict[str, dict[str, int]]:
    """What processes said that they called, together."""
    found: dict[str, Counter[str]] = {}
    for line in counted.read_text(errors="replace").splitlines() if counted.is_file() else ():
        with contextlib.suppress(ValueError, TypeError):  # of a process that was killed
            for kind, calls in read_table(line).items():
                found.setdefault(kind, Counter()).update(calls)
    return {kind: dict(calls.most_common()) for kind, calls in found.items()}


def _comparison(kept: RunRecord, device: Device) -> SuiteComparison | None:
    found = {(s.cell.tree, s.cell.environment): s for s in _suites(kept, device)}
    name = build.before(kept, device, Evidence.NATIVE).environment
    source = found.get((Tree.UNPATCHED, name))
    patched = found.get((Tree.PATCHED, name)) if name != kept.target else None
    if source is None or not source.outcomes:  # it may build with the patch only
        source, patched = patched, None
    if source is None or not source.outcomes:
        return None
    return suite.compare(source, patched, found.get((Tree.PATCHED, kept.target or "")))


def _parity(
    run: Run, kept: RunRecord, place: build.Place, options: Options, progress: Progress
) -> tuple[ParityResult, ...]:
    cases = parity.load(run, kept, options)
    if cases:
        return parity.compared(run, kept, cases, *place, progress)
    return _smoke(run, kept, place, progress)


def _smoke(
    run: Run, kept: RunRecord, place: build.Place, progress: Progress
) -> tuple[ParityResult, ...]:
    """Where no test passed: the operators called with inputs of porter's own."""
    device, evidence = place
    folder = run.folder / "smoke" / device
    before, after = parity.sides(folder, kept, device, progress, evidence=evidence)
    outcomes = [s.outcomes.values() for s in kept.suites if s.cell.device is device]
    if any(Outcome.PASSED in some for some in outcomes) or before is None or after is None:
        return ()
    if before.device is not None:
        return ()  # calls are made on one device
    modules = {m for b in kept.builds if b.cell.device is device for m in b.modules}
    with progress.stage(f"no test passed: calls of the operators on {device}"):
        found = smoke.smoke(sorted(modules), before, after, device)
    return tuple(dataclasses.replace(result, evidence=evidence) for result in found)


# Names that no surface of porter's can judge, asked of the build of the target that is there.


def settled(kept: RunRecord, python: Path, progress: Progress) -> RunRecord:
    """The record with what this interpreter's build of the target has no longer unknown, and with
    what it lacks as missing. A build for a device has names that one for the CPU cannot show."""
    surface, torch = analyze.surface_of(kept), load_torch()
    python_ones = (one for one in kept.missing if one.language is Language.PYTHON)
    names = {left.name for left in kept.residue if left.state is State.UNKNOWN}
    names |= {one.name for one in python_ones if one.state is State.UNKNOWN}
    asked = {
        name: python_name(name, torch.python)
        for name in names
        if name.startswith("torch.") and python_state(name, surface, torch).state is State.UNKNOWN
    }
    if not asked:
        return kept
    try:
        with progress.stage(f"{len(asked)} names asked of {python}"):
            answers = capture.ask(python, surface.package, set(asked.values()))
    except EnvironmentFailed as error:
        progress.note(f"  {error}")
        return kept
    known = {name: answers[listed] for name, listed in asked.items()}
    return kept.verified(
        residue=tuple(judged for one in kept.residue if (judged := _settled(one, known))),
        missing=tuple(
            dataclasses.replace(one, state=known.get(one.name, one.state))
            for one in kept.missing
            if one.state is not State.UNKNOWN or known.get(one.name) is not State.PRESENT
        ),
    )


def built_against_torch(kept: RunRecord) -> RunRecord:
    """The record of a tree that was built against torch's own headers: what porter's list of their
    names lacks, its extensions' sources and the headers may use."""
    extensions = kept.facts.extensions if kept.facts else ()
    taken = {source for extension in extensions for source in extension.sources}

    def settled(one: Residue) -> bool:
        known = one.path in taken or (bool(taken) and one.path.endswith(HEADERS))
        return one.state is State.UNKNOWN and known

    return kept.verified(residue=tuple(r for r in kept.residue if not settled(r)))


def _settled(one: Residue, known: Mapping[str, State]) -> Residue | None:
    """None where the name is there after all."""
    state = known.get(one.name, one.state) if one.state is State.UNKNOWN else one.state
    if one.state is State.UNKNOWN and state is State.PRESENT:
        return None
    if state is one.state:
        return one
    return dataclasses.replace(one, state=state, reason="the target's build there lacks it")
