import math

from .methods_of_tensors import _methods, _wrap_functions

def _numel(input):
    return math.prod(input.shape)


_methods(numel=_numel)
_wrap_functions(lambda theirs, _: _numel, ["numel"])
