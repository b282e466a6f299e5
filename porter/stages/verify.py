"""verify: the repository's tests and parity cases in every cell, compared; then the verdicts."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from porter import suite, targets, unit
from porter.build import driver
from porter.errors import EnvironmentFailed
from porter.languages.cpp import HEADERS
from porter.languages.data import read_table
from porter.model import (
    Cell,
    Device,
    Evidence,
    Language,
    Outcome,
    ParityResult,
    Residue,
    State,
    Status,
    SuiteResult,
    Tree,
)
from porter.parity import smoke
from porter.run.record import RunRecord, Verification
from porter.run.store import Run
from porter.stages import (
    analyze,
    build,
    cell_options,
    copies,
    graphs,
    lost,
    migrate,
    parity,
    session,
    verdicts,
)
from porter.stages.options import Options, Progress
from porter.suite import TEST_TIMEOUT
from porter.surface import capture
from porter.surface.load import load_torch
from porter.surface.names import python_name, python_state

_LEAST_SECONDS = 120.0  # for a test on the target, however quick the suite is on the source


def verify(run: Run, options: Options, progress: Progress, *, resume: bool = False) -> RunRecord:
    """Fill the verify part of a run's record, building what is not built.

    With `resume` tests that a killed run finished are not run again. Raises UsageError
    before migrate, and for parity cases that cannot be read.
    """
    parity.load(run, parity.load_migrated(run), options)  # what is wrong with them is said first
    kept = build.build(run, options, progress)
    if session.is_untouched(kept):
        return session.nothing_to_do(run, "verify")
    began = session.begin_stage()
    progress.enter("verify")
    suites = kept.suites if resume else ()
    kept = run.save(dataclasses.replace(kept, suites=suites, verification=Verification()))
    for place in build.places(kept, options):
        for cell in build.cells(kept, *place):
            if any(suite.cell == cell for suite in kept.suites):
                continue
            result = _suite(run, kept, cell, options, progress)
            kept = run.save(dataclasses.replace(kept, suites=(*kept.suites, result)))
        kept = run.save(_mark_flaky(run, kept, place, options, progress))
        _, python = parity.interpreters(kept, *place)
        if python is not None and targets.TARGETS[kept.target or ""].beside:
            kept = note_built_against_torch(kept)
        elif python is not None and place[1] is Evidence.NATIVE and place[0] is not Device.CPU:
            kept = resolve_unknown(kept, python, progress)
        without = _run_unmodified_parity(run, kept, place, options, progress)
        found = _parity(run, kept, place, options, progress)
        found += graphs.examine(run, kept, *place, options, progress)
        earlier = kept.verification
        kept = run.save(
            kept.update_verification(
                parity=(*earlier.parity, *found),
                unmodified_parity=(*earlier.unmodified_parity, *without),
            )
        )
    kept = verdicts.judge(add_objects(kept), options)
    if {*requested_pieces(kept)} <= {*kept.migration.reported_pieces}:  # else it is migrated again
        kept = verdicts.judge(_add_copies(run, kept, options, progress), options)
    kept = _add_note(kept)
    status = Status.OK if kept.suites or kept.verification.parity else Status.SKIPPED
    return run.save(session.end_stage(kept, "verify", status, began))


def requested_pieces(kept: RunRecord) -> tuple[str, ...]:
    """The pieces that what failed on the target only has asked for so far, by what it says: lost
    tests, parity cases, the import after a build."""
    comparison, known = kept.verification.comparison, kept.migration.reported_pieces
    if not kept.form.is_vendored:  # the package has them all
        return known
    said = [*(comparison.messages.values() if comparison else ())]
    failed = (p.message for p in kept.verification.parity if p.status is Status.FAILED)
    said += [message for message in failed if not message.startswith("source: ")]
    said += [one.message for one in kept.verification.lost_imports.values()]
    builds = [b for b in kept.builds if b.cell.environment == kept.target and parity.unusable(b)]
    said += [d.message for build in builds for d in build.diagnostics]
    found = unit.find_shown_by(analyze.pieces_of(kept), said)
    return tuple(sorted({*known, *found, *lost.polyfills(kept)}))


def _add_note(kept: RunRecord) -> RunRecord:
    new = ", ".join(sorted({*requested_pieces(kept)} - {*kept.migration.reported_pieces}))
    note = f"failing tests need {new}: `porter port` re-runs migrate with it"
    if not new:
        return kept
    return kept.update_verification(notes=(*kept.verification.notes, note))


def _mark_flaky(
    run: Run, kept: RunRecord, place: build.Place, options: Options, progress: Progress
) -> RunRecord:
    """The record with the tests that pass in some runs under the source framework only."""
    first, *others = build.cells(kept, *place)
    suites = {result.cell: result for result in kept.suites}

    def rerun(cell: Cell, names: Collection[str], seconds: float) -> SuiteResult:
        bounded = dataclasses.replace(options, timeout=min(options.timeout, seconds))
        return _suite(run, kept, cell, bounded, progress, only=names)

    patched = dataclasses.replace(first, tree=Tree.PATCHED)
    target = suites.get(others[-1]) if others else None
    flaky = suite.find_flaky(suites[first], suites.get(patched), target, rerun)
    marked = dataclasses.replace(suites[first], flaky=flaky)
    suites[first] = marked
    return dataclasses.replace(kept, suites=tuple(suites.values()))


def _suite(
    run: Run,
    kept: RunRecord,
    cell: Cell,
    options: Options,
    progress: Progress,
    only: Collection[str] = (),
) -> SuiteResult:
    built = build.result_of(kept, cell)
    reason = parity.unusable(built)
    if built is None or reason:
        return SuiteResult(cell=cell, status=Status.SKIPPED, reason=reason)
    folder = build.folder_of(run, cell)
    tree = driver.work_tree(folder)
    framework = targets.framework(cell.environment)
    counted = folder / "logs" / "calls"  # of an emulated NPU, a line for each process
    counted.unlink(missing_ok=True)
    of = f"{len(only)} tests again," if only else "tests"
    on_source = [ran for ran in kept.suites if ran.cell.environment != kept.target]
    began = time.monotonic()
    with progress.stage(f"{of} of the {cell.tree} tree under {cell.environment}"):
        found = suite.run_suite(
            tree / cell_options.project_of(kept, cell, tree),
            cell,
            Path(built.python or ""),
            options.tests,
            kept.facts,
            {**framework.activation, "PORTER_EMULATED_COUNTS": str(counted)},
            folder / "logs" / ("tests-again.log" if only else "tests.log"),
            options.timeout,
            progress.line,
            prelude="" if cell.tree is Tree.UNMODIFIED else framework.prelude,
            only=only,
            test_timeout=limit_test(on_source) if cell.environment == kept.target else TEST_TIMEOUT,
        )
    return dataclasses.replace(found, ran=_calls(counted), seconds=time.monotonic() - began)


def limit_test(source: Iterable[SuiteResult]) -> float:
    """Seconds for one test on the target, where tests may hang that do not on the source: less than
    elsewhere if all tests together are quick there."""
    quick = max((ran.seconds for ran in source), default=0.0) or TEST_TIMEOUT
    return min(TEST_TIMEOUT, max(_LEAST_SECONDS, 10 * quick))


def _add_copies(run: Run, kept: RunRecord, options: Options, progress: Progress) -> RunRecord:
    """The record with what the sdist and the wheel of the patched tree are worth under the source
    framework, on the first device that this machine has."""
    for device, evidence in build.places(kept, options):
        cell = Cell(Tree.PATCHED, targets.source(device).name, device, evidence)
        here = evidence is Evidence.NATIVE and cell.environment != kept.target
        if here and cell in build.cells(kept, device, evidence):
            return kept.update_verification(
                copies=copies.try_copies(run, kept, cell, options, progress)
            )
    return kept


def _calls(counted: Path) -> dict[str, dict[str, int]]:
    """What processes said that they called, together."""
    found: dict[str, Counter[str]] = {}
    for line in counted.read_text(errors="replace").splitlines() if counted.is_file() else ():
        with contextlib.suppress(ValueError, TypeError):  # of a process that was killed
            for kind, calls in read_table(line).items():
                found.setdefault(kind, Counter()).update(calls)
    return {kind: dict(calls.most_common()) for kind, calls in found.items()}


def _run_unmodified_parity(
    run: Run, kept: RunRecord, place: build.Place, options: Options, progress: Progress
) -> tuple[ParityResult, ...]:
    cell = Cell(Tree.UNMODIFIED, kept.target or "", *place)
    cases = parity.load(run, kept, options)
    if not cases or build.result_of(kept, cell) is None:
        return ()
    return parity.compare_cases(run, kept, cases, *place, progress, tree=Tree.UNMODIFIED)


def _parity(
    run: Run, kept: RunRecord, place: build.Place, options: Options, progress: Progress
) -> tuple[ParityResult, ...]:
    cases = parity.load(run, kept, options)
    if cases:
        return parity.compare_cases(run, kept, cases, *place, progress)
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


def add_objects(kept: RunRecord) -> RunRecord:
    """The record with what the compiler said of units that the build made objects of, where
    nothing had checked them before."""
    compiled = (b for b in kept.builds if b.cell.evidence is Evidence.COMPILED)
    objects = tuple(unit for build in compiled for unit in build.units)
    if not objects or kept.migration.cuda_units:
        return kept
    said = {Device.CPU: kept.migration.units, Device.CUDA: objects}
    return kept.update_verification(
        residue=migrate.and_refused(kept.residue, said),
        missing=migrate.and_lacking(kept.missing, said),
    )


def resolve_unknown(kept: RunRecord, python: Path, progress: Progress) -> RunRecord:
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
        with progress.stage(f"{len(asked)} names looked up in {python}"):
            answers = capture.ask(python, surface.package, set(asked.values()))
    except EnvironmentFailed as error:
        progress.note(f"  {error}")
        return kept
    known = {name: answers[listed] for name, listed in asked.items()}
    return kept.update_verification(
        residue=tuple(judged for one in kept.residue if (judged := _settle_one(one, known))),
        missing=tuple(
            dataclasses.replace(one, state=known.get(one.name, one.state))
            for one in kept.missing
            if one.state is not State.UNKNOWN or known.get(one.name) is not State.PRESENT
        ),
    )


def note_built_against_torch(kept: RunRecord) -> RunRecord:
    """The record of a tree that was built against torch's own headers: what porter's list of their
    names lacks, its extensions' sources and the headers may use."""
    extensions = kept.facts.extensions if kept.facts else ()
    taken = {source for extension in extensions for source in extension.sources}

    def is_resolved(one: Residue) -> bool:
        known = one.path in taken or (bool(taken) and one.path.endswith(HEADERS))
        return one.state is State.UNKNOWN and known

    return kept.update_verification(residue=tuple(r for r in kept.residue if not is_resolved(r)))


def _settle_one(one: Residue, known: Mapping[str, State]) -> Residue | None:
    """None where the name is there after all."""
    state = known.get(one.name, one.state) if one.state is State.UNKNOWN else one.state
    if one.state is State.UNKNOWN and state is State.PRESENT:
        return None
    if state is one.state:
        return one
    return dataclasses.replace(
        one, state=state, reason="the target build of that interpreter lacks it"
    )
