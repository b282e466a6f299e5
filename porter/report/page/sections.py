"""The tables of the page, each from a record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from porter.model import Device, Evidence, Finding, Safety, Status, Tree
from porter.report.facts import (
    collect_remaining,
    counts,
    emulated_tests,
    is_nothing_left,
    lost_imports,
    ran,
    suite_of,
)
from porter.report.page.tables import Cell, Mark, Place, Table, table
from porter.report.rows import count, place_of, short, tally
from porter.report.sides import Side, compare_tests
from porter.report.sources import Sources
from porter.run.record import RunRecord

KINDS = {Status.OK: "ok", Status.FAILED: "bad", Status.SKIPPED: "unsure", Status.PARTIAL: "unsure"}
SIDES = {Side.BOTH: "ok", Side.SOURCE: "bad", Side.TARGET: "ok", Side.NEITHER: "unsure"}
SAFETIES = {Safety.SAFE: "ok", Safety.REVIEW: "unsure", Safety.MANUAL: "bad"}
SIDES |= {Side.FLAKY: "unsure"}


def remaining_table(record: RunRecord, sources: Sources) -> Table:
    """List what a person is to look at, with the first place of each."""
    rows = (
        (
            len(one.sites),
            one.text,
            short(one.what) if one.is_rule else one.what,
            "library" if one.shipped else "script",
            "yes" if one.judged else "not by this build",
            Place(path, line, partial(sources.quote, sources.whole(path), line, True)),
        )
        for one in collect_remaining(record)
        for path, line in one.sites[:1]
    )
    return table(
        "left",
        "Manual changes required",
        ("places", "why", "rule or name", "in", "judged", "first at"),
        rows,
        none=_none_left(record),
    )


def _none_left(record: RunRecord) -> str:
    if record.migration.patch is None:
        return "Not migrated yet."
    done = is_nothing_left(record)
    return "No manual changes required." if done else "No site. See the verdict for what remains."


def rules(record: RunRecord, sources: Sources) -> Table:
    """Count what each rule found in the tree as it came."""
    every = (*record.analysis.findings, *record.analysis.ascend)
    files: defaultdict[str, set[str]] = defaultdict(set)
    for each in every:
        files[each.rule].add(each.path)
    rows = (
        (
            number,
            len(files[one.rule]),
            short(one.rule),
            Mark(one.safety.label, SAFETIES[one.safety]),
            one.message,
            replace(_place_of(one, sources), path=one.path),
        )
        for number, one in tally(every, lambda found: found.rule)
    )
    return table(
        "rules",
        "Findings by rule",
        ("places", "files", "rule", "safety", "first message", "first at"),
        rows,
        none="No rule found anything.",
    )


def findings(record: RunRecord, sources: Sources) -> Table:
    """List what rules found in the tree as it came."""
    rows = (
        (
            short(f.rule),
            f"{f.path}:cell {f.cell}" if f.cell else f.path,
            Mark(f.safety.label, SAFETIES[f.safety]),
            f.message,
            _place_of(f, sources),
        )
        for f in (*record.analysis.findings, *record.analysis.ascend)
    )
    return table(
        "findings",
        "Findings",
        ("rule", "file", "safety", "message", "at"),
        rows,
        said="In the unpatched tree. Safe findings are edited; the others need manual changes.",
        filters=(0, 1, 2),
    )


def _place_of(found: Finding, sources: Sources) -> Place:
    if found.cell:
        return Place("", found.line)
    return Place("", found.line, partial(sources.quote, sources.whole(found.path), found.line))


def unresolved_table(record: RunRecord) -> Table:
    """Rank the names without an answer by the modules, tests, messages and uses they block."""
    blocked: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for item in record.missing:
        if not item.answer:
            blocked[item.name]["uses"] += item.uses
    for build in record.builds:
        for said in build.diagnostics:
            if said.name and build.cell.tree is Tree.PATCHED and said.severity == "error":
                blocked[_name_in_scope(said.scope, said.name)]["messages"] += 1
    for one, modules in lost_imports(record):
        blocked[_name_in_scope(one.scope, one.name or one.cause)]["modules"] += len(modules)
    for lost in record.verification.lost_tests:
        if lost.answer.startswith("missing "):
            blocked[lost.answer.removeprefix("missing ")]["tests"] += len(lost.tests)
    kinds = ("modules", "tests", "messages", "uses")
    ranked = sorted(blocked.items(), key=lambda item: [-item[1][kind] for kind in kinds])
    return table(
        "unresolved",
        "Unresolved names",
        ("name", "modules not imported", "tests lost", "build errors", "uses"),
        ((name, *(numbers[kind] or "" for kind in kinds)) for name, numbers in ranked),
        said="Names without a rule or polyfill, sorted by how much they were seen to block.",
        none="Every name has an answer.",
    )


def _name_in_scope(scope: str | None, name: str) -> str:
    return f"{scope}: {name}" if scope else name


def diagnostics(record: RunRecord, sources: Sources) -> Table:
    """List what builds said, those of one cause together."""
    return table(
        "diagnostics",
        "Build messages",
        ("build", "severity", "cause", "message", "at"),
        _messages(record, sources),
        none="No build messages." if record.builds else "Nothing was built.",
        filters=(0, 1, 2),
    )


def _messages(record: RunRecord, sources: Sources) -> Iterator[tuple[Cell, ...]]:
    for build in record.builds:
        cell = f"{build.cell.tree}, {build.cell.environment}, {build.cell.device}"
        if build.reason:
            yield cell, Mark(str(build.status), KINDS[build.status]), build.reason, build.reason, ""
        often = Counter(said.cause for said in build.diagnostics)
        for said in sorted(build.diagnostics, key=lambda d: (-often[d.cause], d.cause)):
            patched = build.cell.tree is Tree.PATCHED
            quote = partial(sources.quote, said.path, said.line, patched)
            severity = Mark(said.severity, "bad" if said.severity == "error" else "unsure")
            place = Place(said.path, said.line, quote) if said.path else place_of(said)
            yield cell, severity, said.cause, said.message, place


def tests(record: RunRecord, sources: Sources) -> Table:
    """Compare the repository's tests, the lost ones first."""
    every = list(compare_tests(record))
    numbers = Counter(one.side for one in every)
    answers = {name: lost.answer for lost in record.verification.lost_tests for name in lost.tests}
    parts = [f"{numbers[side]} {side}" for side in Side if numbers[side]]
    sides = (
        suite_of(record, Tree.UNPATCHED, source=True),
        suite_of(record, Tree.PATCHED, source=True),
        suite_of(record, Tree.UNMODIFIED, source=False),
        suite_of(record, Tree.PATCHED, source=False),
    )
    cells = [
        f"{suite.cell.tree} under {suite.cell.environment}: "
        + ", ".join(f"{n} {what}" for what, n in found.items() if n)
        for suite in sides
        if suite is not None and (found := counts(suite))
    ]
    rows = []
    for one in every:
        raised = one.failure
        place: Cell = ""
        if raised is not None and raised.path:
            quote = partial(sources.quote, sources.whole(raised.path), raised.line, True)
            place = Place(raised.path, raised.line, quote)
        mark = Mark(str(one.side), SIDES.get(one.side, ""))
        rows.append((one.name, mark, one.message, answers.get(one.name, ""), place))
    said = "; ".join(filter(None, (", ".join(parts), *cells)))
    return table(
        "tests",
        "Tests",
        ("test", "passes under", "why", "answer known", "first error at"),
        rows,
        said=said,
        none=f"Not compared. {said}".strip(),
        filters=(1,),
    )


def divergences(record: RunRecord, sources: Sources) -> Table:
    """List the first operations that differ, of the cases and tests that were examined."""
    rows: list[tuple[Cell, ...]] = []
    for one in sources.run.load_divergences():
        first = one.first
        if first is None:
            rows.append((one.name, Mark("none found", "unsure"), "", "", "", ""))
            continue
        quote = partial(sources.quote, sources.whole(first.path), first.line, True)
        layer = first.layer if first.sure else f"probably {first.layer}"
        said = f"{first.kind}: {first.message}"
        place = Place(first.path, first.line, quote)
        rows.append((one.name, Mark(first.operation, "bad"), said, layer, first.agreed, place))
    return table(
        "divergences",
        "First divergences",
        ("case or test", "operation", "what differs", "layer", "operations alike before", "at"),
        rows,
        said="The first operation with another result under the target, where it was looked for.",
        none="Not looked for: `porter parity diverge NAME` finds the first operation that differs "
        "in a parity case or test.",
    )


def kernels(record: RunRecord) -> Table:
    """List what was compiled and what was run on each device, and how."""
    return table(
        "kernels",
        "Compiled and run",
        ("device", "evidence", "tree", "framework", "what", "result"),
        _evidence(record),
        none="Nothing was built.",
        said="native: run on the device; emulated: on a stand-in; compiled: not run.",
    )


def _evidence(record: RunRecord) -> Iterator[tuple[Cell, ...]]:
    for build in record.builds:
        cell, good = build.cell, sum(unit.ok for unit in build.units)
        units = f"{good} of {count(len(build.units), 'unit')} compiled" if build.units else ""
        said = "built" if build.status is Status.OK else str(build.status)
        mark = Mark(", ".join(filter(None, (said, units))), KINDS[build.status])
        yield str(cell.device), str(cell.evidence), str(cell.tree), cell.environment, "build", mark
    for suite in record.suites:
        cell, numbers = suite.cell, counts(suite)
        said = ", ".join(f"{n} {what}" for what, n in (numbers or {}).items() if n)
        mark = Mark(said or f"{suite.status}: {suite.reason}", KINDS[suite.status])
        yield str(cell.device), str(cell.evidence), str(cell.tree), cell.environment, "tests", mark
    for copy in record.verification.copies:
        said = f"{copy.status}, {count(copy.passed, 'test')} passed"
        mark = Mark(f"{said}: {copy.reason}" if copy.reason else said, KINDS[copy.status])
        framework = record.builds[0].cell.environment if record.builds else ""
        yield str(copy.device), "native", "patched", framework, f"{copy.form}, installed", mark
    both = Counter((r.device, r.evidence, r.status) for r in record.verification.parity)
    for (device, evidence, status), number in both.items():
        mark = Mark(f"{number} {status}", KINDS[status])
        yield str(device), str(evidence), "patched", "both", "parity cases", mark
    target, stand_in = record.target or "", str(Evidence.EMULATED)
    if tests := emulated_tests(record):
        mark = Mark(count(len(tests), "test"), "unsure")
        yield "cpu", stand_in, "patched", target, "Triton kernels, interpreted", mark
    for kind, calls in ran(record).items():
        for name, number in calls.items():
            what = f"{'kernel' if kind == 'kernel' else 'operator without a kernel'} {name}"
            yield str(Device.NPU), stand_in, "patched", target, what, count(number, "call")


def unread_table(record: RunRecord) -> Table:
    """List the files that were left out, and what porter crashed on."""
    rows = [(s.path, s.reason) for s in record.skipped if not s.meant]
    rows += [(c.path, f"porter crashed in {c.where}: {c.error}") for c in record.crashes]
    return table("unread", "Files not read", ("file", "why"), rows, none="Every file was read.")
