"""port: every stage in its order, each from where the last run of it left off."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace

from porter.errors import UsageError
from porter.host import files
from porter.model import Finding, Residue, Round, Stage, State, Status, Verdict
from porter.report.facts import state
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
    session.require(kept, "verify")
    if session.is_untouched(kept):
        return report(run)
    asked: tuple[str, ...] = kept.migration.reported_pieces
    earlier: defaultdict[str, float] = defaultdict(float)  # seconds of the rounds before, by stage
    while True:
        if kept.stage("migrate") is None or asked != kept.migration.reported_pieces:
            rounds = _rounds(kept, asked)
            run.save(replace(kept, migration=Migration(reported_pieces=asked, rounds=rounds)))
            kept = migrate.migrate(run, replace(options, objects_follow=True), progress)
        if kept.stage("verify") is None:
            kept = verify.verify(run, options, progress, resume=True)
        asked = verify.requested_pieces(kept)
        if asked == kept.migration.reported_pieces:
            stages = (replace(s, seconds=s.seconds + earlier[s.name]) for s in kept.stages)
            run.save(replace(kept, stages=tuple(stages)))
            return report(run)
        for stage in kept.stages:
            earlier[stage.name] += stage.seconds if stage.name != "analyze" else 0
        progress.note("re-running migrate with polyfills suggested by failing tests")


def _rounds(kept: RunRecord, asked: tuple[str, ...]) -> tuple[Round, ...]:
    """The rounds so far; one more where what failed in the last asks for other pieces."""
    done = kept.migration.rounds
    new = tuple(sorted({*asked} - {*kept.migration.reported_pieces}))
    return (*done, Round(pieces=new, **state(kept))) if new else done


def report(run: Run) -> RunRecord:
    """Write report.md, report.json and report.html into the run's folder."""
    from porter.report.json import encode
    from porter.report.markdown import markdown
    from porter.report.page.render import page
    from porter.report.sources import Sources

    began = time.monotonic()
    kept = run.load()
    if kept.facts is None:
        raise UsageError("nothing to report yet", hint="`porter analyze SOURCE`")
    seconds = time.monotonic() - began
    kept = kept.replace_stage(Stage(name="report", status=Status.OK, seconds=seconds))
    files.replace(run.folder / "report.md", markdown(kept))
    files.replace(run.folder / "report.json", encode(kept))
    files.replace(run.page, page(kept, Sources(run, kept)))
    return run.save(kept)


def leftovers(kept: RunRecord) -> bool:
    """Whether something waits for a person: open findings and residue in what is shipped, crashes,
    unread files, units that do not compile."""
    sure = [r for r in kept.residue if r.state is not State.UNKNOWN]
    bad = [unit for unit in kept.migration.units if not unit.ok]
    found: list[Finding | Residue] = [*kept.migration.open, *sure]
    return bool(any(map(kept.is_shipped, found)) or bad or analyze.unread_files(kept))


def remains(kept: RunRecord) -> bool:
    """Whether anything keeps this run from being done."""
    if session.is_untouched(kept):
        return bool(kept.crashes)
    overall = kept.verification.overall
    done = overall is not None and overall.verdict is Verdict.PORTED
    return not done or leftovers(kept)
