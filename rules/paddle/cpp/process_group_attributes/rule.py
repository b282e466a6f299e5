"""`group.attr("rank")()` of a group of processes, in C++ that imports torch.distributed."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Span

FUNCTIONS = {'"rank"': "get_rank", '"size"': "get_world_size"}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    home = _spell_import(unit)
    if home is None:
        return
    for method, function in FUNCTIONS.items():
        for attr in unit.find("attr", "(", method, ")", "(", ")"):
            tokens = unit.tokens
            group = tokens[attr - 2] if attr > 1 else None
            plain = group is not None and group.kind is Kind.NAME and tokens[attr - 1].text == "."
            if not plain or "group" not in group.text.lower() or _continues(unit, attr - 3):
                continue
            span = Span(group.span.start, tokens[attr + 5].span.end)
            new = f'{home}.attr("{function}")({group.text})'
            yield Match(span, (Edit(span, unit.encode(new)),), name="torch.distributed")


def _continues(unit: Unit, before: int) -> bool:
    return before >= 0 and unit.tokens[before].text in (".", "->", "::", ")", "]")


def _spell_import(unit: Unit) -> str | None:
    """How the file spells the import of torch.distributed, as it does first."""
    for first in unit.find("import", "(", '"torch.distributed"', ")"):
        start = first
        while start > 1 and unit.tokens[start - 1].text == "::":
            start -= 2
        if start < first:
            return unit.text(start, first + 3)
    return None
