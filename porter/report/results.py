"""What migrate, build and verify did, for a terminal, and what it amounts to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from porter.build.diagnostics import causes
from porter.emulators import triton_cpu
from porter.model import BuildResult, InstalledCopy, Outcome, Status, SuiteResult, Tree, Verdict
from porter.report.facts import (
    COMPILED,
    SCRIPTED,
    Remaining,
    cases_by_patch,
    collect_remaining,
    compile_results,
    counts,
    emulated_tests,
    explain_loss,
    is_nothing_left,
    lost_imports,
    needs_fixes,
    project_of,
    ran,
    rounds,
    sites_of,
    suite_of,
    tests_by_polyfill,
    verdict_line,
)
from porter.report.rows import (
    count,
    dim,
    heading,
    place_of,
    plain,
    short,
    table,
    titled_table,
    together,
)
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
    Verdict.STUCK: "produce a patch and make the build for the target succeed",
    Verdict.PATCHED: "make the build succeed (`--prepare COMMAND` runs a command before it)",
    Verdict.BUILDS: "make tests or parity cases pass on the target",
    Verdict.RUNS: "close the gaps above",
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
    paths = [f"  saved as {plain(done.path)}"]
    if done.compat_wheel:
        paths.append(f"  imported under {record.target}: {plain(done.compat_wheel)}")
    return [*heading("patch", f"({size})"), *table(rows), *paths]


def units(record: RunRecord) -> list[RenderableType]:
    """How many units compile against the target with the patch, and what the others want."""
    out: list[RenderableType] = []
    native, cuda = record.migration.units, compile_results(record)
    for title, found in (("C++ units", native), ("CUDA units", cuda)):
        bad = [unit for unit in found if not unit.ok]
        rows = [
            (plain(u.path), dim(u.diagnostics[0].message if u.diagnostics else "")) for u in bad
        ]
        good = f"({len(found) - len(bad)} of {len(found)} compile)"
        out += [*heading(title, good), *table(rows)] if found else []
    return out


def remains(record: RunRecord) -> list[RenderableType]:
    """What is left for a person; what nobody installs comes after it, apart."""
    left = collect_remaining(record)
    own, apart = ([one for one in left if one.shipped is shipped] for shipped in (True, False))
    return [
        *(_listed("manual changes required", own) or _nothing_left(record)),
        *_listed("in scripts, examples and notebooks, which do not affect the verdict", apart),
    ]


def _listed(title: str, left: Sequence[Remaining]) -> list[RenderableType]:
    rows = [_remaining_row(one) for one in left]
    return titled_table(title, rows, f"({count(sites_of(left), 'site')})")


def _nothing_left(record: RunRecord) -> list[RenderableType]:
    if record.crashes:
        where = ", ".join(dict.fromkeys(c.path or c.where for c in record.crashes))
        return heading("skipped after a crash of porter", where)
    if not is_nothing_left(record):
        return []  # what keeps it from being done has a section of its own
    unjudged = "; ".join(_describe_unjudged(record))
    more = f"(to check yourself: {unjudged})" if unjudged else ""
    return heading("no manual changes required", more)


def _describe_unjudged(record: RunRecord) -> Iterator[str]:
    """What nobody can judge by its form: no finding, and no residue."""
    uses = 0 if project_of(record) else sum(m.uses for m in record.missing if not m.answer)
    uses += sum(one.sites for one in record.analysis.guesses if not one.answer)
    if uses:
        yield f"{count(uses, 'use')} of names that behave differently in some calls"
    if documents := record.analysis.documents:
        yield f"{count(len(documents), 'place')} in documents"


def _remaining_row(one: Remaining) -> tuple[str, str]:
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
            (str(number), plain(cause), dim(place_of(one)))
            for cause, number, one in causes(build.diagnostics)
        ]
        out += titled_table("build output", rows, f"({_cell(build)})")
    return out


def _cell(build: BuildResult) -> str:
    return f"{build.cell.tree} tree, {build.cell.environment}, {build.cell.device}"


def _build(build: BuildResult) -> tuple[str, str, str]:
    compiled = sum(unit.ok for unit in build.units)
    done = f"{compiled} of {count(len(build.units), 'unit')} compiled" if build.units else ""
    said = MARKS.get(build.status, f"[yellow]{build.status}[/yellow]")
    return plain(_cell(build)), said, dim("; ".join(filter(None, (done, build.reason))))


def imports(record: RunRecord) -> list[RenderableType]:
    """The modules that cannot be imported on the target alone, by cause."""
    rows = [
        (
            str(len(names)),
            f"{plain(one.cause)}\n[dim]{plain(_first(names))}, {plain(place_of(one))}[/dim]",
        )
        for one, names in lost_imports(record)
    ]
    total = len(record.verification.lost_imports)
    return titled_table(f"modules that fail to import on {record.target}", rows, f"({total})")


def tests(record: RunRecord) -> list[RenderableType]:
    """The repository's own tests on three sides, and those that are lost."""
    sides = (
        suite_of(record, Tree.UNPATCHED, source=True),
        suite_of(record, Tree.PATCHED, source=True),
        suite_of(record, Tree.UNMODIFIED, source=False),
        suite_of(record, Tree.PATCHED, source=False),
    )
    rows = [
        (f"{suite.cell.tree}, {suite.cell.environment}", *_suite(suite))
        for suite in sides
        if suite is not None
    ]
    rows += [
        (f"installed {copy.form} of the patched tree", _copy_result(copy), dim(copy.reason))
        for copy in record.verification.copies
    ]
    out = titled_table("the repository's tests", rows, "")
    comparison = record.verification.comparison
    out += _loss_rows(record)
    if comparison:
        nodes = [(plain(n), dim(comparison.messages[n][:160])) for n in comparison.lost_patched]
        out += titled_table("tests lost under torch after the patch", nodes)
    if comparison and comparison.flaky:
        title = "flaky tests, not counted: the result varies under torch"
        out += _together(title, comparison.flaky)
    if comparison and comparison.by_patch:
        out += _together(f"tests that need the patch on {record.target}", comparison.by_patch)
    return [
        *out,
        *_rounds(record),
        *_polyfill_rows(record),
        *_emulation_rows(record),
        *_ran(record),
    ]


def _rounds(record: RunRecord) -> list[RenderableType]:
    rows = [
        (f"{one.passed} -> {after['passed']} passed", dim(", ".join(one.pieces)))
        for one, after in rounds(record)
    ]
    return titled_table("migrate re-run with polyfills suggested by failing tests", rows)


def _loss_rows(record: RunRecord) -> list[RenderableType]:
    """The tests that are lost on the target by cause, those of most tests first."""
    groups = record.verification.lost_tests
    rows = [
        (
            str(len(one.tests)),
            f"{plain(cause)}\n[dim]{plain(answer)}: {plain(_first(one.tests))}[/dim]",
        )
        for one in groups
        for cause, answer in (explain_loss(one),)
    ]
    total = sum(len(one.tests) for one in groups)
    return titled_table(f"tests lost on {record.target}", rows, f"({total})")


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
    return titled_table("on the emulated NPU", rows, "")


def _emulation_rows(record: RunRecord) -> list[RenderableType]:
    tests = emulated_tests(record)
    return _together(f"tests with {triton_cpu.SAID}: no evidence of a device", tests)


def _together(title: str, tests: Sequence[str]) -> list[RenderableType]:
    """Tests in one row."""
    return titled_table(title, [(dim(_first(tests)),)] if tests else [], f"({len(tests)})")


def _polyfill_rows(record: RunRecord) -> list[RenderableType]:
    """The tests whose outcome is also that of a polyfill: of a check, or of a compiler."""
    checks = tests_by_polyfill(record)
    compilers = {name: checks.pop(name, ()) for name in (SCRIPTED, COMPILED)}
    tests = {node for nodes in checks.values() for node in nodes}
    rows = [(str(len(n)), plain(name), dim(_first(n))) for name, n in checks.items()]
    out = titled_table("tests that depend on a polyfilled check", rows, f"({len(tests)})")
    for name, through in compilers.items():
        title = f"tests that use {name}, which compiles nothing under {record.target}"
        out += _together(title, through)
    return out


def _first(nodes: Sequence[str]) -> str:
    more = f" and {len(nodes) - 2} more: --json lists all" if len(nodes) > 2 else ""
    return ", ".join(nodes[:2]) + more


def _suite(suite: SuiteResult) -> tuple[str, str]:
    numbers = counts(suite)
    if numbers is None:
        return f"[yellow]{suite.status}[/yellow]", dim(suite.reason)
    said = ", ".join(f"{number} {what}" for what, number in numbers.items() if number)
    found = {*suite.outcomes.values()}
    told = suite.status is Status.FAILED and (Outcome.PASSED not in found or Outcome.ERROR in found)
    ended = suite.reason.partition("; ")[0] if suite.status is Status.PARTIAL else ""
    return plain(said or "none ran"), dim(suite.reason if told else ended)


def _copy_result(copy: InstalledCopy) -> str:
    if copy.status is not Status.OK:
        return MARKS.get(copy.status, f"[yellow]{copy.status}[/yellow]")
    return f"{copy.passed} passed" if copy.passed else "imported"


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
    title = "no test passed: calls with generated inputs" if made else "parity cases"
    by_patch = cases_by_patch(record)
    needing = _together(f"parity cases that need the patch on {record.target}", by_patch)
    return [*heading(title, f"({len(results)}: {said})"), *table(rows), *needing]


def verdict(record: RunRecord) -> list[RenderableType]:
    """The verdict, what holds it there, and what would raise it."""
    overall = record.verification.overall
    if overall is None:
        return []
    found = overall.verdict
    out: list[RenderableType] = ["", f"[bold {COLOURS[found]}]{plain(verdict_line(record))}[/]"]
    label = "because" if found is Verdict.PORTED else "why not PORTED"
    for reason in overall.reasons:
        out += table([(f"{label:14}", plain(reason))])
        label = ""
    if found in RAISED_BY:
        out += table([(f"{'to improve':14}", RAISED_BY[found])])
    unmodified = record.verification.unmodified
    if unmodified is not None:
        said = f"{unmodified.verdict.name}: {unmodified.reason}".removesuffix(": ")
        out += table([(f"{'without patch':14}", plain(said))])
    broken = needs_fixes(record)
    if broken and record.migration.patch is not None:
        fixes = "; ".join(change.title for change in record.migration.patch.fixes)
        said = f"the unpatched source {broken}; results are compared with the fixed source: {fixes}"
        out += table([(f"{'needs fixes':14}", plain(said))])
    return out
