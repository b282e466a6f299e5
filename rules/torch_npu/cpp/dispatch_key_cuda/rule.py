"""`TORCH_LIBRARY_IMPL(ns, CUDA, m) {...}` outside of CUDA's own sources: the same for an NPU."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Span

OTHERS = (".cu", ".cuh", ".asc")
KEYS = {"CUDA": "PrivateUse1", "AutogradCUDA": "AutogradPrivateUse1"}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if unit.path.endswith(OTHERS):
        return
    found = list(_registrations(unit))
    taken = {(library, key) for library, key, *_ in found}
    for library, key, at, key_at, end in found:
        if key not in KEYS or (library, KEYS[key]) in taken:
            continue
        tokens = unit.tokens
        start, stop = tokens[at].start, tokens[end].end
        word = tokens[key_at]
        text = unit.data[start : word.start] + KEYS[key].encode() + unit.data[word.end : stop]
        after = Edit(Span(stop, stop), unit.encode("\n\n") + text)
        yield Match(Span(start, word.end), (after,))


def _registrations(unit: Unit) -> Iterator[tuple[str, str, int, int, int]]:
    """Library, key, first token, token of the key, last token."""
    tokens = unit.tokens
    for at in unit.places("TORCH_LIBRARY_IMPL"):
        given = unit.arguments(at + 1) if tokens[at + 1].text == "(" else None
        if given is None or len(given[0]) != 3 or tokens[given[1] + 1].text != "{":
            continue
        (first, last), (key, _), _ = given[0]
        end = unit.pairs.get(given[1] + 1)
        if end is not None:
            yield unit.text(first, last), tokens[key].text, at, key, end
