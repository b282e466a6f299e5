import functools
import inspect
import os
import sys
import types

import paddle

_UNIT = os.path.dirname(os.path.abspath(__file__))
_HOME = _UNIT.removesuffix("_porter_compat").rstrip(os.sep) + os.sep


@functools.lru_cache(None)
def _inside(home, file):
    """Whether a file is below a folder, or in a checkout of the package that is installed there."""
    inside = file.startswith(home) and file[len(home) :]
    if not inside and "site-packages" in home:
        _, package, rest = file.rpartition(f"{os.sep}{os.path.basename(home[:-1])}{os.sep}")
        inside = rest if package and os.path.isfile(home + rest) else ""
    return inside and not {"_porter_compat", "site-packages"} & set(inside.split(os.sep))


class _Scoped:
    """A method of Paddle's Tensor that is torch's for the code in some folders, and for them only."""

    def __init__(self, name):
        self.name, self.homes = name, {}
        self.theirs = inspect.getattr_static(paddle.Tensor, name, None)

    def _ours(self, asking):
        return next((m for home, m in self.homes.items() if _inside(home, asking)), None)

    def __get__(self, tensor, owner=None):
        method = self._ours(sys._getframe(1).f_code.co_filename)
        if isinstance(method, property):
            return method.__get__(tensor, owner)
        if method is not None:
            return method if tensor is None else types.MethodType(method, tensor)
        if self.theirs is None:
            raise AttributeError(f"'Tensor' object has no attribute '{self.name}'")
        return self.theirs.__get__(tensor, owner)


class _ScopedProperty(_Scoped):
    """One that Paddle's Tensor lets be set: as Paddle does, unless ours can be set too."""

    def __set__(self, tensor, value):
        method = self._ours(sys._getframe(1).f_code.co_filename)
        settable = isinstance(method, property) and method.fset
        (method if settable else self.theirs).__set__(tensor, value)


def _method(name):
    """A method as other pieces of this unit give it, else Paddle's."""
    scoped = inspect.getattr_static(paddle.Tensor, name)
    return getattr(scoped, "homes", {}).get(_HOME) or getattr(paddle.Tensor, name)


def _methods(**ours):
    """Give tensors these methods, for the code in the folder of this unit."""
    for name, method in ours.items():
        scoped = inspect.getattr_static(paddle.Tensor, name, None)
        if not hasattr(scoped, "homes"):  # else it is of another package's unit
            scoped = (_ScopedProperty if hasattr(scoped, "__set__") else _Scoped)(name)
            setattr(paddle.Tensor, name, scoped)
        scoped.homes[_HOME] = method


def _as_in_torch(*functions):
    """Give torch, and its tensors, these functions, whose first argument is a tensor."""
    _register({}, {f"torch.{function.__name__}": function for function in functions})
    _methods(**{function.__name__: function for function in functions})
