import weakref

import paddle

from .methods_of_tensors import _members, _static
from .put_off import _resolved
from .scope import _OWN

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"  # of what a module's get_extra_state gives, in a state_dict


class _WrappedHook:
    """A hook, which also gets the module where one is given, while that is there."""

    def __init__(self, hook, module=None):
        self.hook, self.with_module = hook, module is not None
        self.module = weakref.ref(module) if self.with_module else None

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)


def _call_as_paddle(self, *args, **kwargs):
    return paddle.nn.Layer.__call__(self, *args, **kwargs)


def _called_as_torch(module, *args, **kwargs):
    """What a module gives to code for torch: here its call would be Paddle's."""
    call = _resolved(getattr(_static(type(module), "__call__"), "homes", {}).get(_OWN))
    return module(*args, **kwargs) if call is None else call(module, *args, **kwargs)


def _call_own(self, *args, **kwargs):
    return self._call_impl(*args, **kwargs)


def _slow_forward(self, *input, **kwargs):
    return self.forward(*input, **kwargs)


def _note_own_call(cls, /, **settings):
    super(paddle.nn.Layer, cls).__init_subclass__(**settings)
    if "_call_impl" in vars(cls):
        cls.__call__ = _call_own


paddle.nn.Layer.__init_subclass__ = classmethod(_note_own_call)  # asked for by no code
_members(
    paddle.nn.Layer,
    _call_impl=_call_as_paddle,
    _wrapped_call_impl=_call_as_paddle,
    _slow_forward=_slow_forward,
)
