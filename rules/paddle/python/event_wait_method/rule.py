"""`event.wait()` on a CUDA event: the stream it names, or the current one, waits."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import EVENT, is_made_by, method_calls, torch_alias

EVENTS = frozenset({EVENT})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in method_calls(module, "wait"):
        assert isinstance(call.func, ast.Attribute)
        event = call.func.value
        if not is_made_by(module, event, EVENTS):
            continue
        new = _rewritten(module, call, event)
        edits = (module.replace(call, new),) if new else ()
        yield Match(module.span(call), edits, name="torch.cuda.Event.wait")


def _rewritten(module: Module, call: ast.Call, event: ast.expr) -> str | None:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if len(given) > 1 or any(keyword.arg != "stream" for keyword in call.keywords):
        return None
    if not given or (isinstance(given[0], ast.Constant) and given[0].value is None):
        torch = torch_alias(module, call)
        return torch and f"{torch}.cuda.current_stream().wait_event({module.text(event)})"
    if not isinstance(given[0], ast.Name | ast.Attribute | ast.Call):
        return None
    return f"{module.text(given[0])}.wait_event({module.text(event)})"
