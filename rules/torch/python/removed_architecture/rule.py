"""Flags of nvcc for architectures before sm_50, in the lists of flags of an extension."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span

_OLD = r"(?:sm|compute)_[23]\d"
ARCH = re.compile(rf"-{{1,2}}(?:gpu-)?arch(?:itecture)?[= ]{_OLD}")
GENCODE = re.compile(rf"-{{1,2}}(?:gencode|generate-code)[= ](?:arch={_OLD},code=\S*{_OLD}\S*)")
VALUE = re.compile(rf"arch={_OLD},code=\S*{_OLD}\S*|{_OLD}")
BEFORE = ("-gencode", "--generate-code", "-arch", "--gpu-architecture")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if b"cpp_extension" not in module.data:
        return
    for node in module.nodes:
        if isinstance(node, ast.List | ast.Tuple):
            yield from _items(module, node)


def _items(module: Module, flags: ast.List | ast.Tuple) -> Iterator[Match]:
    """Each flag with the space to the next item, so that a list keeps its form."""
    for index, item in enumerate(flags.elts):
        text = _text(item)
        first = index
        if index and VALUE.fullmatch(text) and _text(flags.elts[index - 1]) in BEFORE:
            first = index - 1
        elif not (ARCH.fullmatch(text) or GENCODE.fullmatch(text)):
            continue
        if len(flags.elts) == index - first + 1 and isinstance(flags, ast.Tuple):
            yield Match(module.span(item))
            continue
        yield Match(module.span(item), (Edit(_gap(module, flags, first, index), b""),))


def _gap(module: Module, flags: ast.List | ast.Tuple, first: int, last: int) -> Span:
    """From these items to the next one; of the last ones, from the end of the one before."""
    start, end = module.span(flags.elts[first]).start, module.span(flags.elts[last]).end
    if last + 1 < len(flags.elts):
        end = module.span(flags.elts[last + 1]).start
    elif first:
        start = module.span(flags.elts[first - 1]).end
    return Span(start, end)


def _text(item: ast.expr) -> str:
    return item.value if isinstance(item, ast.Constant) and isinstance(item.value, str) else ""
