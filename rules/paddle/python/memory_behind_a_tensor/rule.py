"""CUDA graphs, their pools, and raw allocations: nothing to rewrite them to."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import is_asked_for

GRAPHS = (
    "Paddle 3.3 has no CUDA graphs under torch's names: run without capture there, "
    "for example behind hasattr(torch.cuda, 'CUDAGraph')"
)
ALLOCATION = (
    "Paddle gives no raw blocks of its caching allocator: allocate a torch.empty(n, "
    "dtype=torch.uint8) workspace and keep it alive"
)
NAMES = {
    "torch.cuda.CUDAGraph": GRAPHS,
    "torch.cuda.graph_pool_handle": GRAPHS,
    "torch.cuda.make_graphed_callables": GRAPHS,
    "torch.cuda.caching_allocator_alloc": ALLOCATION,
    "torch.cuda.caching_allocator_delete": ALLOCATION,
}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name, call in module.calls():
        if name not in NAMES:
            continue
        asked = (name.rpartition(".")[2], "CUDAGraph")
        if not any(is_asked_for(module, call, each) for each in asked):
            yield Match(module.span(call), message=NAMES[name], name=name)
