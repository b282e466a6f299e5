"""How long the stages of a port may take: as in an earlier run of the same repository, else by what
runs of others took for their files, units and tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from porter.errors import EnvironmentFailed
from porter.model import Status
from porter.run import store
from porter.run.record import RunRecord
from porter.run.store import Run

PLAN = ("analyze", "migrate", "build", "verify", "report")
LOOKED = 6  # records that are read: they may be large


def expect(run: Run, kept: RunRecord) -> dict[str, float]:
    """Seconds by stage, of those that earlier runs tell of."""
    same: dict[str, float] = {}
    rates: defaultdict[str, list[float]] = defaultdict(list)
    for other in _others(run, kept):
        alike = other.source.identity == kept.source.identity
        for stage in other.stages:
            if stage.status is Status.SKIPPED:
                continue
            if alike and other.target == kept.target:
                same.setdefault(stage.name, stage.seconds)
            if size := _sizes(other)[stage.name]:
                rates[stage.name].append(stage.seconds / size)
    sizes = _sizes(kept)
    by_size = {n: sizes[n] * sorted(r)[len(r) // 2] for n, r in rates.items() if sizes[n]}
    return {**by_size, **same}


def _others(run: Run, kept: RunRecord) -> Iterator[RunRecord]:
    """Earlier runs, those of the same source first."""
    identities = dict(store.list_runs())
    identities.pop(run.folder.name, None)
    names = sorted(identities, reverse=True)
    names.sort(key=lambda name: identities[name] != kept.source.identity)
    for name in names[:LOOKED]:
        try:
            yield store.find(name).load()
        except (EnvironmentFailed, OSError):  # damaged, or deleted meanwhile
            continue


def _sizes(kept: RunRecord) -> Mapping[str, int]:
    """What the time of each stage grows with: files, units where they are known, files of tests."""
    files = kept.analysis.files
    units = len(kept.migration.units) + len(kept.migration.cuda_units)
    tests = len(kept.facts.tests) if kept.facts else 0
    sizes = {"analyze": files, "migrate": files, "build": units or files, "verify": tests or files}
    return {**sizes, "report": files}
