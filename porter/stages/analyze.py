"""analyze: what the repository is, what will be rewritten, what the target lacks; runs nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from porter import targets
from porter.model import (
    ProjectFacts,
    Status,
    Surface,
)
from porter.report.facts import describe_scope
from porter.report.rows import count
from porter.run.record import Analysis, RunRecord
from porter.run.store import Run
from porter.stages import accepted, generators, remembered, session
from porter.stages.options import Options, Progress
from porter.survey.discover import Discovery, discover

if TYPE_CHECKING:
    from porter.migrate.scan import Job, ScanResult
    from porter.unit import Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """What the rules in force find in a tree, but for the edits that it is spared."""

    discovery: Discovery
    surface: Surface
    pieces: tuple[Piece, ...]  # that the target has
    job: Job
    found: ScanResult
    instead: tuple[str, ...] = ()  # the pieces that act where edits are spared


def begin(source: str, options: Options, progress: Progress) -> tuple[Run, RunRecord]:
    """Fetch a source into a new run, and analyze it. Raises UsageError, and what a fetch raises."""
    from porter.stages.configured import configure

    run = session.begin(source, progress)
    return run, analyze(run, configure(run, options, progress), progress)


def analyze(run: Run, options: Options, progress: Progress) -> RunRecord:
    """Fill the analyze part of a run's record; what was computed from another analysis goes."""
    kept = session.choose(run.load(), options)
    began = session.begin_stage()
    progress.enter("analyze")
    if not session.is_untouched(kept):
        with progress.stage("analyze"):
            root = session.root(run, kept, patched=False)
            key = remembered.key_of(kept, run.base)
            analysis = remembered.load(key)
            if analysis is None:
                analysis = _analysis(kept, root, options, progress)
                analysis = remembered.save(key, analysis)
            kept = dataclasses.replace(kept, analysis=analysis)
    return run.save(session.end_stage(kept, "analyze", Status.OK, began))


def _analysis(kept: RunRecord, root: Path, options: Options, progress: Progress) -> Analysis:
    from porter.rules.loader import load_pack
    from porter.survey.survey import survey

    discovery = discover(root, exclude=kept.analysis.scope.exclude)
    facts = survey(root, discovery)
    in_ascend = find_in_ascend(kept, root, discovery, facts, options) if facts.ascend else None
    found = Analysis(
        target=kept.target,
        target_version=kept.target_version,
        form=kept.form,
        scope=kept.analysis.scope,
        facts=facts,
        files=len(discovery.files),
        skipped=discovery.skipped,
        ascend=in_ascend.findings if in_ascend else (),
    )
    kept = dataclasses.replace(kept, analysis=found)
    if session.is_untouched(kept):
        return dataclasses.replace(found, notes=tuple(describe_scope(found)))
    scanned = scan_tree(kept, root, discovery, options, progress)
    suppressions = [*scanned.found.suppressions, *(in_ascend.suppressions if in_ascend else ())]
    active = [rule.id for rule in scanned.job.pack.rules]
    active += [rule.id for rule in load_pack("ascend").rules] if in_ascend else []
    found = dataclasses.replace(
        _add_findings(kept, root, scanned), unused=accepted.find_unused(suppressions, active)
    )
    return accepted.accept(found, root)


def find_in_ascend(
    kept: RunRecord, root: Path, discovery: Discovery, facts: ProjectFacts, options: Options
) -> ScanResult:
    """What the rules for Ascend code find, whatever the target."""
    from porter.migrate.scan import Job, scan
    from porter.rules.loader import load_pack

    job = Job(
        root=root,
        facts=facts,
        pack=load_pack("ascend"),
        form=kept.form,
        levels=kept.analysis.scope.levels,
        kept=True,
    )
    return scan(job, discovery.files, jobs=options.jobs)


def unread_files(kept: RunRecord) -> tuple[str, ...]:
    """Files that should have been read and could not be."""
    skipped = [s.path for s in kept.skipped if not s.meant]
    return (*skipped, *(crash.path for crash in kept.crashes))


def surface_of(kept: RunRecord) -> Surface:
    """What the target offers: of the user's own build when it was captured, else as shipped."""
    from porter.surface import load

    assert kept.target is not None and kept.target_version is not None
    surface = load.load(kept.target, kept.target_version)
    under = targets.TARGETS[kept.target].beside
    return load.extend(surface, load.load_torch()) if under else surface


def _add_findings(kept: RunRecord, root: Path, scanned: Scanned) -> Analysis:
    from porter.stages.answers import Answers
    from porter.surface.load import load_torch
    from porter.uses import documents, lookup
    from porter.uses.differences import differences
    from porter.uses.guesses import guesses

    result, facts = scanned.found, scanned.job.facts
    surface = lookup.select_relevant(scanned.surface, result.uses)
    missing = lookup.find_missing(result.uses, surface, load_torch())
    packaged = not kept.form.is_vendored
    known = Answers(scanned.pieces, surface, rules_of(kept), packaged=packaged)
    judged = known.add_to_names(missing, result)
    told = differences(result.uses, surface, load_torch())
    guessed = guesses(result.uses, told, surface, load_torch())
    answers = {m.name.partition("(")[0]: m.answer for m in judged if m.answer}
    names = (package.name for package in facts.packages)
    shown, odd = documents.look(
        root,
        scanned.discovery.documents,
        names,
        surface,
        load_torch(),
        _prelude(kept),
        enabling=packaged,
    )
    return dataclasses.replace(
        kept.analysis,
        skipped=tuple(sorted({*kept.skipped, *result.skipped}, key=lambda s: s.path)),
        crashes=(*result.crashes, *odd),
        findings=result.findings,
        missing=judged,
        differences=tuple(
            dataclasses.replace(d, answer=answers.get(d.name, "")) for d in told if d.sure
        ),
        guesses=known.add_to_guesses(guessed),
        documents=shown,
        present=lookup.present(result.uses, surface, load_torch()),
        notes=tuple(dict.fromkeys(_notes(kept, scanned))),
    )


def scan_tree(
    kept: RunRecord,
    root: Path,
    discovery: Discovery,
    options: Options,
    progress: Progress | None = None,
) -> Scanned:
    """Look at a tree with the rules that the run's target and style have in force."""
    from porter import unit
    from porter.migrate.scan import Job, scan
    from porter.rules.loader import load_pack
    from porter.uses.asked import LookUp

    def tell(done: int, total: int) -> None:
        if progress is not None:
            progress.line(f"{done} of {total} files")

    assert kept.target is not None and kept.facts is not None
    surface, pieces = surface_of(kept), pieces_of(kept)
    pack = load_pack(targets.TARGETS[kept.target].pack).active(surface, kept.form)
    job = Job(
        root=root,
        facts=kept.facts,
        pack=pack,
        form=kept.form,
        look_up=LookUp.of(surface),
        levels=kept.analysis.scope.levels,
        kept=True,
    )
    found = scan(job, discovery.files, jobs=options.jobs, progress=tell)
    scanned = Scanned(discovery=discovery, surface=surface, pieces=pieces, job=job, found=found)
    roles = {file.path: file.role for file in discovery.files}
    if kept.form.is_vendored:
        package = unit.package_of(roles, kept.facts, found.uses)
        spared, chosen = unit.spare_rules(pieces, found.findings, roles, package)
    else:
        spared, chosen = unit.spare_by_package(pieces, kept.facts), ()
    if spared is None:
        return scanned
    left = (f for f in found.findings if not spared.covers(f.rule, f.path, roles[f.path]))
    return dataclasses.replace(
        scanned,
        job=dataclasses.replace(job, spared=spared),
        found=dataclasses.replace(found, findings=tuple(left)),
        instead=chosen,
    )


def pieces_of(kept: RunRecord) -> tuple[Piece, ...]:
    """The polyfill pieces of the target."""
    from porter import unit

    return unit.pieces(rules_of(kept) / "polyfills")


def rules_of(kept: RunRecord) -> Path:
    target = targets.TARGETS[kept.target or ""]
    return target.rules / target.pack


def _prelude(kept: RunRecord) -> str:
    """What makes `import torch` mean the target, on one line; nothing without a proxy, when a
    target's prelude is for parity cases only."""
    target = targets.TARGETS[kept.target or ""]
    text = target.proxy.guard(kept.form).fork if target.proxy else ""
    return "; ".join(text.partition("  #")[0].split("\n\n")).strip()


def _note_programs(kept: RunRecord, job: Job) -> Iterator[str]:
    """What is installed and imports torch before anything could enable the target's proxy: where
    packages do not do so themselves."""
    if not _prelude(kept) or not kept.form.is_vendored:
        return
    from porter.survey import programs

    found = programs.select_torch_programs(job.facts.programs, job.elsewhere, job.facts.packages)
    commands = [p for p in found if p.name]
    if commands:
        first = commands[0]
        call = f"from {first.module} import {first.function}; {first.function}()"
        if not first.function:
            call = f'import runpy; runpy.run_module("{first.module}", run_name="__main__")'
        names = ", ".join(p.name for p in commands)
        yield (
            f"{count(len(commands), 'installed program')} with torch ({names}) start without "
            f"{kept.target}'s proxy; run {first.name} with `python -c '{_prelude(kept)}; {call}'`"
        )
    for plugin in (p for p in found if not p.name):
        yield (
            f"pytest loads the plugin {plugin.module}, which imports torch, before any "
            f"conftest.py: under {kept.target}, `{_prelude(kept)}` must run before pytest"
        )


def _note_notebooks(kept: RunRecord, result: ScanResult) -> Iterator[str]:
    """What the notebooks that use torch need under the target, and which cells were left out."""
    books = {use.path for use in result.uses if use.cell}
    if books and _prelude(kept):
        yield (
            f"{count(len(books), 'notebook')} with torch, {min(books)} first: under {kept.target}, "
            f"run `{_prelude(kept)}` in a cell before importing torch"
        )
    left = [s for s in result.skipped if s.meant]
    if left:
        yield (
            f"{count(len(left), 'cell')} in other languages skipped in notebooks: "
            f"{left[0].path} ({left[0].reason}){', ...' if len(left) > 1 else ''}"
        )


def _notes(kept: RunRecord, scanned: Scanned) -> Iterator[str]:
    if scanned.surface.version != kept.target_version:
        yield (
            f"porter ships no surface of {kept.target} {kept.target_version}: that of "
            f"{scanned.surface.version} is used instead (`porter surface capture` creates your own)"
        )
    yield from describe_scope(kept.analysis)
    yield from _note_programs(kept, scanned.job)
    yield from _note_notebooks(kept, scanned.found)
    yield from generators.note_generators(scanned.job.facts, scanned.job.root)
    untold = scanned.found.untold
    if untold:
        where = ", ".join(f"{path}:{line}" for path, line in untold[:3])
        more = ", ..." if len(untold) > 3 else ""
        yield (
            f"{len(untold)} places look torch names up at run time (getattr(torch, name), "
            f"import *), which porter cannot check: {where}{more}"
        )
