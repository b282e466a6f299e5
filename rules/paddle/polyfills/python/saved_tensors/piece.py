import contextlib
from typing import Any, NamedTuple

import paddle
from paddle.base import core

from .errors_in_backward import _running
from .hooks_of_modules import RemovableHandle

_entered_hooks: list = []
_hooks_refused: list = []  # messages; the last one holds


class saved_tensors_hooks(paddle.autograd.saved_tensors_hooks):
    """What is saved for the backward pass inside goes through functions; of nested ones, the innermost."""

    def __enter__(self):
        if _hooks_refused:
            raise RuntimeError(_hooks_refused[-1])
        if _entered_hooks:  # Paddle holds one pair only
            core.eager.reset_saved_tensors_hooks()
        super().__enter__()
        _entered_hooks.append(self)

    def __exit__(self, *error):
        super().__exit__(*error)
        _entered_hooks.pop()
        if _entered_hooks:
            core.eager.register_saved_tensors_hooks(_entered_hooks[-1].pack_hook, _entered_hooks[-1].unpack_hook)


class save_on_cpu(saved_tensors_hooks):
    """What is saved inside waits in the memory of the CPU."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            pinned = pin_memory and tensor.place.is_gpu_place()
            return tensor.place, tensor.pin_memory() if pinned else tensor.cpu()

        def unpack(packed):
            place, tensor = packed
            return tensor.to(place)

        super().__init__(pack, unpack)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """Hooks that are entered inside are an error."""
    if _entered_hooks:
        raise RuntimeError(error_message)
    _hooks_refused.append(error_message)
    try:
        yield
    finally:
        _hooks_refused.pop()


class GradientEdge(NamedTuple):
    """An output of a node."""

    node: Any
    output_nr: int
    ownership_token: Any = None


def increment_version(tensor):
    for each in (tensor,) if isinstance(tensor, paddle.Tensor) else tensor:
        each._bump_inplace_version()


class _HandleOfHooks(RemovableHandle):
    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for each in self.handles:
            each.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Call a function with the gradients of the tensors, once in a backward pass; or with the first one."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    found: dict[int, Any] = {}

    def end():
        gradients = [found.get(at) for at in range(len(tensors))]
        found.clear()
        if mode == "all":
            fn(gradients)

    def hook_of(at):
        def hook(gradient):
            first = not found
            if not first and end in _running.after:
                _running.after.remove(end)  # it is called after those that were complete earlier
            _running.after.append(end)
            plain = gradient.is_leaf and tensors[at].is_leaf  # Paddle adds the next one up in it
            found[at] = gradient.detach().clone() if plain else gradient
            if first and mode == "any":
                fn(found[at])

        return hook

    hooked = [(at, each) for at, each in enumerate(tensors) if mode == "all" or not each.stop_gradient]
    return _HandleOfHooks(tuple(each.register_hook(hook_of(at)) for at, each in hooked))
