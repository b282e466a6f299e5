import functools

import numpy
import paddle

from .methods_of_tensors import _method, _methods
from .overrides import _function, _register


def _whole(value):
    """Python's integer for a size or dimension that torch takes for one."""
    if isinstance(value, numpy.integer):
        return int(value)
    if isinstance(value, paddle.Tensor):
        real = value.is_floating_point() or value.is_complex()
        return value if real or value._numel() != 1 else int(value.item())
    if isinstance(value, (list, tuple)):
        listed = [_whole(each) for each in value]
        return listed if isinstance(value, list) else tuple(listed)
    return value


def _of_whole_numbers(theirs, first=0, last=None):
    """A function whose arguments from the first to the last are sizes or dimensions."""

    @functools.wraps(theirs)
    def called(*args, **kwargs):
        for value in args[first:last]:
            if type(value) is not int:
                sizes = map(_whole, args[first:last])
                args = (*args[:first], *sizes, *(() if last is None else args[last:]))
                break
        return theirs(*args, **kwargs)

    return called


_OF_SIZES = ("view", "reshape", "expand", "repeat", "permute", "transpose", "flatten", "split", "chunk")
_SIZE_FIRST = ("new_zeros", "new_ones", "new_empty")
_THEN_VALUES = ("new_full", "gather", "repeat_interleave")
_methods(**{name: _of_whole_numbers(_method(name), 1) for name in (*_OF_SIZES, *_SIZE_FIRST)})


def _by_numbers(theirs):
    """A method of numbers that are given one by one or as a list, for one that takes a list."""

    @functools.wraps(theirs)
    def method(self, *numbers, **named):
        listed = len(numbers) == 1 and isinstance(numbers[0], (list, tuple, paddle.Tensor))
        return theirs(self, *(numbers if listed or not numbers else (numbers,)), **named)

    return method


_methods(**{name: _by_numbers(_of_whole_numbers(_method(name), 1)) for name in ("tile", "broadcast_to")})
_methods(**{name: _of_whole_numbers(_method(name), 1, 2) for name in _THEN_VALUES})
_OF_A_TENSOR = ("reshape", "permute", "transpose", "flatten", "tile", "split", "chunk")
_register({}, {f"torch.{name}": _of_whole_numbers(_function(name), 1) for name in _OF_A_TENSOR})
_MADE = ("zeros", "ones", "empty", "rand", "randn")
_register({}, {f"torch.{name}": _of_whole_numbers(_function(name)) for name in _MADE})
