import math

from .methods_of_tensors import _methods

_methods(numel=lambda self: math.prod(self.shape))
