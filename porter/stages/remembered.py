"""An earlier analysis of the same tree, by all that an analysis depends on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from porter import targets
from porter.host import kept
from porter.run.record import Analysis, RunRecord
from porter.survey.roles import read_submodules
from porter.targets.surroundings import surroundings

KIND = "analyses"


def key_of(record: RunRecord, base: Path) -> str:
    """A digest of the tree and of what porter knows; empty where the tree on the disk may hold more
    than is committed: what builds made, and the files of submodules."""
    source = record.source
    touched = record.stages or record.builds or record.suites
    filled = (base / name for name in read_submodules(base))
    if touched or not source.digest or any(any(folder.glob("*")) for folder in filled):
        return ""
    target = targets.TARGETS[record.target or ""]
    analysis = record.analysis
    about = (analysis.target, analysis.target_version, analysis.form, analysis.scope)
    return surroundings(target.rules / target.pack, source.digest, source.subdir, about)


def load(key: str) -> Analysis | None:
    """The analysis of an earlier run, where it was kept."""
    found = kept.load(KIND, [key]).get(key) if key else None
    return found if isinstance(found, Analysis) else None


def save(key: str, analysis: Analysis) -> Analysis:
    """Keep an analysis that has read every file: what could not be read may be read next time.
    Gives it with the key that it was kept by."""
    if not key or analysis.crashes or not all(s.meant for s in analysis.skipped):
        return analysis
    analysis = replace(analysis, key=key)
    kept.save(KIND, {key: analysis})
    return analysis
