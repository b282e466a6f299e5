"""Find the run a command continues, or begin a new one."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from pathlib import Path

from porter.errors import EnvironmentFailed, UsageError
from porter.host import alive, compiled, files, locks, process, scratch, spending
from porter.model import Delivery, Form, ProjectFacts, Scope, Stage, Status
from porter.report.facts import is_untouched as is_untouched
from porter.run import store
from porter.run.record import Analysis, RunRecord, SourceRecord
from porter.run.store import Run
from porter.sources import checkout, repository, unchanged, view
from porter.sources.source import Kind, SourceSpec
from porter.stages.options import Options, Progress
from porter.survey.discover import Discovery, discover
from porter.survey.relevance import concerns
from porter.targets import TARGETS

AT_WORK = "at-work"  # names the process that works on a run
PROJECT_MARKS = ("setup.py", "pyproject.toml", "setup.cfg", "CMakeLists.txt", ".git")


def begin(source: str, progress: Progress) -> Run:
    """Fetch a source into a new run. Raises SourceError, NetworkError, EnvironmentFailed."""
    spec = checkout.parse(source)
    with scratch.folder() as aside:  # so that there is no run until all of it is there
        run = claim(store.create(aside))
        began = time.monotonic()
        found = _look(spec)
        if found is not None:
            _begin_untouched(run, _plain(spec), found, began)
            return store.publish(run)
        with progress.stage(f"checkout {source}"):
            state = unchanged.state(Path(spec.location)) if spec.kind is Kind.PATH else ""
            got = checkout.fetch(spec, run.folder, progress.line)
        store.begin(run, _make_source_record(spec, got, state))
        return store.publish(run)


def _make_source_record(spec: SourceSpec, got: checkout.Checkout, state: str) -> SourceRecord:
    return SourceRecord(
        written=got.source,
        identity=got.identity,
        kind=spec.kind.value,
        location=spec.location
        if spec.location == repository.mask_credentials(spec.location)
        else "",
        commit=got.commit,
        version=got.version,
        sha256=got.sha256,
        subdir=got.subdir or None,
        head=got.head,
        digest=got.digest,
        state=state,
        dirty=got.dirty,
        notes=got.notes,
    )


def _plain(spec: SourceSpec) -> SourceRecord:
    """A source of which nothing is fetched."""
    return SourceRecord(
        written=repository.mask_credentials(spec.text),
        identity=spec.identity,
        kind=spec.kind.value,
        location=spec.location,
        subdir=spec.subdir or None,
    )


def resume(new: Run, options: Options, progress: Progress) -> Run:
    """The interrupted run of the same content and choices, else the new one."""
    fresh = new.load()
    runs = store.runs_of(fresh.source.identity, Path.cwd())
    old = next((run for run in runs if run != new), None)
    if old is None or not _goes_on(old, fresh, options):
        return new
    if worker(old) is not None:
        progress.note(
            f"run {old.folder.name} is in progress in another process: starting a new run"
        )
        return new
    scratch.discard(new.folder)
    progress.note(f"continuing run {old.folder.name}")
    return claim(old)


def worker(run: Run) -> int | None:
    """The other living process that works on a run."""
    pid = alive.read(run.folder / AT_WORK)
    return pid if pid != os.getpid() else None


def claim(run: Run) -> Run:
    """Take a run for this process, ending what a killed one left running.

    Raises UsageError where another process is at work on it.
    """
    with locks.alone(run.folder):
        pid = worker(run)
        if pid is not None:
            raise UsageError(
                f"run {run.folder.name} is in progress in process {pid}",
                hint="wait for it to finish, or stop it",
            )
        _clean(run)
        alive.write(run.folder / AT_WORK, os.getpid())
    return run


def sweep() -> None:
    """Clean what commands that were killed left in PORTER_HOME, and end what they left running."""
    with contextlib.suppress(OSError):  # a home that can only be read is no fault of this command
        scratch.sweep()
        compiled.sweep()
        for run in store.all_runs():
            for folder in (run.folder, run.applied):
                files.sweep(folder)
            with locks.alone(run.folder):
                if alive.read(run.folder / AT_WORK) is None:
                    _clean(run)


def _clean(run: Run) -> None:
    """Clean what the last process at work on a run left, where it did not come to its end."""
    if not (run.folder / AT_WORK).exists():
        return
    process.end_left((run.logs, run.folder / "parity", *run.folder.glob("cells/*/logs")))
    for tree in (run.tree, run.base):
        repository.clean(tree)
    for folder in (run.folder, run.patch, run.tree / ".git"):
        files.sweep(folder)
    (run.folder / AT_WORK).unlink(missing_ok=True)


def _goes_on(old: Run, fresh: RunRecord, options: Options) -> bool:
    """Whether an earlier run stopped half-way through the same work on the same content."""
    try:
        kept = old.load()
    except EnvironmentFailed:  # damaged, or of another porter: it is not needed
        return False
    return (
        kept.source.digest == fresh.source.digest
        and kept.porter_version == fresh.porter_version
        and bool(kept.stages)
        and kept.stage("report") is None
        and kept.asked == options.asked
        and _agrees(kept, options)
    )


def _agrees(kept: RunRecord, options: Options) -> bool:
    same = kept.form == _form(options, Form(), kept.target)
    same = same and kept.analysis.scope == (options.scope or Scope())
    return same and aims_at(kept, options.target)


def aims_at(kept: RunRecord, target: str | None) -> bool:
    """Whether a run is for the target that the user names: without a version, whatever it has."""
    versioned = "==" in (target or "")
    return target in (None, f"{kept.target}=={kept.target_version}" if versioned else kept.target)


def open_run(
    source: str | None,
    run_id: str | None,
    progress: Progress,
    *,
    migrated: bool = False,
) -> Run | None:
    """The run to continue: the one named, else the latest of the source or of this folder; with
    `migrated` the latest of the same source that has a patch.

    None when there is none yet. Raises UsageError for a `run_id` that does not exist.
    """
    if run_id is not None:
        return store.find(run_id)
    identity = None if source is None else checkout.parse(source).identity
    passed: list[str] = []
    damaged: EnvironmentFailed | None = None
    for run in store.runs_of(identity, Path.cwd()):
        try:
            kept = run.load()
        except EnvironmentFailed as error:
            damaged = damaged or error
            passed.append(str(error))
            continue
        if identity not in (None, kept.source.identity):
            continue
        if kept.migration.patch is not None or not migrated:
            if passed:
                progress.note(f"{passed[0]}; continuing the run before it, {run.folder.name}")
            return run
        identity = kept.source.identity
        passed.append(f"run {kept.id} is not migrated")
    if damaged is not None:
        raise damaged
    return None


def renew(run: Run, progress: Progress) -> Run | None:
    """A new run of a local source that changed since `run` took its copy; None where it did not."""
    source = run.load().source
    if source.kind != Kind.PATH or not Path(source.location).is_dir():
        return None
    if source.state and source.state == unchanged.state(Path(source.location)):
        return None
    place = f"{source.location}#{source.subdir}" if source.subdir else source.location
    new = begin(place, progress)
    if new.load().source.digest == source.digest:
        scratch.discard(new.folder)
        return None
    progress.note(f"{source.written} changed since it was analyzed: analyzing it again")
    return new


def default_source() -> str:
    """This folder, when it looks like a project. Raises UsageError."""
    if any((Path.cwd() / mark).exists() for mark in PROJECT_MARKS):
        return "."
    raise UsageError(
        "no run to continue here, and this folder is not a project",
        hint="name one: `porter analyze ./path`, a git URL, or pypi:name==version",
    )


def root(run: Run, kept: RunRecord, patched: bool) -> Path:
    """The project's folder in one of the run's trees."""
    tree = run.tree if patched else run.base
    return tree / kept.source.subdir if kept.source.subdir else tree


def _form(options: Options, otherwise: Form, target: str | None) -> Form:
    """The form of the port that the user chose; for a target without a package, vendored."""
    from porter import targets

    proxy = targets.TARGETS[target].proxy if target else None
    delivery = options.delivery or otherwise.delivery
    if proxy is None or proxy.completed is None:
        delivery = Delivery.VENDORED
    return Form(options.style or otherwise.style, delivery)


def choose(kept: RunRecord, options: Options) -> RunRecord:
    """The record with the user's target and form: for others than it is for, an analysis that
    has only begun. Raises UsageError for unknown ones.
    """
    from porter import targets

    spec = options.target
    if spec is None and kept.target is not None:
        spec = f"{kept.target}=={kept.target_version}"
    target, version = targets.resolve(spec)
    form = _form(options, kept.form, target.name)
    now = kept.analysis
    scope = now.scope if options.scope is None else options.scope
    same = (now.target, now.target_version, now.form, now.scope)
    if same == (target.name, version, form, scope):
        return kept
    analysis = Analysis(
        target=target.name,
        target_version=version,
        form=form,
        scope=scope,
        facts=now.facts,
        files=now.files,
        skipped=now.skipped,
    )
    return dataclasses.replace(kept, analysis=analysis)


# A local tree that never names torch, nor has code for Ascend NPUs, whose kernels need no torch,
# is judged where it stands, before anything is copied.


def _look(spec: SourceSpec) -> Discovery | None:
    """The files of a local source with nothing to look at; None for any other source."""
    root = Path(spec.location, spec.subdir)
    if spec.kind is not Kind.PATH or not root.is_dir() or view.is_bare(Path(spec.location)):
        return None
    empty = all(path.name == ".git" for path in root.iterdir())
    return None if empty or concerns(root) else discover(root, untracked=True)


def _begin_untouched(run: Run, source: SourceRecord, found: Discovery, began: float) -> None:
    """The record of such a tree: analyzed, with nothing to migrate, build or verify."""
    facts = ProjectFacts()
    analysis = Analysis(facts=facts, files=len(found.files), skipped=found.skipped)
    kept = dataclasses.replace(store.begin(run, source), analysis=analysis)
    seconds = time.monotonic() - began
    run.save(kept.replace_stage(Stage(name="analyze", status=Status.OK, seconds=seconds)))


def require(kept: RunRecord, stage: str) -> None:
    """Raise UsageError where the run's target has no such stage."""
    target = TARGETS.get(kept.target or "")
    if target is not None and stage not in target.stages:
        raise UsageError(
            f"porter does not {stage} for {target.title} yet",
            hint="what it does: " + ", ".join(f"`porter {name}`" for name in target.stages),
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Began:
    """When a stage began, and what processes had taken by then."""

    at: float
    spent: spending.Spent


def begin_stage() -> Began:
    return Began(time.monotonic(), spending.total())


def end_stage(kept: RunRecord, name: str, status: Status, began: Began) -> RunRecord:
    """The record with a stage that has come to its end, and where its time went."""
    spent = {kind: seconds for kind, (_, seconds) in spending.total(began.spent).items()}
    seconds = time.monotonic() - began.at
    return kept.replace_stage(Stage(name=name, status=status, seconds=seconds, processes=spent))


def nothing_to_do(run: Run, stage: str) -> RunRecord:
    """The record with a stage that had nothing to do."""
    reason = "nothing to port: no file names torch"
    done = Stage(name=stage, status=Status.SKIPPED, seconds=0.0, reason=reason)
    return run.save(run.load().replace_stage(done))
