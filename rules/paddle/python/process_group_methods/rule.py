"""`group.rank()` and `group.size()` of a group of processes."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import is_made_by, method_calls, torch_alias

GROUPS = frozenset(
    f"torch.distributed.{name}" for name in ("ProcessGroup", "new_group", "group.WORLD")
)
FUNCTIONS = {"rank": "get_rank", "size": "get_world_size"}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for method, function in FUNCTIONS.items():
        for call in method_calls(module, method):
            assert isinstance(call.func, ast.Attribute)
            group = call.func.value
            if call.args or call.keywords or not is_made_by(module, group, GROUPS):
                continue
            home, span = _spell_distributed(module, call), module.span(call)
            place = Place(span, {"function": f"{home}.{function}"}) if home else None
            yield Match(span, name=f"torch.distributed.ProcessGroup.{method}", place=place)


def _spell_distributed(module: Module, node: ast.AST) -> str | None:
    """How the file spells torch.distributed at a place."""
    names = module.identifiers("torch.distributed")
    own = next((n for n in names if module.origin(n, node) == "torch.distributed"), None)
    if own is not None:
        return own
    torch = torch_alias(module, node)
    plain = any(
        name == "torch.distributed" and not alias.asname for name, alias, _ in module.imports
    )
    return f"{torch}.distributed" if torch and plain else None
