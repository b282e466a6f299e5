"""`torch.ops.ns.f(torch.tensor([...]))`: made on torch's default device, the CPU."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import is_in_device_function

MAKERS = frozenset({"torch.tensor", "torch.as_tensor", "torch.from_numpy"})
WITHOUT_DEVICE = frozenset({"torch.from_numpy"})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    seen: set[ast.Call] = set()
    for name, call in module.calls():
        if not name.startswith("torch.ops.") or name.count(".") < 3:
            continue
        own = not name.startswith(("torch.ops.aten.", "torch.ops.load"))
        if not own or is_in_device_function(module, call):
            continue
        for value in [*call.args, *(keyword.value for keyword in call.keywords)]:
            made = _find_creation(module, value)
            if made is not None and made not in seen:
                seen.add(made)
                span = module.span(made)
                named = made.args and module.resolve(made.func) not in WITHOUT_DEVICE
                yield Match(span, name="torch.tensor", place=Place(span) if named else None)


def _find_creation(module: Module, value: ast.expr) -> ast.Call | None:
    """The call that made a host tensor: here, or by the only assignment of the variable."""
    if isinstance(value, ast.Name):
        made = module.bindings(module.function(value), value.id)
        value = made[0] if len(made) == 1 and made[0] is not None else value
    if not isinstance(value, ast.Call) or module.resolve(value.func) not in MAKERS:
        return None
    placed = any(keyword.arg in ("device", None) for keyword in value.keywords)
    return None if placed else value
