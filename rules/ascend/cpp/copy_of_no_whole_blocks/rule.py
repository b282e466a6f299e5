"""`DataCopy(dst, src, 250)` of elements whose size is known."""

from collections.abc import Iterator

from porter.ascend.kernels import SIZES, calls, constants, element, element_types, evaluate
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

BLOCK = 32  # bytes
SAID = "DataCopy moves blocks of 32 bytes, and {} of {} are {} bytes: DataCopyPad takes any length"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    known, types = constants(unit), element_types(code)
    for at, given in calls(code, "DataCopy"):
        if len(given) != 3:
            continue
        kind = element(code, *given[0], types) or element(code, *given[1], types)
        count = evaluate(code, *given[2], known)
        if count is None or kind not in SIZES or count * SIZES[kind] % BLOCK == 0:
            continue
        said = SAID.format(count, kind, count * SIZES[kind])
        yield Match(code.tokens[at].span, message=said)
