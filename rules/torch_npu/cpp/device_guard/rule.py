"""`CUDAGuard guard(x.device())` outside of CUDA's own sources, and the header that it needs."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Span

OTHERS = (".cu", ".cuh", ".asc")
HEADER = "c10/cuda/CUDAGuard.h"
GUARDS = ("CUDAGuard", "OptionalCUDAGuard")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if unit.path.endswith(OTHERS):
        return
    known = set()
    for at in unit.places(*GUARDS):
        first, edits = _make_edits(unit, at)
        known.add(bool(edits))
        yield Match(Span(unit.tokens[first].start, unit.tokens[at].end), edits, name="CUDAGuard")
    for header, token in unit.includes:
        if header == HEADER:
            inner = Span(token.start + 1, token.end - 1)
            edits = () if False in known else (Edit(inner, b"c10/core/DeviceGuard.h"),)
            yield Match(token.span, edits, name=HEADER)


def _make_edits(unit: Unit, at: int) -> tuple[int, tuple[Edit, ...]]:
    tokens = unit.tokens
    first = at
    while first > 1 and tokens[first - 1].text == "::":
        first -= 2
    if at + 2 >= len(tokens) or tokens[at + 1].kind is not Kind.NAME:
        return first, ()
    given = unit.arguments(at + 2) if tokens[at + 2].text == "(" else None
    if given is None or len(given[0]) != 1:
        return first, ()
    begin, end = given[0][0]
    words = [token.text for token in tokens[begin : end + 1]]
    guard = Edit(Span(tokens[first].start, tokens[at].end), b"c10::OptionalDeviceGuard")
    if words[-3:] == ["get_device", "(", ")"]:
        return first, (guard, Edit(tokens[end - 2].span, b"device"))
    if words[-3:] == ["device", "(", ")"] or "device_of" in words[:3]:
        return first, (guard,)
    return first, ()
