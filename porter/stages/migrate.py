"""migrate: edit until stable, add the vendored unit, write the patch, list what is left."""

from __future__ import annotations

import dataclasses
import posixpath
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porter import residue, targets, unit
from porter.languages.cpp import HEADERS
from porter.languages.notebook import Notebook, parse
from porter.languages.python import Unreadable
from porter.migrate import patch
from porter.migrate.plan import Migration
from porter.model import (
    Cell,
    Device,
    Evidence,
    FilePatch,
    Finding,
    Language,
    Missing,
    PatchRecord,
    Plan,
    ProjectFacts,
    Residue,
    Role,
    Safety,
    SourceFile,
    State,
    Status,
    Surface,
    Tree,
    place,
)
from porter.report.pull_request import command
from porter.report.rows import count
from porter.run.record import Migration as RecordOfMigration
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.sources import checkout, repository
from porter.stages import (
    accepted,
    analyze,
    build,
    cell_options,
    checked,
    isolation,
    planned,
    probe,
    routes,
    session,
)
from porter.stages.answers import read_answered
from porter.stages.options import Options, Progress
from porter.survey.discover import discover

if TYPE_CHECKING:
    from porter.stages.checked import Said


def migrate(run: Run, options: Options, progress: Progress) -> RunRecord:
    """Fill the migrate part of a run's record; what earlier builds and tests of an earlier patch
    said goes with it."""
    kept = session.choose(run.load(), options)
    if kept.stage("analyze") is None:
        kept = analyze.analyze(run, options, progress)
    facts = kept.facts
    if facts is None or session.is_untouched(kept):
        nothing = PatchRecord(path=str(run.patch / patch.COMBINED))
        run.save(dataclasses.replace(kept, migration=RecordOfMigration(patch=nothing)))
        return session.nothing_to_do(run, "migrate")
    kept = run.save(
        _begin_record(kept, options)
    )  # first, so that a killed migration leaves no verdict
    for folder in {*(run.folder / "cells").glob("*")} - {
        build.folder_of(run, built.cell) for built in kept.builds
    }:
        shutil.rmtree(folder, ignore_errors=True)
    began = session.begin_stage()
    progress.enter("migrate")
    with progress.stage("migrate"):
        checkout.add_tree(run.folder)
        repository.restore(run.tree, kept.source.head)
        kept = _migrate(run, kept, facts, options, progress)
    return run.save(session.end_stage(kept, "migrate", Status.OK, began))


def _begin_record(kept: RunRecord, options: Options) -> RunRecord:
    """The record at the start of a migration; what the tree was before any patch stays, unless it
    did not build."""
    asked = kept.migration
    return dataclasses.replace(
        kept,
        migration=RecordOfMigration(
            route=options.route, reported_pieces=asked.reported_pieces, rounds=asked.rounds
        ),
        builds=tuple(b for b in kept.builds if b.status is Status.OK and not b.needs_fixes),
    )


def _migrate(
    run: Run, kept: RunRecord, facts: ProjectFacts, options: Options, progress: Progress
) -> RunRecord:
    root = session.root(run, kept, patched=True)
    prepared = planned.prepare(kept, root, options)
    scanned, choice = prepared.scanned, planned.Choice(prepared.plan())
    parts = tuple(part for piece in scanned.pieces for part in piece.parts)
    if options.compiler and parts and _is_native(choice.migration, facts):
        kept = isolation.record_isolation(run, kept, options, progress)
        patches = choice.migration.plan.patches
        ready = probe.prepare(run, kept, facts, patches, options, progress)
        choice = planned.choose_plan(prepared, choice, ready, parts, _elsewhere(kept, facts))
    known = {*facts.undeclared}
    if not known.issuperset(undeclared := checked.find_undeclared(choice.looked)):
        facts = dataclasses.replace(facts, undeclared=tuple(sorted(known.union(undeclared))))
        again = dataclasses.replace(kept, analysis=dataclasses.replace(kept.analysis, facts=facts))
        return _migrate(run, again, facts, options, progress)
    plan, notes = (
        choice.migration.plan,
        [*choice.notes, *_note_skipped_notebooks(choice.migration.plan)],
    )
    if kept.migration.reported_pieces:
        names = ", ".join(kept.migration.reported_pieces)
        notes.insert(0, f"added to the unit because failing tests need it: {names}")
    target = targets.TARGETS[kept.target or targets.DEFAULT]
    if route := options.route or target.default_route:
        plan, said = routes.change_route(
            plan, root, scanned.discovery, target, route, required=options.route is not None
        )
        notes += said
    vendored = choice.migration.unit
    if not isinstance(vendored, unit.UnitPlan):
        vendored = unit.UnitPlan(answers={})
    patched = {one.path: one.after for one in plan.patches}
    left = accepted.accept_open(kept, (*plan.open, *plan.deferred), patched, root)
    missing = and_lacking(kept.missing, choice.looked)
    findings = kept.analysis.findings
    migration = dataclasses.replace(
        kept.migration,
        crashes=choice.migration.plan.crashes,
        open=left,
        notes=(*vendored.notes, *notes),
        missing=_add_answers(missing, vendored.answers, findings),
        units=checked.units(choice.looked),
        cuda_units=checked.units(choice.looked, Device.CUDA),
        patch=_write_plan(run, kept, plan),
        residue=and_refused(_find_residue(kept, root, scanned.surface, vendored), choice.looked),
        skipped=scanned.discovery.skipped,
    )
    return dataclasses.replace(kept, migration=migration)


def _write_plan(run: Run, kept: RunRecord, plan: Plan) -> PatchRecord:
    """The plan as commits of the run's tree and as a patch."""
    written = patch.write(
        _prefix_paths(plan, kept.source.subdir), run.tree, run.patch, command(kept)
    )
    changes = tuple((p.path, p.changes) for p in plan.patches)
    target = Cell(Tree.PATCHED, kept.target or "", Device.CPU, Evidence.NATIVE)
    wheel = cell_options.compat_wheel(kept, target) if plan.patches else None
    for old in run.patch.glob("*.whl"):  # of another form of the port
        old.unlink()
    needed = str(shutil.copy(wheel, run.patch)) if wheel is not None else None
    return dataclasses.replace(written, changes=changes, compat_wheel=needed)


# ------------------------------------------------------------- what is left


def _find_residue(
    kept: RunRecord, root: Path, surface: Surface, vendored: unit.UnitPlan
) -> tuple[Residue, ...]:
    """What is torch's in the patched tree, or in the project that a conversion wrote beside it."""
    from porter.surface.load import load_torch

    files = discover(root, exclude=kept.analysis.scope.exclude).files
    own = targets.TARGETS[kept.target or ""].project
    if own and (root / own).is_dir():
        files = tuple(file for file in files if file.path.startswith(f"{own}/"))
    books: dict[str, Notebook] = {}
    proxy = not targets.TARGETS[kept.target or ""].beside
    answered = {} if kept.form.is_vendored else read_answered(analyze.rules_of(kept), surface)
    left = residue.residue(
        _read(root, files if proxy else _drop_cuda_twins(files), books),
        surface,
        load_torch(),
        vendored.answers,
        vendored.in_package,
        keeps_torch=not kept.form.is_fork or not proxy,
        proxy=proxy,
        first_modules=() if kept.form.is_vendored or not kept.facts else kept.facts.first_modules,
        completed=surface.without_facts(answered),
    )
    return tuple(_place_in_cell(item, books) for item in left)


def _read(
    root: Path, files: Iterable[SourceFile], books: dict[str, Notebook]
) -> Iterator[tuple[SourceFile, bytes]]:
    """The bytes of files; of notebooks, which go into `books`, the text of their Python cells."""
    for file in files:
        data = (root / file.path).read_bytes()
        if file.language is Language.NOTEBOOK:
            try:
                book = books[file.path] = parse(data)
            except Unreadable:  # the scan says so
                continue
            data = book.text
        yield file, data


def _place_in_cell(item: Residue, books: Mapping[str, Notebook]) -> Residue:
    """A leftover of a notebook with the cell and the line in it."""
    if item.path not in books:
        return item
    cell, line = books[item.path].place(item.line)
    return dataclasses.replace(item, cell=cell, line=line)


def _note_skipped_notebooks(plan: Plan) -> Iterator[str]:
    """That notebooks stay as they are, where rules know edits for them."""
    left = [f for f in plan.open if f.cell and f.edits and f.safety is Safety.SAFE]
    if left:
        files = count(len({f.path for f in left}), "notebook")
        them = "it" if len(left) == 1 else "them"
        yield (
            f"{count(len(left), 'place')} in {files} left unchanged: "
            f"`porter migrate --notebooks` rewrites {them}"
        )


def _drop_cuda_twins(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Without CUDA's sources that an NPU has others for, by the same name."""
    npu = {file.path.removesuffix(".asc") for file in files if file.path.endswith(".asc")}
    return [f for f in files if not (f.path.endswith(".cu") and f.path[: -len(".cu")] in npu)]


def _is_native(done: Migration, facts: ProjectFacts) -> bool:
    """Whether C++ that is built names torch; what a build script lists may lie in an example."""
    roles = (Role.LIBRARY, Role.ENTRY) if facts.extensions else (Role.LIBRARY,)
    return any(u.language is Language.CPP and u.role in roles for u in done.uses)


def _elsewhere(kept: RunRecord, facts: ProjectFacts) -> list[str]:
    """Where extensions are built, if only by projects in folders of this one."""
    folders = sorted({posixpath.dirname(extension.path) for extension in facts.extensions})
    if "" in folders:
        return []
    place = f"{kept.source.written.partition('#')[0]}#{kept.source.subdir or ''}".rstrip("#")
    return [
        f"extensions are built by a separate project in {folder}: port it with "
        f"`porter port {place}{'/' if '#' in place else '#'}{folder}`"
        for folder in folders
    ]


def and_lacking(known: tuple[Missing, ...], looked: Said) -> tuple[Missing, ...]:
    """With what the compiler did not find; of what is listed already, its word counts."""
    lacking = {item.name: item for item in checked.missing_from_diagnostics(looked)}
    names = {item.name for item in known}
    judged = (
        dataclasses.replace(item, state=State.MISSING)
        if item.state is State.UNKNOWN and item.name in lacking
        else item
        for item in known
    )
    return (*judged, *(item for name, item in lacking.items() if name not in names))


def and_refused(left: tuple[Residue, ...], looked: Said) -> tuple[Residue, ...]:
    """With the places that the compiler refuses, each place once; without what porter's own lists
    could not judge in files that it takes."""
    left = tuple(r for r in left if r.state is not State.UNKNOWN or not _is_taken(r.path, looked))
    places = {place(item) for item in left}
    new = (item for item in checked.residue(looked) if place(item) not in places)
    return tuple(sorted((*left, *new), key=lambda r: (r.path, r.cell, r.line, r.column, r.name)))


def _is_taken(path: str, looked: Said) -> bool:
    """Whether the compiler takes a source, or a header, with every unit of the tree."""
    units = [one for found in looked.values() for one in found]
    header = path.endswith(HEADERS) and bool(units) and all(one.ok for one in units)
    return next((one.ok for one in units if one.path == path), header)


def _prefix_paths(plan: Plan, subdir: str | None) -> Plan:
    """A plan with paths from the root of the repository, not of the project in it."""
    if not subdir:
        return plan

    def prefix(patches: Iterable[FilePatch]) -> tuple[FilePatch, ...]:
        return tuple(dataclasses.replace(p, path=f"{subdir}/{p.path}") for p in patches)

    return dataclasses.replace(plan, patches=prefix(plan.patches), fixes=prefix(plan.fixes))


def _add_answers(
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
