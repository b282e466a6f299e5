"""`torch.testing.assert_close(got, want)` in a test for CUDA that has floating-point numbers."""

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts

NAME = "torch.testing.assert_close"
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
            span = module.span(call)
            origin = module.origin("testcase", module.tree)
            known = {"imported": "yes"} if origin else {}
            free = origin in (None, "torch_npu.testing.testcase")
            yield Match(span, name=NAME, place=Place(span, known) if free else None)
