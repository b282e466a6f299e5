"""The record for people, on a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from porter.model import Missing, Safety, State, Status, Tree, Verdict
from porter.record import RunRecord
from porter.report.json import counts, suite_of, verdict_line

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN = 12  # rows of a list before "and N more"
COLOURS = {
    Verdict.PORTED: "green",
    Verdict.RUNS: "yellow",
    Verdict.BUILDS: "yellow",
    Verdict.PATCHED: "red",
    Verdict.STUCK: "red",
}


def render(record: RunRecord, only: str | None = None) -> list[RenderableType]:
    """What to show after the stage `only`, or after all of them."""
    facts = record.facts
    if facts is not None and not facts.uses_torch:
        return [f"[bold]{record.source.written}[/bold]: nothing to port, no torch in it"]
    parts: list[RenderableType] = []
    if only in (None, "analyze"):
        parts += repository(record) + findings(record) + missing(record)
    if only in (None, "migrate"):
        parts += patch(record) + residue(record)
    if only in (None, "build", "verify"):
        parts += builds(record)
    if only in (None, "verify"):
        parts += tests(record) + parity(record)
    if only in (None, "verify") and record.overall is not None:
        parts += verdict(record)
    parts += [f"[yellow]note:[/yellow] {_escape(note)}" for note in record.notes]
    return parts


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _list(rows: list[str]) -> list[RenderableType]:
    shown: list[RenderableType] = [f"  {row}" for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        shown.append(f"  [dim]and {len(rows) - SHOWN} more (porter report --json)[/dim]")
    return shown


def repository(record: RunRecord) -> list[RenderableType]:
    facts = record.facts
    if facts is None:
        return []
    target = f"{record.target} {record.target_version}"
    rows = [
        ("builds with", ", ".join(facts.builds) or "nothing found"),
        ("packages", ", ".join(p.name for p in facts.packages)),
        ("extensions", ", ".join(e.name or "(computed name)" for e in facts.extensions)),
        ("registration", ", ".join(facts.registration)),
        ("kernels", ", ".join(facts.kernels)),
        ("tests", f"{len(facts.tests)} files" if facts.tests else "none found"),
        ("vendored", ", ".join(facts.vendored)),
        ("files", f"{record.files} read, {len(record.skipped)} skipped"),
    ]
    name = facts.distribution or record.source.written
    out: list[RenderableType] = [f"[bold]{_escape(name)}[/bold], for {target}"]
    out += [f"  {label:13} {_escape(value)}" for label, value in rows if value]
    out += [f"  [green]fine as it is:[/green] {_escape(reason)}" for reason in fine(record)]
    unread = [s for s in record.skipped if "vendored" not in s.reason][:SHOWN]
    out += [f"  [yellow]not read:[/yellow] {_escape(s.path)}: {_escape(s.reason)}" for s in unread]
    out += [
        f"  [red]crashed:[/red] {_escape(c.path)} in {c.where}: {_escape(c.error)}"
        for c in record.crashes
    ]
    return out


def fine(record: RunRecord) -> list[str]:
    """What needs nothing, and why."""
    facts = record.facts
    assert facts is not None
    reasons = []
    if "tvm_ffi" in facts.registration:
        reasons.append("kernels registered through TVM FFI: its ABI is neutral to the framework")
    if "TORCH_LIBRARY" in facts.registration:
        reasons.append("TORCH_LIBRARY blocks and their schemas: the target's headers take them")
    if {"triton", "tilelang"} & set(facts.kernels):
        reasons.append("kernel bodies in Triton or TileLang: no torch names in them")
    if facts.vendored:
        reasons.append(f"vendored code ({', '.join(facts.vendored[:4])}): read, never edited")
    return reasons


def findings(record: RunRecord) -> list[RenderableType]:
    if not record.findings:
        return []
    edited = [f for f in record.findings if f.safety is Safety.SAFE and f.edits]
    rest = [f for f in record.findings if f not in edited]
    out: list[RenderableType] = []
    for label, group in (("will be rewritten", edited), ("needs a person", rest)):
        if group:
            out.append(f"[bold]{label}[/bold] ({len(group)})")
            sites = Counter(f.rule for f in group)
            first = {f.rule: f for f in reversed(group)}
            out += _list(
                [
                    f"{count:5}  {rule}  [dim]{_escape(first[rule].path)}:{first[rule].line}[/dim]"
                    f"\n         {_escape(first[rule].message)}"
                    for rule, count in sites.most_common()
                ]
            )
    return out


def missing(record: RunRecord) -> list[RenderableType]:
    if not record.missing:
        return []
    out: list[RenderableType] = [
        f"[bold]what {record.target} {record.target_version} lacks or means otherwise[/bold] "
        f"({len(record.missing)} names, {sum(m.uses for m in record.missing)} uses)"
    ]
    return out + _list([_missing_row(m) for m in record.missing])


def _missing_row(item: Missing) -> str:
    row = f"{item.uses:5}  {_escape(item.name)}  [dim]{item.state}[/dim]"
    if item.answer:
        row += f"  [green]{_escape(item.answer)}[/green]"
    if item.facts and item.state is State.DIFFERENT:
        row += f"\n         [dim]{_escape(item.facts[0])}[/dim]"
    return row


def patch(record: RunRecord) -> list[RenderableType]:
    if record.patch is None:
        return []
    done = record.patch
    if not done.files:
        return ["[bold]patch[/bold]: nothing to change"]
    out: list[RenderableType] = [
        f"[bold]patch[/bold] {done.files} files, +{done.added} -{done.removed}: {done.path}"
    ]
    rows = [
        f"{_escape(path)}  [dim]{', '.join(sorted({c.rule for c in changes}))}[/dim]"
        for path, changes in done.changes
    ]
    return out + _list(rows)


def residue(record: RunRecord) -> list[RenderableType]:
    out: list[RenderableType] = []
    if record.open:
        out.append(f"[bold]left for a person[/bold] ({len(record.open)})")
        out += _list(
            [
                f"{_escape(f.path)}:{f.line}  {f.rule} ({f.safety.label})"
                f"\n         {_escape(f.message)}"
                for f in record.open
            ]
        )
    if record.residue:
        out.append(f"[bold]residue[/bold] ({len(record.residue)})")
        out += _list(
            [
                f"{_escape(r.path)}:{r.line}  {_escape(r.name)}  [dim]{_escape(r.reason)}[/dim]"
                for r in record.residue
            ]
        )
    return out


def builds(record: RunRecord) -> list[RenderableType]:
    out: list[RenderableType] = []
    for build in record.builds:
        cell = build.cell
        mark = {"ok": "[green]ok[/green]", "failed": "[red]failed[/red]"}.get(
            build.status, f"[yellow]{build.status}[/yellow]"
        )
        label = f"{cell.tree} tree, {cell.environment}, {cell.device}"
        done = ""
        if build.units:
            compiled = sum(unit.ok for unit in build.units)
            done = f", {compiled} of {len(build.units)} units compile"
        out.append(
            f"[bold]build[/bold] {label} ({cell.evidence}): {mark}{done}"
            + (f"  [dim]{_escape(build.reason)}[/dim]" if build.reason else "")
        )
        out += _causes(build.diagnostics)
    return out


def _causes(diagnostics: object) -> list[RenderableType]:
    from porter.build.diagnostics import causes

    rows = []
    for cause, count, example in causes(diagnostics):  # type: ignore[arg-type]
        place = f"{example.path}:{example.line}" if example.path else example.tool
        rows.append(f"{count:5}  {_escape(cause)}  [dim]{_escape(place)}[/dim]")
    return _list(rows)


def tests(record: RunRecord) -> list[RenderableType]:
    sides = (
        ("unpatched tree, torch", suite_of(record, Tree.UNPATCHED, source=True)),
        ("patched tree, torch", suite_of(record, Tree.PATCHED, source=True)),
        (f"patched tree, {record.target}", suite_of(record, Tree.PATCHED, source=False)),
    )
    out: list[RenderableType] = []
    for label, suite in sides:
        if suite is None:
            continue
        numbers = counts(suite)
        if numbers is None:
            out.append(f"[bold]tests[/bold] {label}: {suite.status}, {_escape(suite.reason)}")
            continue
        said = ", ".join(f"{count} {what}" for what, count in numbers.items() if count)
        out.append(f"[bold]tests[/bold] {label}: {said or 'none ran'}")
        if suite.status is Status.FAILED and suite.reason:
            out.append(f"  [dim]{_escape(suite.reason)}[/dim]")
    if record.comparison and record.comparison.lost:
        target = suite_of(record, Tree.PATCHED, source=False)
        said_of = target.messages if target else {}
        out.append(f"[bold]lost[/bold] ({len(record.comparison.lost)})")
        out += _list(
            [
                f"{_escape(node)}  [dim]{_escape(said_of.get(node, '').strip()[:160])}[/dim]"
                for node in record.comparison.lost
            ]
        )
    return out


def parity(record: RunRecord) -> list[RenderableType]:
    if not record.parity:
        return []
    statuses = Counter(r.status for r in record.parity)
    said = ", ".join(f"{count} {status}" for status, count in statuses.items())
    out: list[RenderableType] = [f"[bold]parity[/bold] {len(record.parity)} cases: {said}"]
    rows = [
        f"{_escape(r.case)} ({r.device}): {r.phase}  [dim]{_escape(r.message)}[/dim]"
        for r in record.parity
        if r.status is not Status.OK
    ]
    return out + _list(rows)


def verdict(record: RunRecord) -> list[RenderableType]:
    assert record.overall is not None
    colour = COLOURS[record.overall.verdict]
    out: list[RenderableType] = [f"[bold {colour}]{_escape(verdict_line(record))}[/]"]
    if record.overall.reason:
        out.append(f"  {_escape(record.overall.reason)}")
    return out
