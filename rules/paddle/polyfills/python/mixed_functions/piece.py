import functools

import paddle

from .computing import _applied, _as_dtype, _writing
from .methods_of_tensors import _PLAIN_DTYPES, _method, _methods, _unchanged_if_plain, _wrap_functions, _wrap_methods
from .numbers_as_tensors import _with_a_dimension
from .overrides import _function, _register
from .promotion import _result_dtype
from .torchs_meaning import _torch


def _in_one_dtype(function, values, place):
    """What a function gives of these in the dtype that torch computes in."""
    dtypes = {value.dtype if isinstance(value, paddle.Tensor) else None for value in values}
    alike = len(dtypes) == 1 and None not in dtypes
    if alike and id(values[0].dtype) in _PLAIN_DTYPES:
        return function(*values)
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
    if not values:
        return _torch("nonzero")(condition, as_tuple=True)
    if condition.dtype in _COUNTING:
        condition = condition.astype(paddle.bool)

    def chosen(one, other):
        if one.dtype not in _COUNTING:
            return paddle.where(condition, one, other)
        return paddle.where(condition, one.astype("int64"), other.astype("int64")).astype(one.dtype)

    return _in_one_dtype(chosen, values, condition.place)


def _where(self, condition, other):
    return where(condition, self, other)


@_unchanged_if_plain
def _of_truths(theirs, name):
    """A logical function of tensors, which may have different dtypes."""

    @functools.wraps(theirs)
    def function(input, other, **kwargs):
        if input.dtype == other.dtype:
            return theirs(input, other, **kwargs)
        return theirs(input.astype(paddle.bool), other.astype(paddle.bool), **kwargs)

    return function


@_unchanged_if_plain
def _in_its_dtype(theirs, name):
    """A method that writes into a tensor, which keeps its dtype."""
    apart = _method(name.rstrip("_"))

    @functools.wraps(theirs)
    def method(self, other):
        if isinstance(other, paddle.Tensor) and other.dtype != self.dtype:
            return _writing(apart)(self, other)
        return theirs(self, other)

    return method


@_unchanged_if_plain
def _of_bytes(theirs, name):
    """any and all, which give bytes of bytes."""

    @functools.wraps(theirs)
    def function(input, *args, **kwargs):
        found = theirs(input, *args, **kwargs)
        return found.astype(paddle.uint8) if input.dtype == paddle.uint8 else found

    return function


def _of_reals(theirs, name):
    return lambda input: theirs(input) if input.is_complex() or input.is_floating_point() else paddle.sign(input)


def _shaped_alike(theirs, name):
    """An operator whose other operand is a number: Paddle's gives a dimension to a tensor without any."""

    @functools.wraps(theirs)
    def method(self, other):
        found = theirs(self, other)
        return found if self.ndim or not isinstance(found, paddle.Tensor) or not found.ndim else found.reshape([])

    return method


for _wrapped_by, _functions_wrapped in (
    (_of_truths, ["logical_and", "logical_or", "logical_xor"]),
    (_of_bytes, ["any", "all"]),
    (_of_reals, ["sgn"]),
    (lambda theirs, name: _with_a_dimension(theirs), ["cumprod", "flip", "movedim", "std", "var"]),
):
    _wrap_functions(_wrapped_by, _functions_wrapped)
    _wrap_methods(_wrapped_by, _functions_wrapped)
_wrap_methods(_in_its_dtype, ["pow_", "remainder_"])
_wrap_methods(_shaped_alike, ["__rfloordiv__"])
_register({}, {f"torch.{name}": _joining(name) for name in ("concat", "stack")})
_register({}, {"torch.cat": _joining("concat"), "torch.concatenate": _joining("concat"), "torch.where": where})
_register({}, {f"torch.{name}": _choosing(name) for name in ("maximum", "minimum")})
_wrap_functions(_choosing_or_reducing, ["max", "min"])
_wrap_methods(_choosing_or_reducing, ["max", "min"])
_methods(where=_where)
