"""The record as the one JSON document of `--json`: see docs/reference/json.md."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from porter.model import (
    AscendRoute,
    BuildResult,
    Fact,
    ParityResult,
    Safety,
    Stage,
    Status,
    Tree,
    UnitResult,
)
from porter.report.facts import (
    COMPILED,
    SCRIPTED,
    UNKNOWN,
    accepted_counts,
    cases_by_patch,
    compile_results,
    counts,
    cpp_names,
    emulated_tests,
    lost_imports,
    needs_fixes,
    ran,
    remedy,
    rounds,
    suite_of,
    tests_by_polyfill,
    unexplained,
)
from porter.run.record import RunRecord

Document = dict[str, Any]
SCHEMA = 2  # a key that goes or means something else makes a new one: docs/reference/json.md


def encode(record: RunRecord) -> str:
    """The document as text."""
    return json.dumps(document(record), indent=2)


def document(record: RunRecord) -> Document:
    """Every key is always there; null or empty where its stage did not run."""
    return {**_run(record), **_analysis(record), **_migration(record), **_results(record)}


def _fields(item: object, keys: str) -> Document:
    """Attributes of an item by their names; those with `?` are null where they are empty."""
    found: Document = {}
    for key in keys.split():
        name = key.removesuffix("?")
        value = _plain(getattr(item, name))
        found[name] = None if key != name and not value else value
    return found


def _each(items: Iterable[object], keys: str) -> list[Document]:
    return [_fields(item, keys) for item in items]


def _plain(value: object) -> object:
    """A value as JSON has it, which knows no infinities."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Safety):
        return value.label
    if isinstance(value, StrEnum | Fact):
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


# ------------------------------------------------------------- one stage's part each


def _run(record: RunRecord) -> Document:
    overall = record.verification.overall
    target = f"{record.target}=={record.target_version}"
    source = _fields(record.source, "written kind commit version sha256 subdir dirty")
    return {
        "schema": SCHEMA,
        "porter_version": record.porter_version,
        "run": record.id,
        "source": source | {"dirty": bool(record.source.dirty)},
        "target": None if record.target is None else target,
        "style": str(record.form.style),
        "delivery": str(record.form.delivery),
        "verdict": overall.verdict.name if overall else None,
        "reasons": list(overall.reasons) if overall else [],
        "devices": {
            str(v.device): {"verdict": v.verdict.name, "reasons": list(v.reasons)}
            for v in record.verification.verdicts
        },
        "skipped": [
            {"path": s.path, "reason": s.reason, "remedy": remedy(s.reason) or None}
            for s in record.skipped
        ],
        "crashes": _each(record.crashes, "path where error"),
        "stages": [_stage(s) for s in record.stages],
        "isolation": record.isolation or None,
        "notes": list(record.notes),
    }


def _stage(stage: Stage) -> Document:
    processes = {kind: round(seconds, 3) for kind, seconds in stage.processes.items()}
    own = {"seconds": round(stage.seconds, 3), "processes": processes}
    return _fields(stage, "name status seconds reason") | own


def _analysis(record: RunRecord) -> Document:
    found = record.analysis
    return {
        "repository": _repository(record),
        "ascend": _ascend(record),
        "findings": _each(found.findings, "rule path cell? line column safety message accepted"),
        "missing": _each(record.missing, "name language uses state answer? facts accepted"),
        "differences": _each(
            found.differences, "path cell? line column name consequence sure answer?"
        ),
        "guesses": _each(found.guesses, "name reason sites path cell? line answer?"),
        "configuration": {
            "file": found.scope.origin or None,
            "exclude": list(found.scope.exclude),
            "levels": {rule: str(level) for rule, level in found.scope.levels.items()},
        },
        "baseline": {
            "accepted": accepted_counts(record),
            "unused": _each(found.unused_accepted, "rule path text count"),
        },
        "unused_suppressions": _each(found.unused, "path cell? line rule? reason"),
        "documents": _each(found.documents, "path line name reason"),
        "cpp_names": cpp_names(record),
    }


def _repository(record: RunRecord) -> Document | None:
    facts = record.facts
    if facts is None:
        return None
    return {
        "distribution": facts.distribution,
        "builds": list(facts.builds),
        "packages": [package.name for package in facts.packages],
        "extensions": [extension.name for extension in facts.extensions],
        "registration": list(facts.registration),
        "kernels": list(facts.kernels),
        "programs": _each(facts.programs, "name? module function?"),
        "vendored": list(facts.vendored),
        "tests": len(facts.tests),
        "uses_torch": facts.uses_torch,
    }


def _ascend(record: RunRecord) -> Document | None:
    """What is for Ascend NPUs; null where nothing is."""
    ascend = record.ascend
    if ascend is None:
        return None
    return {
        "routes": {str(r): sum(r in o.routes for o in ascend.operators) for r in AscendRoute},
        "operators": [
            _fields(o, "name routes pieces lacks")
            | {"pieces": _each(o.pieces, "part path line form")}
            for o in ascend.operators
        ],
        "findings": [
            {
                **_fields(f, "rule path line column safety"),
                "fix": bool(f.edits),
                "message": f.message,
            }
            for f in record.analysis.ascend
        ],
    }


def _migration(record: RunRecord) -> Document:
    patch = record.migration.patch
    written = (
        None if patch is None else _fields(patch, "path series files added removed compat_wheel")
    )
    if patch is not None and written is not None and not patch.files:
        written["path"] = None
    return {
        "patch": written,
        **_left(record, shipped=True),
        "scripts": _left(record, shipped=False),
        "units": {"cpp": _units(record.migration.units), "cuda": _units(compile_results(record))},
    }


def _left(record: RunRecord, shipped: bool) -> Document:
    """What remains in what is installed, or in scripts, examples and notebooks."""
    open_, residue = (
        [one for one in found if record.is_shipped(one) is shipped]
        for found in (record.migration.open, unexplained(record))
    )
    return {
        "open": _each(open_, "rule path cell? line accepted"),
        "residue": _each(residue, "path cell? line column name reason state"),
    }


def _units(units: tuple[UnitResult, ...]) -> Document | None:
    """How many units compile; of the others the first error."""
    if not units:
        return None
    return {
        "compiled": sum(unit.ok for unit in units),
        "total": len(units),
        "failed": [
            {
                "path": unit.path,
                "first_error": unit.diagnostics[0].message if unit.diagnostics else None,
            }
            for unit in units
            if not unit.ok
        ],
    }


def _results(record: RunRecord) -> Document:
    parity = record.verification.parity
    return {
        "builds": [_build(build) for build in record.builds],
        "lost_imports": [
            {
                "cause": one.cause,
                "name": one.name,
                "scope": one.scope,
                "modules": names,
                **_fields(one, "path line message"),
            }
            for one, names in lost_imports(record)
        ],
        "tests": _tests(record),
        "copies": _each(record.verification.copies, "form device status reason passed lost"),
        "rounds": [
            {"pieces": list(one.pieces), "before": _fields(one, "passed lost"), "after": after}
            for one, after in rounds(record)
        ],
        "parity": parity_document(parity) if parity else None,
        "unmodified": _unmodified_result(record),
        "needs_fixes": _needs_fixes(record),
    }


def _needs_fixes(record: RunRecord) -> Document | None:
    reason, patch = needs_fixes(record), record.migration.patch
    if not reason or patch is None:
        return None
    return {"reason": reason, "fixes": _each(patch.fixes, "rule title reason")}


def _unmodified_result(record: RunRecord) -> Document | None:
    found, parity = record.verification.unmodified, record.verification.unmodified_parity
    if found is None:
        return None
    return {
        "verdict": found.verdict.name,
        "reasons": list(found.reasons),
        "parity": parity_counts(parity) if parity else None,
        "cases_by_patch": list(cases_by_patch(record)),
    }


def _build(build: BuildResult) -> Document:
    return {
        **_fields(build.cell, "tree environment device evidence"),
        **_fields(build, "status reason modules"),
        "units": {"compiled": sum(unit.ok for unit in build.units), "total": len(build.units)},
        "diagnostics": _each(build.diagnostics, "path line column severity message cause"),
    }


def _tests(record: RunRecord) -> Document:
    comparison = record.verification.comparison
    checks = {name: list(tests) for name, tests in tests_by_polyfill(record).items()}
    return {
        "source": counts(suite_of(record, Tree.UNPATCHED, source=True)),
        "patched_source": counts(suite_of(record, Tree.PATCHED, source=True)),
        "unmodified": counts(suite_of(record, Tree.UNMODIFIED, source=False)),
        "target": counts(suite_of(record, Tree.PATCHED, source=False)),
        "by_patch": list(comparison.by_patch) if comparison else [],
        "lost": sorted({*comparison.lost, *comparison.lost_patched}) if comparison else [],
        "lost_by_cause": [
            _fields(one, "exception message path line tests") | {"answer": one.answer or UNKNOWN}
            for one in record.verification.lost_tests
        ],
        "fixed": list(comparison.fixed) if comparison else [],
        "failing_in_both": list(comparison.failing_in_both) if comparison else [],
        "flaky": list(comparison.flaky) if comparison else [],
        "not_collected": list(comparison.not_collected) if comparison else [],
        "scripted": checks.pop(SCRIPTED, []),
        "eager": checks.pop(COMPILED, []),
        "polyfilled_checks": checks,
        "emulated": emulated_tests(record),
        "emulated_npu": ran(record),
    }


def parity_counts(results: Sequence[ParityResult]) -> Document:
    statuses = [result.status for result in results]
    return {
        "passed": statuses.count(Status.OK),
        "failed": statuses.count(Status.FAILED),
        "skipped": statuses.count(Status.SKIPPED),
    }


def parity_document(results: Sequence[ParityResult]) -> Document:
    """How many cases agree, and each with how far apart its answers are."""
    return {
        **parity_counts(results),
        "cases": _each(
            results,
            "case device evidence status phase message max_abs max_rel max_ulp units cosine made "
            "smallest",
        ),
    }
