"""What migrate, build and verify did, for a terminal, and what it amounts to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from porter.build.diagnostics import causes
from porter.emulators import triton_cpu
from porter.model import BuildResult, Outcome, Status, SuiteResult, Tree, Verdict
from porter.report.facts import (
    COMPILED,
    SCRIPTED,
    Remaining,
    compiled,
    counts,
    emulated,
    polyfilled,
    ran,
    remaining,
    suite_of,
    verdict_line,
)
from porter.report.rows import at, count, dim, heading, listed, plain, short, table, together
from porter.run.record import RunRecord

if TYPE_CHECKING:
    from rich.console import RenderableType

COLOURS = {
    Verdict.PORTED: "green",
    Verdict.RUNS: "yellow",
    Verdict.BUILDS: "yellow",
    Verdict.PATCHED: "red",
    Verdict.STUCK: "red",
}
MARKS = {Status.OK: "[green]ok[/green]", Status.FAILED: "[red]failed[/red]"}
RAISED_BY = {
    Verdict.STUCK: "a patch, and a build for the target that ends well",
    Verdict.PATCHED: "a build for the target that ends well",
    Verdict.BUILDS: "tests or parity cases that pass on the target",
    Verdict.RUNS: "closing these gaps",
}


def patch(record: RunRecord) -> list[RenderableType]:
    """What was changed, and why; the files of a vendored unit together."""
    done = record.migration.patch
    if done is None:
        return []
    if not done.files:
        return heading("patch", "nothing to change")
    whys: dict[str, set[str]] = {}
    for path, changes in done.changes:
        whys.setdefault(together(path), set()).update(short(c.rule) for c in changes)
    rows = [(plain(path), dim(", ".join(sorted(why)))) for path, why in whys.items()]
    size = f"{count(done.files, 'file')}, +{done.added} -{done.removed}"
    return [*heading("patch", f"({size})"), *table(rows), f"  {plain(done.path)}"]


def units(record: RunRecord) -> list[RenderableType]:
    """How many units compile against the target with the patch, and what the others want."""
    out: list[RenderableType] = []
    native, cuda = record.migration.units, compiled(record)
    for title, found in (("C++ units", native), ("units of CUDA's half", cuda)):
        bad = [unit for unit in found if not unit.ok]
        rows = [
            (plain(u.path), dim(u.diagnostics[0].message if u.diagnostics else "")) for u in bad
        ]
        good = f"({len(found) - len(bad)} of {len(found)} compile)"
        out += [*heading(title, good), *table(rows)] if found else []
    return out


def remains(record: RunRecord) -> list[RenderableType]:
    """What is left for a person; a site is said once."""
    left = remaining(record)
    if left:
        sites = count(sum(len(one.sites) for one in left), "site")
        return listed("left for a person", [_left(one) for one in left], f"({sites})")
    if record.crashes:
        where = ", ".join(dict.fromkeys(c.path or c.where for c in record.crashes))
        return heading("porter crashed on, and went on without", where)
    if not all(unit.ok for unit in (*record.migration.units, *compiled(record))):
        return []  # the units have said it
    if record.migration.patch is None:
        return []
    unjudged = "; ".join(_unjudged(record))
    more = f"(to judge yourself: {unjudged})" if unjudged else ""
    return heading("nothing is left that porter knows of", more)


def _unjudged(record: RunRecord) -> Iterator[str]:
    """What no one can judge by its form, or porter did not read: no finding, and no residue."""
    uses = sum(m.uses for m in record.missing if not m.answer)
    uses += sum(not d.sure and not d.answer for d in record.analysis.differences)
    if uses:
        yield f"{count(uses, 'use')} of names that mean something else in some uses"
    if documents := record.analysis.documents:
        yield f"{count(len(documents), 'place')} in documents"
    if unread := [s for s in record.skipped if not s.meant]:
        yield f"{count(len(unread), 'file')} not read"


def _left(one: Remaining) -> tuple[str, str]:
    path, line = one.sites[0]
    unknown = "" if one.judged else " [dim](not judged by this build of the target)[/dim]"
    said = f"{plain(_what(one))}: {plain(one.text)}{unknown}"
    return str(len(one.sites)), f"{said}\n[dim]first at {plain(path)}:{line}[/dim]"


def _what(one: Remaining) -> str:
    return short(one.what) if one.is_rule else one.what


def builds(record: RunRecord) -> list[RenderableType]:
    """Each cell that was built, then the causes of what failed in it."""
    if not record.builds:
        return []
    sandbox = f"(sandbox: {plain(record.isolation)})" if record.isolation else ""
    out = [*heading("builds", sandbox), *table([_build(build) for build in record.builds])]
    for build in record.builds:
        rows = [
            (str(number), plain(cause), dim(at(one)))
            for cause, number, one in causes(build.diagnostics)
        ]
        out += listed("what the build said", rows, f"({_cell(build)})")
    return out


def _cell(build: BuildResult) -> str:
    return f"{build.cell.tree} tree, {build.cell.environment}, {build.cell.device}"


def _build(build: BuildResult) -> tuple[str, str, str]:
    compiled = sum(unit.ok for unit in build.units)
    done = f"{compiled} of {count(len(build.units), 'unit')} compiled" if build.units else ""
    said = MARKS.get(build.status, f"[yellow]{build.status}[/yellow]")
    return plain(_cell(build)), said, dim("; ".join(filter(None, (done, build.reason))))


def tests(record: RunRecord) -> list[RenderableType]:
    """The repository's own tests on three sides, and those that are lost."""
    sides = (
        suite_of(record, Tree.UNPATCHED, source=True),
        suite_of(record, Tree.PATCHED, source=True),
        suite_of(record, Tree.PATCHED, source=False),
    )
    rows = [
        (f"{suite.cell.tree}, {suite.cell.environment}", *_suite(suite))
        for suite in sides
        if suite is not None
    ]
    out = listed("the repository's tests", rows, "")
    comparison = record.verification.comparison
    for lost, where in (
        (comparison.lost if comparison else (), f"on {record.target}"),
        (comparison.lost_patched if comparison else (), "with the patch, under torch"),
    ):
        messages = comparison.messages if comparison else {}
        nodes = [(plain(n), dim(messages.get(n, "")[:160])) for n in lost]
        out += listed(f"tests lost {where}", nodes)
    return [*out, *_polyfilled(record), *_emulated(record), *_ran(record)]


def _ran(record: RunRecord) -> list[RenderableType]:
    found = ran(record)
    kernels, others = found.get("kernel", {}), found.get("cpu", {})
    rows = [
        (what, plain(_first([f"{name} ({n})" for name, n in calls.items()])))
        for what, calls in (
            (count(len(kernels), "kernel"), kernels),
            (f"{count(len(others), 'operator')} on the CPU instead", others),
        )
        if calls
    ]
    return listed("on the emulated NPU", rows, "")


def _emulated(record: RunRecord) -> list[RenderableType]:
    tests = emulated(record)
    return _together(f"tests with {triton_cpu.SAID}: no evidence of a device", tests)


def _together(title: str, tests: Sequence[str]) -> list[RenderableType]:
    """Tests in one row."""
    return listed(title, [(dim(_first(tests)),)] if tests else [], f"({len(tests)})")


def _polyfilled(record: RunRecord) -> list[RenderableType]:
    """The tests whose outcome is also that of a polyfill: of a check, or of a compiler."""
    checks = polyfilled(record)
    compilers = {name: checks.pop(name, ()) for name in (SCRIPTED, COMPILED)}
    tests = {node for nodes in checks.values() for node in nodes}
    rows = [(str(len(n)), plain(name), dim(_first(n))) for name, n in checks.items()]
    out = listed("tests that depend on a polyfilled check", rows, f"({len(tests)})")
    for name, through in compilers.items():
        out += _together(f"tests through {name}, which compiles nothing", through)
    return out


def _first(nodes: Sequence[str]) -> str:
    more = f" and {len(nodes) - 2} more: --json lists all" if len(nodes) > 2 else ""
    return ", ".join(nodes[:2]) + more


def _suite(suite: SuiteResult) -> tuple[str, str]:
    numbers = counts(suite)
    if numbers is None:
        return f"[yellow]{suite.status}[/yellow]", dim(suite.reason)
    said = ", ".join(f"{number} {what}" for what, number in numbers.items() if number)
    bad = suite.status is Status.FAILED and Outcome.PASSED not in suite.outcomes.values()
    ended = suite.reason.partition("; ")[0] if suite.status is Status.PARTIAL else ""
    return plain(said or "none ran"), dim(suite.reason if bad else ended)


def parity(record: RunRecord) -> list[RenderableType]:
    """The parity cases, and those that do not agree."""
    results = record.verification.parity
    if not results:
        return []
    statuses = Counter(r.status for r in results)
    said = ", ".join(f"{number} {status}" for status, number in statuses.items())
    rows = [
        (plain(r.case), str(r.device), f"{r.status}: {plain(r.phase)}".rstrip(": "), dim(r.message))
        for r in results
        if r.status is not Status.OK
    ]
    made = all(r.made for r in results)
    title = "no test passed: calls with inputs of porter's own" if made else "parity cases"
    return [*heading(title, f"({len(results)}: {said})"), *table(rows)]


def verdict(record: RunRecord) -> list[RenderableType]:
    """The verdict, what holds it there, and what would raise it."""
    overall = record.verification.overall
    if overall is None:
        return []
    found = overall.verdict
    out: list[RenderableType] = ["", f"[bold {COLOURS[found]}]{plain(verdict_line(record))}[/]"]
    label = "because" if found is Verdict.PORTED else "held there by"
    for reason in overall.reasons:
        out += table([(f"{label:14}", plain(reason))])
        label = ""
    if found in RAISED_BY:
        out += table([(f"{'raised by':14}", RAISED_BY[found])])
    return out
