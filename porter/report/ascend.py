"""What a repository has for Ascend NPUs, for a terminal and as Markdown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from porter.model import Ascend, AscendOperator, AscendPart, AscendRoute
from porter.report.rows import cell, count, heading, plain, rule_rows, table, tally, titled_table
from porter.run.record import RunRecord

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN = 20  # operators
NAMES = 4  # of one route, or that lack one thing
FOLLOWS = {  # from what an operator lacks
    "kernel": "the function that launches it is not defined in this repository",
    "binding": "registered for graphs only: not callable from Python",
    "Python wrapper": "no Python module exports it: callers must import the extension module",
    "graph mode": "no shape inference, type inference or kernel for graphs: PyNative mode only",
    "schema": "bound with pybind11 only: torch.compile and torch.export cannot see it",
    "meta function": "no meta function: torch.compile and torch.export fail at it",
    "shape inference": "no shape inference for its outputs in a GE graph",
    "backward": "its output has no gradient",
    "ACLNN operator": "a direct launch has no node in a GE graph: it needs an ACLNN operator",
    "graph converter": "torchair cannot put it into a GE graph",
    "test": "no test in this repository calls it by name",
}


def text(record: RunRecord) -> list[RenderableType]:
    """Routes, operators, what they lack, what is wrong; nothing where nothing is for Ascend."""
    ascend = record.ascend
    if ascend is None:
        return []
    number = count(len(ascend.operators), "operator")
    routes = [(plain(route), plain(said)) for route, said in _routes(ascend)]
    operators = [
        (plain(o.name), plain(", ".join(o.routes)), plain(", ".join(_parts(o))))
        for o in ascend.operators
    ]
    lacking = [
        (str(len(names)), f"{plain(what)}: {plain(_some(names))}\n[dim]{FOLLOWS[what]}[/dim]")
        for what, names in _gaps(ascend)
    ]
    wrong = record.analysis.ascend
    sites = f"({count(len(wrong), 'site')})"
    return [
        *heading("for Ascend NPUs", f"({number})"),
        *table(routes),
        *heading("its operators and their pieces"),
        *table(operators, SHOWN),
        *titled_table("missing parts of Ascend operators", lacking, ""),
        *titled_table("problems in the Ascend code", rule_rows(wrong, True), sites, SHOWN),
    ]


def _routes(ascend: Ascend) -> list[tuple[AscendRoute, str]]:
    found = []
    for route in AscendRoute:
        names = [o.name for o in ascend.operators if route in o.routes]
        if names:
            found.append((route, f"{count(len(names), 'operator')}: {_some(names)}"))
    return found


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return ", ".join(names[:NAMES]) + more


def _parts(operator: AscendOperator) -> list[str]:
    """The pieces there are, each with how often where it is more than once."""
    numbers = Counter(piece.part for piece in operator.pieces)
    return [f"{p} ({numbers[p]})" if numbers[p] > 1 else p for p in AscendPart if p in numbers]


def _gaps(ascend: Ascend) -> list[tuple[str, list[str]]]:
    return [
        (what, names)
        for what in FOLLOWS
        if (names := [o.name for o in ascend.operators if what in o.lacks])
    ]


def markdown(record: RunRecord) -> str:
    """A section of the pull request's body."""
    ascend = record.ascend
    if ascend is None:
        return ""
    lines = ["### For Ascend NPUs", "", "| route | operators |", "|---|---|"]
    lines += [f"| {route} | {cell(said)} |" for route, said in _routes(ascend)]
    lines += ["", "| operator | pieces | lacks |", "|---|---|---|"]
    lines += [
        f"| `{o.name}` | {', '.join(_parts(o))} | {', '.join(o.lacks)} |"
        for o in ascend.operators[:SHOWN]
    ]
    if len(ascend.operators) > SHOWN:
        lines.append(f"| and {len(ascend.operators) - SHOWN} more | | |")
    wrong = tally(record.analysis.ascend, lambda f: f.rule)
    lines += ["", "| problem | sites | first at |", "|---|---|---|"] if wrong else []
    lines += [
        f"| {cell(one.message)} (`{one.rule}`) | {number} | `{one.path}:{one.line}` |"
        for number, one in wrong
    ]
    return "\n".join(lines)
