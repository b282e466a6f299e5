import functools

import paddle

from .methods_of_tensors import _methods

_register_hook = paddle.Tensor.register_hook
_recorded_passes: list[bool] = []  # not empty: a pass runs that records what it computes


class _HooksOfLeaf(list):
    """The hooks of one leaf: a copy of it has none, and neither has what is saved."""

    def __deepcopy__(self, memo):
        return _HooksOfLeaf()

    def __reduce__(self):
        return list, ()


class _HandleOfLeafHook:
    """Of a hook of a leaf: removes it from the passes of Paddle and from those of grad."""

    def __init__(self, theirs, hooks, hook):
        self._theirs, self._hooks, self._entry = theirs, hooks, (hook,)
        self.id = id(self._entry)
        hooks.append(self._entry)

    def remove(self):
        self._hooks[:] = [each for each in self._hooks if each is not self._entry]
        return self._theirs.remove()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


def _recorded_if_asked(hook):
    """A hook that records what it computes only in a pass that records all: Paddle's passes do not switch it off."""

    @functools.wraps(hook, assigned=())
    def called(gradient):
        if _recorded_passes:
            return hook(gradient)
        with paddle.no_grad():
            return hook(gradient.detach())  # the same memory; what backward was given may require gradients

    return called


def register_hook(self, hook):
    """As Paddle's; of a leaf it is kept, too, as Paddle's grad does not call the hooks of leaves."""
    theirs = _register_hook(self, _recorded_if_asked(hook))
    if not self.is_leaf:
        return theirs
    if "_hooks_of_leaf" not in self.__dict__:
        self._hooks_of_leaf = _HooksOfLeaf()
    return _HandleOfLeafHook(theirs, self._hooks_of_leaf, hook)


def _after_hooks_of_leaves(tensors, gradients, create_graph):
    """The gradients that grad found, as the hooks of those tensors that are leaves leave them."""
    return [_after_hooks(each, gradient, create_graph) for each, gradient in zip(tensors, gradients, strict=True)]


def _after_hooks(tensor, gradient, create_graph):
    hooks = tensor.__dict__.get("_hooks_of_leaf") if gradient is not None and tensor.is_leaf else None
    if not hooks:
        return gradient
    with paddle.set_grad_enabled(create_graph):
        for (hook,) in [*hooks]:
            changed = hook(gradient)
            if changed is None:
                continue
            if changed.shape != gradient.shape:
                name = getattr(hook, "__name__", type(hook).__name__)
                raise RuntimeError(f"hook '{name}' has changed the size of value")
            gradient = changed
    return gradient


_methods(register_hook=register_hook)
