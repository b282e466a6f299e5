"""TORCH_LIBRARY blocks in a file that never includes torch/library.h itself."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts
from porter.rules.includes import add_include, framework_headers

HEADER = "torch/library.h"
MACROS = ("TORCH_LIBRARY", "TORCH_LIBRARY_IMPL", "TORCH_LIBRARY_FRAGMENT")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if HEADER in headers or not headers:
        return
    for index, token in enumerate(unit.tokens):
        if token.text in MACROS and _is_block(unit, index):
            yield Match(token.span, add_include(unit, HEADER), name=token.text)
            return


def _is_block(unit: Unit, index: int) -> bool:
    """`TORCH_LIBRARY(ns, m) {` at the beginning of a line; not in an #ifdef or a #define."""
    opening = unit.tokens[index + 1 : index + 2]
    found = unit.arguments(index + 1) if opening and opening[0].text == "(" else None
    start = unit.line_start(unit.tokens[index].span.start).start
    alone = not unit.data[start : unit.tokens[index].span.start].strip()
    return found is not None and alone
