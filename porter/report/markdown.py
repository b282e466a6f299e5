"""The record as Markdown: the body of a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from porter.build.diagnostics import causes
from porter.emulators import triton_cpu
from porter.model import Device, Evidence, LostTests, Status, Tree
from porter.report import ascend
from porter.report.facts import (
    NOTHING,
    Remaining,
    collect_remaining,
    counts,
    describe_scope,
    emulated_tests,
    explain_loss,
    is_untouched,
    lost_imports,
    ran,
    tests_by_polyfill,
)
from porter.report.pull_request import introduction
from porter.report.rows import cell, count, place_of, row, section, together
from porter.run.record import RunRecord

SHOWN = 50
PLACES = 5  # of one thing that remains
CAUSES = 20  # of one build


def markdown(record: RunRecord) -> str:
    """A pull request body: what a maintainer asks first, then what remains, changes, evidence."""
    if is_untouched(record):
        return f"{record.source.written}: {NOTHING}\n"
    parts = [
        f"## Port to {record.target} {record.target_version}",
        *introduction(record),
        _scope(record),
        remaining_list(record),
        in_scripts(record),
        changes(record),
        evidence(record),
        _polyfilled(record),
        _causes(record),
        ascend.markdown(record),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _scope(record: RunRecord) -> str:
    """What the configuration and the baseline leave out of what follows."""
    said = [*describe_scope(record.analysis)]
    if accepted := sum(finding.accepted for finding in record.migration.open):
        said.append(f"{count(accepted, 'finding')} accepted by the baseline and not listed")
    return "\n".join(f"- {cell(line)}" for line in said)


def changes(record: RunRecord) -> str:
    """One row a reason, with the files it concerns; those of a vendored unit together."""
    patch = record.migration.patch
    if patch is None or not patch.files:
        return ""
    where: dict[tuple[str, str, str], dict[str, None]] = {}
    for path, changes in patch.changes:
        for change in changes:
            key = (change.reason, change.rule, change.until)
            where.setdefault(key, {})[together(path)] = None
    size = f"{count(patch.files, 'file')}, +{patch.added} -{patch.removed}."
    return section(
        f"Changes\n\n{size}",
        ("why", "where", "remove when"),
        (
            row(f"{cell(reason)} (`{rule}`)", ", ".join(f"`{p}`" for p in paths), cell(until))
            for (reason, rule, until), paths in where.items()
        ),
    )


_ON_CPU = {Device.CUDA: "CUDA kernels on the CPU", Device.NPU: "NPU kernels on the CPU"}


def evidence(record: RunRecord) -> str:
    """One row for each build, suite and group of parity cases."""
    columns = ("what", "tree", "framework", "device", "result")
    rows = [*_build_rows(record), *_parity_rows(record), *_emulation_rows(record)]
    return section("Evidence", columns, rows)


def _build_rows(record: RunRecord) -> Iterator[str]:
    for build in record.builds:
        compiled = sum(unit.ok for unit in build.units)
        units = f", {compiled} of {len(build.units)} units compile" if build.units else ""
        said = f"{build.status}{units}{f': {cell(build.reason)}' if build.reason else ''}"
        yield row("build", build.cell.tree, build.cell.environment, build.cell.device, said)
    for suite in record.suites:
        numbers = counts(suite)
        said = (
            ", ".join(f"{count} {what}" for what, count in numbers.items() if count)
            if numbers
            else f"{suite.status}: {cell(suite.reason)}"
        )
        yield row("tests", suite.cell.tree, suite.cell.environment, suite.cell.device, said)

    for copy in record.verification.copies:
        said = f"{copy.status}, {count(copy.passed, 'test')} passed"
        said += f": {cell(copy.reason)}" if copy.reason else ""
        framework = record.builds[0].cell.environment
        yield row(f"{copy.form}, installed", Tree.PATCHED, framework, copy.device, said)


def _parity_rows(record: RunRecord) -> Iterator[str]:
    parity = record.verification.parity
    if not parity:
        return
    made = all(r.made for r in parity)
    what = "calls with generated inputs" if made else "parity"
    both = f"torch against {record.target}"
    statuses = Counter(str(r.status) for r in parity)
    said = ", ".join(f"{count} {status}" for status, count in statuses.items())
    yield row(what, Tree.PATCHED, both, None, said)
    emulations = Counter(r.device for r in parity if r.evidence is Evidence.EMULATED)
    for device, number in emulations.items():
        said = f"{_ON_CPU.get(device, triton_cpu.SAID)} in {count(number, 'case')}: emulated"
        yield row(what, Tree.PATCHED, both, device, said)


def _emulation_rows(record: RunRecord) -> Iterator[str]:
    """What tests ran on or got from something else than the device and the target."""
    if tests := emulated_tests(record):
        said = f"{triton_cpu.SAID} in {count(len(tests), 'test')}: emulated"
        yield row("tests", Tree.PATCHED, record.target, "cpu", said)
    for kind, calls in ran(record).items():
        what = "kernel" if kind == "kernel" else "operator without an emulated kernel"
        if calls:
            said = f"{count(len(calls), what)}, {sum(calls.values())} calls: on the CPU"
            yield row("tests", Tree.PATCHED, record.target, Device.NPU, said)


def _polyfilled(record: RunRecord) -> str:
    """The checks of tests that are polyfills, in a section that is folded."""
    checks = tests_by_polyfill(record)
    rows = [row(f"`{name}`", len(nodes)) for name, nodes in checks.items()]
    if not rows:
        return ""
    table = "\n".join((row("polyfill", "tests that called it"), "|---|---|", *rows))
    summary = f"{count(len(rows), 'polyfill')} that tests called under {record.target}"
    return f"<details>\n<summary>{summary}</summary>\n\n{table}\n\n</details>"


def _causes(record: RunRecord) -> str:
    """What the builds that failed said, by cause: what follows from a cause counts with it."""
    rows = []
    for build in record.builds:
        built = f"{build.cell.tree}, {build.cell.environment}, {build.cell.device}"
        for cause, number, one in causes(build.diagnostics)[:CAUSES]:
            rows.append(
                row(cell(cause), number, f"`{place_of(one)}`" if one.path else one.tool, built)
            )
    return section("Build output", ("cause", "messages", "first at", "build"), rows)


def _remaining_item(one: Remaining) -> str:
    places = ", ".join(f"`{path}:{line}`" for path, line in one.sites[:PLACES])
    more = len(one.sites) - PLACES
    places += f" and {more} more" if more > 0 else ""
    text = cell(one.text) if one.judged else f"{cell(one.text)} (not judged by this build)"
    return (
        f"- {text} (`{one.what}`): {places}" if one.is_rule else f"- `{one.what}`: {text}: {places}"
    )


def _loss_item(one: LostTests) -> str:
    cause, answer = explain_loss(one)
    tests = ", ".join(f"`{node}`" for node in one.tests[:PLACES])
    more = len(one.tests) - PLACES
    tests += f" and {more} more" if more > 0 else ""
    return f"- {count(len(one.tests), 'test')} lost: {cell(cause)} ({answer}): {tests}"


def remaining_list(record: RunRecord) -> str:
    """Manual changes, lost imports, lost tests and failed parity cases."""
    rows = [_remaining_item(one) for one in collect_remaining(record) if one.shipped]
    rows += [
        f"- not imported on {record.target}: {', '.join(f'`{n}`' for n in names[:PLACES])}"
        f"{f' and {len(names) - PLACES} more' if len(names) > PLACES else ''}: {cell(one.cause)}"
        for one, names in lost_imports(record)
    ]
    rows += map(_loss_item, record.verification.lost_tests)
    rows += [
        f"- parity case `{r.case}` on {r.device}: {r.phase}: {' '.join(r.message.split())}"
        for r in record.verification.parity
        if r.status is Status.FAILED
    ]
    return _listed("What remains", rows, record)


def in_scripts(record: RunRecord) -> str:
    """What remains in what nobody installs."""
    rows = [_remaining_item(one) for one in collect_remaining(record) if not one.shipped]
    return _listed("In scripts, examples and notebooks (no effect on the verdict)", rows, record)


def _listed(title: str, rows: list[str], record: RunRecord) -> str:
    if not rows:
        return ""
    more = len(rows) - SHOWN
    tail = [f"- and {more} more: `porter report --run {record.id} --json`"] if more > 0 else []
    return f"### {title}\n\n" + "\n".join(rows[:SHOWN] + tail)
