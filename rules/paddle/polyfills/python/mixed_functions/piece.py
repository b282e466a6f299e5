import functools

import paddle

from .computing import _applied, _as_dtype
from .methods_of_tensors import _methods, _wrap_functions, _wrap_methods
from .overrides import _function, _register
from .promotion import _result_dtype


def _in_one_dtype(function, values, place):
    """What a function gives of these in the dtype that torch computes in."""
    dtypes = {value.dtype if isinstance(value, paddle.Tensor) else None for value in values}
    alike = len(dtypes) == 1 and None not in dtypes
    dtype = dtypes.pop() if alike else _result_dtype(*values)
    return _applied(function, dtype, *(_as_dtype(value, dtype, place) for value in values))


def _joining(name):
    theirs = _function(name)

    def function(tensors, *args, **kwargs):
        for at, each in enumerate(tensors):
            if not isinstance(each, paddle.Tensor):
                raise TypeError(f"expected Tensor as element {at} in argument 0, but got {type(each).__name__}")
        if name == "concat" and any(tensor.ndim != 1 for tensor in tensors):
            tensors = [tensor for tensor in tensors if tensor.shape != [0]]  # torch leaves these out

        def joined(*values):
            return theirs(list(values), *args, **kwargs)

        return _in_one_dtype(joined, tensors, tensors[0].place)

    return function


def _choosing(name):
    theirs = _function(name)
    return lambda input, other: _in_one_dtype(theirs, (input, other), input.place)


def _choosing_or_reducing(theirs, name):
    """max and min: of two tensors, as maximum and minimum; else of one, with its own arguments."""
    choose = _choosing({"max": "maximum", "min": "minimum"}[name])

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        given = {**dict(zip(("input", "other"), args)), **kwargs}
        both = len(args) < 3 and given.keys() == {"input", "other"}
        if both and isinstance(given["other"], paddle.Tensor):
            return choose(**given)
        return theirs(*args, **kwargs)

    return function


_COUNTING = frozenset({paddle.uint8, paddle.int8, paddle.int16})


def where(condition, *values):
    """Elements of one where the condition holds, of the other elsewhere; or where it holds."""
    if condition.dtype in _COUNTING:  # where nonzero has no kernel for it
        condition = condition.astype(paddle.bool)
    if not values:
        return paddle.where(condition)
    return _in_one_dtype(lambda x, y: paddle.where(condition, x, y), values, condition.place)


def _where(self, condition, other):
    return where(condition, self, other)


_register({}, {f"torch.{name}": _joining(name) for name in ("concat", "stack")})
_register({}, {"torch.cat": _joining("concat"), "torch.concatenate": _joining("concat"), "torch.where": where})
_register({}, {f"torch.{name}": _choosing(name) for name in ("maximum", "minimum")})
_wrap_functions(_choosing_or_reducing, ["max", "min"])
_wrap_methods(_choosing_or_reducing, ["max", "min"])
_methods(where=_where)
