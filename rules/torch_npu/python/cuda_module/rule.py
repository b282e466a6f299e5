"""`torch.cuda.synchronize()` and what else is the same in `torch.npu`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts, Safety
from porter.rules.devices import is_transferred, not_for_npu
from porter.rules.evidence import is_in_device_function
from porter.rules.patterns import spelling
from porter.surface.load import load_newest

# What torch_npu has by the same name, with the same parameters and the same meaning.
SAME = frozenset(
    (
        *("Event", "Stream", "StreamContext", "current_device", "current_stream"),
        *("default_stream", "device", "device_count", "device_of", "empty_cache"),
        *("get_device_name", "get_rng_state", "get_rng_state_all", "init", "initial_seed"),
        *("is_available", "is_bf16_supported", "is_initialized", "manual_seed"),
        *("manual_seed_all", "max_memory_allocated", "max_memory_reserved", "mem_get_info"),
        *("memory_allocated", "memory_reserved", "memory_stats", "memory_summary"),
        *("reset_peak_memory_stats", "seed", "seed_all", "set_device", "set_rng_state"),
        *("set_rng_state_all", "set_stream", "stream", "synchronize"),
    )
)
PREFIX = "torch.cuda."
AVAILABLE = "torch.cuda.is_available"
OWN = "torch.cuda is of CUDA; torch.npu has {} as well, and whether it says the same is not known"
NONE = "torch.cuda is of CUDA, and nothing of an NPU is known to be the same as its {}"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if is_transferred(module, facts):
        return
    # Who asks for both tells them apart.
    both = any(used.qualified == "torch.npu.is_available" for used in module.names)
    own = {AVAILABLE} if both else set()
    own |= {name for node, name in _find_uses(module) if not isinstance(node.ctx, ast.Load)}
    there = any(n.partition(".")[0] == "torch_npu" for n, _, _ in module.imports)
    imported = {"imported": "yes"} if there else {}
    for node, name in _find_uses(module):
        if name in own or is_in_device_function(module, node) or not_for_npu(module, node):
            continue
        short = name.removeprefix(PREFIX)
        new = spelling(module, node, name, f"torch.npu.{short}") if short in SAME else None
        if new:
            span, known = module.span(node), {"new": new, **imported}
            yield Match(span, name=name, place=Place(span, known))
        elif short in SAME:
            yield Match(module.span(node), name=name, safety=Safety.MANUAL)
        else:
            said = OWN if f"torch.npu.{short}" in load_newest("torch_npu").python else NONE
            yield Match(module.span(node), (), said.format(short), Safety.MANUAL, name)


def _find_uses(module: Module) -> Iterator[tuple[ast.Attribute, str]]:
    """Each `torch.cuda.x`, with that name."""
    for used in module.names:
        node, name = _top(used.node, used.qualified)
        if node is not None:
            yield node, name


def _top(node: ast.expr, name: str) -> tuple[ast.Attribute | None, str]:
    """The part `torch.cuda.x` of a longer chain."""
    while isinstance(node, ast.Attribute):
        if name.startswith(PREFIX) and name.count(".") == 2:
            return node, name
        node, name = node.value, name.rpartition(".")[0]
    return None, ""
