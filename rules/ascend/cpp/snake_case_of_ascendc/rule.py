"""`pipe.init_buffer(...)`, `queue.alloc_tensor<half>()` and their like."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts

NAMES = {
    "set_global_buffer": "SetGlobalBuffer",
    "init_buffer": "InitBuffer",
    "alloc_tensor": "AllocTensor",
    "free_tensor": "FreeTensor",
    "enque": "EnQue",
    "deque": "DeQue",
    "get_value": "GetValue",
    "set_value": "SetValue",
}
OF_KERNELS = ("__aicore__", "AscendC", "TPipe", "GlobalTensor", "LocalTensor")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    tokens = unit.tokens
    if not any(unit.places(word) for word in OF_KERNELS):
        return
    for index in unit.places(*NAMES):
        after = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if index and tokens[index - 1].text in (".", "->") and after in ("(", "<"):
            span, new = tokens[index].span, NAMES[tokens[index].text]
            yield Match(span, (Edit(span, new.encode()),), name=new)
