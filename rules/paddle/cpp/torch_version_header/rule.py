"""`#include <torch/version.h>`, for the macros that choose between torch versions."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Span

TEXT = """\
#if __has_include({header})
#include {header}
#else
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 10
#define TORCH_VERSION_PATCH 0
#endif"""


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index, token in enumerate(unit.tokens):
        if token.kind is not Kind.HEADER or token.text[1:-1] != "torch/version.h":
            continue
        if not _is_guarded(unit, index):
            whole = Span(unit.tokens[index - 1].span.start, token.span.end)
            text = TEXT.format(header=token.text)
            yield Match(whole, (Edit(whole, unit.encode(text)),), name="<torch/version.h>")


def _is_guarded(unit: Unit, index: int) -> bool:
    """Whether the line before asks __has_include."""
    start = unit.line_start(unit.tokens[index - 1].span.start).start
    before = unit.data[:start].rstrip().rpartition(b"\n")[2]
    return b"__has_include" in before
