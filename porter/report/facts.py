"""What a record says, counted for every form of the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from porter.model import (
    EXCLUDED,
    Device,
    Diagnostic,
    Evidence,
    Language,
    LostTests,
    Missing,
    Outcome,
    Residue,
    Round,
    State,
    Status,
    SuiteResult,
    Tree,
    UnitResult,
    Verdict,
    place,
)
from porter.report.rows import count
from porter.run.record import Analysis, RunRecord
from porter.targets import TARGETS, is_relevant

CPP_STANDS = ("present", "polyfilled", "rewritten", "different", "missing", "unknown")
TEST_KEYS = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.SKIPPED: "skipped"}
SCRIPTED = "torch.jit.script"
COMPILED = "torch.compile"
NOTHING = "nothing to port: torch is not used"
UNKNOWN = "unknown"  # what answers an error
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
    ("nested", "check it yourself: Python's own parser rejects it"),
    ("line ", "correct the syntax (porter reads Python 3), or port this file by hand"),
)


def needs_fixes(record: RunRecord) -> str:
    """What the tree as it came does not do under its own framework, and does with the fixes that
    the patch begins with: build, or pass tests."""
    reason = next((build.needs_fixes for build in record.builds if build.needs_fixes), "")
    patch, comparison = record.migration.patch, record.verification.comparison
    if reason or patch is None or not patch.fixes or comparison is None or not comparison.fixed:
        return f"does not build: {reason}" if reason else ""
    return f"fails {count(len(comparison.fixed), 'test')} with which the fixes help"


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


def compile_results(record: RunRecord) -> tuple[UnitResult, ...]:
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
        on_target = tree is not Tree.UNPATCHED and suite.cell.environment == record.target
        if suite.cell.tree is tree and on_target is not source:
            found.setdefault(suite.cell.device, suite)
    # What is ported to NPUs may have run on CUDA before.
    before = found.get(Device.CUDA) if source and device is Device.NPU else None
    return found.get(device, before)


def emulated_tests(record: RunRecord) -> list[str]:
    """The tests on the target whose Triton kernels were interpreted on the CPU."""
    suite = suite_of(record, Tree.PATCHED, source=False)
    return list(suite.emulated) if suite else []


def ran(record: RunRecord) -> dict[str, dict[str, int]]:
    """What the target's tests ran on an emulated NPU: kernels, and operators without one."""
    suite = suite_of(record, Tree.PATCHED, source=False)
    return {kind: dict(calls) for kind, calls in suite.ran.items()} if suite else {}


def tests_by_polyfill(record: RunRecord) -> dict[str, tuple[str, ...]]:
    """What the target's tests got from a polyfill instead of from it, each with these tests."""
    suite = suite_of(record, Tree.PATCHED, source=False)
    return dict(suite.polyfilled) if suite else {}


def cases_by_patch(record: RunRecord) -> tuple[str, ...]:
    """The parity cases that agree with the patch, and did not in the tree as it came."""
    found = record.verification
    tried = {(r.case, r.device): r.status for r in found.unmodified_parity}
    return tuple(
        r.case
        for r in found.parity
        if r.status is Status.OK and tried.get((r.case, r.device), Status.OK) is not Status.OK
    )


def lost_imports(record: RunRecord) -> list[tuple[Diagnostic, list[str]]]:
    """The modules that are lost by cause, with its first example; that of the most comes first."""
    groups: dict[str, tuple[Diagnostic, list[str]]] = {}
    for name, one in record.verification.lost_imports.items():
        groups.setdefault(one.cause, (one, []))[1].append(name)
    return sorted(groups.values(), key=lambda group: -len(group[1]))


def state(record: RunRecord) -> dict[str, int]:
    """How many tests pass on the target, and how many are lost there."""
    found = counts(suite_of(record, Tree.PATCHED, source=False))
    comparison = record.verification.comparison
    return {
        "passed": found["passed"] if found else 0,
        "lost": len(comparison.lost) if comparison else 0,
    }


def rounds(record: RunRecord) -> list[tuple[Round, dict[str, int]]]:
    """Each round that asked for more pieces, with how the next one ended."""
    done = record.migration.rounds
    ends = [{"passed": one.passed, "lost": one.lost} for one in done[1:]]
    return list(zip(done, [*ends, state(record)], strict=bool(done)))


def explain_loss(one: LostTests) -> tuple[str, str]:
    """What was raised; what is known to answer it, with where it was raised."""
    cause = f"{one.exception}: {one.message}".strip(": ") or "no message"
    place = f" at {one.path}:{one.line}" if one.path else ""
    return cause, f"{one.answer or UNKNOWN}{place}"


def is_untouched(record: RunRecord) -> bool:
    """Whether the source has nothing for the target, so that later stages have nothing to do."""
    return record.facts is not None and not is_relevant(record.target, record.facts)


def verdict_line(record: RunRecord) -> str:
    """`PORTED — cpu: PORTED, cuda: BUILDS (objects compiled, not run)`."""
    overall = record.verification.overall
    if overall is None:
        return NOTHING if is_untouched(record) else "no verdict yet"
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
    shipped: bool = True  # False in scripts, examples and notebooks


def collect_remaining(record: RunRecord) -> tuple[Remaining, ...]:
    """What migrate left, the most frequent first; what nobody can judge here comes after that, and
    what nobody installs last."""
    sites: dict[tuple[str, str, bool, bool, bool], dict[Site, None]] = {}
    for finding in record.migration.open:
        if finding.accepted:
            continue
        key = (finding.rule, finding.message, True, True, record.is_shipped(finding))
        sites.setdefault(key, {})[place(finding)] = None
    for left in unexplained(record):
        judged = left.state is not State.UNKNOWN
        residue = (left.name, left.reason, False, judged, record.is_shipped(left))
        sites.setdefault(residue, {})[place(left)] = None
    found = [Remaining(key[0], key[1], tuple(places), *key[2:]) for key, places in sites.items()]
    return tuple(
        sorted(found, key=lambda r: (not r.shipped, not r.judged, -len(r.sites), r.sites[0]))
    )


def unexplained(record: RunRecord) -> tuple[Residue, ...]:
    """The residue at lines of which no open finding says more."""
    explained = {place(finding) for finding in record.migration.open}
    return tuple(left for left in record.residue if place(left) not in explained)


def project_of(record: RunRecord) -> str:
    """The folder with the project that the patch adds for the target alone, or nothing: what the
    target lacks concerns the code beside it only."""
    own = TARGETS[record.target].project if record.target else ""
    patch = record.migration.patch
    paths = [path for path, _ in patch.changes] if patch is not None else []
    return own if own and any(f"{own}/" in path for path in paths) else ""


def is_nothing_left(record: RunRecord) -> bool:
    """Whether a migrated run has nothing that keeps it from being done."""
    units = (*record.migration.units, *compile_results(record))
    overall = record.verification.overall
    return (
        record.migration.patch is not None
        and (overall is None or overall.verdict is Verdict.PORTED)
        and not record.crashes
        and all(unit.ok for unit in units)
        and all(skipped.meant for skipped in record.skipped)
        and not any(one.shipped for one in collect_remaining(record))
    )


def accepted_counts(record: RunRecord) -> dict[str, int]:
    """How many findings, and names that the target lacks, the baseline accepts."""
    findings = (*record.analysis.findings, *record.analysis.ascend)
    return {
        "finding": sum(finding.accepted for finding in findings),
        "name": sum(item.accepted for item in record.missing),
    }


def describe_scope(found: Analysis) -> Iterator[str]:
    """What a configuration file takes away: never without being told."""
    scope = found.scope
    excluded = [one.path for one in found.skipped if one.reason == EXCLUDED]
    if excluded:
        names = ", ".join(excluded[:3]) + (", ..." if len(excluded) > 3 else "")
        yield f"{scope.origin} excludes {count(len(excluded), 'path')}: {names}"
    if scope.levels:
        levels = ", ".join(f"{rule} {level}" for rule, level in sorted(scope.levels.items()))
        yield f"{scope.origin} sets levels: {levels}"


def sites_of(found: Iterable[Remaining]) -> int:
    """How many places these are, each counted once."""
    return len({site for one in found for site in one.sites})


def remedy(reason: str) -> str:
    """What the user can do; empty where nothing is wrong with the file."""
    return next((advice for sign, advice in REMEDIES if sign in reason), "")
