import functools

import paddle

from .computing import _assign
from .methods_of_tensors import _method, _methods
from .overrides import _function


def _with_a_dimension(theirs):
    """A function along a dimension, which takes tensors without dimensions as of one element."""

    @functools.wraps(theirs)
    def function(input, *args, **kwargs):
        if not isinstance(input, paddle.Tensor):
            return theirs(input, *args, **kwargs)
        if not input.ndim:
            one = [_of_one_element(value) for value in args]
            out = theirs(input.reshape([1]), *one, **{k: _of_one_element(v) for k, v in kwargs.items()})
            return out.reshape([])
        if len(args) > 1 and isinstance(args[1], paddle.Tensor):
            args = (args[0], _of_one_element(args[1]), *args[2:])
        elif "index" in kwargs:
            kwargs["index"] = _of_one_element(kwargs["index"])
        return theirs(input, *args, **kwargs)

    return function


def _of_one_element(value):
    return value.reshape([1]) if isinstance(value, paddle.Tensor) and not value.ndim else value


def _gathering(theirs):
    """The result has the dimensions of the index."""

    def gather(input, dim, index, **options):
        if input.ndim == index.ndim > 0:
            return theirs(input, dim, index, **options)
        if not index.size:
            return paddle.empty(index.shape, dtype=input.dtype)
        shape = index.shape
        index = index if index.ndim else index.reshape([1])
        found = theirs(input if input.ndim else input.reshape([1]), dim, index, **options)
        return found.reshape(shape)

    return gather


def _placed_in(theirs):
    given = _with_a_dimension(theirs)

    def method(self, *args, **kwargs):
        if self.ndim:
            return theirs(self, *args, **kwargs)
        return _assign(given(self.clone(), *args, **kwargs), self)

    return method


_OF_PLACES = "scatter scatter_add index_add".split()
gather = _gathering(_function("gather"))
scatter, scatter_add, index_add = (_with_a_dimension(_function(name)) for name in _OF_PLACES)
_methods(gather=_gathering(_method("gather")))
_methods(**{name: _with_a_dimension(_method(name)) for name in _OF_PLACES})
_methods(**{f"{name}_": _placed_in(_method(f"{name}_")) for name in _OF_PLACES})
