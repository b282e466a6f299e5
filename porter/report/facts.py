"""What a record says of names, builds and tests, counted for every form of the report."""

from __future__ import annotations

from porter.model import (
    Device,
    Evidence,
    Language,
    Missing,
    Outcome,
    State,
    SuiteResult,
    Tree,
    UnitResult,
)
from porter.run.record import RunRecord

CPP_STANDS = ("present", "polyfilled", "rewritten", "different", "missing", "unknown")
TEST_KEYS = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.SKIPPED: "skipped"}
SCRIPTED = "torch.jit.script"
COMPILED = "torch.compile"


def cpp_names(record: RunRecord) -> dict[str, list[str]]:
    """Each C++ name of torch in use, by what the target has for it."""
    found: dict[str, list[str]] = {key: [] for key in CPP_STANDS}
    found["present"] = list(record.analysis.present)
    for item in record.missing:
        if item.language is Language.CPP:
            found[_stands(item)].append(item.name)
    return found


def _stands(item: Missing) -> str:
    if item.answer:
        return "polyfilled" if item.answer.startswith("cpp/") else "rewritten"
    return str(item.state) if item.state in (State.MISSING, State.DIFFERENT) else "unknown"


def compiled(record: RunRecord) -> tuple[UnitResult, ...]:
    """The units compiled to objects for a device that is not here; before a build, as checked."""
    objects = (b.units for b in record.builds if b.cell.evidence is Evidence.COMPILED)
    return tuple(unit for units in objects for unit in units) or record.migration.cuda_units


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
    overall = record.verification.overall
    device = overall.device if overall else Device.CPU
    found: dict[Device, SuiteResult] = {}
    for suite in record.suites:
        on_target = tree is Tree.PATCHED and suite.cell.environment == record.target
        if suite.cell.tree is tree and on_target is not source:
            found.setdefault(suite.cell.device, suite)
    # What is ported to NPUs may have run on CUDA before.
    before = found.get(Device.CUDA) if source and device is Device.NPU else None
    return found.get(device, before)


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


def verdict_line(record: RunRecord) -> str:
    """`PORTED — cpu: PORTED, cuda: BUILDS (objects compiled, not run)`."""
    overall = record.verification.overall
    if overall is None:
        return "no verdict yet"
    parts = []
    for verdict in record.verification.verdicts:
        native = verdict.device in (overall.device, Device.CPU)
        detail = "" if native or not verdict.reason else f" ({verdict.reason})"
        parts.append(f"{verdict.device}: {verdict.verdict.name}{detail}")
    return f"{overall.verdict.name} — " + ", ".join(parts)
