"""Calls of the functions of threads that CUDA 13 removed: each has one of the device instead."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts

# Of the CUDA Runtime API, "Thread Management [DEPRECATED]": what each page names instead.
FUNCTIONS = {
    f"cudaThread{name}": f"cudaDevice{name}"
    for name in ("GetCacheConfig", "GetLimit", "SetCacheConfig", "SetLimit", "Synchronize")
} | {"cudaThreadExit": "cudaDeviceReset"}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index in unit.places(*FUNCTIONS):
        token = unit.tokens[index]
        called = index + 1 < len(unit.tokens) and unit.tokens[index + 1].text == "("
        if token.kind is Kind.NAME and called and unit.tokens[index - 1].text not in (".", "->"):
            new = unit.encode(FUNCTIONS[token.text])
            yield Match(token.span, (Edit(token.span, new),), name=token.text)
