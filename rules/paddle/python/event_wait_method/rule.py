"""`event.wait()` on a CUDA event: the stream it names, or the current one, waits."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import EVENT, is_made_by, method_calls, torch_alias

EVENTS = frozenset({EVENT})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in method_calls(module, "wait"):
        assert isinstance(call.func, ast.Attribute)
        event = call.func.value
        if not is_made_by(module, event, EVENTS):
            continue
        torch, span = torch_alias(module, call), module.span(call)
        place = Place(span, {"torch": torch or ""}) if _is_plain(call, torch) else None
        yield Match(span, name="torch.cuda.Event.wait", place=place)


def _is_plain(call: ast.Call, torch: str | None) -> bool:
    """Whether it names a stream by what can be asked, or none and torch can be."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if len(given) > 1 or any(keyword.arg != "stream" for keyword in call.keywords):
        return False
    if not given or (isinstance(given[0], ast.Constant) and given[0].value is None):
        return torch is not None
    return isinstance(given[0], ast.Name | ast.Attribute | ast.Call)
