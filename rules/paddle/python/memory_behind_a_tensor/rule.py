"""`x.untyped_storage()`, CUDA graph pools and raw allocations: nothing to rewrite them to."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import defines_attribute, imports_torch, method_calls

METHODS = {
    "untyped_storage": "Paddle's Tensor has no storage object; x.data_ptr() is the address and "
    "int(x.numel() * x.element_size()) the size of a tensor that owns its memory; for a view, "
    "ask the tensor it is of",
    "storage_offset": "Paddle's Tensor has no storage_offset: keep the base tensor and the offset "
    "beside the view, or compare data_ptr() of both",
}
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
    if not imports_torch(module):
        return
    for method, message in METHODS.items():
        if defines_attribute(module, method):
            continue
        for call in method_calls(module, method):
            name = f"torch.Tensor.{method}"
            yield Match(module.span(call), message=message, name=name)
    for name, call in module.calls():
        if name in NAMES:
            yield Match(module.span(call), message=NAMES[name], name=name)
