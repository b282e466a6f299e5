"""migrate: edit until stable, add the vendored unit, write the patch, list what is left."""

from __future__ import annotations

import dataclasses
import posixpath
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porter import residue, targets, unit
from porter.errors import EnvironmentFailed
from porter.languages.notebook import Notebook
from porter.migrate import patch
from porter.migrate.plan import Migration, Tree
from porter.migrate.plan import migrate as plan_migration
from porter.model import (
    Device,
    Finding,
    Language,
    Missing,
    Plan,
    ProjectFacts,
    Residue,
    Role,
    SourceFile,
    Stage,
    State,
    Status,
    Style,
    Surface,
    Use,
    place,
)
from porter.model import Tree as Side
from porter.report.markdown import command
from porter.run.record import PatchRecord, Run, RunRecord
from porter.sources import repository
from porter.stages import analyze, build, isolation, notebooks, probe, routes, session, untouched
from porter.stages.options import Options, Progress
from porter.survey.discover import discover
from porter.survey.roles import empty_submodules

CHECKS = 4  # of a unit, each one with the parts that the last one's errors name
HEADERS = (".h", ".hpp", ".hh", ".cuh", ".inl")

if TYPE_CHECKING:
    from porter.stages.probe import Looked


def migrate(run: Run, options: Options, progress: Progress) -> RunRecord:
    """Fill the migrate part of a run's record; what earlier builds and tests of an earlier patch
    said is dropped."""
    kept = session.choose(run.load(), options)
    if kept.facts is None:
        kept = analyze.analyze(run, options, progress)
    facts = kept.facts
    if facts is None or untouched.is_so(kept):
        nothing = PatchRecord(path=str(run.patch / patch.COMBINED))
        run.save(dataclasses.replace(kept, patch=nothing, open=(), residue=()))
        return untouched.nothing_to_do(run, "migrate")
    kept = dataclasses.replace(kept, route=options.route)
    kept = run.save(_forgotten(kept))  # first, so that a killed migration leaves no old verdict
    for folder in {*(run.folder / "cells").glob("*")} - {
        build.folder_of(run, built.cell) for built in kept.builds
    }:
        shutil.rmtree(folder, ignore_errors=True)
    began = time.monotonic()
    with progress.stage("migrate"):
        repository.restore(run.tree, kept.source.head)
        kept = _migrate(run, kept, facts, options, progress)
    seconds = time.monotonic() - began
    return run.save(kept.with_stage(Stage(name="migrate", status=Status.OK, seconds=seconds)))


def _forgotten(kept: RunRecord) -> RunRecord:
    """The record without what an earlier migration, and builds and tests of it, came to: what the
    tree was before any patch does not change with one."""
    before = [b for b in kept.builds if b.cell.tree is Side.UNPATCHED and b.status is Status.OK]
    return dataclasses.replace(
        kept,
        notes=tuple(note for note in kept.notes if note not in kept.noted),
        noted=(),
        patch=None,
        open=(),
        residue=(),
        units=(),
        cuda_units=(),
        builds=tuple(before),
        suites=tuple(s for s in kept.suites if s.cell in {built.cell for built in before}),
        comparison=None,
        parity=(),
        verdicts=(),
        overall=None,
        stages=tuple(s for s in kept.stages if s.name == "analyze"),
    )


def _migrate(
    run: Run, kept: RunRecord, facts: ProjectFacts, options: Options, progress: Progress
) -> RunRecord:
    from porter.surface.load import load_torch

    root = session.root(run, kept, patched=True)
    discovery = discover(root)
    surface = analyze.surface_of(kept, options)
    done = _plan(kept, root, facts, surface, options)
    looked: Looked = {}
    notes: list[str] = []
    if kept.shown:
        notes.append(f"in the unit because lost tests asked for it: {', '.join(kept.shown)}")
    if (
        options.compiler
        and any(p.parts for p in analyze.pieces_of(kept))
        and _is_native(done, facts)
    ):
        kept = isolation.recorded(run, kept, options, progress)
        ready = probe.prepare(run, kept, facts, done.plan.patches, options, progress)
        seen: unit.Seen | str = "" if isinstance(ready, probe.Probe) else ready
        if isinstance(ready, probe.Probe):
            notes += [*ready.reasons, *([] if ready.units else _elsewhere(kept, facts))]
            parts = [part for p in analyze.pieces_of(kept) for part in p.parts]
            found = ready.find(parts)
            seen = found if isinstance(found, str) else ready.seen(found)
            try:
                for _ in range(CHECKS):
                    if isinstance(seen, unit.Seen):
                        done = _plan(kept, root, facts, surface, options, seen)
                    looked = ready.check(done.plan.patches)
                    if isinstance(found, str) or isinstance(seen, str):
                        break
                    wider = ready.seen(found, seen.used | probe.pruned(found, looked, parts))
                    if wider == seen:
                        break
                    seen = wider
            except EnvironmentFailed as error:
                notes.append(f"no unit was checked with the patch: {error}")
            notes += probe.unchecked(looked) if isinstance(seen, unit.Seen) else ()
            notes += _not_brought(root, looked)
        if isinstance(seen, str):
            notes.append(f"C++ pieces were chosen by name, not by a compiler: {seen}")
    notes += notebooks.left(done.plan)
    plan = done.plan
    if options.route:
        plan, said = routes.by_route(plan, root, discovery, options.route)
        notes.append(said)
    vendored = done.unit if isinstance(done.unit, unit.UnitPlan) else unit.UnitPlan(answers={})
    answers = vendored.answers
    written = patch.write(_below(plan, kept.source.subdir), run.tree, run.patch, command(kept))
    after = discover(root)
    books: dict[str, Notebook] = {}
    proxy = not targets.TARGETS[kept.target or ""].beside
    files = after.files if proxy else _built(after.files)
    left = residue.residue(
        notebooks.read(root, files, books),
        surface,
        load_torch(),
        answers,
        vendored.in_package,
        keeps_torch=kept.style is Style.DUAL or not proxy,
        proxy=proxy,
    )
    left = tuple(notebooks.in_cell(item, books) for item in left)
    return dataclasses.replace(
        kept,
        crashes=tuple(dict.fromkeys((*kept.crashes, *done.plan.crashes))),
        open=(*plan.open, *plan.deferred),
        notes=tuple(dict.fromkeys((*kept.notes, *vendored.notes, *notes))),
        noted=(*vendored.notes, *notes),
        missing=_with_answers(_and_lacking(kept.missing, looked), answers, kept.findings),
        residue=_and_refused(left, looked),
        units=probe.units(looked),
        cuda_units=probe.units(looked, Device.CUDA),
        patch=PatchRecord(
            path=str(written.combined),
            series=tuple(str(path) for path in written.series),
            files=written.files,
            added=written.added,
            removed=written.removed,
            changes=tuple((p.path, p.changes) for p in plan.patches),
        ),
        skipped=tuple(sorted({*kept.skipped, *discovery.skipped}, key=lambda s: s.path)),
    )


def _built(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Without CUDA's sources that an NPU has others for, by the same name."""
    npu = {file.path.removesuffix(".asc") for file in files if file.path.endswith(".asc")}
    return [f for f in files if not (f.path.endswith(".cu") and f.path[: -len(".cu")] in npu)]


def _is_native(done: Migration, facts: ProjectFacts) -> bool:
    """Whether C++ that is built names torch; what a build script lists may lie in an example."""
    roles = (Role.LIBRARY, Role.ENTRY) if facts.extensions else (Role.LIBRARY,)
    return any(u.language is Language.CPP and u.role in roles for u in done.uses)


def _not_brought(root: Path, looked: Looked) -> list[str]:
    """Submodules without content, if headers are missing."""
    checked = [one for units in looked.values() for one in units]
    if not any(d.cause.startswith("missing header") for one in checked for d in one.diagnostics):
        return []
    return [
        f"headers are missing and the submodule {name} has no content: "
        "`git submodule update --init` brings it"
        for name in empty_submodules(root)
    ]


def _elsewhere(kept: RunRecord, facts: ProjectFacts) -> list[str]:
    """Where extensions are built, if only by projects in folders of this one."""
    folders = sorted({posixpath.dirname(extension.path) for extension in facts.extensions})
    if "" in folders:
        return []
    place = f"{kept.source.written.partition('#')[0]}#{kept.source.subdir or ''}".rstrip("#")
    return [
        f"extensions are built by a project of its own in {folder}: "
        f"`porter port {place}{'/' if '#' in place else '#'}{folder}` ports that"
        for folder in folders
    ]


def _and_lacking(known: tuple[Missing, ...], looked: Looked) -> tuple[Missing, ...]:
    """With what the compiler did not find; of what is listed already, its word counts."""
    lacking = {item.name: item for item in probe.lacking(looked)}
    names = {item.name for item in known}
    judged = (
        dataclasses.replace(item, state=State.MISSING)
        if item.state is State.UNKNOWN and item.name in lacking
        else item
        for item in known
    )
    return (*judged, *(item for name, item in lacking.items() if name not in names))


def _and_refused(left: tuple[Residue, ...], looked: Looked) -> tuple[Residue, ...]:
    """With the places that the compiler refuses, each place once; without what porter's own lists
    could not judge in files that it takes."""
    left = tuple(r for r in left if r.state is not State.UNKNOWN or not _is_taken(r.path, looked))
    places = {place(item) for item in left}
    new = (item for item in probe.residue(looked) if place(item) not in places)
    return tuple(sorted((*left, *new), key=lambda r: (r.path, r.cell, r.line, r.column, r.name)))


def _is_taken(path: str, looked: Looked) -> bool:
    """Whether the compiler takes a source, or a header, with every unit of the tree."""
    checked = [one for units in looked.values() for one in units]
    units = {one.path: one.ok for one in reversed(checked)}
    header = path.endswith(HEADERS) and bool(checked)
    return units.get(path, header and all(one.ok for one in checked))


def _plan(
    kept: RunRecord,
    root: Path,
    facts: ProjectFacts,
    surface: Surface,
    options: Options,
    seen: unit.Seen | None = None,
) -> Migration:
    discovery = discover(root)
    pieces = analyze.pieces_of(kept)
    job, scanned, spared = analyze.scanned(kept, root, discovery, facts, surface, options)

    def assemble(tree: Tree, uses: tuple[Use, ...]) -> unit.UnitPlan:
        shown = (*kept.shown, *spared)
        return unit.assemble(tree, facts, uses, surface, kept.style, pieces, seen, shown)

    return plan_migration(
        job,
        discovery.files,
        gate=options.gate,
        assemble=assemble,
        scanned=scanned,
        notebooks=options.notebooks,
    )


def _below(plan: Plan, subdir: str | None) -> Plan:
    """A plan with paths from the root of the repository, not of the project in it."""
    if not subdir:
        return plan
    moved = tuple(dataclasses.replace(p, path=f"{subdir}/{p.path}") for p in plan.patches)
    return dataclasses.replace(plan, patches=moved)


def _with_answers(
    missing: tuple[Missing, ...], answers: Mapping[str, str], findings: Iterable[Finding]
) -> tuple[Missing, ...]:
    """With the pieces that the unit has; instead of one that it could have had, the rule that
    concerns the name."""
    rules = {finding.name: finding.rule for finding in findings if finding.name}
    planes = tuple(f"{plane}/" for plane in unit.Plane)

    def answer(item: Missing) -> str:
        otherwise = rules.get(item.name, "") if item.answer.startswith(planes) else item.answer
        return answers.get(item.name) or otherwise

    return tuple(dataclasses.replace(item, answer=answer(item)) for item in missing)
