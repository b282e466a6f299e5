"""`device=torch.cuda.current_device()`: an index where Paddle wants a device."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module, parameter
from porter.model import Match, ProjectFacts
from porter.rules.evidence import is_in_device_function, is_made_by

INDEX = frozenset({"torch.cuda.current_device"})
METHODS = frozenset({"new_empty", "new_zeros", "new_ones", "new_full", "new_tensor"})
TAKES_AN_INDEX = frozenset({"torch.device"})  # Device(0) works


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in sorted(module.nodes_of(ast.Call), key=module.span):
        for value in _devices(module, call):
            if is_index(module, value) and not is_in_device_function(module, value):
                text = module.text(value)
                new = f"f'cuda:{{{text}}}'" if '"' in text else f'f"cuda:{{{text}}}"'
                edits = (module.replace(value, new),) if "\n" not in text else ()
                yield Match(module.span(value), edits, name="torch.cuda.current_device")


def _devices(module: Module, call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that torch reads as a device."""
    name = module.resolve(call.func) or ""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    of_torch = name.startswith("torch.") and not name.startswith(("torch.cuda.", "torch.ops."))
    of_tensor = not name and (method == "to" or method in METHODS)
    if name in TAKES_AN_INDEX or not (of_torch or of_tensor):
        return
    if method == "to" and not name and call.args:
        yield call.args[0]
    for keyword in call.keywords:
        if keyword.arg == "device":
            yield keyword.value


def is_index(module: Module, value: ast.expr) -> bool:
    """Whether a value surely is what torch.cuda.current_device() returned."""
    if isinstance(value, ast.Name):
        scope = module.function(value)
        once = len(module.bindings(scope, value.id)) == 1
        return once and not parameter(scope, value.id) and is_made_by(module, value, INDEX)
    return isinstance(value, ast.Call) and is_made_by(module, value, INDEX)
