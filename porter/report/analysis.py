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
from porter.report.facts import cpp_names, remedy
from porter.report.rows import by_rule, count, dim, listed, plain, short, table, tally, where
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
    target = f"{record.target} {record.target_version}, {record.style} style"
    rows = [(label, plain(value)) for label, value in _described(facts) if value]
    names = {key: len(found) for key, found in cpp_names(record).items() if found}
    if names:
        parts = ", ".join(f"{number} {key}" for key, number in names.items())
        rows.append(("C++ names", f"{sum(names.values())} of torch's: {parts}"))
    rows.append(("files", f"{record.analysis.files} read, {len(record.skipped)} left out"))
    unread = [s for s in record.skipped if not s.meant]
    crashed = [
        (plain(c.path), f"[red]{plain(c.where)}[/red] {plain(c.error)}") for c in record.crashes
    ]
    return [
        f"[bold]{plain(name)}[/bold], for {plain(target)}",
        *table(rows, REPOSITORY_ROWS),
        *listed("not read", [(plain(s.path), dim(_why(s))) for s in unread]),
        *listed("porter crashed on, and went on without", crashed),
    ]


def _why(skipped: Skipped) -> str:
    advice = remedy(skipped.reason)
    return f"{skipped.reason}: {advice}" if advice else skipped.reason


def _described(facts: ProjectFacts) -> Iterator[tuple[str, str]]:
    yield "built by", ", ".join(facts.builds) or "nothing porter knows"
    yield "packages", ", ".join(p.name for p in facts.packages)
    yield "extensions", ", ".join(_extension(e) for e in facts.extensions)
    yield "registered by", ", ".join(facts.registration)
    yield "kernels in", ", ".join(facts.kernels)
    yield "tests", count(len(facts.tests), "file") if facts.tests else "none found"
    yield "submodules", ", ".join(facts.submodules)


def _extension(extension: Extension) -> str:
    name = extension.name or "(computed name)"
    return f"{name} ({extension.kind}{', several' if extension.repeated else ''})"


def fine(record: RunRecord) -> list[RenderableType]:
    """What needs nothing, and why."""
    return listed("fine as it is", [("·", plain(r)) for r in _reasons(record)], "")


def _reasons(record: RunRecord) -> Iterator[str]:
    facts = record.facts
    if facts is None:
        return
    if "tvm_ffi" in facts.registration:
        yield (
            "operators registered through TVM FFI: its ABI is neutral to the framework; it takes "
            "tensors by DLPack, and the stream from their own framework"
        )
    if "TORCH_LIBRARY" in facts.registration:
        yield "TORCH_LIBRARY blocks and their schemas: the target's headers take them"
    own = [name for name in LANGUAGES if name in facts.kernels]
    if own:
        yield f"kernel bodies in {' and '.join(own)}: the language is the framework's neither"
    launchers = [title for name, title in LAUNCHERS.items() if name in facts.kernels]
    if launchers:
        yield (
            f"launches through {', '.join(launchers)}, which know no framework: they get pointers "
            "and DLPack tensors; where they get streams from is looked at"
        )
    lacking = any(m.language is Language.CPP for m in record.missing)
    if (facts.extensions or "cuda" in facts.kernels) and not lacking:
        yield (
            f"C++ and CUDA sources: every header and name of torch in them is known to "
            f"{record.target}; what tensors have as members shows when they are compiled"
        )
    if facts.vendored:
        yield f"third-party code, read and never edited: {', '.join(facts.vendored[:4])}"


def rewritten(record: RunRecord) -> list[RenderableType]:
    """What migrate will edit, by rule."""
    edited = [f for f in record.analysis.findings if is_edited(f)]
    return listed("will be rewritten", by_rule(edited), f"({count(len(edited), 'site')})")


def for_a_person(record: RunRecord) -> list[RenderableType]:
    """What rules found and do not edit by themselves."""
    rest = [f for f in record.analysis.findings if not is_edited(f)]
    review = sum(bool(f.edits) for f in rest)
    cells = sum(bool(f.edits and f.cell and f.safety is Safety.SAFE) for f in rest)
    more = f"({count(len(rest), 'site')}"
    more += f", {review - cells} edited with --review" if review > cells else ""
    more += f", {cells} with --notebooks)" if cells else ")"
    return listed("needs a person", by_rule(rest), more)


def is_edited(finding: Finding) -> bool:
    """Whether migrate edits it without being asked to do more."""
    return finding.safety is Safety.SAFE and bool(finding.edits) and not finding.cell


def lacking(record: RunRecord) -> list[RenderableType]:
    """The names the target lacks or means otherwise, by uses, each with its answer."""
    uses = sum(m.uses for m in record.missing)
    answered = sum(m.uses for m in record.missing if m.answer)
    rows = [(str(m.uses), _named(m), _answer(m, record)) for m in record.missing]
    names = count(len(rows), "name")
    return listed(
        f"what {record.target} {record.target_version} lacks or means otherwise",
        rows,
        f"({names}, {count(uses, 'use')}, {answered} of them answered)",
    )


def perhaps(record: RunRecord) -> list[RenderableType]:
    """The names that gave other results in some of the calls that were measured, by uses."""
    known = {m.name for m in record.missing}
    found = [d for d in record.analysis.differences if not d.sure and d.name not in known]
    rows = [
        (
            str(number),
            f"{plain(one.name)}\n{dim(one.consequence)}",
            f"[dim]first at {where(one)}[/dim]",
        )
        for number, one in tally(found, lambda d: d.name)
    ]
    return listed("gave other results in some calls", rows, f"({count(len(rows), 'name')})")


def in_documents(record: RunRecord) -> list[RenderableType]:
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
    title = "shown in documents, which are left to you"
    return listed(title, rows, f"({files})", DOCUMENT_ROWS)


def _named(item: Missing) -> str:
    """A name that the target lacks; under one that is there, what is otherwise."""
    if item.state is State.MISSING:
        return plain(item.name)
    said = item.facts[0].sentence if item.facts else str(item.state)
    return f"{plain(item.name)}\n{dim(said)}"


def _rarely(item: Missing) -> bool:
    """Whether all that differs concerns uses that no one can tell from their form."""
    return item.state is State.DIFFERENT and {f.when for f in item.facts} == {When.SOME_USES}


def _answer(item: Missing, record: RunRecord) -> str:
    if not item.answer:
        return dim("matters in some uses only") if _rarely(item) else "[yellow]none yet[/yellow]"
    of_rule = [f for f in record.analysis.findings if f.rule == item.answer]
    name = plain(short(item.answer))
    if not of_rule:
        return f"[green]polyfill[/green] {name}"
    return f"[green]rule[/green] {name}" if any(map(is_edited, of_rule)) else f"advice {name}"
