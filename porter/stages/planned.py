"""A migration planned with the C++ parts that a compiler finds in use."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from porter import unit
from porter.errors import EnvironmentFailed
from porter.migrate.plan import Edited, Migration, Tree, complete, edit
from porter.model import Use
from porter.run.record import RunRecord
from porter.stages import analyze, checked, probe
from porter.stages.options import Options
from porter.survey.discover import discover
from porter.survey.roles import empty_submodules
from porter.unit.parts import Part

if TYPE_CHECKING:
    from porter.stages.checked import Looked

CHECKS = 4  # of a unit, each one with the parts that the last one's errors name
BY_NAME = "C++ polyfills were selected by name, without a compiler"
UNCHECKED = "no C++ unit was checked by a compiler"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A tree with the edits of its rules, to be planned with any choice of C++ parts."""

    scanned: analyze.Scanned
    asked: tuple[str, ...]  # pieces that are in the unit whatever the names say
    edited: Edited

    def plan(self, seen: unit.Seen | None = None) -> Migration:
        def assemble(tree: Tree, uses: tuple[Use, ...]) -> unit.UnitPlan:
            job, surface, pieces = self.edited.job, self.scanned.surface, self.scanned.pieces
            return unit.assemble(tree, job.facts, uses, surface, job.form, pieces, seen, self.asked)

        return complete(self.edited, assemble)


def prepare(kept: RunRecord, root: Path, options: Options) -> Prepared:
    discovery = discover(root, exclude=kept.analysis.scope.exclude)
    scanned = analyze.scan_tree(kept, root, discovery, options)
    files = scanned.discovery.files
    return Prepared(
        scanned=scanned,
        asked=(*kept.migration.reported_pieces, *scanned.instead),
        edited=edit(scanned.job, files, options.gate, scanned.found, options.notebooks),
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """A migration with the C++ parts that it was planned with, and how its units fare."""

    migration: Migration
    looked: Looked = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def choose_plan(
    prepared: Prepared,
    by_name: Choice,
    ready: probe.Probe | str,
    parts: Sequence[Part],
    elsewhere: Sequence[str],
) -> Choice:
    """The migration as a compiler finds it: with a vendored unit, of the parts in use; where it
    cannot, as by name."""
    vendored = prepared.edited.job.form.is_vendored
    failed = BY_NAME if vendored else UNCHECKED
    if isinstance(ready, str):
        return dataclasses.replace(by_name, notes=(f"{failed}: {ready}",))
    found = ready.find(parts)
    if vendored:
        choice = _repeat_until_stable(prepared, by_name.migration, ready, found, parts)
    else:  # which has all parts
        choice = Choice(by_name.migration, {} if isinstance(found, str) else found)
    notes = [*ready.reasons, *([] if ready.units else elsewhere), *choice.notes]
    notes += [] if isinstance(found, str) else checked.explain_unchecked(choice.looked)
    notes += _not_brought(prepared.edited.job.root, choice.looked)
    notes += [f"{failed}: {found}"] if isinstance(found, str) else []
    return dataclasses.replace(choice, notes=tuple(notes))


def _repeat_until_stable(
    prepared: Prepared,
    migration: Migration,
    ready: probe.Probe,
    found: Looked | str,
    parts: Sequence[Part],
) -> Choice:
    """Plan and check with the parts that were found in use, then with those that errors name, too;
    without any found, check the migration as it is."""
    seen = None if isinstance(found, str) else ready.compute_closure(found)
    looked: Looked = {}
    try:
        for _ in range(CHECKS):
            migration = migration if seen is None else prepared.plan(seen)
            looked = ready.check(migration.plan.patches)
            if seen is None or isinstance(found, str):
                break
            wider = ready.compute_closure(found, seen.used | checked.prune(found, looked, parts))
            if wider == seen:
                break
            seen = wider
    except EnvironmentFailed as error:
        return Choice(migration, looked, (f"no unit was checked with the patch: {error}",))
    return Choice(migration, looked)


def _not_brought(root: Path, looked: Looked) -> list[str]:
    """Submodules without content, if headers are missing."""
    said = (d for one in checked.every(looked) for d in one.diagnostics)
    if not any(d.cause.startswith("missing header") for d in said):
        return []
    return [
        f"headers are missing and the submodule {name} is empty: run `git submodule update --init`"
        for name in empty_submodules(root)
    ]
