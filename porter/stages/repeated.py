"""The run of a source that was analyzed before, where another analysis would say the same."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.run import store
from porter.run.record import Analysis, RunRecord
from porter.run.store import Run
from porter.sources import checkout, unchanged
from porter.sources.source import Kind
from porter.stages import remembered, session
from porter.stages.configured import configure_anew
from porter.stages.options import Options, Progress


def find(source: str, options: Options, progress: Progress) -> tuple[Run, RunRecord] | None:
    """The newest run of a local source and its record, where it was only analyzed and neither the
    source, the choices, nor porter changed since. It is the newest of all from now on.

    Raises UsageError, as for a new run.
    """
    spec = checkout.parse(source)
    state = unchanged.state(Path(spec.location)) if spec.kind is Kind.PATH else ""
    run = next(store.runs_of(spec.identity, Path.cwd()), None) if state else None
    if run is None or session.worker(run) is not None:
        return None
    try:
        kept = run.load()
    except EnvironmentFailed:  # damaged, or of another porter
        return None
    analyzed = kept.analysis.key and [stage.name for stage in kept.stages] == ["analyze"]
    asked = (kept.source.state, kept.source.written, kept.cwd)
    if not analyzed or asked != (state, spec.text, str(Path.cwd())):
        return None
    fresh = dataclasses.replace(kept, analysis=Analysis(), stages=())
    chosen = session.choose(fresh, configure_anew(run, fresh, options, progress))
    if remembered.key_of(chosen, run.base) != kept.analysis.key:
        return None
    store.renew(run)
    return run, kept
