"""`torch.ops.ns.f(torch.tensor([...]))`: made on torch's default device, the CPU."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import bindings, function_of, out_of_bounds

MAKERS = frozenset({"torch.tensor", "torch.as_tensor", "torch.from_numpy"})
WITHOUT_DEVICE = frozenset({"torch.from_numpy"})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    seen: set[ast.Call] = set()
    for name, call in module.calls():
        if not name.startswith("torch.ops.") or name.count(".") < 3:
            continue
        if name.startswith(("torch.ops.aten.", "torch.ops.load")) or out_of_bounds(module, call):
            continue
        for value in [*call.args, *(keyword.value for keyword in call.keywords)]:
            made = _made(module, value)
            if made is not None and made not in seen:
                seen.add(made)
                yield Match(module.span(made), _on_cpu(module, made), name="torch.tensor")


def _made(module: Module, value: ast.expr) -> ast.Call | None:
    """The call that made a host tensor: here, or by the only assignment of the variable."""
    if isinstance(value, ast.Name):
        made = bindings(module, function_of(module, value), value.id)
        value = made[0] if len(made) == 1 and made[0] is not None else value
    if not isinstance(value, ast.Call) or module.qualified(value.func) not in MAKERS:
        return None
    placed = any(keyword.arg in ("device", None) for keyword in value.keywords)
    return None if placed else value


def _on_cpu(module: Module, made: ast.Call) -> tuple[Edit, ...]:
    if module.qualified(made.func) in WITHOUT_DEVICE or not made.args:
        return ()
    end = module.span([*made.args, *(k.value for k in made.keywords)][-1]).end
    tail = module.data[end : module.span(made).end]
    if tail != b")":  # a trailing comma, a comment
        return ()
    last = module.span(made).end - 1
    return (Edit(type(module.span(made))(last, last), b', device="cpu"'),)
