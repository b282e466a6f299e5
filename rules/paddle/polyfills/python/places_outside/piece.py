import functools

import paddle

from .indices_of_views import _is_mask, _refuse_outside
from .methods_of_tensors import _wrap_functions, _wrap_methods

_BY_PLACES = "index_put index_put_".split()
_FLAT = "put put_ take".split()
_OF_A_DIMENSION = "index_copy index_copy_ index_fill index_fill_".split()


def _refusing(theirs, name):
    """A function of places, which refuses those that a tensor on a CPU does not have."""

    @functools.wraps(theirs)
    def function(input, *args, **kwargs):
        if input.place.is_cpu_place():
            for index, at, size in _places_with_sizes(name, input, args, kwargs):
                if isinstance(index, paddle.Tensor) and not _is_mask(index):
                    _refuse_outside(index, at, size)
        return theirs(input, *args, **kwargs)

    return function


def _places_with_sizes(name, input, args, kwargs):
    """The places, each with its dimension and its size."""
    if name in _BY_PLACES:
        indices = args[0] if args else kwargs["indices"]
        return () if any(map(_is_mask, indices)) else zip(indices, range(input.ndim), input.shape, strict=False)
    if name in _FLAT:
        return [(args[0] if args else kwargs["index"], 0, input.size)]
    named = dict(zip(("dim", "index"), args, strict=False)) | kwargs
    return [(named["index"], named["dim"], input.shape[named["dim"]] if input.ndim else 1)]


_wrap_methods(_refusing, [*_BY_PLACES, *_OF_A_DIMENSION, *_FLAT])
_wrap_functions(_refusing, [*_BY_PLACES, *_OF_A_DIMENSION, *_FLAT])
