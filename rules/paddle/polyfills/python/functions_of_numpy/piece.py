import sys

import numpy
import paddle

from .methods_of_tensors import _method, _methods, _static
from .scope import _NOTHING, _OWN, _for_code, _given

# What an operator of an array or a number of NumPy asks for, and what a tensor has for it.
_REFLECTED = {
    getattr(numpy, name): f"__{method}__"
    for name, method in {
        **{"add": "radd", "subtract": "rsub", "multiply": "rmul", "true_divide": "rtruediv"},
        **{"floor_divide": "rfloordiv", "remainder": "rmod", "power": "rpow", "matmul": "rmatmul"},
        **{"bitwise_and": "rand", "bitwise_or": "ror", "bitwise_xor": "rxor"},
        **{"left_shift": "rlshift", "right_shift": "rrshift", "equal": "eq", "not_equal": "ne"},
        **{"less": "gt", "less_equal": "ge", "greater": "lt", "greater_equal": "le"},
    }.items()
}

_users_of_numpy: dict = {}  # scopes


def _from_array(array):
    array = numpy.asarray(array)
    return paddle.to_tensor(array.astype("uint8") if array.dtype == bool else array, place="cpu")


def _array_ufunc(self, ufunc, method, *inputs, **kwargs):
    """What a function of NumPy gives, for code that gets torch's behavior; else Paddle's error."""
    frame = sys._getframe(1)
    is_torchs = _for_code(_users_of_numpy, frame) is not _NOTHING
    in_place = not is_torchs and kwargs == {"out": inputs[:1]}
    reflected = _REFLECTED.get(ufunc) if method == "__call__" and (not kwargs or in_place) else None
    if reflected and isinstance(inputs[1], paddle.Tensor) and not isinstance(inputs[0], paddle.Tensor):
        scoped = _static(paddle.Tensor, reflected)
        ours = _for_code(getattr(scoped, "homes", {}), frame)
        theirs = getattr(scoped, "theirs", scoped)
        return (theirs if ours is _NOTHING else ours).__get__(inputs[1])(inputs[0])
    if not is_torchs or any(isinstance(each, paddle.Tensor) for each in kwargs.get("out", ())):
        name = type(self).__name__
        raise TypeError(f"operand '{name}' does not support ufuncs (__array_ufunc__=None)")
    as_array = _method("numpy")
    arrays = [as_array(each) if isinstance(each, paddle.Tensor) else each for each in inputs]
    found = getattr(ufunc, method)(*arrays, **kwargs)
    if "out" in kwargs or method not in ("__call__", "reduce", "accumulate"):
        return found
    return tuple(map(_from_array, found)) if isinstance(found, tuple) else _from_array(found)


def __array_wrap__(self, array, context=None, return_scalar=False):
    return _from_array(array)


_array_ufunc.__dict__["homes"] = _users_of_numpy
_methods(__array_wrap__=__array_wrap__)
if paddle.Tensor.__array_ufunc__ is None:
    paddle.Tensor.__array_ufunc__ = _array_ufunc
if hasattr(paddle.Tensor.__array_ufunc__, "homes"):  # of this unit, or of another one
    paddle.Tensor.__array_ufunc__.homes[_OWN] = True
    _given.append(paddle.Tensor.__array_ufunc__)
