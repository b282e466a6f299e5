"""Includes of THC's headers whose content ATen has under other names."""

import re
from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Span

# torch 1.10 had each of the first only to include the second, but for what THC itself declared.
HEADERS = {
    "THC/THCAtomics.cuh": "ATen/cuda/Atomic.cuh",
    "THC/THCDeviceUtils.cuh": "ATen/cuda/DeviceUtils.cuh",
    "THC/THC.h": "ATen/cuda/CUDAContext.h",
    "THC/THCGeneral.h": "ATen/cuda/CUDAContext.h",
}
_OF_THC = re.compile(r"_?TH(C[A-Za-z_]|[A-Z][a-z])")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    present = {header for header, _ in unit.includes}
    if any(t.kind is Kind.NAME and _OF_THC.match(t.text) for t in unit.tokens):
        return  # ATen's headers have none of these names
    for header, token in unit.includes:
        new = HEADERS.get(header)
        if new is None or new in present:  # the file has an answer, perhaps by torch's version
            continue
        inner = Span(token.start + 1, token.end - 1)
        yield Match(token.span, (Edit(inner, unit.encode(new)),), name=header)
