"""The record as the one JSON document of `--json`: see docs/reference/json.md."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from porter.model import (
    Cell,
    Device,
    Evidence,
    Language,
    Missing,
    Outcome,
    ParityResult,
    State,
    Status,
    SuiteResult,
    Tree,
    UnitResult,
)
from porter.report import ascend
from porter.report.remedies import remedy
from porter.run.record import RunRecord

Document = dict[str, Any]
CPP_STANDS = ("present", "polyfilled", "rewritten", "different", "missing", "unknown")
TEST_KEYS = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.SKIPPED: "skipped"}


def document(record: RunRecord) -> Document:
    """Every key is always there; null or empty where its stage did not run."""
    return {
        "porter_version": record.porter_version,
        "run": record.id,
        "source": _source(record),
        "target": _target(record),
        "style": str(record.style),
        "verdict": record.overall.verdict.name if record.overall else None,
        "reason": record.overall.reason if record.overall else None,
        "devices": {str(v.device): v.verdict.name for v in record.verdicts},
        "reasons": {str(v.device): v.reason for v in record.verdicts},
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
            for f in record.findings
        ],
        "open": [
            {"rule": f.rule, "path": f.path, "cell": f.cell or None, "line": f.line}
            for f in record.open
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
            for d in record.differences
        ],
        "documents": [
            {"path": d.path, "line": d.line, "name": d.name, "reason": d.reason}
            for d in record.documents
        ],
        "cpp_names": cpp_names(record),
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
        "patch": _patch(record),
        "units": {"cpp": _units(record.units), "cuda": _units(compiled(record))},
        "builds": [
            {
                **_cell(build.cell),
                "status": str(build.status),
                "reason": build.reason,
                "modules": list(build.modules),
                "units": {
                    "compiled": sum(unit.ok for unit in build.units),
                    "total": len(build.units),
                },
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
            for build in record.builds
        ],
        "tests": _tests(record),
        "parity": parity_document(record.parity) if record.parity else None,
        "isolation": record.isolation or None,
        "notes": list(record.notes),
    }


def cpp_names(record: RunRecord) -> dict[str, list[str]]:
    """Each C++ name of torch in use, by what the target has for it."""
    found: dict[str, list[str]] = {key: [] for key in CPP_STANDS}
    found["present"] = list(record.present)
    for item in record.missing:
        if item.language is Language.CPP:
            found[_stands(item)].append(item.name)
    return found


def _stands(item: Missing) -> str:
    if item.answer:
        return "polyfilled" if item.answer.startswith("cpp/") else "rewritten"
    return str(item.state) if item.state in (State.MISSING, State.DIFFERENT) else "unknown"


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
    patch = record.patch
    if patch is None:
        return None
    return {
        "path": patch.path,
        "series": list(patch.series),
        "files": patch.files,
        "added": patch.added,
        "removed": patch.removed,
    }


def compiled(record: RunRecord) -> tuple[UnitResult, ...]:
    """The units compiled to objects for a device that is not here; before a build, as checked."""
    objects = (b.units for b in record.builds if b.cell.evidence is Evidence.COMPILED)
    return tuple(unit for units in objects for unit in units) or record.cuda_units


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


def counts(suite: SuiteResult | None) -> dict[str, int] | None:
    """Passed, failed, skipped and errors of a suite that ran."""
    if suite is None or not suite.outcomes:
        return None
    out = {"passed": 0, "failed": 0, "skipped": 0, "errors": 0}
    for outcome in suite.outcomes.values():
        out[TEST_KEYS.get(outcome, "errors")] += 1
    return out


def suite_of(record: RunRecord, tree: Tree, source: bool) -> SuiteResult | None:
    """The suite of a tree under torch or under the target, on the device of the verdict."""
    device = record.overall.device if record.overall else Device.CPU
    found: dict[Device, SuiteResult] = {}
    for suite in record.suites:
        on_target = tree is Tree.PATCHED and suite.cell.environment == record.target
        if suite.cell.tree is tree and on_target is not source:
            found.setdefault(suite.cell.device, suite)
    # What is ported to NPUs may have run on CUDA before.
    before = found.get(Device.CUDA) if source and device is Device.NPU else None
    return found.get(device, before)


SCRIPTED = "torch.jit.script"
COMPILED = "torch.compile"


def emulated(record: RunRecord) -> list[str]:
    """The tests on the target whose Triton kernels were interpreted on the CPU."""
    suite = suite_of(record, Tree.PATCHED, source=False)
    return list(suite.emulated) if suite else []


def ran(record: RunRecord) -> dict[str, dict[str, int]]:
    """What the target's tests ran on an emulated NPU: kernels, and operators without one."""
    suite = suite_of(record, Tree.PATCHED, source=False)
    return {kind: dict(calls) for kind, calls in suite.ran.items()} if suite else {}


def polyfilled(record: RunRecord) -> dict[str, tuple[str, ...]]:
    """What the target's tests got from a polyfill instead of from it, each with these tests."""
    suite = suite_of(record, Tree.PATCHED, source=False)
    return dict(suite.polyfilled) if suite else {}


def _tests(record: RunRecord) -> Document:
    comparison = record.comparison
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


def verdict_line(record: RunRecord) -> str:
    """`PORTED — cpu: PORTED, cuda: BUILDS (objects compiled, not run)`."""
    if record.overall is None:
        return "no verdict yet"
    parts = []
    for verdict in record.verdicts:
        native = verdict.device is record.overall.device or verdict.device is Device.CPU
        detail = "" if native or not verdict.reason else f" ({verdict.reason})"
        parts.append(f"{verdict.device}: {verdict.verdict.name}{detail}")
    return f"{record.overall.verdict.name} — " + ", ".join(parts)
