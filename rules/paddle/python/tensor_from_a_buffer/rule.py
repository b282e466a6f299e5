"""`torch.frombuffer(b, dtype=torch.x)`, whose memory is that of the buffer."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import is_in_device_function

COPIES = frozenset({"clone", "copy_"})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.frombuffer"})):
        if not is_in_device_function(module, call) and not _is_copied(module, call):
            yield Match(module.span(call), name="torch.frombuffer")


def _is_copied(module: Module, call: ast.Call) -> bool:
    """`torch.frombuffer(...).clone()`, `x.copy_(torch.frombuffer(...))`."""
    user = module.parents[call]
    function = user.func if isinstance(user, ast.Call) else user
    return isinstance(function, ast.Attribute) and function.attr in COPIES
