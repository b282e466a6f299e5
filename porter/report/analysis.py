"""What analyze found, for a terminal: what it is, what is fine, what changes, what is lacking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from porter.model import (
    Extension,
    Finding,
    Language,
    Missing,
    ProjectFacts,
    Safety,
    Skipped,
    State,
    When,
)
from porter.report.facts import accepted_counts, cpp_names, project_of, remedy
from porter.report.rows import (
    count,
    dim,
    heading,
    plain,
    rule_rows,
    short,
    table,
    tally,
    titled_table,
    where,
)
from porter.run.record import RunRecord

if TYPE_CHECKING:
    from rich.console import RenderableType

REPOSITORY_ROWS = 20
DOCUMENT_ROWS = 4
LANGUAGES = ("triton", "tilelang", "cute-dsl", "cuda-tile")
LAUNCHERS = {"cute-dsl": "CuTe DSL", "nvrtc": "NVRTC", "cuda-python": "cuda-python"}


def repository(record: RunRecord) -> list[RenderableType]:
    """What kind of repository it is, and which files could not be read."""
    facts = record.facts
    if facts is None:
        return []
    name = facts.distribution or record.source.written
    target = f"{record.target} {record.target_version}, {record.form.style} style"
    rows = [(label, plain(value)) for label, value in _describe(facts) if value]
    names = {key: len(found) for key, found in cpp_names(record).items() if found}
    if names:
        parts = ", ".join(f"{number} {key}" for key, number in names.items())
        rows.append(("C++ names", f"{sum(names.values())} of torch's: {parts}"))
    rows.append(("files", f"{record.analysis.files} read, {len(record.skipped)} skipped"))
    crashed = [
        (plain(c.path), f"[red]{plain(c.where)}[/red] {plain(c.error)}") for c in record.crashes
    ]
    return [
        f"[bold]{plain(name)}[/bold], for {plain(target)}",
        *table(rows, REPOSITORY_ROWS),
        *unread_rows(record),
        *titled_table("skipped after a crash of porter", crashed),
    ]


def unread_rows(record: RunRecord) -> list[RenderableType]:
    """The files that should have been read and could not be, each with the reason and a remedy."""
    rows = [(plain(s.path), dim(_why(s))) for s in record.skipped if not s.meant]
    return titled_table("not read", rows)


def _why(skipped: Skipped) -> str:
    advice = remedy(skipped.reason)
    return f"{skipped.reason}: {advice}" if advice else skipped.reason


def _describe(facts: ProjectFacts) -> Iterator[tuple[str, str]]:
    yield "built by", ", ".join(facts.builds) or "not recognized"
    yield "packages", ", ".join(p.name for p in facts.packages)
    yield "extensions", ", ".join(_extension(e) for e in facts.extensions)
    yield "registered by", ", ".join(facts.registration)
    yield "kernels in", ", ".join(facts.kernels)
    yield "tests", count(len(facts.tests), "file") if facts.tests else "none found"
    yield "submodules", ", ".join(facts.submodules)


def _extension(extension: Extension) -> str:
    name = extension.name or "computed name"
    return f"{name} ({extension.kind}{', several' if extension.repeated else ''})"


def fine(record: RunRecord) -> list[RenderableType]:
    """What needs nothing, and why."""
    return titled_table("no changes needed", [("·", plain(r)) for r in _reasons(record)], "")


def _reasons(record: RunRecord) -> Iterator[str]:
    facts = record.facts
    if facts is None:
        return
    if "tvm_ffi" in facts.registration:
        yield (
            "operators registered through TVM FFI: its ABI is framework-neutral; tensors are "
            "passed by DLPack, and streams come from the framework of the tensors"
        )
    names = cpp_names(record)
    has_headers = any(names[stands] for stands in names if stands != "missing")
    if "TORCH_LIBRARY" in facts.registration and (has_headers or not names["missing"]):
        yield "TORCH_LIBRARY blocks and their schemas: supported by the target's headers"
    own = [name for name in LANGUAGES if name in facts.kernels]
    if own:
        yield f"kernel bodies in {' and '.join(own)}: independent of the framework"
    launchers = [title for name, title in LAUNCHERS.items() if name in facts.kernels]
    if launchers:
        yield (
            f"launches through {', '.join(launchers)}: framework-neutral, as they take pointers "
            "and DLPack tensors; porter checks where their streams come from"
        )
    lacking = any(m.language is Language.CPP for m in record.missing)
    if (facts.extensions or "cuda" in facts.kernels) and not lacking and names["present"]:
        yield (
            f"C++ and CUDA sources: {record.target} has every torch header and name that they use; "
            "tensor members are checked when they are compiled"
        )
    if facts.vendored:
        yield f"third-party code, never edited: {', '.join(facts.vendored[:4])}"


def edit_rows(record: RunRecord) -> list[RenderableType]:
    """What migrate will edit, by rule."""
    edited = [f for f in record.analysis.findings if is_edited(f)]
    return titled_table("will be rewritten", rule_rows(edited), f"({count(len(edited), 'site')})")


def manual_rows(record: RunRecord) -> list[RenderableType]:
    """What rules found and do not edit by themselves."""
    rest = [f for f in record.analysis.findings if not is_edited(f) and not f.accepted]
    review = sum(bool(f.edits) for f in rest)
    cells = sum(bool(f.edits and f.cell and f.safety is Safety.SAFE) for f in rest)
    more = f"({count(len(rest), 'site')}"
    more += f", {review - cells} edited with --review" if review > cells else ""
    more += f", {cells} with --notebooks)" if cells else ")"
    return titled_table("manual changes required", rule_rows(rest), more)


def is_edited(finding: Finding) -> bool:
    """Whether migrate edits it without being asked to do more."""
    return finding.safety is Safety.SAFE and bool(finding.edits) and not finding.cell


def missing_rows(record: RunRecord) -> list[RenderableType]:
    """The names the target lacks or means otherwise, each with its answer: those that have none
    first, as a list is cut, then by uses."""
    counted = sorted((m for m in record.missing if not m.accepted), key=lambda m: bool(m.answer))
    uses = sum(m.uses for m in counted)
    answered = sum(m.uses for m in counted if m.answer)
    rows = [(str(m.uses), _name_cell(m), _answer(m, record)) for m in counted]
    names = count(len(rows), "name")
    title = f"missing or incompatible in {record.target} {record.target_version}"
    if rows and (project := project_of(record)):
        return heading(title, f"({names}, {count(uses, 'use')}; {project}/ uses none of them)")
    return titled_table(
        title,
        rows,
        f"({names}, {count(uses, 'use')}, {answered} with a rule or polyfill)",
    )


def perhaps(record: RunRecord) -> list[RenderableType]:
    """What depends on a type or value that the source does not show, a name each, but for what
    polyfills answer."""
    found = record.analysis.guesses
    left = [one for one in found if not one.answer]
    rows = [
        (
            str(one.sites),
            f"{plain(one.name)}\n{dim(one.reason)}",
            f"[dim]first at {where(one)}[/dim]",
        )
        for one in left
    ]
    more = f", {len(found) - len(left)} more handled by polyfills" if len(found) > len(left) else ""
    title = "depends on types that the source does not show"
    return titled_table(title, rows, f"({count(len(rows), 'name')}{more})")


def document_rows(record: RunRecord) -> list[RenderableType]:
    """What documents show of torch and needs more under the target: never edited."""
    found = record.analysis.documents
    rows = [
        (
            str(times),
            f"{plain(one.name)}: {plain(one.reason)}\n"
            f"[dim]first at {plain(one.path)}:{one.line}[/dim]",
        )
        for times, one in tally(found, lambda d: (d.name, d.reason))
    ]
    files = count(len({d.path for d in found}), "file")
    title = "in documentation (not edited)"
    return titled_table(title, rows, f"({files})", DOCUMENT_ROWS)


def accepted_rows(record: RunRecord) -> list[RenderableType]:
    """How much the baseline accepts, and what of it and of comments is not needed any more."""
    found = record.analysis
    numbers = accepted_counts(record)
    parts = [count(n, what) for what, n in numbers.items() if n]
    out = heading("accepted by the baseline", f"({', '.join(parts)})") if parts else []
    entries = [
        (str(one.count), f"{plain(short(one.rule))} {dim(one.path)}\n{dim(one.text)}")
        for one in found.unused_accepted
    ]
    out += titled_table("in the baseline, and not found any more", entries)
    comments = [
        (where(one), plain(f"{one.rule or 'all rules'}: {one.reason}")) for one in found.unused
    ]
    return [*out, *titled_table("unused `porter: ignore` comments", comments)]


def _name_cell(item: Missing) -> str:
    """A name that the target lacks; under one that is there, what is otherwise."""
    if item.state is State.MISSING:
        return plain(item.name)
    said = item.facts[0].sentence if item.facts else str(item.state)
    said = f"in some uses: {said}" if _rarely(item) else said
    return f"{plain(item.name)}\n{dim(said)}"


def _rarely(item: Missing) -> bool:
    """Whether all that differs concerns uses that no one can tell from their form."""
    return item.state is State.DIFFERENT and {f.when for f in item.facts} == {When.SOME_USES}


def _answer(item: Missing, record: RunRecord) -> str:
    if not item.answer:
        return dim("differs only in some calls") if _rarely(item) else "[yellow]none yet[/yellow]"
    of_rule = [f for f in record.analysis.findings if f.rule == item.answer]
    name = plain(short(item.answer))
    if not of_rule:
        return f"[green]polyfill[/green] {name}"
    return f"[green]rule[/green] {name}" if any(map(is_edited, of_rule)) else f"advice {name}"
