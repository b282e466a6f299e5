"""The first operation that two frameworks answer otherwise: text and JSON."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from porter import __version__
from porter.model import Divergence, FirstDifference
from porter.report.rows import count, dim, heading, plain, table

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN = 4  # of a list in the text


def render(found: Divergence) -> list[RenderableType]:
    """Where it is, whose it is, what both have, and the script."""
    names = " and ".join(found.frameworks)
    first = found.first
    if first is None:
        said = "no divergence" + (" was found" if any(found.endings) else "")
        return [*heading(said, f"{found.name}, {names}"), *table(_agreement_rows(found))]
    layer = first.layer if first.sure else f"probably {first.layer}"
    rows = [
        ("where", f"[bold]{plain(f'{first.path}:{first.line}')}[/bold]  {plain(first.operation)}"),
        ("", dim(_elsewhere(found, first))),
        ("what", plain(f"{first.kind}: {first.message}")),
        ("layer", f"[bold]{plain(layer)}[/bold]"),
        *(("", plain(each)) for each in first.evidence),
        ("", dim(f"see {first.place}" if first.place else "")),
        *(("given", plain(f"{place} = {value}")) for place, value in first.arguments.items()),
        (found.frameworks[0], plain(first.source)),
        (found.frameworks[1], plain(first.target)),
        *_rows_around(found, first),
        *_script(first),
    ]
    lean = [row for row in rows if row[1]]
    return [*heading("first divergence", f"{found.name}, {names}"), *table(lean, len(rows))]


def _agreement_rows(found: Divergence) -> list[tuple[str, str]]:
    rows = [("operations", plain(f"{found.operations[0]} and {found.operations[1]}, none differs"))]
    for name, ending in zip(found.frameworks, found.endings, strict=True):
        rows.append((name, plain(ending or "ended as it should")))
    return rows


def _elsewhere(found: Divergence, first: FirstDifference) -> str:
    inside = f"in {first.function}" if first.function else ""
    other = first.source_line not in (None, first.line)
    line = f"line {first.source_line} under {found.frameworks[0]}" if other else ""
    return ", ".join(filter(None, (inside, line)))


def _rows_around(found: Divergence, first: FirstDifference) -> list[tuple[str, str]]:
    said = [f"{count(first.agreed, 'operation')} agreed before"]
    if first.slight:
        more = len(first.slight) - SHOWN
        others = f"; and {more} more" if more > 0 else ""
        said.append(f"passed over: {'; '.join(first.slight[:SHOWN])}{others}")
    rows = [("before", dim(each)) for each in said]
    for name, alone in zip(found.frameworks, (first.only_source, first.only_target), strict=True):
        if alone:
            rows.append((f"only {name}", dim("; ".join(alone))))
    return rows


def _script(first: FirstDifference) -> list[tuple[str, str]]:
    if not first.script:
        return [("script", dim(f"none: {first.no_script}"))]
    needs = f", with the repository's {first.needs}" if first.needs else ", without the repository"
    return [("script", plain(first.script)), ("", dim(f"was run{needs}: {first.said}"))]


def encode(found: Divergence) -> str:
    """As docs/reference/divergence.schema.json says."""
    told = {"porter_version": __version__, **dataclasses.asdict(found)}
    return json.dumps(told, indent=2, ensure_ascii=False)
