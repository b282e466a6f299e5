"""`torch.testing.assert_close(got, want)` in a test for CUDA that has floating-point numbers."""

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span

NAME = "torch.testing.assert_close"
IMPORT = "from torch_npu.testing import testcase\n"
NEW = "testcase.TestCase().assertRtolEqual"
# Whose results are written for an NPU already has been seen with the tolerances that it has.
FOR_CUDA = re.compile(rb"\.cuda\b|[\"']cuda\b")
FLOATS = re.compile(r"\b(rand|randn|rand_like|randn_like|half|float|float16|bfloat16|float32)\b")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not FOR_CUDA.search(module.data) or b"npu" in module.data:
        return
    for call in module.calls_to({NAME}):
        two = len(call.args) == 2 and not call.keywords
        plain = not any(isinstance(given, ast.Starred) for given in call.args)
        if two and plain and FLOATS.search(module.text(module.function(call))):
            added = _import(module)
            edits = (module.replace(call.func, NEW), *added) if added is not None else ()
            yield Match(module.span(call), edits, name=NAME)


def _import(module: Module) -> tuple[Edit, ...] | None:
    """The import of what has the tolerances, after the first one of torch; None where no line can
    follow that, or the name is taken."""
    origin = module.origin("testcase", module.tree)
    if origin is not None:
        return () if origin == "torch_npu.testing.testcase" else None
    for statement in module.tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        of = [statement.module] if isinstance(statement, ast.ImportFrom) else []
        of += [alias.name for alias in statement.names]
        newline = module.data.find(b"\n", module.span(statement).end)
        if newline >= 0 and any(name and name.partition(".")[0] == "torch" for name in of):
            return (Edit(Span(newline + 1, newline + 1), module.encode(IMPORT)),)
    return None
