"""The record as Markdown: the body of a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from porter.build.diagnostics import causes
from porter.emulators import triton_cpu
from porter.model import Device, Evidence, Status, Tree
from porter.report import ascend
from porter.report.facts import (
    Remaining,
    counts,
    emulated,
    polyfilled,
    ran,
    remaining,
    verdict_line,
)
from porter.report.rows import at, cell, count, row, section, together
from porter.run.record import RunRecord

SHOWN = 50
PLACES = 5  # of one thing that remains
CAUSES = 20  # of one build


def markdown(record: RunRecord) -> str:
    """A pull request body: verdict, what changed and why, evidence, what remains."""
    overall = record.verification.overall
    parts = [
        f"## Port to {record.target} {record.target_version}",
        f"**{verdict_line(record)}**" + (f": {overall.reason}" if overall else ""),
        _changes(record),
        _evidence(record),
        _causes(record),
        _remaining(record),
        ascend.markdown(record),
        f"Source: `{record.source.written}`"
        + (f" at `{record.source.commit}`" if record.source.commit else "")
        + (f". Sandbox of what was run: {record.isolation}" if record.isolation else "")
        + f". Made by porter {record.porter_version}:\n\n```\n{command(record)}\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def command(record: RunRecord) -> str:
    """The command that makes the same patch again."""
    style = f" --style {record.style}" if record.style != "dual" else ""
    route = f" --route {record.migration.route}" if record.migration.route else ""
    target = f"{record.target}=={record.target_version}"
    return f"porter migrate {record.source.written} --target {target}{style}{route}"


def _changes(record: RunRecord) -> str:
    """One row a reason, with the files it concerns; those of a vendored unit together."""
    patch = record.migration.patch
    if patch is None or not patch.files:
        return ""
    where: dict[tuple[str, str, str], dict[str, None]] = {}
    for path, changes in patch.changes:
        for change in changes:
            key = (change.reason, change.rule, change.until)
            where.setdefault(key, {})[together(path)] = None
    size = f"{patch.files} files, +{patch.added} -{patch.removed}."
    return section(
        f"Changes\n\n{size}",
        ("why", "where", "can go when"),
        (
            row(f"{cell(reason)} (`{rule}`)", ", ".join(f"`{p}`" for p in paths), cell(until))
            for (reason, rule, until), paths in where.items()
        ),
    )


_ON_CPU = {Device.CUDA: "CUDA kernels on the CPU", Device.NPU: "NPU kernels on the CPU"}


def _evidence(record: RunRecord) -> str:
    columns = ("what", "tree", "framework", "device", "result")
    rows = [*_of_builds(record), *_of_parity(record), *_of_stand_ins(record)]
    return section("Evidence", columns, rows)


def _of_builds(record: RunRecord) -> Iterator[str]:
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


def _of_parity(record: RunRecord) -> Iterator[str]:
    parity = record.verification.parity
    if not parity:
        return
    made = all(r.made for r in parity)
    what = "calls with inputs of porter's own" if made else "parity"
    both = f"torch against {record.target}"
    statuses = Counter(str(r.status) for r in parity)
    said = ", ".join(f"{count} {status}" for status, count in statuses.items())
    yield row(what, Tree.PATCHED, both, None, said)
    emulations = Counter(r.device for r in parity if r.evidence is Evidence.EMULATED)
    for device, number in emulations.items():
        said = f"{_ON_CPU.get(device, triton_cpu.SAID)} in {count(number, 'case')}: emulated"
        yield row(what, Tree.PATCHED, both, device, said)


def _of_stand_ins(record: RunRecord) -> Iterator[str]:
    """What tests ran on or got from something else than the device and the target."""
    if tests := emulated(record):
        said = f"{triton_cpu.SAID} in {count(len(tests), 'test')}: emulated"
        yield row("tests", Tree.PATCHED, record.target, "cpu", said)
    for kind, calls in ran(record).items():
        what = "kernel" if kind == "kernel" else "operator without an emulated kernel"
        if calls:
            said = f"{count(len(calls), what)}, {sum(calls.values())} calls: on the CPU"
            yield row("tests", Tree.PATCHED, record.target, Device.NPU, said)
    for name, nodes in polyfilled(record).items():
        said = f"a polyfill, called by {count(len(nodes), 'test')}"
        yield row(f"`{name}`", Tree.PATCHED, record.target, None, said)


def _causes(record: RunRecord) -> str:
    """What the builds that failed said, by cause: what follows from a cause counts with it."""
    rows = []
    for build in record.builds:
        built = f"{build.cell.tree}, {build.cell.environment}, {build.cell.device}"
        for cause, number, one in causes(build.diagnostics)[:CAUSES]:
            rows.append(row(cell(cause), number, f"`{at(one)}`" if one.path else one.tool, built))
    return section("What the builds said", ("cause", "messages", "first at", "build"), rows)


def _left(one: Remaining) -> str:
    places = ", ".join(f"`{path}:{line}`" for path, line in one.sites[:PLACES])
    more = len(one.sites) - PLACES
    places += f" and {more} more" if more > 0 else ""
    text = cell(one.text) if one.judged else f"{cell(one.text)} (not judged by this build)"
    return (
        f"- {text} (`{one.what}`): {places}" if one.is_rule else f"- `{one.what}`: {text}: {places}"
    )


def _remaining(record: RunRecord) -> str:
    rows = [_left(one) for one in remaining(record)]
    if record.verification.comparison:
        rows += [f"- test lost: `{node}`" for node in record.verification.comparison.lost]
    rows += [
        f"- parity case `{r.case}` on {r.device}: {r.phase}: {' '.join(r.message.split())}"
        for r in record.verification.parity
        if r.status is Status.FAILED
    ]
    if not rows:
        return ""
    more = len(rows) - SHOWN
    tail = [f"- and {more} more: `porter report --run {record.id} --json`"] if more > 0 else []
    return "### What remains\n\n" + "\n".join(rows[:SHOWN] + tail)
