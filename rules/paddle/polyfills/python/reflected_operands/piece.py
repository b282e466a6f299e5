import functools
import numbers

import numpy
import paddle

from .methods_of_tensors import _unchanged_if_plain, _wrap_methods

_OPERANDS = (paddle.Tensor, int, float, numpy.ndarray, numpy.generic, numbers.Number)


@_unchanged_if_plain
def _of_operands(theirs, _):
    @functools.wraps(theirs)
    def method(self, other):
        return theirs(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    return method


_OF_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_COMPARING = "eq ne lt le gt ge".split()
_wrap_methods(_of_operands, [f"__{name}__" for name in (*_OF_OPERATORS, *_COMPARING)])
_wrap_methods(_of_operands, [f"__r{name}__" for name in _OF_OPERATORS])
