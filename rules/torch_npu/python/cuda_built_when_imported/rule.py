"""`load(name, ["x.cu"])` and `load_inline(name, cuda_sources=...)`, which call nvcc."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

MODULE = "torch.utils.cpp_extension"
CUDA = ("cuda_sources", "extra_cuda_cflags")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to({f"{MODULE}.load", f"{MODULE}.load_inline"}):
        named = any(keyword.arg in CUDA for keyword in call.keywords)
        sources = (n.value for n in ast.walk(call) if isinstance(n, ast.Constant))
        if named or any(isinstance(s, str) and s.endswith(".cu") for s in sources):
            yield Match(module.span(call.func))
