"""`torch.tril_indices(..., device=d)` and others whose Paddle form has no `device=`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts, Safety
from porter.rules.evidence import is_in_device_function

SAME_VALUES = frozenset({"torch.tril_indices", "torch.triu_indices"})
RANDOM = frozenset({"torch.randint_like", "torch.normal", "torch.logspace"})
LOST = (None, "out", "requires_grad", "pin_memory", "generator")  # .to() would not keep them
OTHER_NUMBERS = (
    "on Paddle this function has no device=; moved with .to(device) it draws (rounds) on the "
    "default device, so under torch the numbers of a seed change"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name, call in module.calls():
        if name not in SAME_VALUES | RANDOM or is_in_device_function(module, call):
            continue
        keyword = next((k for k in call.keywords if k.arg == "device"), None)
        if keyword is None:
            continue
        span = module.span(call)
        place = Place(span) if _is_movable(module, call, keyword) else None
        if name in SAME_VALUES:
            yield Match(span, name=name, place=place)
        else:
            yield Match(span, (), OTHER_NUMBERS, Safety.REVIEW, name, place)


def _is_movable(module: Module, call: ast.Call, keyword: ast.keyword) -> bool:
    """Whether it is not the first argument, names a device, and `.to()` keeps all others."""
    values = [*call.args, *(k.value for k in call.keywords)]
    if keyword.value is min(values, key=module.span):
        return False
    nothing = isinstance(keyword.value, ast.Constant) and keyword.value.value is None
    return not nothing and not any(k.arg in LOST for k in call.keywords)
