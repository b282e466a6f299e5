import functools

import paddle

from .methods_of_tensors import _method, _methods
from .overrides import _function, _register

_COMPARED_ROUGHLY = frozenset({paddle.float32, paddle.float64})
_is_at_most, _is_at_least = _method("__le__"), _method("__ge__")


def _is_compared_roughly(value):
    return isinstance(value, paddle.Tensor) and value.dtype in _COMPARED_ROUGHLY


def _exactly(theirs, differing):
    @functools.wraps(theirs)
    def compare(input, other, **rest):
        numbers = isinstance(other, (paddle.Tensor, int, float)) and isinstance(input, (paddle.Tensor, int, float))
        if rest or not numbers or not (_is_compared_roughly(input) or _is_compared_roughly(other)):
            return theirs(input, other, **rest)
        if not isinstance(input, paddle.Tensor):
            input, other = other, input
        alike = _is_at_most(input, other) & _is_at_least(input, other)
        return ~alike if differing else alike

    return compare


_EQUALITIES = {"eq": False, "ne": True, "not_equal": True}
_methods(**{name: _exactly(_method(name), differing) for name, differing in _EQUALITIES.items()})
_methods(__eq__=_exactly(_method("__eq__"), False), __ne__=_exactly(_method("__ne__"), True))
_register({}, {f"torch.{name}": _exactly(_function(name), differing) for name, differing in _EQUALITIES.items()})
