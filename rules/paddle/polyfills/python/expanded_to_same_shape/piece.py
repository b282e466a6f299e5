import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods


def _viewing(theirs, name):
    @functools.wraps(theirs)
    def expand(input, *sizes, **named):
        given = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
        shape = given.shape if name == "expand_as" and not named else given
        if isinstance(shape, (list, tuple)) and len(shape) == input.ndim:
            if all(size in (-1, own) for size, own in zip(shape, input.shape)):
                return input.transpose([*range(input.ndim)])
        return theirs(input, *sizes, **named)

    return expand


_wrap_methods(_viewing, ["broadcast_to", "expand", "expand_as"])
_wrap_functions(_viewing, ["broadcast_to"])
