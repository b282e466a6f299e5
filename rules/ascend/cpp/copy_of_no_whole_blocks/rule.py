"""`DataCopy(dst, src, 250)` of elements whose size is known."""

from collections.abc import Iterator

from porter.ascend.kernels import (
    SIZES,
    calls,
    constants,
    element,
    element_types,
    evaluate,
    memories,
)
from porter.languages.cpp import Code, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

BLOCK = 32  # bytes
SAID = "DataCopy moves blocks of 32 bytes, and {} of {} are {} bytes: DataCopyPad takes any length"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    known, types, places = constants(unit), element_types(code), memories(code)
    for at, given in calls(code, "DataCopy"):
        if len(given) != 3:
            continue
        kind = element(code, *given[0], types) or element(code, *given[1], types)
        count = evaluate(code, *given[2], known)
        if count is None or kind not in SIZES or count * SIZES[kind] % BLOCK == 0:
            continue
        said = SAID.format(count, kind, count * SIZES[kind])
        edits = _copy_with_padding(code, at, given, kind, places)
        yield Match(code.tokens[at].span, edits, said, None if edits else Safety.MANUAL)


def _copy_with_padding(
    code: Code, at: int, given: list[tuple[int, int]], kind: str, places: dict[str, str]
) -> tuple[Edit, ...]:
    """DataCopyPad of as many bytes, where one side is known to be local and the other global."""
    words = [code.text(*argument).removeprefix("this->") for argument in given[:2]]
    sides = [places.get(word.partition("[")[0], "") for word in words]
    if set(sides) != {"LocalTensor", "GlobalTensor"} or code.tokens[at + 1].text != "(":
        return ()
    first, last = given[2]
    span = Span(code.tokens[first].start, code.tokens[last].end)
    count = code.unit.data[span.start : span.end].decode()
    count = count if first == last else f"({count})"
    size = f"static_cast<uint32_t>({count} * sizeof({kind}))"
    text = f"AscendC::DataCopyExtParams{{1, {size}, 0, 0, 0}}"
    if sides[0] == "LocalTensor":
        text += f", AscendC::DataCopyPadExtParams<{kind}>{{false, 0, 0, 0}}"
    return (Edit(code.tokens[at].span, b"DataCopyPad"), Edit(span, text.encode()))
