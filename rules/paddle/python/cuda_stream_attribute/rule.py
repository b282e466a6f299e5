"""Reads of `.cuda_stream`, the raw handle that foreign launchers take."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Form, Match, ProjectFacts, Safety, Span
from porter.rules.evidence import (
    STREAMS,
    defines_attribute,
    imports_torch,
    is_in_device_function,
    is_made_by,
    stands_alone,
    uses,
)

NAME = "torch.cuda.Stream.cuda_stream"
ASKED = (
    "on Paddle's Stream this attribute is missing, so the answer here is the other one: "
    "ask for _as_parameter_, which both have"
)
UNSURE = "if this is a torch stream: Paddle's Stream has no cuda_stream; _as_parameter_ holds it"


def check(module: Module, facts: ProjectFacts, form: Form) -> Iterator[Match]:
    own = defines_attribute(module, "cuda_stream")
    for use in uses(module, "cuda_stream"):
        if module.resolve(use) is not None:  # a name of an imported module
            continue
        if is_made_by(module, use.value, STREAMS):
            yield Match(module.span(use), _edits(module, use, form), name=NAME)
        elif not own and imports_torch(module):
            edits = _edits(module, use, form)
            yield Match(module.span(use), edits, UNSURE, Safety.REVIEW, NAME)
    for call in _find_getattr_calls(module):
        yield Match(module.span(call), (), ASKED, Safety.MANUAL, NAME)


def _find_getattr_calls(module: Module) -> Iterator[ast.Call]:
    """`getattr(stream, "cuda_stream", ...)` and hasattr, in files that use torch."""
    if not imports_torch(module):
        return
    names = (node for name in ("getattr", "hasattr") for node in module.names_by_id.get(name, ()))
    calls = ((module.parents[name], name) for name in names)
    asking = [call for call, name in calls if isinstance(call, ast.Call) and call.func is name]
    for call in sorted(asking, key=_place):
        name = call.args[1] if len(call.args) > 1 else None
        wanted = isinstance(name, ast.Constant) and name.value == "cuda_stream"
        if wanted and not is_in_device_function(module, call):
            yield call


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _edits(module: Module, use: ast.Attribute, form: Form) -> tuple[Edit, ...]:
    start, end = module.span(use.value).end, module.span(use).end
    while module.data[start : start + 1] == b")":  # (a or b).cuda_stream
        start += 1
    if module.data[start:end].strip() != b".cuda_stream":  # split over lines, or a comment
        return ()
    tail = Span(start, end)
    if form.is_fork:
        return (Edit(tail, b".__cuda_stream__()[1]"),)
    text = "._as_parameter_.value or 0"
    if stands_alone(module, use):
        return (Edit(tail, module.encode(text)),)
    return (Edit(module.start_of(use), b"("), Edit(tail, module.encode(text + ")")))
