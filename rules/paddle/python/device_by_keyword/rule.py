"""`torch.device(device=x)`: the keyword only torch has."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.evidence import out_of_bounds

NAMES = frozenset({"torch.device"})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(NAMES):
        if call.args or len(call.keywords) != 1 or call.keywords[0].arg != "device":
            continue
        if not out_of_bounds(module, call):
            edits = _without_keyword(module, call.keywords[0])
            yield Match(module.span(call), edits, name="torch.device")


def _without_keyword(module: Module, keyword: ast.keyword) -> tuple[Edit, ...]:
    start, value = module.span(keyword).start, module.span(keyword.value).start
    if module.data[start:value].replace(b" ", b"") != b"device=":  # parentheses, line breaks
        return ()
    return (Edit(Span(start, value), b""),)
