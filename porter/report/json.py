"""The record as the one JSON document of `--json`: see docs/reference/json.md."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from porter.model import BuildResult, Cell, ParityResult, Status, Tree, UnitResult
from porter.report import ascend
from porter.report.facts import (
    COMPILED,
    SCRIPTED,
    compiled,
    counts,
    cpp_names,
    emulated,
    polyfilled,
    ran,
    suite_of,
)
from porter.report.remedies import remedy
from porter.run.record import RunRecord

Document = dict[str, Any]
SCHEMA = 2  # a key that goes or means something else makes a new one: docs/reference/json.md


def document(record: RunRecord) -> Document:
    """Every key is always there; null or empty where its stage did not run."""
    return {**_run(record), **_analysis(record), **_migration(record), **_results(record)}


def _run(record: RunRecord) -> Document:
    overall = record.verification.overall
    verdicts = record.verification.verdicts
    return {
        "schema": SCHEMA,
        "porter_version": record.porter_version,
        "run": record.id,
        "source": _source(record),
        "target": _target(record),
        "style": str(record.style),
        "verdict": overall.verdict.name if overall else None,
        "reasons": list(overall.reasons) if overall else [],
        "devices": {
            str(v.device): {"verdict": v.verdict.name, "reasons": list(v.reasons)} for v in verdicts
        },
        "skipped": [
            {"path": s.path, "reason": s.reason, "remedy": remedy(s.reason) or None}
            for s in record.skipped
        ],
        "crashes": [{"path": c.path, "where": c.where, "error": c.error} for c in record.crashes],
        "stages": [
            {
                "name": s.name,
                "status": str(s.status),
                "seconds": round(s.seconds, 3),
                "reason": s.reason,
            }
            for s in record.stages
        ],
        "isolation": record.isolation or None,
        "notes": list(record.notes),
    }


def _analysis(record: RunRecord) -> Document:
    return {
        "repository": _facts(record),
        "ascend": ascend.document(record),
        "findings": [
            {
                "rule": f.rule,
                "path": f.path,
                "cell": f.cell or None,
                "line": f.line,
                "column": f.column,
                "safety": f.safety.label,
                "message": f.message,
            }
            for f in record.analysis.findings
        ],
        "missing": [
            {
                "name": m.name,
                "language": str(m.language),
                "uses": m.uses,
                "state": str(m.state),
                "answer": m.answer or None,
                "facts": [str(fact) for fact in m.facts],
            }
            for m in record.missing
        ],
        "differences": [
            {
                "path": d.path,
                "cell": d.cell or None,
                "line": d.line,
                "column": d.column,
                "name": d.name,
                "consequence": d.consequence,
                "sure": d.sure,
                "answer": d.answer or None,
            }
            for d in record.analysis.differences
        ],
        "documents": [
            {"path": d.path, "line": d.line, "name": d.name, "reason": d.reason}
            for d in record.analysis.documents
        ],
        "cpp_names": cpp_names(record),
    }


def _migration(record: RunRecord) -> Document:
    return {
        "patch": _patch(record),
        "open": [
            {"rule": f.rule, "path": f.path, "cell": f.cell or None, "line": f.line}
            for f in record.migration.open
        ],
        "residue": [
            {
                "path": r.path,
                "cell": r.cell or None,
                "line": r.line,
                "column": r.column,
                "name": r.name,
                "reason": r.reason,
                "state": str(r.state),
            }
            for r in record.residue
        ],
        "units": {"cpp": _units(record.migration.units), "cuda": _units(compiled(record))},
    }


def _results(record: RunRecord) -> Document:
    parity = record.verification.parity
    return {
        "builds": [_build(build) for build in record.builds],
        "tests": _tests(record),
        "parity": parity_document(parity) if parity else None,
    }


def _build(build: BuildResult) -> Document:
    return {
        **_cell(build.cell),
        "status": str(build.status),
        "reason": build.reason,
        "modules": list(build.modules),
        "units": {"compiled": sum(unit.ok for unit in build.units), "total": len(build.units)},
        "diagnostics": [
            {
                "path": d.path,
                "line": d.line,
                "column": d.column,
                "severity": d.severity,
                "message": d.message,
                "cause": d.cause,
            }
            for d in build.diagnostics
        ],
    }


def encode(record: RunRecord) -> str:
    """The document as text."""
    return json.dumps(document(record), indent=2)


def _source(record: RunRecord) -> Document:
    source = record.source
    return {
        "written": source.written,
        "kind": source.kind,
        "commit": source.commit,
        "version": source.version,
        "sha256": source.sha256,
        "subdir": source.subdir,
        "dirty": bool(source.dirty),
    }


def _target(record: RunRecord) -> str | None:
    if record.target is None:
        return None
    return f"{record.target}=={record.target_version}"


def _facts(record: RunRecord) -> Document | None:
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
        "programs": [
            {"name": p.name or None, "module": p.module, "function": p.function or None}
            for p in facts.programs
        ],
        "vendored": list(facts.vendored),
        "tests": len(facts.tests),
        "uses_torch": facts.uses_torch,
    }


def _cell(cell: Cell) -> Document:
    return {
        "tree": str(cell.tree),
        "environment": cell.environment,
        "device": str(cell.device),
        "evidence": str(cell.evidence),
    }


def _patch(record: RunRecord) -> Document | None:
    patch = record.migration.patch
    if patch is None:
        return None
    return {
        "path": patch.path if patch.files else None,
        "series": list(patch.series),
        "files": patch.files,
        "added": patch.added,
        "removed": patch.removed,
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


def _tests(record: RunRecord) -> Document:
    comparison = record.verification.comparison
    checks = {name: list(tests) for name, tests in polyfilled(record).items()}
    return {
        "source": counts(suite_of(record, Tree.UNPATCHED, source=True)),
        "patched_source": counts(suite_of(record, Tree.PATCHED, source=True)),
        "target": counts(suite_of(record, Tree.PATCHED, source=False)),
        "lost": sorted({*comparison.lost, *comparison.lost_patched}) if comparison else [],
        "failing_in_both": list(comparison.failing_in_both) if comparison else [],
        "not_collected": list(comparison.not_collected) if comparison else [],
        "scripted": checks.pop(SCRIPTED, []),
        "eager": checks.pop(COMPILED, []),
        "polyfilled_checks": checks,
        "emulated": emulated(record),
        "emulated_npu": ran(record),
    }


def parity_document(results: Sequence[ParityResult]) -> Document:
    """How many cases agree, and each with how far apart its answers are."""
    statuses = [result.status for result in results]
    return {
        "passed": statuses.count(Status.OK),
        "failed": statuses.count(Status.FAILED),
        "skipped": statuses.count(Status.SKIPPED),
        "cases": [
            {
                "case": r.case,
                "device": str(r.device),
                "evidence": str(r.evidence),
                "status": str(r.status),
                "phase": r.phase,
                "message": r.message,
                "max_abs": _finite(r.max_abs),
                "max_rel": _finite(r.max_rel),
                "max_ulp": _finite(r.max_ulp),
                "units": _finite(r.units),
                "cosine": _finite(r.cosine),
                "made": r.made,
                "smallest": r.smallest,
            }
            for r in results
        ],
    }


def _finite(number: float | None) -> float | None:
    """JSON has no infinities."""
    return number if number is not None and math.isfinite(number) else None
