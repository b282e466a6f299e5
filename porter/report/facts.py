"""What a record says, counted for every form of the report."""

from __future__ import annotations

from dataclasses import dataclass

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
    place,
)
from porter.run.record import RunRecord

CPP_STANDS = ("present", "polyfilled", "rewritten", "different", "missing", "unknown")
TEST_KEYS = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.SKIPPED: "skipped"}
SCRIPTED = "torch.jit.script"
COMPILED = "torch.compile"
Site = tuple[str, int]  # path, with the cell of a notebook; line
# What to do about a file that was not read, by the reason that it was not.
REMEDIES = (
    ("is not valid JSON", "open and save the notebook with Jupyter, or take it from git again"),
    ("notebook format", "`jupyter nbconvert --to notebook --inplace FILE` brings it to format 4"),
    ("notebook too large", "clear its outputs: `jupyter nbconvert --clear-output --inplace FILE`"),
    ("is not valid TOML", "correct the file"),
    ("cannot be decoded", "save it as UTF-8, or declare its encoding in its first line"),
    ("UTF-16", "save it as UTF-8"),
    ("NUL bytes", "if it is a source, remove the NUL bytes"),
    ("too large", "if a person wrote it, split it; data and generated code are not ported"),
    ("unreadable", "give yourself the right to read it"),
    ("link out of the tree", "if it belongs to the project, put the file itself there"),
    ("nowhere or in a circle", "remove the link, or let it point to a file"),
    ("cannot be printed", "rename the file"),
    ("nested", "look at it yourself: Python's own parser does not take it"),
    ("line ", "correct the syntax (porter reads Python 3), or port this file by hand"),
)


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


@dataclass(frozen=True, slots=True)
class Remaining:
    """One thing to look at, with every place it stands at."""

    what: str  # the rule that says so, else the name
    text: str
    sites: tuple[Site, ...]
    is_rule: bool
    judged: bool = True  # False where this build of the target cannot tell


def remaining(record: RunRecord) -> tuple[Remaining, ...]:
    """What migrate left, the most frequent first. Where a rule explains a site, residue at the
    same line is not said again; what nobody can judge here comes last."""
    explained = {place(finding) for finding in record.migration.open}
    sites: dict[tuple[str, str, bool, bool], list[Site]] = {}
    for finding in record.migration.open:
        key = (finding.rule, finding.message, True, True)
        sites.setdefault(key, []).append(place(finding))
    for left in record.residue:
        if place(left) not in explained:
            key = (left.name, left.reason, False, left.state is not State.UNKNOWN)
            sites.setdefault(key, []).append(place(left))
    found = [
        Remaining(what, text, tuple(places), is_rule, judged)
        for (what, text, is_rule, judged), places in sites.items()
    ]
    return tuple(sorted(found, key=lambda r: (not r.judged, -len(r.sites), r.sites[0])))


def remedy(reason: str) -> str:
    """What the user can do; empty where nothing is wrong with the file."""
    return next((advice for sign, advice in REMEDIES if sign in reason), "")
