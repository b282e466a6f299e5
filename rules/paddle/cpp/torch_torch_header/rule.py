"""`#include <torch/torch.h>`: a header that includes one of two others."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Span


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    # torch's extension builder defines TORCH_API_INCLUDE_EXTENSION_H: then pybind11 comes with it.
    # A CMake build beside it does not, and may have no Python at all.
    python = "pybind11" in facts.registration or "cmake" not in facts.builds
    new = b"torch/extension.h" if facts.extensions and python else b"torch/all.h"
    for header, token in unit.includes:
        if header == "torch/torch.h":
            inner = Span(token.span.start + 1, token.span.end - 1)
            yield Match(token.span, (Edit(inner, new),), name="<torch/torch.h>")
