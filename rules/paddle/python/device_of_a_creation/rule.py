"""`torch.tril_indices(..., device=d)` and others whose Paddle form has no `device=`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Safety, Span
from porter.rules.evidence import out_of_bounds

SAME_VALUES = frozenset({"torch.tril_indices", "torch.triu_indices"})
RANDOM = frozenset({"torch.randint_like", "torch.normal", "torch.logspace"})
OTHER_NUMBERS = (
    "on Paddle this function has no device=; moved with .to(device) it draws (rounds) on the "
    "default device, so under torch the numbers of a seed change"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name, call in module.calls():
        if name not in SAME_VALUES | RANDOM or out_of_bounds(module, call):
            continue
        keyword = next((k for k in call.keywords if k.arg == "device"), None)
        if keyword is None:
            continue
        edits = _moved(module, call, keyword)
        if name in SAME_VALUES:
            yield Match(module.span(call), edits, name=name)
        else:
            yield Match(module.span(call), edits, OTHER_NUMBERS, Safety.REVIEW, name)


def _moved(module: Module, call: ast.Call, keyword: ast.keyword) -> tuple[Edit, ...]:
    """Drop the keyword with the comma before it; `.to(device)` behind the call."""
    values = [*call.args, *(k.value for k in call.keywords)]
    values.sort(key=module.span)
    place = values.index(keyword.value)
    if place == 0 or (isinstance(keyword.value, ast.Constant) and keyword.value.value is None):
        return ()
    if any(
        k.arg in (None, "out", "requires_grad", "pin_memory", "generator") for k in call.keywords
    ):
        return ()  # .to() would not keep them
    gone = Span(module.span(values[place - 1]).end, module.span(keyword).end)
    between = module.data[gone.start : module.span(keyword).start]
    if between.strip() != b",":  # parentheses or comments between
        return ()
    moved = f".to({module.text(keyword.value)})"
    return (Edit(gone, b""), Edit(module.after(call), module.encode(moved)))
