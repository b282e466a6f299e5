"""`torch.frombuffer(b, dtype=torch.x)`: through numpy where the file has it."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Safety
from porter.rules.evidence import out_of_bounds, torch_alias

DTYPES = frozenset(
    {"uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"}
    | {"complex64", "complex128"}
)
KEYWORDS = frozenset({"buffer", "dtype", "count", "offset"})
BY_HAND = (
    "Paddle lacks torch.frombuffer: torch.from_numpy(np.frombuffer(buffer, dtype=...).copy()) "
    "has the same values, in memory of its own"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.frombuffer"})):
        if out_of_bounds(module, call):
            continue
        edits = _through_numpy(module, call)
        yield Match(
            module.span(call),
            edits,
            message=None if edits else BY_HAND,
            safety=None if edits else Safety.MANUAL,
            name="torch.frombuffer",
        )


def _through_numpy(module: Module, call: ast.Call) -> tuple[Edit, ...]:
    torch, numpy = torch_alias(module, call), _numpy(module, call)
    dtype = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    if torch is None or numpy is None or dtype is None:
        return ()
    name = (module.qualified(dtype) or "").removeprefix("torch.")
    if name not in DTYPES or any(k.arg not in KEYWORDS for k in call.keywords):
        return ()
    return (
        module.replace(call.func, f"{torch}.from_numpy({numpy}.frombuffer"),
        module.replace(dtype, f"{numpy}.{name}"),
        Edit(module.after(call), b".copy())"),
    )


def _numpy(module: Module, node: ast.AST) -> str | None:
    """The name numpy has at a place of the file."""
    for name, alias, _ in module.imports:
        bound = alias.asname or name
        if name == "numpy" and module.origin(bound, node) == "numpy":
            return bound
    return None
