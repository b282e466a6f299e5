"""Submodules of a source, fetched before what needs their files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from porter.errors import PorterError
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.sources import checkout
from porter.sources.source import Kind, SourceSpec
from porter.stages.options import Progress


def bring_submodules(run: Run, kept: RunRecord, progress: Progress) -> RunRecord:
    """The record, with a note where a submodule of the source is not to be had.

    Nothing is fetched where the tree has them, or has none. The builds go on either way: what
    they lack is then among their diagnostics.
    """
    if kept.source.kind == Kind.PYPI or not checkout.lacks_submodules(run.base):
        return kept
    try:
        with progress.stage("fetch submodules"):
            checkout.add_submodules(_spec(kept), run.folder, progress.line)
    except PorterError as error:
        note = f"{error} ({error.hint})" if error.hint else str(error)
        progress.note(note)
        notes = tuple(dict.fromkeys((*kept.source.notes, note)))
        return dataclasses.replace(kept, source=dataclasses.replace(kept.source, notes=notes))
    return kept


def _spec(kept: RunRecord) -> SourceSpec:
    """The source as it was parsed; a path as written holds only where the run was begun."""
    source = kept.source
    if source.location:
        return SourceSpec(text=source.written, kind=Kind(source.kind), location=source.location)
    here = Path(kept.cwd) / source.written
    return checkout.parse(str(here) if here.exists() else source.written)
