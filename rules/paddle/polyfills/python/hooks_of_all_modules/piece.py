import collections
import functools
from typing import Any

import paddle

from .hooks_of_modules import _added_hook, _after, _before
from .methods_of_tensors import _members

_Hooks = collections.OrderedDict[int, Any]
_global_forward_pre_hooks: _Hooks = collections.OrderedDict()
_global_forward_hooks: _Hooks = collections.OrderedDict()
_global_forward_hooks_always_called: _Hooks = collections.OrderedDict()
_global_forward_hooks_with_kwargs: _Hooks = collections.OrderedDict()
_global_backward_pre_hooks: _Hooks = collections.OrderedDict()
_global_backward_hooks: _Hooks = collections.OrderedDict()
_is_full: list[bool] = []  # what the hooks after gradients are, once there are some
_call_layer: Any = paddle.nn.Layer.__call__
_ADDED = {
    "_forward_pre_hooks": _global_forward_pre_hooks,
    "_forward_hooks": _global_forward_hooks,
    "_forward_hooks_always_called": _global_forward_hooks_always_called,
    "_forward_hooks_with_kwargs": _global_forward_hooks_with_kwargs,
}


@functools.wraps(_call_layer)
def _call_with_all(self, *args, **kwargs):
    """Paddle's call, for which a module has the hooks of all modules too, before its own."""
    if not (_global_forward_pre_hooks or _global_forward_hooks):
        return _call_layer(self, *args, **kwargs)
    state, own = vars(self), {name: getattr(self, name) for name in _ADDED}
    state.update({name: collections.ChainMap(own[name], hooks) for name, hooks in _ADDED.items()})
    try:
        return _call_layer(self, *args, **kwargs)
    finally:
        state.update(own)


def register_module_forward_pre_hook(hook):
    """Call a hook with each module and its inputs before each call: what it returns replaces them."""
    return _added_hook(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Call a hook with each module, its inputs and outputs after each call: what it returns replaces these."""
    handle = _added_hook(_global_forward_hooks, hook)
    for table, wanted in (
        (_global_forward_hooks_with_kwargs, with_kwargs),
        (_global_forward_hooks_always_called, always_call),
    ):
        if wanted:
            table[handle.id] = True
    return handle


def _before_all(module, inputs):
    tables = {"_backward_hooks": _global_backward_hooks, "_backward_pre_hooks": _global_backward_pre_hooks}
    return _before(module, inputs, tables)


def _watch_gradients():
    if _before_all not in _global_forward_pre_hooks.values():
        _added_hook(_global_forward_pre_hooks, _before_all)
        _added_hook(_global_forward_hooks, _after)


def _register_after_gradients(hook, full):
    if _is_full and _is_full != [full]:
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook. "
            "Please use only one of them."
        )
    _is_full[:] = [full]
    _watch_gradients()
    return _added_hook(_global_backward_hooks, hook)


def register_module_full_backward_hook(hook):
    """Call a hook with each module and the gradients of its inputs and outputs: what it returns replaces the former."""
    return _register_after_gradients(hook, True)


def register_module_backward_hook(hook):
    return _register_after_gradients(hook, False)


def register_module_full_backward_pre_hook(hook):
    """Call a hook with each module and the gradients of its outputs: what it returns replaces them."""
    _watch_gradients()
    return _added_hook(_global_backward_pre_hooks, hook)


def _get_backward_hooks(self):
    """The hooks after gradients: those of the inputs, and those of the old kind."""
    found: tuple[list[Any], list[Any]] = ([], [])
    of_all, own = ([*_is_full, None][0], _global_backward_hooks), (self._is_full_backward_hook, self._backward_hooks)
    for full, hooks in (of_all, own):
        if full is not None:
            found[not full].extend(hooks.values())
    return found


# For all code: Paddle's code calls modules, too.
paddle.nn.Layer.__call__ = _call_with_all
_members(
    paddle.nn.Layer,
    _get_backward_hooks=_get_backward_hooks,
    _get_backward_pre_hooks=lambda self: [*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()],
)
