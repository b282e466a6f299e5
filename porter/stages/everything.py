"""port: every stage in its order, each from where the last run of it left off."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace

from porter.errors import UsageError
from porter.host import files
from porter.model import Stage, State, Status, Verdict
from porter.run.record import Migration, RunRecord
from porter.run.store import Run
from porter.stages import analyze, migrate, session, verify
from porter.stages.options import Options, Progress


def port(run: Run, options: Options, progress: Progress) -> RunRecord:
    """analyze, migrate, build, verify, report; stages a killed run finished are not repeated.

    Where tests that are lost ask for pieces of the unit by what they say, the tree is migrated,
    built and verified again with these, until they ask for nothing new.
    """
    kept = run.save(replace(run.load(), asked=options.asked))
    if kept.stage("analyze") is None:
        kept = analyze.analyze(run, options, progress)
    if session.is_untouched(kept):
        return run.save(kept.with_stage(Stage(name="report", status=Status.OK, seconds=0.0)))
    asked: tuple[str, ...] = kept.migration.reported_pieces
    earlier: defaultdict[str, float] = defaultdict(float)  # seconds of the rounds before, by stage
    while True:
        if kept.stage("migrate") is None or asked != kept.migration.reported_pieces:
            run.save(replace(kept, migration=Migration(reported_pieces=asked)))
            kept = migrate.migrate(run, options, progress)
        if kept.stage("verify") is None:
            kept = verify.verify(run, options, progress, resume=True)
        asked = verify.asked_for(kept)
        if asked == kept.migration.reported_pieces:
            stages = (replace(s, seconds=s.seconds + earlier[s.name]) for s in kept.stages)
            run.save(replace(kept, stages=tuple(stages)))
            return report(run)
        for stage in kept.stages:
            earlier[stage.name] += stage.seconds if stage.name != "analyze" else 0
        progress.note("once more from migrate on, with what lost tests ask for")


def report(run: Run) -> RunRecord:
    """Write report.md and report.json into the run's folder."""
    from porter.report.json import encode
    from porter.report.markdown import markdown

    began = time.monotonic()
    kept = run.load()
    if kept.facts is None:
        raise UsageError("nothing to report yet", hint="`porter analyze SOURCE`")
    seconds = time.monotonic() - began
    kept = kept.with_stage(Stage(name="report", status=Status.OK, seconds=seconds))
    files.replace(run.folder / "report.md", markdown(kept))
    files.replace(run.folder / "report.json", encode(kept))
    return run.save(kept)


def leftovers(kept: RunRecord) -> bool:
    """Whether something waits for a person: open findings, residue, crashes, unread files, units
    that do not compile."""
    sure = [r for r in kept.residue if r.state is not State.UNKNOWN]
    bad = [unit for unit in kept.migration.units if not unit.ok]
    return bool(kept.migration.open or sure or bad or analyze.unread(kept))


def remains(kept: RunRecord) -> bool:
    """Whether anything keeps this run from being done."""
    if session.is_untouched(kept):
        return bool(kept.crashes)
    overall = kept.verification.overall
    done = overall is not None and overall.verdict is Verdict.PORTED
    return not done or leftovers(kept)
