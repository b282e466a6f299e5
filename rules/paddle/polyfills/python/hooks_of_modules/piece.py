import collections

import paddle
from paddle.nn.layer.layers import HookRemoveHelper

from .autograd_functions import Function
from .methods_of_tensors import _members


class _KindOfHandle(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, HookRemoveHelper)  # what Paddle's layers return


class RemovableHandle(HookRemoveHelper, metaclass=_KindOfHandle):
    """What removes a hook from a dictionary."""

    def __init__(self, hooks_dict, *, extra_dict=None):
        super().__init__(hooks_dict, extra_hook_dict=extra_dict)
        self.id = self._hook_id

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.remove()


def unserializable_hook(f):
    """Mark a hook: it is not to be stored."""
    f.__torch_unserializable__ = True
    return f


def _replaced_by(hooks, module, given, *rest):
    """The gradients that hooks leave of those that are given."""
    for hook in [*hooks.values()]:
        found = hook(module, given, *rest)
        if found is not None:
            given = found if isinstance(found, tuple) else (found,)
    return given


class _OfInputs(Function):
    """The inputs of a module: their gradients are what its hooks get, and may replace."""

    @staticmethod
    def forward(ctx, call, *tensors):
        ctx.call = call
        return tensors

    @staticmethod
    def backward(ctx, *gradients):
        return (None, *ctx.call.leave(gradients))


class _OfOutputs(Function):
    """The outputs of a module: the gradients that come in are kept for the hooks."""

    @staticmethod
    def forward(ctx, call, *tensors):
        ctx.call = call
        return tensors

    @staticmethod
    def backward(ctx, *gradients):
        return (None, *ctx.call.enter(gradients))


class _HookedCall:
    """One call of a module that has hooks of its gradients."""

    def __init__(self, module, inputs, tables):
        self.module, self.count, self.came, self.tables = module, len(inputs), (), tables
        self.at = [at for at, each in enumerate(inputs) if _wants(each)] if paddle.is_grad_enabled() else []

    def through(self, function, values, at):
        """The values, of which some have gone through a function of autograd."""
        made = function.apply(self, *(values[each] for each in at))
        values = [*values]
        for place, each in zip(at, made, strict=True):
            values[place] = each
        return values

    def enter(self, gradients):
        self.came = _replaced_by(self.tables["_backward_pre_hooks"], self.module, gradients)
        if not self.at:
            _replaced_by(self.tables["_backward_hooks"], self.module, (None,) * self.count, self.came)
        return self.came

    def leave(self, gradients):
        given = [None] * self.count
        for place, each in zip(self.at, gradients, strict=True):
            given[place] = each
        left = _replaced_by(self.tables["_backward_hooks"], self.module, tuple(given), self.came)
        return [left[place] for place in self.at]


def _wants(value):
    return isinstance(value, paddle.Tensor) and not value.stop_gradient


def _hooks(module, name):
    return module.__dict__.setdefault(name, collections.OrderedDict())


def _before(module, inputs, tables=None):
    tables = vars(module) if tables is None else tables
    if tables.get("_backward_hooks") or tables.get("_backward_pre_hooks"):
        call = _HookedCall(module, inputs, tables)
        _hooks(module, "_calls_with_hooks")[len(module._calls_with_hooks)] = call
        return tuple(call.through(_OfInputs, inputs, call.at)) if call.at else None
    return None


def _after(module, inputs, output):
    calls = _hooks(module, "_calls_with_hooks")
    call = calls.popitem()[1] if calls else None
    outputs = [*output] if isinstance(output, (tuple, list)) else [output]
    at = [place for place, each in enumerate(outputs) if _wants(each)]
    if call is None or not at:
        return None
    made = call.through(_OfOutputs, outputs, at)
    return type(output)(made) if isinstance(output, (tuple, list)) else made[0]


def _added_hook(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _registering(name, full=None):
    def register(self, hook, prepend=False):
        if full is not None:
            if self._is_full_backward_hook is (not full):
                raise RuntimeError(
                    "Cannot use both regular backward hooks and full backward hooks on a single Module. "
                    "Please use only one of them."
                )
            self._is_full_backward_hook = full
        if "_calls_with_hooks" not in self.__dict__:
            _hooks(self, "_calls_with_hooks")
            self.register_forward_pre_hook(_before)
            self.register_forward_post_hook(_after)
        return _added_hook(_hooks(self, name), hook, prepend)

    return register


_members(
    paddle.nn.Layer,
    register_full_backward_hook=_registering("_backward_hooks", full=True),
    register_backward_hook=_registering("_backward_hooks", full=False),
    register_full_backward_pre_hook=_registering("_backward_pre_hooks"),
)
