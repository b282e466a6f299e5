import inspect
import sys

import paddle

from .overrides import _register
from .scope import _NOTHING, _OWN, _for_code, _given

_getframe = sys._getframe


class _ScopedMethod:
    """A method of a class of Paddle's that is torch's for the code of some packages."""

    def __init__(self, owner, name):
        self.owner, self.name, self.homes = owner.__name__, name, {}
        self.theirs = inspect.getattr_static(owner, name, None)

    def __get__(self, tensor, owner=None):
        method = _for_code(self.homes, _getframe(1))
        if method is not _NOTHING:
            return method.__get__(tensor, owner)
        if self.theirs is None:
            raise AttributeError(f"'{self.owner}' object has no attribute '{self.name}'")
        return self.theirs.__get__(tensor, owner)


class _ScopedProperty(_ScopedMethod):
    """One that Paddle's Tensor lets be set: as Paddle does, unless ours can be set too."""

    def __set__(self, tensor, value):
        method = _for_code(self.homes, _getframe(1))
        settable = isinstance(method, property) and method.fset
        (method if settable else self.theirs).__set__(tensor, value)


def _method(name):
    """A method as other pieces of this unit give it, else Paddle's."""
    scoped = inspect.getattr_static(paddle.Tensor, name)
    return getattr(scoped, "homes", {}).get(_OWN) or getattr(paddle.Tensor, name)


def _methods(**ours):
    """Give tensors these methods, for the code of this unit's package."""
    _members(paddle.Tensor, **ours)


def _members(owner, **ours):
    for name, method in ours.items():
        scoped = inspect.getattr_static(owner, name, None)
        if not hasattr(scoped, "homes"):  # else it is of another package's unit
            scoped = (_ScopedProperty if hasattr(scoped, "__set__") else _ScopedMethod)(owner, name)
            setattr(owner, name, scoped)
        scoped.homes[_OWN] = method
        _given.append(scoped)


def _as_in_torch(*functions):
    """Give torch, and its tensors, these functions, whose first argument is a tensor."""
    _register({}, {f"torch.{function.__name__}": function for function in functions})
    _methods(**{function.__name__: function for function in functions})
