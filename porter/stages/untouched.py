"""A local tree that never names torch, nor has code for Ascend NPUs, whose kernels need no torch:
said from where it stands, before anything is copied."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from porter.model import ProjectFacts, Stage, Status
from porter.run import store
from porter.run.record import Analysis, RunRecord, SourceRecord
from porter.run.store import Run
from porter.sources import view
from porter.sources.source import Kind, SourceSpec
from porter.survey.discover import Discovery, discover
from porter.survey.survey import concerns
from porter.targets import concerned


def look(spec: SourceSpec) -> Discovery | None:
    """The files of a local source with nothing to look at; None for any other source."""
    root = Path(spec.location, spec.subdir)
    if spec.kind is not Kind.PATH or not root.is_dir() or view.is_bare(Path(spec.location)):
        return None
    discovery = discover(root, untracked=True)
    empty = all(path.name == ".git" for path in root.iterdir())
    return None if empty or concerns(root, discovery) else discovery


def begin(run: Run, source: SourceRecord, found: Discovery, began: float) -> None:
    """The record of such a tree: analyzed, with nothing to migrate, build or verify."""
    facts = ProjectFacts()
    analysis = Analysis(facts=facts, files=len(found.files), skipped=found.skipped)
    kept = dataclasses.replace(store.begin(run, source), analysis=analysis)
    seconds = time.monotonic() - began
    run.save(kept.with_stage(Stage(name="analyze", status=Status.OK, seconds=seconds)))


def is_untouched(kept: RunRecord) -> bool:
    """Whether the source has nothing for the target, so that later stages have nothing to do."""
    return kept.facts is not None and not concerned(kept.target, kept.facts)


def nothing_to_do(run: Run, stage: str) -> RunRecord:
    """The record with a stage that had nothing to do."""
    reason = "nothing to port: no file names torch"
    done = Stage(name=stage, status=Status.SKIPPED, seconds=0.0, reason=reason)
    return run.save(run.load().with_stage(done))
